/*
 * timeline: rate and latency along a run, in slices.
 *
 * A slice covers `width` neighbouring keys; the key is the position in the
 * order (and so tells the directory's size) or the time. When a key lies
 * beyond the last slice, neighbours are joined two by two and the width
 * doubles, so that a run of any length has at most TIMELINE_SLICES slices.
 * Each slice has a small histogram of its own: 16 buckets to a power of two,
 * so its percentiles are known to 1/32.
 */
#ifndef BIGDIR_TIMELINE_H
#define BIGDIR_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "hist.h"

#define TIMELINE_SLICES 128
#define TIMELINE_SUB_BITS 4

struct slice {
	uint64_t count;
	uint64_t failed; /* operations that are in no other figure */
	uint64_t max; /* longest latency, ns */
	uint64_t first_start; /* of its operations, ns since the run began;
			       * UINT64_MAX if there are none */
	uint64_t last_end;
	uint32_t bucket[HIST_BUCKETS(TIMELINE_SUB_BITS)];
};

struct timeline {
	uint64_t width;
	size_t used; /* slices up to the last one that counted anything */
	struct slice *slices;
};

/* Start one with slices of `width` keys (at least 1). 0 or -ENOMEM. */
int timeline_init(struct timeline *t, uint64_t width);
void timeline_free(struct timeline *t);

/* Operations of one kind that have gone through, an array for each figure.
 * Times in ns since the run began; keys are what a timeline goes by. */
struct timeline_batch {
	unsigned int count;
	const uint64_t *key; /* of each, never falling */
	const uint64_t *end; /* when it ended */
	const uint64_t *latency; /* how long it took */
	const uint16_t *bucket; /* of its latency in a struct hist */
};

/* Count them. */
void timeline_add(struct timeline *t, const struct timeline_batch *b);

/* Count one that failed. */
void timeline_fail(struct timeline *t, uint64_t key);

/* Add all of `from` to `to`. Both began with the same width; `from` may be
 * made coarser. */
void timeline_merge(struct timeline *to, struct timeline *from);

/* As hist_quantile(), to 1/32. */
uint64_t slice_quantile(const struct slice *s, double part);

#endif
