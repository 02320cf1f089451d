#include "index_steps.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <linux/btrfs.h>

#include "dirblock.h"
#include "forecast_fs.h"
#include "htree.h"
#include "htree_mean.h"

#define SAMPLED 512 /* names whose mean length stands for all */

/* Mean over the names of what a name of that length takes. */
static double mean_of(const struct index_growth *g,
		      unsigned int (*takes)(size_t len))
{
	uint64_t n = g->count < SAMPLED ? g->count : SAMPLED;
	char name[NAME_BUFFER];
	double sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += takes(g->name(g->arg, g->count / n * i, name));
	return n ? sum / (double)n : 0;
}

static size_t add_step(struct index_step *steps, size_t count,
		       struct index_step step, uint64_t names)
{
	if (step.at > names || count == INDEX_STEPS_MOST)
		return count;
	steps[count] = step;
	return count + 1;
}

/* --- ext ----------------------------------------------------------------- */

static unsigned int ext_need(size_t len)
{
	return 4 * dirblock_need(len);
}

/* A directory whose index may have but so many levels is full where one that
 * may have more becomes deeper. */
static size_t steps_ext(const struct index_growth *g, struct index_step *steps)
{
	struct htree_geometry x = htree_geometry_of(&g->env->ext);
	unsigned int most = x.max_levels;
	double need = mean_of(g, ext_need);
	uint64_t first =
		(uint64_t)((htree_leaf_room(&x) - 24) / fmax(need, 1)) + 1;
	struct htree_mean m;
	size_t count = 0;

	if (most == 0)
		return 0;
	count = add_step(steps, count,
			 (struct index_step){ 0, 1, first, first, first },
			 g->count);
	for (unsigned int level = 1; level < most; level++) {
		x.max_levels = level;
		if (htree_mean(&x, need, g->count, &m) ||
		    m.full_at == UINT64_MAX)
			break;
		count = add_step(steps, count,
				 (struct index_step){ level, level + 1,
						      m.full_at, m.full_low,
						      m.full_high },
				 g->count);
	}
	return count;
}

/* --- btrfs --------------------------------------------------------------- */

#define BTRFS_HEADER 101 /* bytes at the beginning of each node */
#define BTRFS_POINTER 33 /* key, block and generation of a child */

static unsigned int whole_length(size_t len)
{
	return (unsigned int)len;
}

/* What a name takes is known to a tenth. The root is full when it is split;
 * nodes below it are full where items are added at their end, and half to full
 * elsewhere. */
static size_t steps_btrfs(const struct index_growth *g,
			  struct index_step *steps)
{
	struct btrfs_ioctl_fs_info_args info = { 0 };
	double each = forecast_btrfs_bytes(mean_of(g, whole_length));
	double pointers, names;
	size_t count = 0;

	if (ioctl(g->dir, BTRFS_IOC_FS_INFO, &info) ||
	    info.nodesize <= BTRFS_HEADER)
		return 0;
	pointers = floor((info.nodesize - BTRFS_HEADER) / BTRFS_POINTER);
	names = info.nodesize / each;
	for (unsigned int level = 1; level <= 3; level++) {
		/* of the root's children, all are leaves; or half full */
		double low = level == 1 ? 0.9 : 0.5;

		names *= pointers;
		count = add_step(steps, count,
				 (struct index_step){
					 level, level + 1,
					 (uint64_t)(names * (low + 1.1) / 2),
					 (uint64_t)(names * low),
					 (uint64_t)(names * 1.1) },
				 g->count);
	}
	return count;
}

size_t index_steps(const struct index_growth *g, struct index_step *steps)
{
	const char *type = g->env->mount.type;

	if (g->env->ext_known)
		return steps_ext(g, steps);
	if (strcmp(type, "xfs") == 0)
		return index_steps_xfs(g, steps);
	if (strcmp(type, "btrfs") == 0)
		return steps_btrfs(g, steps);
	return 0;
}
