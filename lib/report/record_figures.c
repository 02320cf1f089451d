#include "record_parts.h"

#include <string.h>

#include "json_value.h"

static json_t *latency_json(const struct hist *h)
{
	static const struct {
		const char *key;
		double part;
	} quantiles[] = {
		{ "p50", 0.5 },	    { "p90", 0.9 },	  { "p99", 0.99 },
		{ "p99.9", 0.999 }, { "p99.99", 0.9999 },
	};
	json_t *j = json_object();

	if (h->count == 0) {
		json_decref(j);
		return json_null();
	}
	json_set(j, "mean", json_real(hist_mean(h)));
	json_set(j, "sd", json_real(hist_sd(h)));
	json_set(j, "min", json_number(h->min));
	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		json_set(j, quantiles[i].key,
			 json_number(hist_quantile(h, quantiles[i].part)));
	json_set(j, "max", json_number(h->max));
	json_set(j, "sum", json_number(h->sum));
	return j;
}

static json_t *histogram_json(const struct hist *h)
{
	json_t *j = json_object(), *buckets = json_array();

	for (unsigned int i = 0; i < HIST_BUCKETS(HIST_SUB_BITS); i++)
		if (h->bucket[i])
			json_array_append_new(
				buckets, json_pack("[I,I]",
						   (json_int_t)hist_low(
							   i, HIST_SUB_BITS),
						   (json_int_t)h->bucket[i]));
	json_set(j, "sub_bits", json_integer(HIST_SUB_BITS));
	json_set(j, "buckets", buckets);
	return j;
}

static json_t *slowest_json(const struct meter *m)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < m->slow_count; i++) {
		const struct slow_operation *s = &m->slowest[i];
		json_t *j = json_object();

		json_set(j, "latency_ns", json_number(s->latency));
		json_set(j, "at_ns", json_number(s->start));
		json_set(j, "position", json_number(s->position));
		json_set(j, "index",
			 s->index == NO_INDEX ? json_null()
					      : json_number(s->index));
		json_set(j, "name", json_name(s->name));
		json_array_append_new(list, j);
	}
	return list;
}

static json_t *errors_json(const struct meter *m)
{
	json_t *j = json_object();

	for (int e = 0; e < METER_ERRNOS; e++) {
		const char *name = strerrorname_np(e);

		if (m->errors[e])
			json_set(j, e && name ? name : "unknown",
				 json_number(m->errors[e]));
	}
	return j;
}

/* Buckets of latency to a power of two, in the map of a timeline: enough for a
 * picture, and a tenth of what all that is known would take. */
#define MAP_SUB_BITS 2
#define SLICE_BUCKETS HIST_BUCKETS(TIMELINE_SUB_BITS)

static unsigned int map_bucket(unsigned int bucket)
{
	return hist_bucket(hist_low(bucket, TIMELINE_SUB_BITS), MAP_SUB_BITS);
}

/* How many latencies each slice has in its buckets from `from` to before
 * `to`; NULL if no slice has any. */
static json_t *map_row(const struct timeline *t, unsigned int from,
		       unsigned int to)
{
	json_t *row = json_array();
	bool any = false;

	for (size_t i = 0; i < t->used; i++) {
		uint64_t count = 0;

		for (unsigned int b = from; b < to; b++)
			count += t->slices[i].bucket[b];
		any = any || count > 0;
		json_array_append_new(row, json_number(count));
	}
	if (any)
		return row;
	json_decref(row);
	return NULL;
}

static void map_json(json_t *j, const struct timeline *t)
{
	json_t *lows = json_array(), *counts = json_array();
	unsigned int from, to;

	for (from = 0; from < SLICE_BUCKETS; from = to) {
		unsigned int bucket = map_bucket(from);
		json_t *row;

		for (to = from + 1; to < SLICE_BUCKETS; to++)
			if (map_bucket(to) != bucket)
				break;
		row = map_row(t, from, to);
		if (!row)
			continue;
		json_array_append_new(
			lows, json_number(hist_low(bucket, MAP_SUB_BITS)));
		json_array_append_new(counts, row);
	}
	json_set(j, "bucket_low_ns", lows);
	json_set(j, "bucket_count", counts);
}

/* The slice that tells when the operations of slice i were at work. */
static const struct slice *work_slice(const struct timeline *t,
				      const struct timeline *work, size_t i)
{
	if (work->width == t->width && i < work->used && work->slices[i].count)
		return &work->slices[i];
	return &t->slices[i];
}

/* One array for each figure: a fifth of the size of one object a slice. `work`:
 * see record_work(). */
static json_t *timeline_json(const struct timeline *t,
			     const struct timeline *work)
{
	static const char *const keys[] = { "first",	"count",  "failed",
					    "start_ns", "end_ns", "p50_ns",
					    "p99_ns",	"max_ns" };
	enum { COLUMNS = sizeof(keys) / sizeof(keys[0]) };
	json_t *j = json_object(), *column[COLUMNS];

	json_set(j, "width", json_number(t->width));
	for (int c = 0; c < COLUMNS; c++)
		json_set(j, keys[c], column[c] = json_array());
	for (size_t i = 0; i < t->used; i++) {
		const struct slice *s = &t->slices[i];
		const struct slice *at = work_slice(t, work, i);
		const uint64_t values[COLUMNS] = {
			i * t->width,
			s->count,
			s->failed,
			s->count ? at->first_start : 0,
			s->count ? at->last_end : 0,
			slice_quantile(s, 0.5),
			slice_quantile(s, 0.99),
			s->max,
		};

		for (int c = 0; c < COLUMNS; c++)
			json_array_append_new(column[c],
					      json_number(values[c]));
	}
	map_json(j, t);
	return j;
}

static json_t *figures_json(const char *name, uint64_t done,
			    const struct meter *m, const struct meter *work,
			    double rate)
{
	json_t *j = json_object();

	json_set(j, "operation", json_text(name));
	json_set(j, "done", json_number(done));
	json_set(j, "failed", json_number(m->failed));
	json_set(j, "errors", errors_json(m));
	json_set(j, "rate_per_s", json_real(rate));
	json_set(j, "latency_ns", latency_json(&m->latency));
	json_set(j, "histogram", histogram_json(&m->latency));
	json_set(j, "slowest", slowest_json(m));
	json_set(j, "by_position",
		 timeline_json(&m->by_position, &work->by_position));
	json_set(j, "by_time_ns", timeline_json(&m->by_time, &work->by_time));
	return j;
}

json_t *meter_json(const char *name, const struct meter *m, double rate)
{
	return figures_json(name, m->latency.count, m, m, rate);
}

static json_t *operation_json(const struct record *r, unsigned int step)
{
	json_t *j =
		figures_json(record_kind_name(r, step),
			     record_step_done(r, step), record_meter(r, step),
			     record_work(r, step), record_rate(r, step));

	if (!r->churn && !r->command)
		json_set(j, "knees", knees_json(&r->knees[step]));
	return j;
}

json_t *operations_json(const struct record *r)
{
	json_t *list = json_array();

	for (unsigned int n = 0; n < record_kinds(r); n++)
		json_array_append_new(list, operation_json(r, n));
	return list;
}
