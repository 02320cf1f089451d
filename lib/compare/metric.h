/*
 * metric: the figures of a record that can be compared.
 */
#ifndef BIGDIR_METRIC_H
#define BIGDIR_METRIC_H

#include <jansson.h>
#include <stdbool.h>

#include "number.h"

enum metric_unit {
	UNIT_SECONDS,
	UNIT_NANOSECONDS,
	UNIT_PERCENT,
	UNIT_PER_SECOND,
	UNIT_BYTES,
	UNIT_COUNT,
};

enum metric_better {
	BETTER_LOWER,
	BETTER_HIGHER,
	BETTER_NEITHER, /* it explains, and is no merit */
};

struct metric {
	const char *name; /* for --metric, and in CSV */
	const char *title; /* in tables, 16 columns at most */
	enum metric_unit unit;
	enum metric_better better;
	bool usual; /* shown when none are asked for */
	bool per_operation; /* each kind of operation has its own */
	double part; /* of a percentile: 0.99; 0 for others */
	/* False: the record does not tell. `operation` is one of its members
	 * "operations". */
	bool (*value)(const json_t *record, const json_t *operation,
		      const struct metric *m, double *value);
};

/* All of them, ending with a NULL name. */
extern const struct metric metrics[];

/* "real, cpu, ...": the names, for messages. */
#define METRIC_CHOICES                                                         \
	"real, cpu, utilisation, durable, rate, p50, p99, p99.9, max, "        \
	"highest, hits, directory, blocks, inodes, memory"

/* "s", "ns", "%", "1/s", "bytes", "". Static. */
const char *metric_unit_name(const struct metric *m);

/* A value with its unit, three digits or so: "1.23 s", "-4.0 KiB". Returns
 * buf. */
#define METRIC_TEXT (NUMBER_TEXT + 1)
char *metric_text(char buf[METRIC_TEXT], const struct metric *m, double value);

#endif
