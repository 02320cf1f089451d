/*
 * index_steps: at how many names a new directory's index should become one
 * level deeper, by a model of the file system.
 *
 *  ext    htree.h: blocks of entries below one index block, then two levels,
 *         three with large_dir; by the mean of htree_mean.h.
 *  XFS    one block of hashes, then blocks of hashes below a tree whose node
 *         holds as many pointers as a block has room for; played through
 *         with the names' hashes.
 *  btrfs  the file system's tree of all items, by what an entry takes there
 *         on average (forecast_btrfs.c).
 *
 * A directory that shrinks gives up levels late or (ext) never: no model here.
 */
#ifndef BIGDIR_INDEX_STEPS_H
#define BIGDIR_INDEX_STEPS_H

#include <stddef.h>
#include <stdint.h>

#include "env.h"
#include "name.h"

#define INDEX_STEPS_MOST 4

struct index_step {
	unsigned int from, to; /* levels of index above the entries */
	uint64_t at; /* names: the one that makes it deeper */
	uint64_t low, high; /* between which at should lie */
};

/* The directory: names come in an order that a function tells. */
struct index_growth {
	int dir;
	const struct environment *env;
	uint64_t count; /* names at the end */
	size_t (*name)(const void *arg, uint64_t position,
		       char buf[NAME_BUFFER]);
	const void *arg;
};

/* All steps up to count names, at most INDEX_STEPS_MOST; returns how many, 0
 * also for a file system without a model. */
size_t index_steps(const struct index_growth *g, struct index_step *steps);

/* Inside of it: the part that plays an XFS directory through. */
size_t index_steps_xfs(const struct index_growth *g, struct index_step *steps);

#endif
