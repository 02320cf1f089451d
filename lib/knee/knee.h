/*
 * knee: where a series of costs changes for good.
 *
 * A knee is a border between two neighbours of the series at which the median
 * of a few values before and that of as many after differ by KNEE_LEAST or
 * more, far above the noise of the series, and stay apart: a spike, or a slope
 * that goes on all along, is none.
 */
#ifndef BIGDIR_KNEE_H
#define BIGDIR_KNEE_H

#include <stddef.h>

#define KNEE_LEAST                                                             \
	0.15 /* share by which the cost must rise, or that it must             \
	      * have fallen from */
#define KNEE_LASTS 4 /* values that a change must last, and come after */
#define KNEE_SERIES 128 /* values of the longest series */

struct knee_step {
	size_t at; /* the first value after the border */
	size_t low, high; /* the change lies between these values: the last
			   * at the old cost, the first at the new one */
	size_t before, after; /* values that were compared, on either side */
	double from, to; /* medians of these */
};

/*
 * Find the knees of n costs above zero, at most KNEE_SERIES of them: at most
 * `most`, in order. Returns how many.
 *
 * Windows of 16, 8 and 4 values are compared, in logarithms. With noise of
 * standard deviation s (from the median difference of neighbours), medians of
 * v and w values differ by s * 1.25 * sqrt(1/v + 1/w) by chance; four times
 * that is asked for, so that a hundred borders of noise have none.
 */
size_t knee_find(const double *cost, size_t n, struct knee_step *found,
		 size_t most);

#endif
