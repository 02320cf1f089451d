#include "hist.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

uint64_t hist_low(unsigned int bucket, unsigned int sub_bits)
{
	unsigned int octave = bucket >> sub_bits;
	uint64_t within = bucket & ((1u << sub_bits) - 1);

	if (octave == 0)
		return within;
	return (UINT64_C(1) << sub_bits | within) << (octave - 1);
}

uint64_t hist_middle(unsigned int bucket, unsigned int sub_bits)
{
	unsigned int octave = bucket >> sub_bits;
	uint64_t width = octave < 2 ? 1 : UINT64_C(1) << (octave - 1);

	return hist_low(bucket, sub_bits) + (width - 1) / 2;
}

void hist_reset(struct hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min = UINT64_MAX;
}

uint64_t hist_add(struct hist *h, const uint64_t *value, unsigned int n,
		  uint16_t *bucket)
{
	unsigned __int128 squares = 0;
	uint64_t sum = 0, min = h->min, max = 0;

	for (unsigned int i = 0; i < n; i++) {
		uint64_t v = value[i];
		unsigned int b = hist_bucket(v, HIST_SUB_BITS);

		sum += v;
		squares += (unsigned __int128)v * v;
		min = v < min ? v : min;
		max = v > max ? v : max;
		h->bucket[b]++;
		bucket[i] = (uint16_t)b;
	}
	h->count += n;
	h->sum += sum;
	h->squares += squares;
	h->min = min;
	if (max > h->max)
		h->max = max;
	return max;
}

void hist_merge(struct hist *to, const struct hist *from)
{
	to->count += from->count;
	to->sum += from->sum;
	to->squares += from->squares;
	if (from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	for (size_t i = 0; i < HIST_BUCKETS(HIST_SUB_BITS); i++)
		to->bucket[i] += from->bucket[i];
}

double hist_mean(const struct hist *h)
{
	return h->count ? (double)h->sum / (double)h->count : 0;
}

double hist_sd(const struct hist *h)
{
	/* n * sum(x^2) - sum(x)^2 in integers would overflow; the mean's
	 * rounding is harmless as latencies are never all but equal */
	double mean = hist_mean(h), variance;

	if (h->count == 0)
		return 0;
	variance = (double)((long double)h->squares / h->count -
			    (long double)mean * mean);
	return variance > 0 ? sqrt(variance) : 0;
}

uint64_t hist_quantile(const struct hist *h, double part)
{
	uint64_t rank, seen = 0, value;
	unsigned int i = 0;

	if (h->count == 0)
		return 0;
	rank = (uint64_t)ceil(part * (double)h->count);
	if (rank < 1)
		rank = 1;
	if (rank > h->count)
		rank = h->count;
	while ((seen += h->bucket[i]) < rank)
		i++;
	value = hist_middle(i, HIST_SUB_BITS);
	if (value < h->min)
		value = h->min;
	return value > h->max ? h->max : value;
}
