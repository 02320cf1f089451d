#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "escape.h"
#include "exhaust.h"

/* Timelines by position have about this many slices. */
#define SLICES 100

/* --- the timed part ------------------------------------------------------ */

static int sync_directories(const struct place *p)
{
	if (fsync(p->dir) < 0)
		return errno;
	return p->to_dir != p->dir && fsync(p->to_dir) < 0 ? errno : 0;
}

/* Only what is a limit of the file system counts towards its being full. */
static void count_refusal(struct shared *s, int err)
{
	if (!exhaust_is_limit(err))
		ask_to_stop(s, RUN_FAILED);
	else if (atomic_fetch_add(&s->refusals, 1) + 1 >= s->plan->refusals)
		ask_to_stop(s, RUN_FULL);
}

static void count_failure(struct worker *w, unsigned int item, int err)
{
	w->dropped[item] = true;
	if (err == OP_KEPT) {
		w->kept += !w->block.again;
		atomic_store_explicit(&w->counters->kept, w->kept,
				      memory_order_relaxed);
		return;
	}
	atomic_store_explicit(&w->counters->failed, ++w->failed,
			      memory_order_relaxed);
	if (w->shared->plan->stop_on_error)
		ask_to_stop(w->shared, RUN_FAILED);
	if (w->shared->plan->refusals)
		count_refusal(w->shared, err);
}

/* The operation on one entry of the block, where the layout has its
 * directories. */
static int operate_placed(const struct worker *w, const struct run_step *step,
			  unsigned int i, struct place *place)
{
	const struct placed *from = &w->placing.at[PLACING_FROM][i];
	const struct placed *to = &w->placing.at[PLACING_TO][i];

	if (step->placed)
		place->dir = from->fd;
	if (step->to_placed)
		place->to_dir = to->fd;
	else if (!step->op->takes_two)
		place->to_dir = place->dir;
	if (place->dir < 0)
		return -place->dir;
	if (place->to_dir < 0)
		return -place->to_dir;
	return step->op->run(place, block_name(&w->block, i),
			     block_to(&w->block, i));
}

/*
 * One step for the entries from `from` to `to` of the block. The first step
 * ends early when the run must stop; later ones go on, so that no entry stays
 * half done. Returns the end of what was tried.
 *
 * `special` is known to the compiler: entries that live in a layout, or go
 * through one of two steps, cost the others nothing.
 */
static inline __attribute__((always_inline)) unsigned int
time_entries(struct worker *w, unsigned int n, unsigned int from,
	     unsigned int to, const bool special)
{
	struct shared *s = w->shared;
	const struct run_step *step = &w->step[n];
	op_function *operate = step->op->run;
	bool sync = step->place.durability == DURABLE_DIR;
	bool refusals = s->plan->refusals != 0;
	bool last = s->plan->tree || n + 1 == s->plan->steps;
	const struct stopwatch watch = w->watch;
	uint64_t deadline = stopwatch_reading(&watch, s->deadline);
	struct timing *t = &w->timings[w->timed];
	struct place place = step->place;
	uint64_t done = w->done;

	if (special && s->plan->second_from)
		last = true;
	for (unsigned int i = from; i < to; i++) {
		unsigned int as = n;
		int err;

		if (n > 0 && w->dropped[i])
			continue;
		if (special && s->plan->second_from)
			as = w->block.index[i] >= s->plan->second_from;
		if (special && s->plan->placing)
			err = operate_placed(w, &w->step[as], i, &place);
		else if (special)
			err = w->step[as].op->run(
				&place, block_name(&w->block, i), NULL);
		else
			err = operate(&step->place, block_name(&w->block, i),
				      block_to(&w->block, i));
		if (sync && !err)
			err = sync_directories(special ? &place : &step->place);
		*t = (struct timing){ .end = stopwatch_read(&watch),
				      .item = i,
				      .step = (unsigned short)as,
				      .err = (unsigned short)err };
		if (err)
			count_failure(w, i, err);
		else if (last)
			atomic_store_explicit(&w->counters->done, ++done,
					      memory_order_relaxed);
		if (refusals && !err)
			atomic_store(&s->refusals, 0);
		if (t->end >= deadline)
			ask_to_stop(s, RUN_TIME_LIMIT);
		t++;
		if (n == 0 && must_stop(s)) {
			to = i + 1;
			break;
		}
	}
	w->done = done;
	w->timed = (unsigned int)(t - w->timings);
	return to;
}

