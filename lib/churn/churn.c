#include "churn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "request.h"

/* Timelines by position have about this many slices. */
#define SLICES 100

/* --- what the clock has seen --------------------------------------------- */

/* An operation on request `item` that has gone through; kept until the block
 * is done. Times by the device's clock. */
static void note(struct churn *c, enum churn_kind kind, uint64_t start,
		 uint64_t end)
{
	struct meter_batch *b = &c->batch[kind];
	unsigned int n = b->count++;

	b->position[n] = c->first + c->at;
	b->end[n] = end - c->figures.began;
	b->latency[n] = end - start;
	b->item[n] = c->at;
}

static int fail(struct churn *c, enum churn_kind kind, int err, uint64_t end)
{
	const struct request *q = &c->request[c->at];
	const struct object *o = kind == CHURN_EVICT ? &q->victim : &q->object;
	struct run_failure *f = &c->failure;

	end -= c->figures.began;
	meter_fail(&c->figures.meter[kind], err, c->first + c->at, end);
	c->end = RUN_FAILED;
	if (f->err)
		return err;
	f->err = err;
	f->step = kind;
	f->time = end;
	f->position = c->first + c->at;
	f->index = o->rank;
	strlcpy(f->name, o->name, sizeof(f->name));
	return err;
}

/* --- one request --------------------------------------------------------- */

/* An operation that began at *at, where its end is left: 0 or an errno. */
static int operate(struct churn *c, enum churn_kind kind,
		   enum request_step step,
		   int (*call)(struct device *, const struct object *),
		   const struct object *o, uint64_t *at)
{
	struct device *d = c->plan->device;
	int err = call(d, o);
	uint64_t start = *at;

	*at = d->now(d);
	c->request[c->at].done |= (unsigned char)step;
	if (err)
		return fail(c, kind, err, *at);
	note(c, kind, start, *at);
	return 0;
}

/* The move into place was tried, of the request at hand. */
static bool was_moved(const struct churn *c)
{
	return c->request[c->at].done & STEP_RENAME;
}

/* What could not be renamed would be found by nobody in the temporary
 * directory. With --direct there is no rename, and an object that is there
 * counts. */
static int create(struct churn *c, const struct object *o, uint64_t *at)
{
	struct device *d = c->plan->device;
	int err = operate(c, CHURN_CREATE, STEP_CREATE, d->create, o, at);

	if (!err && d->rename)
		err = operate(c, CHURN_RENAME, STEP_RENAME, d->rename, o, at);
	if (!err) {
		c->figures.counts.created++;
		c->objects++;
	} else if (err == EEXIST && (!d->rename || was_moved(c))) {
		/* somebody else has made it since it was looked up */
		c->figures.counts.found++;
		c->objects++;
	}
	return err;
}

static int evict(struct churn *c, const struct object *o, uint64_t *at)
{
	struct device *d = c->plan->device;
	int err = operate(c, CHURN_EVICT, STEP_EVICT, d->evict, o, at);

	if (!err) {
		c->figures.counts.evicted++;
		c->objects--;
	} else if (err == ENOENT) {
		c->figures.counts.lost++;
		c->objects--;
	}
	return err;
}

/* Look it up: whether it is there, or -errno. */
static int look_up(struct churn *c, const struct request *q, uint64_t *at)
{
	struct churn_counts *n = &c->figures.counts;
	struct device *d = c->plan->device;
	int err = d->look_up(d, &q->object);
	uint64_t start = *at;

	*at = d->now(d);
	c->request[c->at].done |= STEP_LOOKUP;
	if (err && err != ENOENT)
		return -fail(c, q->expected ? CHURN_HIT : CHURN_MISS, err, *at);
	note(c, err ? CHURN_MISS : CHURN_HIT, start, *at);
	n->hits += !err;
	n->misses += err != 0;
	if (!err && !q->expected) {
		n->found++;
		c->objects++;
	} else if (err && q->expected) {
		n->lost++;
		c->objects--;
	}
	return !err;
}

static void answered(struct churn *c, bool hit, uint64_t due, uint64_t start,
		     uint64_t end)
{
	struct run_counters *counters = c->plan->counters;

	note(c, CHURN_REQUEST, start, end);
	if (!hit)
		note(c, CHURN_FETCH, start, end);
	if (c->figures.rate > 0) {
		note(c, CHURN_RESPONSE, due, end);
		note(c, hit ? CHURN_RESPONSE_HIT : CHURN_RESPONSE_MISS, due,
		     end);
	}
	c->figures.real = end - c->figures.began;
	c->figures.counts.requests++;
	if (counters)
		atomic_fetch_add_explicit(&counters->done, 1,
					  memory_order_relaxed);
}

