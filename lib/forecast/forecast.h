/*
 * forecast: what COUNT new names in a directory will come to, before the
 * first is made: how large the directory gets, what it needs, what will run
 * out first and after how many names.  Nothing is created or written.
 *
 *	struct forecast_request r = { .dirfd = fd, .count = 1000000,
 *				      .name = my_name, .arg = &scheme,
 *				      .type = S_IFREG };
 *	struct forecast f;
 *	int err = forecast_make(&r, &f);
 *	if (!err)
 *		forecast_print(stdout, &f);
 *
 * Two ways: by formula, which samples the names' lengths and takes
 * milliseconds; and exactly (ext2/3/4 only), which plays every name through
 * (see htree.h), about a million names a second.
 */
#ifndef BIGDIR_FORECAST_H
#define BIGDIR_FORECAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define FORECAST_UNKNOWN UINT64_MAX

enum forecast_cause {
	FORECAST_FITS, /* nothing runs out */
	FORECAST_INODES, /* the inodes that mkfs made (ext) */
	FORECAST_BLOCKS, /* all space */
	FORECAST_RESERVE, /* all space but what is kept for root */
	FORECAST_INDEX, /* the directory's index (ext) */
	FORECAST_LINKS, /* subdirectories: the parent's link count */
	FORECAST_TMPFS_INODES, /* mount option nr_inodes */
	FORECAST_XFS_IMAXPCT, /* the share of space that inodes may take */
	FORECAST_BTRFS_METADATA, /* space for metadata */
	FORECAST_HARD_LINKS, /* the link count of the file they lead to */
};

enum forecast_fs {
	FORECAST_FS_EXT,
	FORECAST_FS_XFS,
	FORECAST_FS_BTRFS,
	FORECAST_FS_TMPFS,
	FORECAST_FS_OTHER,
};

struct forecast_request {
	int dirfd; /* the directory, open for reading */
	uint64_t count; /* names to create */
	/* The name that is created at a position, counted from 0, written to
	 * buf with its final zero.  Returns its length. */
	size_t (*name)(void *arg, uint64_t position, char buf[256]);
	void *arg;
	mode_t type; /* S_IFREG, S_IFDIR, S_IFLNK, S_IFIFO … */
	bool links; /* hard links to one file: no inode each */
	uint64_t file_bytes; /* in each S_IFREG; the target of an S_IFLNK */
	bool exact;
};

/* A resource; FORECAST_UNKNOWN where the file system does not say. */
struct forecast_supply {
	uint64_t needed; /* by all count names */
	uint64_t available; /* to this user, now */
	uint64_t total;
};

struct forecast {
	enum forecast_fs fs;
	char fs_name[24]; /* "ext4", "tmpfs", …, or its magic in hex */
	unsigned int block_size;
	uint64_t count; /* of the request */
	uint64_t present; /* names in the directory now */
	double mean_name; /* bytes of the new names, mean */

	/* Where the figures come from. */
	bool superblock; /* what mkfs fixed was read, from the super block or
			  * with an ioctl; else statvfs and assumptions */
	int superblock_error; /* if it should have been: negative errno */
	bool exact; /* every name was played through */
	bool all_exact; /* no part of at is an estimate */

	enum forecast_cause cause; /* what runs out first */
	uint64_t at; /* new names that go in before the first refusal;
		      * count if all do */
	uint64_t low, high; /* between which at lies; equal if exact */

	uint64_t directory_now; /* bytes */
	uint64_t directory; /* bytes once at names have gone in */
	unsigned int levels; /* of the index, 0: none */
	unsigned int max_levels; /* it may have */
	uint64_t leaves; /* of the index */

	struct forecast_supply inodes;
	struct forecast_supply blocks; /* of block_size */
	unsigned int inode_size; /* bytes; 0: not known */

	uint64_t journal; /* bytes, FORECAST_UNKNOWN */
	uint64_t journal_wanted; /* 4 × (directory + inode table) */

	/* Memory, if all new names stay cached: bytes for each. */
	unsigned int dentry_bytes;
	unsigned int inode_bytes;
	bool slab_read; /* from the kernel; else usual values */
};

/*
 * forecast_make: compute *f.  0; -EINVAL for a request without a name
 * function; -ENOMEM; or what reading the directory says.  That the device is
 * not readable is no error: see f->superblock.
 */
int forecast_make(const struct forecast_request *request, struct forecast *f);

/*
 * forecast_print: f as text of at most 80 columns.  Errors of out are left
 * for the caller to see with ferror.
 */
void forecast_print(FILE *out, const struct forecast *f);

/*
 * forecast_cause_id: the stable name of a cause: that which exhaust_id() has
 * for the same thing once it has happened, or "nothing".
 */
const char *forecast_cause_id(enum forecast_cause cause);

/*
 * forecast_cause_name: a cause in a few words, "directory index".
 */
const char *forecast_cause_name(enum forecast_cause cause);

#endif
