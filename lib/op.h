/*
 * op: one small function to each operation on a name.
 *
 * All work on directory descriptors and never on a joined path. None follows
 * a symbolic link in the name's place, and none that creates replaces
 * anything. They do not know that they are timed.
 */
#ifndef BIGDIR_OP_H
#define BIGDIR_OP_H

#include <stdbool.h>
#include <sys/types.h>

struct selection; /* see selection.h */

enum durability {
	DURABLE_NONE, /* nothing is synced */
	DURABLE_FILE, /* each new file before it is closed */
	DURABLE_DIR, /* that, and the directory after each operation */
	DURABLE_END, /* the file system once, after the run, timed apart */
};

/* Where, and how, an operation works. */
struct place {
	int dir; /* of the name */
	int to_dir; /* of the new name, for renames; may equal dir */
	mode_t mode;
	char link_source[32]; /* path of the file that hard links are made to */
	enum durability durability;
	const struct selection *selection; /* of op_unlink_selected */
};

/*
 * Do it to `name`; `to` is the second name of those operations that have one.
 * 0, a positive errno, or OP_KEPT: it was found that it is not to be done.
 */
#define OP_KEPT 1000 /* above every errno */
typedef int op_function(const struct place *p, const char *name,
			const char *to);

struct operation {
	const char *name; /* "create" */
	const char *did; /* "created" */
	const char *kind; /* as refusals are sorted: see exhaust.h */
	op_function *run;
	bool takes_two; /* it needs a second name */
};

/* Bytes of what symbolic links lead to. */
#define OP_TARGET_LENGTH 6

extern const struct operation op_create_open; /* openat O_EXCL, close */
extern const struct operation op_create_mknod; /* mknodat S_IFREG */
extern const struct operation op_create_dir; /* mkdirat */
extern const struct operation op_create_symlink; /* to "bigdir": dangling */
extern const struct operation op_create_hardlink; /* to link_source */
extern const struct operation op_create_fifo; /* mknodat S_IFIFO */
extern const struct operation op_unlink; /* unlinkat */
extern const struct operation op_unlink_selected; /* fstatat, then unlinkat */
extern const struct operation op_rmdir; /* unlinkat AT_REMOVEDIR */
extern const struct operation op_rename; /* RENAME_NOREPLACE */
extern const struct operation op_rename_over; /* may replace `to` */
extern const struct operation op_exchange; /* RENAME_EXCHANGE */
extern const struct operation op_stat; /* fstatat, no follow */
extern const struct operation op_open; /* openat O_RDONLY, close */
extern const struct operation op_access; /* faccessat F_OK */
extern const struct operation op_statx; /* statx, inode and type */

/* Lookups of names that are not there: success is ENOENT, and a name that
 * exists after all fails with EEXIST. */
extern const struct operation op_stat_missing;
extern const struct operation op_open_missing;
extern const struct operation op_access_missing;
extern const struct operation op_statx_missing;

#endif
