#include "meter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Slices by time begin this wide, and double as the run goes on. */
#define FIRST_INTERVAL UINT64_C(1000000) /* 1 ms */

int meter_init(struct meter *m, uint64_t width)
{
	int err;

	memset(m, 0, sizeof(*m));
	hist_reset(&m->latency);
	err = timeline_init(&m->by_position, width);
	if (err)
		return err;
	return timeline_init(&m->by_time, FIRST_INTERVAL);
}

int meter_batch_init(struct meter_batch *b, unsigned int room)
{
	b->count = 0;
	b->position = calloc(room, sizeof(*b->position));
	b->end = calloc(room, sizeof(*b->end));
	b->latency = calloc(room, sizeof(*b->latency));
	b->item = calloc(room, sizeof(*b->item));
	b->bucket = calloc(room, sizeof(*b->bucket));
	return b->position && b->end && b->latency && b->item && b->bucket
		       ? 0
		       : -ENOMEM;
}

void meter_batch_free(struct meter_batch *b)
{
	free(b->position);
	free(b->end);
	free(b->latency);
	free(b->item);
	free(b->bucket);
}

bool meter_add(struct meter *m, const struct meter_batch *b)
{
	struct timeline_batch batch = {
		.count = b->count,
		.key = b->position,
		.end = b->end,
		.latency = b->latency,
		.bucket = b->bucket,
	};

	uint64_t slowest =
		hist_add(&m->latency, b->latency, b->count, b->bucket);

	timeline_add(&m->by_position, &batch);
	batch.key = b->end;
	timeline_add(&m->by_time, &batch);
	return meter_is_slow(m, slowest);
}

void meter_free(struct meter *m)
{
	timeline_free(&m->by_position);
	timeline_free(&m->by_time);
}

static void keep_slow(struct meter *m, const struct slow_operation *slow)
{
	unsigned int at = m->slow_count;

	if (at == METER_SLOWEST) {
		if (slow->latency <= m->slowest[at - 1].latency)
			return;
		at--;
	} else {
		m->slow_count++;
	}
	while (at > 0 && m->slowest[at - 1].latency < slow->latency) {
		m->slowest[at] = m->slowest[at - 1];
		at--;
	}
	m->slowest[at] = *slow;
}

void meter_add_slow(struct meter *m, const struct sample *s)
{
	struct slow_operation slow = {
		.latency = s->end - s->start,
		.start = s->start,
		.position = s->position,
		.index = s->index,
	};

	strlcpy(slow.name, s->name, sizeof(slow.name));
	keep_slow(m, &slow);
	if (m->slow_count == METER_SLOWEST)
		m->slow_above = m->slowest[METER_SLOWEST - 1].latency;
}

void meter_add_one(struct meter *m, const struct sample *s)
{
	uint64_t position = s->position, end = s->end;
	uint64_t latency = s->end - s->start;
	unsigned int item = 0;
	uint16_t bucket;
	struct meter_batch one = {
		1, &position, &end, &latency, &item, &bucket
	};

	if (meter_add(m, &one))
		meter_add_slow(m, s);
}

void meter_fail(struct meter *m, int err, uint64_t position, uint64_t end)
{
	timeline_fail(&m->by_position, position);
	timeline_fail(&m->by_time, end);
	m->failed++;
	m->errors[err > 0 && err < METER_ERRNOS ? err : 0]++;
}

void meter_merge(struct meter *to, struct meter *from)
{
	hist_merge(&to->latency, &from->latency);
	timeline_merge(&to->by_position, &from->by_position);
	timeline_merge(&to->by_time, &from->by_time);
	for (unsigned int i = 0; i < from->slow_count; i++)
		keep_slow(to, &from->slowest[i]);
	to->failed += from->failed;
	for (int i = 0; i < METER_ERRNOS; i++)
		to->errors[i] += from->errors[i];
}
