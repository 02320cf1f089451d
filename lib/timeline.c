#include "timeline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int timeline_init(struct timeline *t, uint64_t width)
{
	t->width = width;
	t->used = 0;
	/* calloc: slices that stay unused never take memory */
	t->slices = calloc(TIMELINE_SLICES, sizeof(*t->slices));
	return t->slices ? 0 : -ENOMEM;
}

void timeline_free(struct timeline *t)
{
	free(t->slices);
	t->slices = NULL;
}

static void slice_merge(struct slice *to, const struct slice *from)
{
	if (from->count == 0)
		return;
	if (to->count == 0 || from->first_start < to->first_start)
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
	static const struct slice empty;

	for (size_t i = 1; i < t->used; i++) {
		if (i % 2 == 1) {
			slice_merge(&t->slices[i / 2], &t->slices[i]);
		} else {
			t->slices[i / 2] = t->slices[i];
		}
		t->slices[i] = empty;
	}
	t->used = (t->used + 1) / 2;
	t->width *= 2;
}

static struct slice *slice_of(struct timeline *t, uint64_t key)
{
	while (key / t->width >= TIMELINE_SLICES)
		timeline_coarsen(t);
	if (key / t->width >= t->used)
		t->used = key / t->width + 1;
	return &t->slices[key / t->width];
}

void timeline_add(struct timeline *t, uint64_t key, uint64_t start,
		  uint64_t end)
{
	struct slice *s = slice_of(t, key);
	uint64_t latency = end - start;

	if (s->count++ == 0 || start < s->first_start)
		s->first_start = start;
	if (end > s->last_end)
		s->last_end = end;
	if (latency > s->max)
		s->max = latency;
	s->bucket[hist_bucket(latency, TIMELINE_SUB_BITS)]++;
}

void timeline_merge(struct timeline *to, struct timeline *from)
{
	while (from->width < to->width)
		timeline_coarsen(from);
	while (to->width < from->width)
		timeline_coarsen(to);
	for (size_t i = 0; i < from->used; i++)
		slice_merge(&to->slices[i], &from->slices[i]);
	if (from->used > to->used)
		to->used = from->used;
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