/* Answer the request at hand, from `start` on; returns when that was done. */
static uint64_t answer(struct churn *c, uint64_t due, uint64_t start)
{
	const struct request *q = &c->request[c->at];
	uint64_t at = start;
	int there = look_up(c, q, &at), err = there < 0;

	if (!err && !there)
		err = create(c, &q->object, &at);
	if (!err && q->evicts)
		err = evict(c, &q->victim, &at);
	if (!err)
		answered(c, there > 0, due, start, at);
	return at;
}

/* --- a part of the run --------------------------------------------------- */

/* Wait until the next request is due, and tell when it is begun. False: it is
 * due only when the time is up. */
static bool await(struct churn *c, const struct churn_phase *phase,
		  uint64_t *due, uint64_t *start)
{
	struct device *d = c->plan->device;
	uint64_t at = arrivals_next(&c->arrivals);

	if (phase->time_limit && at >= phase->time_limit)
		return false;
	*due = c->figures.began + at;
	*start = d->now(d);
	if (*start < *due) {
		d->wait(d, *due);
		*start = d->now(d);
	}
	c->figures.due = at;
	c->figures.behind = *start > *due ? *start - *due : 0;
	return true;
}

static uint64_t most_objects(const struct churn_plan *p)
{
	return p->law->keys < p->policy->capacity ? p->law->keys
						  : p->policy->capacity;
}

static bool is_over(struct churn *c, const struct churn_phase *phase,
		    uint64_t now)
{
	uint64_t passed = now - c->figures.began;

	if (interrupt_pending())
		c->end = RUN_SIGNAL;
	else if (phase->time_limit && passed >= phase->time_limit)
		c->end = RUN_TIME_LIMIT;
	if (c->end != RUN_COMPLETE)
		return true;
	if (phase->requests && c->figures.counts.requests >= phase->requests)
		return true;
	return phase->until_full && c->objects >= most_objects(c->plan);
}

/* The requests that are worked out, as far as the phase goes; true: it goes
 * on. */
static bool answer_block(struct churn *c, const struct churn_phase *phase)
{
	uint64_t now = c->plan->device->now(c->plan->device);
	bool over = is_over(c, phase, now);

	while (c->at < c->count && !over) {
		uint64_t due = 0;

		if (c->figures.rate > 0 && !await(c, phase, &due, &now)) {
			c->end = RUN_TIME_LIMIT;
			return false;
		}
		/* a signal may have come while it waited */
		if (interrupt_pending())
			return !is_over(c, phase, now);
		now = answer(c, due, now);
		over = is_over(c, phase, now);
		c->at++;
	}
	return !over;
}

static int begin(struct churn *c, const struct churn_phase *phase)
{
	uint64_t width = (phase->requests + SLICES - 1) / SLICES;
	struct churn_figures *f = &c->figures;
	int err = 0;

	for (int kind = 0; kind < CHURN_KINDS; kind++)
		meter_free(&f->meter[kind]);
	memset(f, 0, sizeof(*f));
	for (int kind = 0; kind < CHURN_KINDS && !err; kind++)
		err = meter_init(&f->meter[kind], width ? width : 1);
	/* what was worked out, but not begun, comes first */
	c->first = -(uint64_t)c->at;
	c->end = RUN_COMPLETE;
	f->rate = phase->rate;
	f->began = c->plan->device->now(c->plan->device);
	c->arrivals = c->plan->arrivals;
	if (f->rate > 0)
		arrivals_start(&c->arrivals, f->rate, c->plan->seed);
	return err;
}

static void add_up(struct churn_counts *to, const struct churn_counts *from)
{
	to->requests += from->requests;
	to->hits += from->hits;
	to->misses += from->misses;
	to->created += from->created;
	to->evicted += from->evicted;
	to->found += from->found;
	to->lost += from->lost;
}

int churn_run(struct churn *c, const struct churn_phase *phase)
{
	int err = begin(c, phase);
	bool on = !err;

	while (on) {
		if (c->at == c->count)
			err = requests_fill(c, phase->rate > 0);
		on = !err && answer_block(c, phase);
		churn_keep_figures(c);
	}
	add_up(&c->total, &c->figures.counts);
	return err;
}

int churn_init(struct churn *c, const struct churn_plan *plan)
{
	int err;

	memset(c, 0, sizeof(*c));
	c->plan = plan;
	c->objects = plan->objects;
	err = requests_init(c);
	for (int kind = 0; kind < CHURN_KINDS && !err; kind++)
		err = meter_batch_init(&c->batch[kind], CHURN_BLOCK);
	return err;
}

void churn_free(struct churn *c)
{
	for (int kind = 0; kind < CHURN_KINDS; kind++) {
		meter_batch_free(&c->batch[kind]);
		meter_free(&c->figures.meter[kind]);
	}
	free(c->request);
	free(c->text);
}
