#include "metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record_read.h"

static bool number_at(const json_t *j, const char *path, double *value)
{
	const json_t *found = record_at(j, path);

	if (!json_is_number(found))
		return false;
	*value = json_number_value(found);
	return true;
}

static bool real_time(const json_t *record, const json_t *operation,
		      const struct metric *m, double *value)
{
	(void)operation;
	(void)m;
	return number_at(record, "time.real_s", value);
}

static bool cpu_time(const json_t *record, const json_t *operation,
		     const struct metric *m, double *value)
{
	double user, sys;

	(void)operation;
	(void)m;
	if (!number_at(record, "time.user_s", &user) ||
	    !number_at(record, "time.sys_s", &sys))
		return false;
	*value = user + sys;
	return true;
}

static bool utilisation(const json_t *record, const json_t *operation,
			const struct metric *m, double *value)
{
	double cpu, real;

	if (!cpu_time(record, operation, m, &cpu) ||
	    !real_time(record, operation, m, &real) || real <= 0)
		return false;
	*value = 100 * cpu / real;
	return true;
}

static bool durable(const json_t *record, const json_t *operation,
		    const struct metric *m, double *value)
{
	(void)operation;
	(void)m;
	return number_at(record, "time.durable_s", value);
}

/* Of a command, only when it is known how much it did. */
static bool rate(const json_t *record, const json_t *operation,
		 const struct metric *m, double *value)
{
	double count;

	(void)m;
	if (record_at(record, "command") &&
	    !number_at(record, "plan.count", &count))
		return false;
	return number_at(operation, "rate_per_s", value);
}

/* A run with fewer than 1 / (1 - part) operations has no such percentile: it
 * would be the maximum under another name. */
static bool percentile(const json_t *record, const json_t *operation,
		       const struct metric *m, double *value)
{
	double done;
	char path[32];

	(void)record;
	if (!number_at(operation, "done", &done) ||
	    done * (1 - m->part) < 1 - 1e-9)
		return false;
	snprintf(path, sizeof(path), "latency_ns.%s", m->name);
	return number_at(operation, path, value);
}

static bool longest(const json_t *record, const json_t *operation,
		    const struct metric *m, double *value)
{
	(void)record;
	(void)m;
	return number_at(operation, "latency_ns.max", value);
}

/* Of a ramp that found one. */
static bool highest(const json_t *record, const json_t *operation,
		    const struct metric *m, double *value)
{
	(void)operation;
	(void)m;
	return number_at(record, "churn.ramp.highest_per_s", value);
}

/* A ramp's are of its best step alone, which is too short to tell, and another
 * one in each run. */
static bool hits(const json_t *record, const json_t *operation,
		 const struct metric *m, double *value)
{
	(void)operation;
	(void)m;
	if (json_is_object(record_at(record, "churn.ramp")) ||
	    !number_at(record, "churn.hit_ratio", value))
		return false;
	*value *= 100;
	return true;
}

static bool directory(const json_t *record, const json_t *operation,
		      const struct metric *m, double *value)
{
	(void)operation;
	(void)m;
	return number_at(record, "space_after.directory_bytes", value);
}

/* Used, less what was given back. */
static bool blocks(const json_t *record, const json_t *operation,
		   const struct metric *m, double *value)
{
	double before, after, size;

	(void)operation;
	(void)m;
	if (!number_at(record, "space_before.blocks_free", &before) ||
	    !number_at(record, "space_after.blocks_free", &after) ||
	    !number_at(record, "space_after.block_size", &size))
		return false;
	*value = (before - after) * size;
	return true;
}

static bool inodes(const json_t *record, const json_t *operation,
		   const struct metric *m, double *value)
{
	double before, after;

	(void)operation;
	(void)m;
	if (!number_at(record, "space_before.inodes_free", &before) ||
	    !number_at(record, "space_after.inodes_free", &after))
		return false;
	*value = before - after;
	return true;
}

static bool memory(const json_t *record, const json_t *operation,
		   const struct metric *m, double *value)
{
	(void)operation;
	(void)m;
	return number_at(record, "peak_memory_bytes", value);
}

const struct metric metrics[] = {
	{ "real", "real time", UNIT_SECONDS, BETTER_LOWER, true, false, 0,
	  real_time },
	{ "cpu", "CPU time", UNIT_SECONDS, BETTER_LOWER, true, false, 0,
	  cpu_time },
	{ "utilisation", "CPU utilisation", UNIT_PERCENT, BETTER_NEITHER, true,
	  false, 0, utilisation },
	{ "durable", "then durable", UNIT_SECONDS, BETTER_LOWER, true, false, 0,
	  durable },
	{ "rate", "rate per s", UNIT_PER_SECOND, BETTER_HIGHER, true, true, 0,
	  rate },
	{ "p50", "p50", UNIT_NANOSECONDS, BETTER_LOWER, true, true, 0.5,
	  percentile },
	{ "p99", "p99", UNIT_NANOSECONDS, BETTER_LOWER, true, true, 0.99,
	  percentile },
	{ "p99.9", "p99.9", UNIT_NANOSECONDS, BETTER_LOWER, true, true, 0.999,
	  percentile },
	{ "max", "max", UNIT_NANOSECONDS, BETTER_LOWER, true, true, 0,
	  longest },
	{ "highest", "rate within SLO", UNIT_PER_SECOND, BETTER_HIGHER, true,
	  false, 0, highest },
	{ "hits", "hit ratio", UNIT_PERCENT, BETTER_HIGHER, true, false, 0,
	  hits },
	{ "directory", "directory size", UNIT_BYTES, BETTER_LOWER, true, false,
	  0, directory },
	{ "blocks", "blocks used", UNIT_BYTES, BETTER_LOWER, true, false, 0,
	  blocks },
	{ "inodes", "inodes used", UNIT_COUNT, BETTER_LOWER, true, false, 0,
	  inodes },
	{ "memory", "memory at most", UNIT_BYTES, BETTER_LOWER, false, false, 0,
	  memory },
	{ NULL, NULL, UNIT_COUNT, BETTER_NEITHER, false, false, 0, NULL },
};

const char *metric_unit_name(const struct metric *m)
{
	static const char *const names[] = {
		[UNIT_SECONDS] = "s",	[UNIT_NANOSECONDS] = "ns",
		[UNIT_PERCENT] = "%",	[UNIT_PER_SECOND] = "1/s",
		[UNIT_BYTES] = "bytes", [UNIT_COUNT] = "",
	};

	return names[m->unit];
}

char *metric_text(char buf[METRIC_TEXT], const struct metric *m, double value)
{
	double size = fmin(fabs(value), 1e18);
	char *at = buf;

	if (value < 0)
		*at++ = '-';
	switch (m->unit) {
	case UNIT_SECONDS:
		number_time(at, size * 1e9);
		break;
	case UNIT_NANOSECONDS:
		number_time(at, size);
		break;
	case UNIT_PERCENT:
		sprintf(at, "%.*f %%", size < 9.95 ? 1 : 0, size);
		break;
	case UNIT_PER_SECOND:
		number_rate(at, size);
		break;
	case UNIT_BYTES:
		number_bytes(at, (uint64_t)llround(size));
		break;
	case UNIT_COUNT:
		number_grouped(at, (uint64_t)llround(size));
		break;
	}
	return buf;
}