static unsigned int time_step(struct worker *w, unsigned int n,
			      unsigned int from, unsigned int to)
{
	const struct run_plan *plan = w->shared->plan;

	if (plan->placing || plan->second_from)
		return time_entries(w, n, from, to, true);
	return time_entries(w, n, from, to, false);
}

/* All steps for the block, in batches; returns the reading at its start. */
static uint64_t time_block(struct worker *w)
{
	const struct run_plan *plan = w->shared->plan;
	/* with one step, there is nothing to take turns with */
	unsigned int steps = plan->second_from ? 1 : plan->steps;
	unsigned int batch = steps > 1 ? plan->batch : w->block.count;
	uint64_t start;

	w->timed = 0;
	memset(w->dropped, 0, w->block.count * sizeof(*w->dropped));
	start = stopwatch_read(&w->watch);
	if (plan->tree) {
		time_step(w, w->block.step, 0, w->block.count);
		return start;
	}
	for (unsigned int from = 0; from < w->block.count;) {
		unsigned int left = w->block.count - from;
		unsigned int to = from + (left < batch ? left : batch);
		unsigned int tried = time_step(w, 0, from, to);

		for (unsigned int n = 1; n < steps; n++)
			time_step(w, n, from, tried);
		if (tried < to || must_stop(w->shared))
			break;
		from = to;
	}
	return start;
}

/* What the stopwatch read, in ns, and never going back: the pace that was in
 * use for the last block may have been a little too fast. */
static uint64_t keep_time(struct worker *w, uint64_t reading)
{
	uint64_t ns = stopwatch_ns(&w->watch, reading);

	if (ns > w->clock)
		w->clock = ns;
	return w->clock;
}

/* The same for the whole block; returns when it started. */
static uint64_t keep_times(struct worker *w, uint64_t start)
{
	stopwatch_check(&w->watch);
	start = keep_time(w, start);
	for (unsigned int i = 0; i < w->timed; i++)
		w->timings[i].end = keep_time(w, w->timings[i].end);
	return start;
}

static void echo_names(struct worker *w)
{
	const struct run_plan *plan = w->shared->plan;
	char shown[ESCAPE_BUFFER];

	flockfile(plan->echo);
	for (unsigned int i = 0; i < w->timed; i++) {
		const struct timing *t = &w->timings[i];

		if (t->err || t->step + 1u != plan->steps)
			continue;
		fprintf(plan->echo, "%s\n",
			escape_name(shown, block_name(&w->block, t->item)));
	}
	funlockfile(plan->echo);
}

/* Entries that were created in the staging directory but could not be renamed
 * out of it are removed, as nobody would find them there. */
static void clean_stage(struct worker *w)
{
	const struct run_plan *plan = w->shared->plan;

	for (unsigned int i = 0; i < w->timed; i++) {
		const struct timing *t = &w->timings[i];
		const char *name = block_name(&w->block, t->item);
		int flags =
			plan->step[0].op == &op_create_dir ? AT_REMOVEDIR : 0;

		if (t->err && t->step > 0 &&
		    unlinkat(plan->step[0].place.dir, name, flags) == 0)
			w->cleaned++;
	}
}

/* --- workers ------------------------------------------------------------- */

/* The next block, with its steps made ready: 1, 0 or -errno. */
static int take_block(struct worker *w)
{
	const struct run_plan *plan = w->shared->plan;
	int got;

	memcpy(w->step, w->shared->step, sizeof(w->step));
	if (!plan->tree)
		return source_fill(plan->source, &w->block);
	got = tree_fill(plan->tree, &w->block);
	if (got > 0)
		w->step[w->block.step].place.dir =
			w->step[w->block.step].place.to_dir = w->block.dir;
	return got;
}

static void give_back(struct worker *w)
{
	const struct run_plan *plan = w->shared->plan;
	uint64_t failed = w->block.count - w->timed, kept = 0;

	if (!plan->tree)
		return;
	for (unsigned int i = 0; i < w->timed; i++) {
		unsigned short err = w->timings[i].err;

		if (err == OP_KEPT)
			kept++;
		else if (err && err != ENOENT)
			failed++;
	}
	tree_release(plan->tree, &w->block, failed, kept);
}

