/*
 * hist: a log-linear latency histogram.
 *
 * Values below 64 have a bucket each; above, every power of two is cut into 64
 * buckets of equal width. A bucket that starts at `low` is at most low / 64
 * wide, and its middle stands for it, so a value is known to 1/128 of itself.
 * Values range to 2^47 - 1 ns (39 hours); longer ones count as that, while
 * the maximum is kept exactly. Adding is a few instructions and never
 * allocates; merging adds buckets, so nothing is lost.
 */
#ifndef BIGDIR_HIST_H
#define BIGDIR_HIST_H

#include <stddef.h>
#include <stdint.h>

#define HIST_SUB_BITS 6
#define HIST_TOP_BIT 47
#define HIST_BUCKETS(sub_bits)                                                 \
	((size_t)(HIST_TOP_BIT - (sub_bits) + 1) << (sub_bits))

struct hist {
	uint64_t count, sum, min, max;
	unsigned __int128 squares; /* sum of the squares: exact, mergeable */
	uint64_t bucket[HIST_BUCKETS(HIST_SUB_BITS)];
};

/* The bucket of a value when each power of two has 2^sub_bits of them. */
static inline unsigned int hist_bucket(uint64_t value, unsigned int sub_bits)
{
	unsigned int shift;

	if (value >> sub_bits == 0)
		return (unsigned int)value;
	if (value >> HIST_TOP_BIT != 0)
		value = (UINT64_C(1) << HIST_TOP_BIT) - 1;
	shift = 63 - (unsigned int)__builtin_clzll(value) - sub_bits;
	return ((shift + 1) << sub_bits) |
	       (unsigned int)(value >> shift & ((1u << sub_bits) - 1));
}

/* The bucket of a value among 2^sub_bits to a power of two, when its bucket in
 * a struct hist is known: the low bits of that are cut off, and fewer powers
 * of two have been counted singly. */
static inline unsigned int hist_coarser(uint64_t value, unsigned int bucket,
					unsigned int sub_bits)
{
	const unsigned int cut = HIST_SUB_BITS - sub_bits;

	if (value >> HIST_SUB_BITS == 0)
		return hist_bucket(value, sub_bits);
	return (bucket >> cut) + (cut << sub_bits);
}

/* The lowest value of a bucket. */
uint64_t hist_low(unsigned int bucket, unsigned int sub_bits);

/* The middle of a bucket: the value that stands for all in it. */
uint64_t hist_middle(unsigned int bucket, unsigned int sub_bits);

/* Make it empty. */
void hist_reset(struct hist *h);

/* Count n values; their buckets are left in `bucket`. Returns the largest of
 * them, 0 if there are none. */
uint64_t hist_add(struct hist *h, const uint64_t *value, unsigned int n,
		  uint16_t *bucket);

/* Add all that `from` has counted to `to`. */
void hist_merge(struct hist *to, const struct hist *from);

/* Arithmetic mean, and standard deviation of the population; 0 if empty. */
double hist_mean(const struct hist *h);
double hist_sd(const struct hist *h);

/*
 * The smallest value v such that at least `part` (0 to 1) of all values are
 * not above v, to the histogram's resolution and never outside [min, max].
 * 0 if empty.
 */
uint64_t hist_quantile(const struct hist *h, double part);

#endif
