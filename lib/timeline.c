#include "timeline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void slice_reset(struct slice *s)
{
	memset(s, 0, sizeof(*s));
	s->first_start = UINT64_MAX;
}

int timeline_init(struct timeline *t, uint64_t width)
{
	memset(t, 0, sizeof(*t));
	t->width = width;
	/* slices that stay unused never take memory */
	t->slices = malloc(TIMELINE_SLICES * sizeof(*t->slices));
	if (!t->slices)
		return -ENOMEM;
	return 0;
}

void timeline_free(struct timeline *t)
{
	free(t->slices);
	t->slices = NULL;
}

static void slice_merge(struct slice *to, const struct slice *from)
{
	to->failed += from->failed;
	if (from->count == 0)
		return;
	if (from->first_start < to->first_start)
		to->first_start = from->first_start;
	if (from->last_end > to->last_end)
		to->last_end = from->last_end;
	if (from->max > to->max)
		to->max = from->max;
	to->count += from->count;
	for (size_t i = 0; i < HIST_BUCKETS(TIMELINE_SUB_BITS); i++)
		to->bucket[i] += from->bucket[i];
}

static void timeline_coarsen(struct timeline *t)
{
	for (size_t i = 1; i < t->used; i++) {
		if (i % 2 == 1)
			slice_merge(&t->slices[i / 2], &t->slices[i]);
		else
			t->slices[i / 2] = t->slices[i];
	}
	t->used = (t->used + 1) / 2;
	t->width *= 2;
}

/* Have the slices up to number n, the new ones empty. */
static void timeline_extend(struct timeline *t, size_t n)
{
	while (t->used <= n)
		slice_reset(&t->slices[t->used++]);
}

/* The slice of a key, after joining slices if need be. */
static struct slice *slice_of(struct timeline *t, uint64_t key)
{
	while (key / t->width >= TIMELINE_SLICES)
		timeline_coarsen(t);
	timeline_extend(t, key / t->width);
	return &t->slices[key / t->width];
}

/* Count the operations from i on whose keys are below `limit`; returns where
 * the next slice begins. */
static unsigned int add_to_slice(struct slice *s,
				 const struct timeline_batch *b, unsigned int i,
				 uint64_t limit)
{
	uint64_t max = s->max, start = b->end[i] - b->latency[i];
	unsigned int from = i;

	if (start < s->first_start)
		s->first_start = start;
	for (; i < b->count && b->key[i] < limit; i++) {
		uint64_t latency = b->latency[i];

		max = latency > max ? latency : max;
		s->bucket[hist_coarser(latency, b->bucket[i],
				       TIMELINE_SUB_BITS)]++;
	}
	s->max = max;
	s->count += i - from;
	if (b->end[i - 1] > s->last_end)
		s->last_end = b->end[i - 1];
	return i;
}

void timeline_add(struct timeline *t, const struct timeline_batch *b)
{
	for (unsigned int i = 0; i < b->count;) {
		struct slice *s = slice_of(t, b->key[i]);
		uint64_t number = b->key[i] / t->width;

		i = add_to_slice(s, b, i, (number + 1) * t->width);
	}
}

void timeline_fail(struct timeline *t, uint64_t key)
{
	slice_of(t, key)->failed++;
}

void timeline_merge(struct timeline *to, struct timeline *from)
{
	while (from->width < to->width)
		timeline_coarsen(from);
	while (to->width < from->width)
		timeline_coarsen(to);
	if (from->used)
		timeline_extend(to, from->used - 1);
	for (size_t i = 0; i < from->used; i++)
		slice_merge(&to->slices[i], &from->slices[i]);
}

uint64_t slice_quantile(const struct slice *s, double part)
{
	uint64_t rank, seen = 0, value;
	unsigned int i = 0;

	if (s->count == 0)
		return 0;
	rank = (uint64_t)ceil(part * (double)s->count);
	if (rank < 1)
		rank = 1;
	while ((seen += s->bucket[i]) < rank)
		i++;
	value = hist_middle(i, TIMELINE_SUB_BITS);
	return value > s->max ? s->max : value;
}
