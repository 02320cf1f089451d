#include "record_hist.h"

#include "record_read.h"

/* [lowest value, count] */
static bool read_bucket(const json_t *pair, unsigned int *bucket,
			uint64_t *count)
{
	const json_t *low = json_array_get(pair, 0);
	const json_t *n = json_array_get(pair, 1);

	if (!json_is_integer(low) || !json_is_integer(n) ||
	    json_integer_value(low) < 0 || json_integer_value(n) < 1)
		return false;
	*bucket = hist_bucket((uint64_t)json_integer_value(low), HIST_SUB_BITS);
	*count = (uint64_t)json_integer_value(n);
	return hist_low(*bucket, HIST_SUB_BITS) ==
	       (uint64_t)json_integer_value(low);
}

static bool is_whole(const json_t *buckets)
{
	unsigned int bucket;
	uint64_t count;

	for (size_t i = 0; i < json_array_size(buckets); i++)
		if (!read_bucket(json_array_get(buckets, i), &bucket, &count))
			return false;
	return json_array_size(buckets) > 0;
}

bool record_hist_add(struct hist *h, const json_t *operation)
{
	const json_t *buckets = record_at(operation, "histogram.buckets");
	double min = record_number_at(operation, "latency_ns.min", -1);
	double max = record_number_at(operation, "latency_ns.max", -1);
	unsigned int bucket;
	uint64_t count;

	if (min < 0 || max < min || !is_whole(buckets) ||
	    record_number_at(operation, "histogram.sub_bits", 0) !=
		    HIST_SUB_BITS)
		return false;
	for (size_t i = 0; i < json_array_size(buckets); i++) {
		if (!read_bucket(json_array_get(buckets, i), &bucket, &count))
			return false;
		h->bucket[bucket] += count;
		h->count += count;
	}
	if ((uint64_t)min < h->min)
		h->min = (uint64_t)min;
	if ((uint64_t)max > h->max)
		h->max = (uint64_t)max;
	return true;
}