/* Before a block is taken, so that what it holds is fresh when it is worked
 * on. */
static void keep_pace(struct shared *s)
{
	if (!s->plan->pacer)
		return;
	pacer_wait(s->plan->pacer, s->deadline);
	if (clock_now() >= s->deadline)
		ask_to_stop(s, RUN_TIME_LIMIT);
}

/* What was only looked at takes nothing from a rate of deletions. */
static void note_pace(const struct worker *w, uint64_t start)
{
	uint64_t last = start, worst = 0;
	unsigned int count = 0;

	if (!w->shared->plan->pacer)
		return;
	for (unsigned int i = 0; i < w->timed; i++) {
		uint64_t end = w->timings[i].end;

		if (end - last > worst)
			worst = end - last;
		last = end;
		count += w->timings[i].err != OP_KEPT;
	}
	pacer_note(w->shared->plan->pacer, start, last, count, worst);
}

/* Between two blocks, where no clock runs. */
static void gather_evidence(const struct worker *w)
{
	uint64_t position =
		w->shared->first_position + w->block.position + w->block.count;

	if (w->evidence && evidence_due(w->evidence, position))
		evidence_take(w->evidence, position);
}

void worker_work(struct worker *w)
{
	struct shared *s = w->shared;

	/* it goes on from pass to pass */
	if (w->clock == 0) {
		w->watch = s->watch;
		w->clock = s->began;
	}
	while (!must_stop(s)) {
		uint64_t start;
		int got;

		keep_pace(s);
		if (must_stop(s))
			return;
		got = take_block(w);
		if (got < 0) {
			atomic_store(&s->read_error, -got);
			ask_to_stop(s, RUN_UNREADABLE);
		}
		if (got <= 0)
			return;
		if (s->plan->placing)
			placing_block(&w->placing, &w->block, s->began);
		start = keep_times(w, time_block(w));
		note_pace(w, start);
		worker_keep_figures(w, start);
		gather_evidence(w);
		if (s->plan->steps > 1 && !s->plan->tree &&
		    !s->plan->second_from)
			clean_stage(w);
		if (s->plan->echo)
			echo_names(w);
		give_back(w);
	}
}

uint64_t worker_slice(const struct run_plan *plan)
{
	uint64_t width = (plan->expected + SLICES - 1) / SLICES;

	return width ? width : 1;
}

int worker_init(struct worker *w, struct shared *s, unsigned int number)
{
	const struct run_plan *plan = s->plan;
	/* whole batches, so that each is done by one worker in one go */
	unsigned int room = plan->batch;
	unsigned int most = plan->block ? plan->block : BLOCK_ENTRIES;
	int err;

	if (room < most)
		room *= most / room;
	/* the directories of a block are open all at once */
	if (plan->placing && plan->placing->room < room)
		room = plan->placing->room;
	w->shared = s;
	w->counters = &plan->counters[number];
	w->evidence = number == 0 ? plan->evidence : NULL;
	err = block_init(&w->block, room,
			 plan->source ? source_longest(plan->source) : NAME_MAX,
			 plan->step[plan->steps - 1].op->takes_two);
	if (err)
		return err;
	w->timings = calloc((size_t)room * plan->steps, sizeof(*w->timings));
	w->dropped = calloc(room, sizeof(*w->dropped));
	if (!w->timings || !w->dropped)
		return -ENOMEM;
	err = meter_batch_init(&w->batch, room);
	if (err)
		return err;
	for (unsigned int n = 0; n < plan->steps; n++) {
		err = meter_init(&w->meter[n], worker_slice(plan));
		if (err)
			return err;
	}
	return plan->placing ? placing_init(&w->placing, plan->placing, room)
			     : 0;
}

void worker_free(struct worker *w)
{
	block_free(&w->block);
	free(w->timings);
	free(w->dropped);
	meter_batch_free(&w->batch);
	for (unsigned int n = 0; n < RUN_MAX_STEPS; n++)
		meter_free(&w->meter[n]);
	placing_free(&w->placing);
}
