#include "stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define RESAMPLES 10000
#define CUT (RESAMPLES / 40) /* 2.5 % at each end */

static int compare_values(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void stats_sort(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare_values);
}

double stats_median(const double *sorted, size_t n)
{
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

double stats_mean(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return n ? sum / (double)n : 0;
}

double stats_sd(const double *values, size_t n)
{
	double mean = stats_mean(values, n), squares = 0;

	if (n < 2)
		return 0;
	for (size_t i = 0; i < n; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return sqrt(squares / (double)(n - 1));
}

/* --- the bootstrap ------------------------------------------------------- */

/* Random numbers as a hash of their place: the same on every machine. */
struct drawing {
	uint64_t seed, place;
	unsigned int *times; /* each value was drawn */
};

static size_t draw(struct drawing *d, size_t n)
{
	uint64_t place = htole64(d->place++);
	uint64_t random = XXH3_64bits_withSeed(&place, sizeof(place), d->seed);

	return (size_t)((unsigned __int128)random * n >> 64);
}

/* The value at a rank of the sample drawn; the values are sorted, so counting
 * how often each was drawn is as good as sorting. */
static double drawn_at(const struct drawing *d, const double *sorted,
		       size_t rank)
{
	size_t i = 0, seen = d->times[0];

	while (seen <= rank)
		seen += d->times[++i];
	return sorted[i];
}

static double draw_median(struct drawing *d, const double *sorted, size_t n)
{
	memset(d->times, 0, n * sizeof(*d->times));
	for (size_t i = 0; i < n; i++)
		d->times[draw(d, n)]++;
	if (n % 2)
		return drawn_at(d, sorted, n / 2);
	return (drawn_at(d, sorted, n / 2 - 1) + drawn_at(d, sorted, n / 2)) /
	       2;
}

/* Of median(b), or of median(b) / median(a) when there is an `a`. */
static int bootstrap(const double *a, size_t an, const double *b, size_t bn,
		     uint64_t seed, struct interval *interval)
{
	double *found = malloc(RESAMPLES * sizeof(*found));
	size_t most = an > bn ? an : bn;
	struct drawing d = { .seed = seed,
			     .times = calloc(most, sizeof(*d.times)) };
	int err = found && d.times ? 0 : -ENOMEM;

	for (size_t i = 0; i < RESAMPLES && !err; i++) {
		found[i] = draw_median(&d, b, bn);
		if (a)
			found[i] /= draw_median(&d, a, an);
	}
	if (!err) {
		stats_sort(found, RESAMPLES);
		interval->low = found[CUT];
		interval->high = found[RESAMPLES - 1 - CUT];
	}
	free(found);
	free(d.times);
	return err;
}

int stats_median_interval(const double *sorted, size_t n, uint64_t seed,
			  struct interval *i)
{
	return bootstrap(NULL, 0, sorted, n, seed, i);
}

int stats_ratio_interval(const double *a, size_t an, const double *b, size_t bn,
			 uint64_t seed, struct interval *i)
{
	return bootstrap(a, an, b, bn, seed, i);
}

/* --- Mann-Whitney -------------------------------------------------------- */

/* Both samples in one row. Ranks are doubled, so that mean ranks of ties are
 * whole numbers. */
struct ranking {
	size_t n, an;
	struct ranked {
		double value;
		bool of_a;
		unsigned int rank2;
	} * row;
	unsigned int sum2; /* of the ranks of a */
	double ties; /* sum of t^3 - t over groups of t equal values */
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

static void give_ranks(struct ranking *r)
{
	for (size_t from = 0, to; from < r->n; from = to) {
		double t;

		to = from + 1;
		while (to < r->n && r->row[to].value == r->row[from].value)
			to++;
		/* ranks from + 1 to `to`, of which this is twice the mean */
		for (size_t i = from; i < to; i++) {
			r->row[i].rank2 = (unsigned int)(from + 1 + to);
			if (r->row[i].of_a)
				r->sum2 += r->row[i].rank2;
		}
		t = (double)(to - from);
		r->ties += t * t * t - t;
	}
}

static int rank(struct ranking *r, const double *a, size_t an, const double *b,
		size_t bn)
{
	memset(r, 0, sizeof(*r));
	r->n = an + bn;
	r->an = an;
	r->row = calloc(r->n, sizeof(*r->row));
	if (!r->row)
		return -ENOMEM;
	for (size_t i = 0; i < r->n; i++) {
		r->row[i].of_a = i < an;
		r->row[i].value = i < an ? a[i] : b[i - an];
	}
	qsort(r->row, r->n, sizeof(*r->row), compare_ranked);
	give_ranks(r);
	return 0;
}

/*
 * ways[k * width + s]: of the values looked at so far, how many sets of k
 * have doubled ranks that add up to s.
 */
static void count_ways(const struct ranking *r, double *ways, size_t width)
{
	ways[0] = 1;
	for (size_t i = 0; i < r->n; i++) {
		size_t rank2 = r->row[i].rank2;

		for (size_t k = i + 1 < r->an ? i + 1 : r->an; k > 0; k--)
			for (size_t s = rank2; s < width; s++)
				ways[k * width + s] +=
					ways[(k - 1) * width + s - rank2];
	}
}

static int exact_p(const struct ranking *r, double *p)
{
	size_t width = r->n * (r->n + 1) + 1;
	double *ways = calloc((r->an + 1) * width, sizeof(*ways));
	double even = (double)(r->an * (r->n + 1)), all = 0, far = 0;
	double seen = fabs(r->sum2 - even);

	if (!ways)
		return -ENOMEM;
	count_ways(r, ways, width);
	for (size_t s = 0; s < width; s++) {
		double here = ways[r->an * width + s];

		all += here;
		if (fabs((double)s - even) >= seen)
			far += here;
	}
	*p = far / all;
	free(ways);
	return 0;
}

static double normal_p(const struct ranking *r, double u)
{
	double n = (double)r->n, an = (double)r->an, bn = n - an;
	double variance = an * bn / 12 * (n + 1 - r->ties / (n * (n - 1)));
	double off = fabs(u - an * bn / 2) - 0.5;

	if (variance <= 0 || off <= 0)
		return 1;
	return erfc(off / sqrt(variance) / M_SQRT2);
}

int stats_mann_whitney(const double *a, size_t an, const double *b, size_t bn,
		       struct mann_whitney *m)
{
	struct ranking r;
	int err = rank(&r, a, an, b, bn);

	if (err)
		return err;
	m->u = r.sum2 / 2.0 - (double)an * (double)(an + 1) / 2;
	m->exact = r.n <= STATS_EXACT_MOST;
	if (m->exact)
		err = exact_p(&r, &m->p);
	else
		m->p = normal_p(&r, m->u);
	free(r.row);
	return err;
}

double stats_least_p(size_t an, size_t bn)
{
	double p = 2;

	/* 2 / (an + bn over an) */
	for (size_t i = 1; i <= an; i++)
		p *= (double)i / (double)(bn + i);
	return p < 1 ? p : 1;
}

size_t stats_least_n(void)
{
	size_t n = 1;

	while (stats_least_p(n, n) >= STATS_LEVEL)
		n++;
	return n;
}
