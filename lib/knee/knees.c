#include "knees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(KNEE_SERIES >= TIMELINE_SLICES, "a timeline is one series");

/* The slices that have enough operations to tell a cost. */
struct costs {
	const struct timeline *timeline;
	size_t n;
	size_t slice[KNEE_SERIES];
	double p50[KNEE_SERIES], mean[KNEE_SERIES], p99[KNEE_SERIES];
};

/* To 1/32 of each latency. */
static double mean_of(const struct slice *s)
{
	double sum = 0;

	for (unsigned int i = 0; i < HIST_BUCKETS(TIMELINE_SUB_BITS); i++)
		if (s->bucket[i])
			sum += (double)s->bucket[i] *
			       (double)hist_middle(i, TIMELINE_SUB_BITS);
	return sum / (double)s->count;
}

static void gather(const struct timeline *t, struct costs *c)
{
	c->timeline = t;
	c->n = 0;
	for (size_t i = 0; i < t->used; i++) {
		const struct slice *s = &t->slices[i];

		if (s->count == 0 || s->count < t->width / 4 ||
		    slice_quantile(s, 0.5) == 0)
			continue;
		c->slice[c->n] = i;
		c->p50[c->n] = (double)slice_quantile(s, 0.5);
		c->p99[c->n] = (double)slice_quantile(s, 0.99);
		c->mean[c->n++] = mean_of(s);
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(const double *values, size_t n)
{
	double sorted[KNEE_SERIES];

	memcpy(sorted, values, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare);
	return sorted[n / 2];
}

static void name_knee(const struct cause_scene *scene, const struct costs *c,
		      const struct knee_step *step, struct knee *k)
{
	struct cause_scene s = *scene;
	size_t wide = step->before < step->after ? step->before : step->after;

	s.slice = c->timeline->width;
	s.low = k->low;
	s.high = k->high;
	s.reach = wide * s.slice;
	s.rises = k->to > k->from;
	k->causes = cause_find(&s, k->cause);
	k->processor_known = cause_per_operation(
		&s, EVIDENCE_PROCESSOR, &k->processor_from, &k->processor_to);
}

/* The border between two slices at the cost before and after is the knee; or,
 * where some slices are between them, it lies there. */
static void add_knee(const struct cause_scene *scene, const struct costs *c,
		     const struct knee_step *step, bool mean, struct knee *k)
{
	uint64_t width = c->timeline->width;

	k->mean = mean;
	k->low = c->slice[step->low] * width;
	k->high = (c->slice[step->high] + 1) * width;
	if (step->high > step->low + 1) {
		k->low += width;
		k->high -= width;
	}
	k->from = step->from;
	k->to = step->to;
	k->p99_from =
		median(c->p99 + step->low + 1 - step->before, step->before);
	k->p99_to = median(c->p99 + step->high, step->after);
	name_knee(scene, c, step, k);
}

static bool is_among(const struct knee_step *steps, size_t count,
		     const struct knee_step *s)
{
	for (size_t i = 0; i < count; i++)
		if (steps[i].at < s->at + KNEE_LASTS &&
		    s->at < steps[i].at + KNEE_LASTS)
			return true;
	return false;
}

/*
 * A mean is moved by a few long latencies, such as when another program has
 * the processor for a while. So a knee of the mean alone must last twice as
 * long, and have p99 go along by KNEES_P99, or something seen that explains it.
 */
static bool is_sound(const struct knee *k, const struct knee_step *step)
{
	double along = log(k->p99_to / k->p99_from);

	if (step->before < 2 * KNEE_LASTS || step->after < 2 * KNEE_LASTS)
		return false;
	if (k->from > k->to)
		along = -along;
	return k->causes > 0 || along >= log1p(KNEES_P99);
}

static int compare_low(const void *a, const void *b)
{
	const struct knee *x = a, *y = b;

	return (x->low > y->low) - (x->low < y->low);
}

bool knees_any(const struct timeline *t)
{
	struct knee_step some[KNEES_MOST];
	struct costs c;

	gather(t, &c);
	return knee_find(c.p50, c.n, some, KNEES_MOST) ||
	       knee_find(c.mean, c.n, some, KNEES_MOST);
}

void knees_find(const struct timeline *t, const struct cause_scene *scene,
		struct knees *k)
{
	struct knee_step typical[KNEES_MOST], mean[KNEES_MOST];
	size_t typicals, means;
	struct costs c;

	k->count = 0;
	gather(t, &c);
	typicals = knee_find(c.p50, c.n, typical, KNEES_MOST);
	means = knee_find(c.mean, c.n, mean, KNEES_MOST);
	for (size_t i = 0; i < typicals; i++)
		add_knee(scene, &c, &typical[i], false, &k->knee[k->count++]);
	for (size_t i = 0; i < means && k->count < KNEES_MOST; i++) {
		struct knee *knee = &k->knee[k->count];

		if (is_among(typical, typicals, &mean[i]))
			continue;
		add_knee(scene, &c, &mean[i], true, knee);
		k->count += is_sound(knee, &mean[i]);
	}
	qsort(k->knee, k->count, sizeof(*k->knee), compare_low);
}
