/*
 * age: whether a directory is as a new one would be, by what can be seen of
 * it.
 *
 * A directory that has been used for long differs from a fresh one of as many
 * names in two ways, if its file system lets it:
 *
 *  - Its own size. Where names were deleted there are gaps, and ext2, ext3 and
 *    ext4 never give blocks of a directory back. What a fresh one takes is
 *    known there (see htree_mean.h).
 *  - The order of inodes. A new file takes the next free inode, so those of a
 *    fresh directory rise in order of creation; once some were freed, they are
 *    taken again. The rank correlation of the two orders (Spearman's; 1: the
 *    same, 0: none) tells, over a random sample. Where inode numbers are
 *    counted on and never taken again (tmpfs, btrfs), it is 1 for ever, and
 *    tells nothing.
 *
 * A directory that was emptied and filled anew hides both: it fills the gaps
 * it has, in order. That it was used before is seen only as long as it is
 * empty, so it is to be looked at before a run, too.
 */
#ifndef BIGDIR_AGE_H
#define BIGDIR_AGE_H

#include <stdbool.h>
#include <stdint.h>

#include "env.h"

/* Entries that are looked at for the order of inodes, at most and at least. */
#define AGE_SAMPLE 4096
#define AGE_LEAST_SAMPLE 256

/* Bounds between the verdicts: the formula for fresh ones is good to some per
 * cent. */
#define AGE_GROWN 1.15 /* times a fresh one's size */
#define AGE_SHRUNK 2.0
#define AGE_ORDER 0.9

enum age_verdict {
	AGE_UNKNOWN, /* the file system, or so few names, do not tell */
	AGE_FRESH, /* as a new one: the size at most AGE_GROWN times that, and
		    * the order above AGE_ORDER */
	AGE_AGED, /* neither fresh nor shrunk */
	AGE_SHRUNKEN, /* AGE_SHRUNK times as large, or more: it has held more
		       * names */
	AGE_REUSED, /* not shrunk, but it was empty when the run began, and
		     * larger than a new one: it has held other names */
};

struct age {
	enum age_verdict verdict;
	bool emptied; /* of age_was_emptied(), before the run */
	int err; /* positive errno: it could not be read */
	uint64_t entries;
	uint64_t bytes; /* its size */
	uint64_t fresh_bytes; /* of a fresh one; 0: not known */
	unsigned int sampled; /* entries whose order was looked at */
	double inode_order; /* -1 to 1; if sampled is not 0 */
};

/* Whether an open directory holds nothing and is larger than a new one, as
 * only ext2, ext3 and ext4 leave it; `e` is its environment. False also where
 * it could not be read. */
bool age_was_emptied(int dir, const struct environment *e);

/* Look at an open directory, after the run; a->emptied was set before it.
 * Whatever becomes of it is in *a. */
void age_read(int dir, const struct environment *e, struct age *a);

/* "unknown", "fresh", "aged", "shrunk" or "reused". Static. */
const char *age_verdict_name(enum age_verdict v);

/* Spearman's rank correlation of n pairs (at least 2), ties at their mean
 * rank; 0 where one of the two is all the same. Changes the order of the
 * pairs. */
struct age_pair {
	uint64_t x, y;
	double x_rank, y_rank; /* scratch */
};
double age_correlation(struct age_pair *pair, unsigned int n);

#endif
