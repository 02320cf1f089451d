/*
 * htree_mean: what an htree comes to on average, without its names: the
 * formula beside the simulation of htree.h.
 *
 * Hashes spread names evenly, and a full block is split at its middle entry,
 * so the number of leaves with j entries follows from the rate at which names
 * arrive, which is in proportion to j ("fringe analysis", A. C. Yao, 1978):
 * with x_j such leaves among n names
 *
 *	n dx_j/dn = (j - 1) x_{j-1} - j x_j + (what splits of full leaves add)
 *
 * which is integrated numerically, in milliseconds.  Index blocks over the
 * leaves are split at half as well, but almost in step with each other, so
 * that the index is full when almost all blocks of one generation have been
 * split; how far they are out of step is fitted to simulations.
 */
#ifndef BIGDIR_HTREE_MEAN_H
#define BIGDIR_HTREE_MEAN_H

#include <stdint.h>

#include "htree.h"

struct htree_mean {
	uint64_t bytes; /* with count names, or where the index is full */
	uint64_t leaves;
	unsigned int levels; /* of the index */
	uint64_t full_at; /* names that go in before the first refusal;
			   * UINT64_MAX: the index is not full by count */
	/* Where 98 of 100 hash seeds lie. */
	uint64_t full_low, full_high;
};

/*
 * htree_mean: the figures of a new directory with count names that take
 * need bytes each on average, the 8 bytes of header and rounding up to 4
 * included.
 *
 * 0, -EINVAL for a need below 12 or above the block, or -ENOMEM.
 */
int htree_mean(const struct htree_geometry *g, double need, uint64_t count,
	       struct htree_mean *mean);

#endif
