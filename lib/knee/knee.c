#include "knee.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WIDEST 16
/* A border's step, in widths of the noise, below which it is chance. */
#define SIGNIFICANT 4.0

/* Logarithms of the costs, and what their neighbours differ by. */
struct series {
	double value[KNEE_SERIES];
	size_t n;
	double noise; /* standard deviation */
};

struct candidate {
	struct knee_step step;
	double strength;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Windows are short: putting each value in its place is the quickest way. */
static void sort_few(double *values, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double value = values[i];
		size_t at = i;

		for (; at > 0 && values[at - 1] > value; at--)
			values[at] = values[at - 1];
		values[at] = value;
	}
}

static double median(const double *values, size_t n)
{
	double sorted[KNEE_SERIES];

	memcpy(sorted, values, n * sizeof(*sorted));
	if (n <= WIDEST)
		sort_few(sorted, n);
	else
		qsort(sorted, n, sizeof(*sorted), compare);
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/* Of normal noise, the median absolute difference of neighbours is 0.6745 *
 * sqrt(2) standard deviations; steps and spikes hardly move it. */
static double noise_of(const double *values, size_t n)
{
	double differences[KNEE_SERIES] = { 0 };

	for (size_t i = 0; i + 1 < n; i++)
		differences[i] = fabs(values[i + 1] - values[i]);
	return median(differences, n - 1) / (0.6745 * M_SQRT2);
}

/* How many of the values are on the wrong side of the middle. */
static size_t strays(const double *values, size_t n, double middle, bool above)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += above ? values[i] <= middle : values[i] >= middle;
	return count;
}

/* Whether no more values stray than leave KNEE_LASTS of them. */
static bool keeps_side(const double *values, size_t n, double middle,
		       bool above)
{
	return strays(values, n, middle, above) <= (n - KNEE_LASTS) / 2;
}

/*
 * Compare up to w values on either side of a border. Where the windows are
 * wide, the nearest values must show most of the step, or it is a slope.
 */
static bool is_step(const struct series *s, size_t at, size_t w,
		    struct candidate *c)
{
	size_t b = at < w ? at : w, a = s->n - at < w ? s->n - at : w;
	const double *before = s->value + at - b, *after = s->value + at;
	const double *near = after - KNEE_LASTS;
	double from = median(before, b), to = median(after, a);
	double step = to - from, middle = (from + to) / 2;
	double few = sqrt(1.0 / (double)b + 1.0 / (double)a);

	if (fabs(step) < log1p(KNEE_LEAST) ||
	    fabs(step) < SIGNIFICANT * s->noise * 1.25 * few)
		return false;
	if (!keeps_side(before, b, middle, step < 0) ||
	    !keeps_side(after, a, middle, step > 0))
		return false;
	if ((median(after, KNEE_LASTS) - median(near, KNEE_LASTS)) / step < 0.5)
		return false;
	c->step = (struct knee_step){ .at = at,
				      .before = b,
				      .after = a,
				      .from = exp(from),
				      .to = exp(to) };
	c->strength = fabs(step) / few;
	/* between steps of equal medians, the one that parts best */
	for (size_t i = 0; i < b; i++)
		c->strength -= fabs(before[i] - from) / (double)b;
	for (size_t i = 0; i < a; i++)
		c->strength -= fabs(after[i] - to) / (double)a;
	return true;
}

/* The best of the windows that show a step at that border. */
static bool best_step(const struct series *s, size_t at, struct candidate *best)
{
	bool any = false;

	for (size_t w = WIDEST; w >= KNEE_LASTS; w /= 2) {
		struct candidate c;

		if (!is_step(s, at, w, &c))
			continue;
		if (!any || c.strength > best->strength)
			*best = c;
		any = true;
	}
	return any;
}

/* From the last value at the old cost to the first at the new one, each to
 * within a quarter of the step. */
static void set_bounds(const struct series *s, struct knee_step *k)
{
	double from = log(k->from), to = log(k->to), quarter = (to - from) / 4;
	double sign = quarter < 0 ? -1 : 1;

	k->low = k->at - 1;
	k->high = k->at;
	while (k->low > k->at - KNEE_LASTS &&
	       (s->value[k->low] - from - quarter) * sign > 0)
		k->low--;
	while (k->high + 1 < k->at + KNEE_LASTS &&
	       (to - quarter - s->value[k->high]) * sign > 0)
		k->high++;
}

static bool is_near(const struct knee_step *a, size_t at)
{
	size_t distance = a->at > at ? a->at - at : at - a->at;

	return distance < KNEE_LASTS;
}

/* The strongest candidate that is not near one already taken. */
static struct candidate *strongest(struct candidate *c, size_t n,
				   const struct knee_step *taken, size_t count)
{
	struct candidate *best = NULL;

	for (size_t i = 0; i < n; i++) {
		bool near = false;

		for (size_t k = 0; k < count; k++)
			near = near || is_near(&taken[k], c[i].step.at);
		if (!near && (!best || c[i].strength > best->strength))
			best = &c[i];
	}
	return best;
}

static int compare_at(const void *a, const void *b)
{
	const struct knee_step *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Medians up to the neighbouring knees, rather than across them. */
static void part(const struct series *s, struct knee_step *k, size_t count,
		 size_t i)
{
	size_t first = i ? k[i - 1].high : 0;
	size_t end = i + 1 < count ? k[i + 1].low + 1 : s->n;
	size_t before = k[i].low + 1 - first, after = end - k[i].high;

	k[i].before = before < WIDEST ? before : WIDEST;
	k[i].after = after < WIDEST ? after : WIDEST;
	k[i].from =
		exp(median(s->value + k[i].low + 1 - k[i].before, k[i].before));
	k[i].to = exp(median(s->value + k[i].high, k[i].after));
}

static size_t drop(struct knee_step *k, size_t count, size_t i)
{
	memmove(&k[i], &k[i + 1], (count - 1 - i) * sizeof(*k));
	return count - 1;
}

/* Bounds of neighbours may meet: between such two lies nothing that could be
 * measured, and the later one is dropped. */
static size_t separate(struct knee_step *k, size_t count)
{
	size_t i = 1;

	while (i < count) {
		if (k[i].low < k[i - 1].high)
			count = drop(k, count, i);
		else
			i++;
	}
	return count;
}

/* Knees whose two sides, seen to the next knees, are as one, are dropped. */
static size_t confirm(const struct series *s, struct knee_step *k, size_t count)
{
	size_t i = 0;

	count = separate(k, count);
	while (i < count) {
		part(s, k, count, i);
		if (fabs(log(k[i].to / k[i].from)) >= log1p(KNEE_LEAST)) {
			i++;
			continue;
		}
		count = drop(k, count, i);
		i = 0;
	}
	return count;
}

size_t knee_find(const double *cost, size_t n, struct knee_step *found,
		 size_t most)
{
	struct candidate candidates[KNEE_SERIES], *best;
	struct series s = { .n = n };
	size_t count = 0, many = 0;

	if (n < 2 * KNEE_LASTS || n > KNEE_SERIES)
		return 0;
	for (size_t i = 0; i < n; i++)
		s.value[i] = log(cost[i]);
	s.noise = noise_of(s.value, n);
	for (size_t at = KNEE_LASTS; at + KNEE_LASTS <= n; at++)
		many += best_step(&s, at, &candidates[many]);
	while (count < most &&
	       (best = strongest(candidates, many, found, count)) != NULL) {
		found[count] = best->step;
		set_bounds(&s, &found[count++]);
	}
	qsort(found, count, sizeof(*found), compare_at);
	return confirm(&s, found, count);
}
