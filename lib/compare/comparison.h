/*
 * comparison: the repeats of each variant as one figure, with its spread, and
 * what can be said of the difference from the first variant.
 */
#ifndef BIGDIR_COMPARISON_H
#define BIGDIR_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grouping.h"
#include "metric.h"
#include "stats.h"

enum difference_kind {
	DIFFERENCE_NONE, /* it is the baseline, or there is nothing to test */
	DIFFERENCE_SAME, /* every run of both has the same value */
	DIFFERENCE_NOISE, /* not larger than chance brings */
	DIFFERENCE_FEW, /* too few runs for any difference to be more */
	DIFFERENCE_REAL,
};

/* One metric of one variant in one phase. */
struct cell {
	double *sorted; /* borrowed: one value for each run that tells it */
	size_t n; /* 0: no run does */
	double median, mean, sd;
	struct interval interval; /* of the median; when n > 1 */
	/* No run is long enough to have this percentile, but all together
	 * are: the median is that of all their operations, n is 1, and there
	 * is nothing to test. */
	bool merged;

	bool has_ratio; /* to the baseline: both have values of one sign */
	double ratio;
	struct interval ratio_interval; /* when both n > 1 */
	enum difference_kind difference;
	struct mann_whitney test; /* unless the difference is NONE */
	bool best; /* better than some, and none is better for sure */
};

struct comparison_row {
	const struct metric *metric;
	size_t operation; /* its place in the record's */
	const char *operation_name; /* NULL where there is one kind only */
	struct cell *cell; /* one for each variant */
};

struct comparison_phase {
	const struct phase *phase;
	size_t *runs; /* used, of each variant */
	struct comparison_row *row;
	size_t rows;
	struct cell *cells; /* of all rows */
	double *values; /* of all cells */
};

struct comparison {
	const struct grouping *grouping; /* borrowed */
	struct comparison_phase *phase; /* as many as the grouping has */
	size_t tests; /* against the baseline, in all */
};

/*
 * Compare `metric`s (ends with NULL) of all phases. Rows that no record has a
 * value for are left out. The seed is that of the bootstrap, the same for each
 * cell. 0 or -ENOMEM; comparison_free() in both cases.
 *
 * A percentile is the median of those of the runs, as runs are what is
 * repeated: operations of one run are not independent, and adding up
 * histograms would hide how runs differ and give long runs more weight.
 */
int comparison_make(struct comparison *c, const struct grouping *g,
		    const struct metric *const *metric, uint64_t seed);
void comparison_free(struct comparison *c);

#endif
