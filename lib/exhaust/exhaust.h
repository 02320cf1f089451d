/*
 * Why the kernel said no.
 *
 * One errno has many causes: ENOSPC alone stands for inodes, blocks, the
 * reserve kept for root, a directory index at its depth limit, a metadata
 * chunk, a mount option and more. Called right after a refusal, in the
 * process that was refused, exhaust_explain() looks at the file system the
 * directory is on and says which it was, by what figures, and which command
 * would let the run go on.
 */
#ifndef BIGDIR_EXHAUST_H
#define BIGDIR_EXHAUST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What ran out, or what else stood in the way. exhaust_id() names each. */
enum exhaust_cause {
	EXHAUST_UNKNOWN,
	EXHAUST_INODES,
	EXHAUST_BLOCKS,
	EXHAUST_RESERVED,
	EXHAUST_DIR_INDEX,
	EXHAUST_DIR_SIZE,
	EXHAUST_JOURNAL,
	EXHAUST_XFS_CHUNK,
	EXHAUST_XFS_IMAXPCT,
	EXHAUST_BTRFS_METADATA,
	EXHAUST_BTRFS_QGROUP,
	EXHAUST_TMPFS_INODES,
	EXHAUST_TMPFS_SIZE,
	EXHAUST_QUOTA_USER,
	EXHAUST_QUOTA_GROUP,
	EXHAUST_QUOTA_PROJECT,
	EXHAUST_QUOTA_UNKNOWN,
	EXHAUST_SUBDIRECTORIES,
	EXHAUST_HARD_LINKS,
	EXHAUST_NAME_LENGTH,
	EXHAUST_TARGET_LENGTH,
	EXHAUST_RO_ERROR,
	EXHAUST_RO_MOUNT,
	EXHAUST_RO_DEVICE,
	EXHAUST_RO_TYPE,
	EXHAUST_RO_SUBVOLUME,
	EXHAUST_BACKING_FULL,
	EXHAUST_IO_ERROR,
	EXHAUST_SHUTDOWN,
	EXHAUST_CORRUPT,
	EXHAUST_PERMISSION,
	EXHAUST_IMMUTABLE,
	EXHAUST_APPEND_ONLY,
	EXHAUST_UNSUPPORTED,
	EXHAUST_EXISTS,
	EXHAUST_DIR_REMOVED,
	EXHAUST_MISSING,
	EXHAUST_STALE,
	EXHAUST_OPEN_FILES,
	EXHAUST_MEMORY,
	EXHAUST_NOT_DIRECTORY,
	EXHAUST_NOT_EMPTY,
	EXHAUST_OTHER_FS,
	EXHAUST_BUSY,
	EXHAUST_NAME_INVALID,
	EXHAUST_KEY_MISSING,
	EXHAUST_CAUSES
};

/*
 * How far the evidence carries: certain, the figures leave nothing else;
 * likely, they point there but the decisive one could not be read; guess,
 * all that was left. verdict.doubt says what was missing.
 */
enum exhaust_confidence {
	EXHAUST_CERTAIN,
	EXHAUST_LIKELY,
	EXHAUST_GUESS,
};

/* What a remedy does to the mounted file system while it is applied. */
enum remedy_effect {
	REMEDY_ONLINE, /* stays mounted; the run can simply go on */
	REMEDY_OFFLINE, /* unmounts and mounts again; the contents stay */
	REMEDY_ANEW, /* makes the file system anew: the contents are lost */
};

/*
 * One refused operation. Members left zero mean "not known", except dirfd
 * and source_fd, which are -1 then.
 */
struct refusal {
	int dirfd; /* the directory; O_PATH will do */
	const char *operation; /* create mkdir link symlink mknod rename
				  unlink rmdir */
	int err; /* errno of the refusal, positive */
	const char *name; /* the entry that was refused */
	int source_fd; /* link: the file; rename: directory it is in */
	const char *target; /* symlink: its contents */
	uint64_t wanted; /* names still to be made, for sizing remedies */
};

enum {
	EXHAUST_EVIDENCE_MAX = 28,
	EXHAUST_REMEDY_MAX = 5,
	EXHAUST_COMMAND_SIZE = 2048,
};

/* One figure. Text is for people; number has the same in plain units. */
struct evidence {
	char name[32];
	char text[120];
	uint64_t number;
	bool numeric;
};

struct remedy {
	char command[EXHAUST_COMMAND_SIZE]; /* to be typed as it is, by root */
	enum remedy_effect effect;
};

/* Fixed in size, holds no pointer to anything that must be freed. */
struct verdict {
	enum exhaust_cause cause;
	const char *cause_id; /* exhaust_id(cause) */
	enum exhaust_confidence confidence;
	int err;
	char summary[256]; /* one sentence */
	char doubt[160]; /* why not certain; empty if it is */
	char advice[256]; /* next step where no command is one, or empty */
	unsigned int evidence_count;
	unsigned int remedy_count;
	struct evidence evidence[EXHAUST_EVIDENCE_MAX];
	struct remedy remedy[EXHAUST_REMEDY_MAX]; /* best first */
};

/*
 * Finds the cause of a refusal and fills the verdict, always: what cannot be
 * read lowers the confidence. Writes nothing to any file system and frees
 * what memory it takes, so that it works on a full one. Root sees more: the
 * superblock and the directory's own index are read from the device.
 * Returns 0, or -EINVAL if the refusal has no operation or no errno.
 */
int exhaust_explain(const struct refusal *refusal, struct verdict *verdict);

/* The stable name of a cause, such as "directory-index". Never NULL. */
const char *exhaust_id(enum exhaust_cause cause);

/* "certain", "likely" or "guess". */
const char *exhaust_confidence_name(enum exhaust_confidence confidence);

/* "online", "offline" or "anew". */
const char *remedy_effect_name(enum remedy_effect effect);

/*
 * True if the error means that something ran out or met a limit (the exit
 * code 3 of the tools), false if it is a failure of another kind.
 */
bool exhaust_is_limit(int err);

/*
 * Prints the verdict for people, at most 80 columns wide; commands are broken
 * where a shell lets them be, so that they can still be pasted. Only a word
 * that is itself longer goes over.
 * Returns 0, or -EIO if the stream failed.
 */
int verdict_print(FILE *out, const struct verdict *verdict);

#endif
