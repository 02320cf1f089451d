#include "evidence.h"

#include "clock.h"
#include "evidence_read.h"

static void add_sample(struct run_evidence *e, uint64_t position, uint64_t now)
{
	struct evidence_sample *s = &e->sample[e->used++];

	s->position = position;
	s->time = e->began ? now - e->began : 0;
	evidence_read(e, s->figure);
}

void evidence_begin(struct run_evidence *e, uint64_t width)
{
	e->width = e->next = width ? width : 1;
	e->used = 0;
	e->began = 0;
	add_sample(e, 0, 0);
}

void evidence_started(struct run_evidence *e, uint64_t began)
{
	e->began = e->last = began;
}

/* The first sample, and those at every second of the others' borders. */
static void join_borders(struct run_evidence *e)
{
	unsigned int kept = 1;

	for (unsigned int i = 1; i < e->used; i++)
		if (e->sample[i].position / e->width % 2 == 0)
			e->sample[kept++] = e->sample[i];
	e->used = kept;
	e->width *= 2;
}

void evidence_take(struct run_evidence *e, uint64_t position)
{
	uint64_t now = clock_now(), took;

	while (position / e->width >= TIMELINE_SLICES)
		join_borders(e);
	e->next = (position / e->width + 1) * e->width;
	if (now - e->last < e->cost * EVIDENCE_SHARE)
		return;
	add_sample(e, position, now);
	e->last = now;
	took = clock_now() - now;
	if (!e->cost || took < e->cost)
		e->cost = took;
}

void evidence_end(struct run_evidence *e, uint64_t position)
{
	while (position / e->width > TIMELINE_SLICES)
		join_borders(e);
	if (e->sample[e->used - 1].position >= position)
		return;
	add_sample(e, position, clock_now());
}

const struct evidence_sample *evidence_before(const struct run_evidence *e,
					      uint64_t position)
{
	unsigned int i = e->used - 1;

	while (i > 0 && e->sample[i].position > position)
		i--;
	return &e->sample[i];
}

const struct evidence_sample *evidence_after(const struct run_evidence *e,
					     uint64_t position)
{
	unsigned int i = 0;

	while (i + 1 < e->used && e->sample[i].position < position)
		i++;
	return &e->sample[i];
}
