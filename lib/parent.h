/*
 * parent: the directories of a layout, held open in a table of bounded size.
 *
 * Entries are made, looked up and deleted relative to the descriptor of their
 * directory. The table keeps the directories used last: one that is not in it
 * is opened level by level below the base, so that no symbolic link is
 * followed on the way, and nothing outside the base's file system is entered.
 *
 * A table belongs to one thread. Descriptors: as many as it has room for, and
 * one more while it opens.
 */
#ifndef BIGDIR_PARENT_H
#define BIGDIR_PARENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A table's default and greatest room. */
#define PARENT_ROOM 1024
#define PARENT_MOST 1000000

struct parents;

/* What the table has asked the kernel for, one directory at a time. */
enum parent_call {
	PARENT_OPEN, /* opened; err tells why not */
	PARENT_ABSENT, /* looked for and not there: it is made next */
	PARENT_MKDIR, /* made; err is EEXIST when somebody else was faster */
};

struct parents_options {
	int base; /* not owned */
	unsigned int room; /* directories held open: 1 to PARENT_MOST */
	size_t longest; /* path that it is asked for: layout_longest() */
	bool make; /* directories that are not there */
	bool sync; /* the directory that one was made in, before the next */
	mode_t mode; /* of those, less the umask */
	/* Called right after each call to the kernel, for those who time them
	 * or count them; err is 0 or a positive errno. Or NULL. */
	void (*called)(void *argument, enum parent_call call, int err);
	void *argument;
};

struct parents_counts {
	uint64_t hits; /* it was in the table */
	uint64_t misses; /* it was not, and was opened if that was possible */
	uint64_t opened; /* directories opened, those on the way included */
	uint64_t made;
	uint64_t evicted; /* closed to make room */
};

/* How a path is known in the table. */
uint64_t parent_hash(const char *path, size_t length);

/* An empty table. 0 or -ENOMEM. */
int parents_open(struct parents **p, const struct parents_options *o);

/* Close all of its directories, and forget it. NULL is no table. */
void parents_close(struct parents *p);

/*
 * The descriptor of the directory at `path` below the base, as layout_path()
 * writes it, and the table is its owner: it is good until as many other paths
 * as there is room for have been asked for. The base itself for "".
 *
 * -ENOENT: not there, and not to be made; -ENOTDIR or -ELOOP: a file or a
 * symbolic link is in its place; -EXDEV: it is on another file system; and
 * what else openat() and mkdirat() say.
 */
int parent_find(struct parents *p, const char *path, size_t length,
		uint64_t hash);

/* The two halves of it: what the table knows without asking the kernel, or
 * -1; and opening what it does not know. */
int parent_known(struct parents *p, const char *path, size_t length,
		 uint64_t hash);
int parent_open(struct parents *p, const char *path, size_t length,
		uint64_t hash);

/*
 * The deepest directory on the way to `path` that is there, for a lookup that
 * ends below it: *known is how much of the path leads to it, all of it when
 * the directory itself is there. A negative errno when it cannot be told.
 */
int parent_nearest(struct parents *p, const char *path, size_t length,
		   size_t *known);

/* Forget a directory, and close it, before it is removed. */
void parent_forget(struct parents *p, const char *path, size_t length,
		   uint64_t hash);

const struct parents_counts *parents_counts(const struct parents *p);

/* Bytes that the table takes. */
size_t parents_memory(const struct parents *p);

/*
 * Raise the limit of open files (RLIMIT_NOFILE) so that `tables` tables of
 * that room fit beside the rest of a program. Returns the room that each of
 * them can have: as asked for, or less when the hard limit is too low, and 0
 * when there is no room at all.
 */
unsigned int parents_allowed(unsigned int room, unsigned int tables);

/* The limit of open files that as many tables take at least, of one directory
 * each; *limit: what it can be raised to. */
uint64_t parents_least(unsigned int tables, uint64_t *limit);

#endif
