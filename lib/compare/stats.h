/*
 * stats: what a few repeats of a measurement say, and what they do not.
 *
 * No distribution is assumed, as times of file systems have none that is
 * known: medians, intervals by resampling, and a test by ranks.
 */
#ifndef BIGDIR_STATS_H
#define BIGDIR_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A difference is taken for real when chance alone would bring one as large
 * less often than this. */
#define STATS_LEVEL 0.05

/* Up to so many values in both samples together, p is counted out exactly. */
#define STATS_EXACT_MOST 40

struct interval {
	double low, high;
};

/* Put n values in rising order, as the functions below want them. */
void stats_sort(double *values, size_t n);

/* The middle value, or the mean of the two in the middle; n > 0. */
double stats_median(const double *sorted, size_t n);

double stats_mean(const double *values, size_t n);

/* Standard deviation as estimated from a sample (n - 1); 0 if n < 2. */
double stats_sd(const double *values, size_t n);

/*
 * 95 % interval of the median, by the bootstrap's percentile method (Efron
 * 1979): 10,000 samples of n are drawn from the n values with replacement,
 * and the middle 95 % of their medians make the interval. The same seed makes
 * the same interval on every machine. With few values it is too narrow: it
 * cannot go beyond the smallest and the largest. 0 or -ENOMEM.
 */
int stats_median_interval(const double *sorted, size_t n, uint64_t seed,
			  struct interval *i);

/* The same of median(b) / median(a), both samples drawn anew each time. All
 * values of `a` must have the same sign. */
int stats_ratio_interval(const double *a, size_t an, const double *b, size_t bn,
			 uint64_t seed, struct interval *i);

struct mann_whitney {
	double u; /* pairs in which a's value is above b's, ties as half */
	double p; /* two-sided */
	bool exact;
};

/*
 * Whether two samples differ (Mann and Whitney 1947): if both came from one
 * source, p is how often ranks as far from even as these would come up. Exact
 * up to STATS_EXACT_MOST values, by counting all ways to share out the ranks
 * (mean ranks for ties); above, by the normal approximation with corrections
 * for ties and continuity. 0 or -ENOMEM.
 */
int stats_mann_whitney(const double *a, size_t an, const double *b, size_t bn,
		       struct mann_whitney *m);

/* The smallest p that samples of these sizes can ever have: 2 ways out of
 * all, when no value of one is among those of the other. */
double stats_least_p(size_t an, size_t bn);

/* The smallest number of values with which two samples of that size can
 * differ at STATS_LEVEL. */
size_t stats_least_n(void);

#endif
