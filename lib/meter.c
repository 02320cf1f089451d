#include "meter.h"

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

static void note_slow(struct meter *m, const struct sample *s)
{
	struct slow_operation slow = {
		.latency = s->end - s->start,
		.start = s->start,
		.position = s->position,
		.index = s->index,
	};

	strlcpy(slow.name, s->name, sizeof(slow.name));
	keep_slow(m, &slow);
}

void meter_add(struct meter *m, const struct sample *s)
{
	uint64_t latency = s->end - s->start;

	hist_add(&m->latency, latency);
	timeline_add(&m->by_position, s->position, s->start, s->end);
	timeline_add(&m->by_time, s->end, s->start, s->end);
	if (m->slow_count < METER_SLOWEST ||
	    latency > m->slowest[METER_SLOWEST - 1].latency)
		note_slow(m, s);
}

void meter_fail(struct meter *m, int err)
{
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
