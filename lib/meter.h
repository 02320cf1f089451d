/*
 * meter: all that is measured of one kind of operation.
 *
 * Every worker has its own, so nothing is shared while the clock runs; they
 * are merged, without loss, when the run is over. Only operations that
 * succeeded have a latency; failed ones are counted by errno.
 */
#ifndef BIGDIR_METER_H
#define BIGDIR_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "hist.h"
#include "name.h"
#include "timeline.h"

#define METER_SLOWEST 10
#define METER_ERRNOS 256 /* above every errno of Linux */

struct slow_operation {
	uint64_t latency; /* ns */
	uint64_t start; /* ns since the run began */
	uint64_t position; /* in the order */
	uint64_t index; /* of the name; see NO_INDEX in source.h */
	char name[NAME_BUFFER];
};

struct meter {
	struct hist latency;
	struct timeline by_position, by_time;
	struct slow_operation slowest[METER_SLOWEST]; /* slowest first */
	unsigned int slow_count;
	uint64_t slow_above; /* a longer latency is among the slowest */
	uint64_t failed;
	uint64_t errors[METER_ERRNOS];
};

/* One operation, as the run saw it. Times in ns since the run began. */
struct sample {
	uint64_t start, end;
	uint64_t position, index;
	const char *name;
};

/* Operations that went through one after the other, an array for each
 * figure; `item` is for the caller, to find the name of a slow one. */
struct meter_batch {
	unsigned int count;
	uint64_t *position, *end, *latency;
	unsigned int *item;
	uint16_t *bucket; /* scratch */
};

/* An empty meter whose timeline by position has slices of `width`. 0 or
 * -ENOMEM. Freed by meter_free(), also after a failure. */
int meter_init(struct meter *m, uint64_t width);
void meter_free(struct meter *m);

/* Room for `room` operations. 0 or -ENOMEM; freed by meter_batch_free() in
 * both cases. */
int meter_batch_init(struct meter_batch *b, unsigned int room);
void meter_batch_free(struct meter_batch *b);

/* Count operations that succeeded. True: at least one of them is among the
 * slowest; the caller, who knows its name, then hands it to
 * meter_add_slow(). */
bool meter_add(struct meter *m, const struct meter_batch *b);

/* Count a single one. */
void meter_add_one(struct meter *m, const struct sample *s);

/* Whether a latency is among the slowest; and to keep it, if so. */
static inline bool meter_is_slow(const struct meter *m, uint64_t latency)
{
	return latency > m->slow_above;
}
void meter_add_slow(struct meter *m, const struct sample *s);

/* Count one that failed; err is the positive errno, end when it did. */
void meter_fail(struct meter *m, int err, uint64_t position, uint64_t end);

/* Add all of `from` to `to`; both began with the same width. */
void meter_merge(struct meter *to, struct meter *from);

#endif
