#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "request.h"

static const char *name_of(const struct churn *c, enum churn_kind kind,
			   unsigned int item)
{
	const struct request *q = &c->request[item];

	return kind == CHURN_EVICT ? q->victim.name : q->object.name;
}

static void keep_slow(struct churn *c, enum churn_kind kind)
{
	const struct meter_batch *b = &c->batch[kind];
	struct meter *m = &c->figures.meter[kind];

	for (unsigned int i = 0; i < b->count; i++) {
		const struct request *q = &c->request[b->item[i]];
		struct sample s = {
			.start = b->end[i] - b->latency[i],
			.end = b->end[i],
			.position = b->position[i],
			.index = kind == CHURN_EVICT ? q->victim.rank
						     : q->object.rank,
			.name = name_of(c, kind, b->item[i]),
		};

		if (meter_is_slow(m, b->latency[i]))
			meter_add_slow(m, &s);
	}
}

/* One line an operation, so that a program that does nothing else can do them
 * again: a letter, a blank, the name. */
static void print_trace(const struct churn *c)
{
	FILE *f = c->plan->trace;

	for (unsigned int i = c->told; i < c->at; i++) {
		const struct request *q = &c->request[i];

		if (q->done & STEP_LOOKUP)
			fprintf(f, "L %s\n", q->object.name);
		if (q->done & STEP_CREATE)
			fprintf(f, "C %s\n", q->object.name);
		if (q->done & STEP_RENAME)
			fprintf(f, "R %s\n", q->object.name);
		if (q->done & STEP_EVICT)
			fprintf(f, "E %s\n", q->victim.name);
	}
}

void churn_keep_figures(struct churn *c)
{
	for (int kind = 0; kind < CHURN_KINDS; kind++) {
		struct meter_batch *b = &c->batch[kind];

		if (meter_add(&c->figures.meter[kind], b))
			keep_slow(c, (enum churn_kind)kind);
		b->count = 0;
	}
	if (c->plan->trace)
		print_trace(c);
	c->told = c->at;
}

double churn_rate(const struct churn_figures *f)
{
	return f->real ? (double)f->counts.requests * 1e9 / (double)f->real : 0;
}

double churn_shortfall(const struct churn_figures *f)
{
	double whole = (double)f->due + (double)f->behind;

	return whole > 0 ? (double)f->behind / whole : 0;
}

bool churn_held(const struct churn_figures *f, uint64_t slo)
{
	uint64_t grace = slo > CHURN_GRACE ? slo : CHURN_GRACE;

	return churn_shortfall(f) <= CHURN_HELD || f->behind <= grace;
}

bool churn_too_short(const struct churn_figures *f)
{
	return f->counts.requests == 0 || (f->due + f->behind <= CHURN_GRACE &&
					   churn_shortfall(f) > CHURN_HELD);
}

double churn_least(double part)
{
	/* 1 - 0.99 is no exact number */
	return ceil(1 / (1 - part) - 1e-6);
}

double churn_hit_ratio(const struct churn_counts *n)
{
	uint64_t lookups = n->hits + n->misses;

	return lookups ? (double)n->hits / (double)lookups : 0;
}

const char *churn_kind_name(enum churn_kind kind)
{
	static const char *const names[] = {
		[CHURN_REQUEST] = "request",
		[CHURN_HIT] = "hit",
		[CHURN_MISS] = "miss",
		[CHURN_CREATE] = "create",
		[CHURN_RENAME] = "rename",
		[CHURN_EVICT] = "evict",
		[CHURN_FETCH] = "request-miss",
		[CHURN_RESPONSE] = "response",
		[CHURN_RESPONSE_HIT] = "response-hit",
		[CHURN_RESPONSE_MISS] = "response-miss",
	};

	return names[kind];
}
