/*
 * forecast_fs: what the parts of a forecast share: one file for each kind of
 * file system, each of which fills in a forecast and offers the limits it
 * sees.
 */
#ifndef BIGDIR_FORECAST_FS_H
#define BIGDIR_FORECAST_FS_H

#include <sys/statvfs.h>

#include "forecast.h"

/* How many names have which length. */
struct name_lengths {
	uint64_t of[256];
	uint64_t total;
};

struct forecast_job {
	const struct forecast_request *request;
	struct statvfs vfs;
	struct name_lengths present; /* in the directory */
	struct name_lengths sample; /* of the new ones */
};

/*
 * forecast_mean: the mean over a set of lengths of what a name of len bytes
 * takes.  0 for an empty set.
 */
double forecast_mean(const struct name_lengths *lengths,
		     unsigned int (*takes)(unsigned int len));

/*
 * forecast_mean_all: the same over the names present and count new ones.
 */
double forecast_mean_all(const struct forecast_job *job, uint64_t count,
			 unsigned int (*takes)(unsigned int len));

/*
 * forecast_limit: a limit was found: names from low to high, most likely at,
 * go in until cause.  The forecast keeps the one that is reached first.
 */
void forecast_limit(struct forecast *f, enum forecast_cause cause, uint64_t at,
		    uint64_t low, uint64_t high);

/*
 * forecast_blocks_cause: what a user who runs out of blocks runs out of.
 */
enum forecast_cause forecast_blocks_cause(void);

/*
 * The kinds.  f holds what statvfs gives.  0 or negative errno.
 */
int forecast_ext(const struct forecast_job *job, struct forecast *f);
int forecast_xfs(const struct forecast_job *job, struct forecast *f);
int forecast_btrfs(const struct forecast_job *job, struct forecast *f);
int forecast_tmpfs(const struct forecast_job *job, struct forecast *f);
int forecast_other(const struct forecast_job *job, struct forecast *f);

/*
 * forecast_btrfs_bytes: what an empty file with names of that mean length
 * takes in the trees of btrfs, in leaves that are partly full.
 */
double forecast_btrfs_bytes(double mean_name);

/*
 * forecast_memory: fill in what the kernel keeps for each name.
 */
void forecast_memory(const struct forecast_job *job, struct forecast *f);

#endif
