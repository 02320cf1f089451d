/*
 * knees: those of one run: where its cost for each operation changes as the
 * directory grows or shrinks, and what was seen there.
 */
#ifndef BIGDIR_KNEES_H
#define BIGDIR_KNEES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cause.h"
#include "knee.h"
#include "timeline.h"

#define KNEES_MOST 8
#define KNEES_P99 0.3 /* see knees.c */

struct knee {
	bool mean; /* of the mean alone: long latencies came or went, and p50
		    * is as before; else of p50 */
	uint64_t low, high; /* positions that it lies between */
	double from, to; /* ns */
	double p99_from, p99_to; /* ns, medians of the slices' */
	bool processor_known; /* ns of the processor for an operation: */
	double processor_from, processor_to;
	size_t causes;
	struct cause cause[CAUSE_KINDS];
};

struct knees {
	size_t count;
	struct knee knee[KNEES_MOST];
};

/* Whether a timeline may have any: whether there is something to name. */
bool knees_any(const struct timeline *t);

/* Find and name the knees of a timeline by position. Of `scene`, what tells
 * nothing of one knee is given: evidence, steps, and sizes. */
void knees_find(const struct timeline *t, const struct cause_scene *scene,
		struct knees *k);

#endif
