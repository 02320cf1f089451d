#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "escape.h"
#include "exhaust.h"
#include "gate.h"
#include "interrupt.h"

/* Timelines by position have about this many slices. */
#define SLICES 100

/* What the clock saw of one operation, before it is added to the meter. */
struct timing {
	uint64_t end;
	unsigned int item; /* in the block */
	unsigned short step;
	unsigned short err;
};

struct shared {
	const struct run_plan *plan;
	struct gate gate;
	struct run_step step[RUN_MAX_STEPS]; /* of this pass */
	uint64_t first_position; /* of this pass */
	atomic_int end; /* enum run_end; not RUN_COMPLETE: all shall stop */
	atomic_int read_error;
	atomic_uint refusals; /* since the last success */
	atomic_flag failed_before; /* the first failure has been reported */
	uint64_t began, deadline;
	struct rusage usage; /* before the first operation */
};

struct worker {
	struct shared *shared;
	struct run_counters *counters;
	pthread_t thread;
	struct run_step step[RUN_MAX_STEPS]; /* as they are for this block */
	struct block block;
	struct timing *timings;
	bool *dropped; /* entries of the block that have failed a step */
	unsigned int timed;
	struct meter meter[RUN_MAX_STEPS];
	struct run_failure first;
	struct meter_batch batch;
	char last_name[NAME_BUFFER]; /* that has gone through */
	uint64_t last_end;
	uint64_t done, failed, failures_kept, cleaned, finished;
};

/* --- stopping ------------------------------------------------------------ */

static void ask_to_stop(struct shared *s, enum run_end end)
{
	int none = RUN_COMPLETE;

	atomic_compare_exchange_strong(&s->end, &none, (int)end);
}

static bool must_stop(struct shared *s)
{
	if (interrupt_pending())
		ask_to_stop(s, RUN_SIGNAL);
	return atomic_load_explicit(&s->end, memory_order_relaxed) !=
	       RUN_COMPLETE;
}

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
	atomic_store_explicit(&w->counters->failed, ++w->failed,
			      memory_order_relaxed);
	if (w->shared->plan->stop_on_error)
		ask_to_stop(w->shared, RUN_FAILED);
	if (w->shared->plan->refusals)
		count_refusal(w->shared, err);
}

/*
 * One step for the entries from `from` to `to` of the block. The first step
 * ends early when the run must stop; later ones go on, so that no entry stays
 * half done. Returns the end of what was tried.
 */
static unsigned int time_step(struct worker *w, unsigned int n,
			      unsigned int from, unsigned int to)
{
	struct shared *s = w->shared;
	const struct run_step *step = &w->step[n];
	op_function *operate = step->op->run;
	bool sync = step->place.durability == DURABLE_DIR;
	bool refusals = s->plan->refusals != 0;
	bool last = s->plan->tree || n + 1 == s->plan->steps;
	struct timing *t = &w->timings[w->timed];
	uint64_t done = w->done;

	for (unsigned int i = from; i < to; i++) {
		int err;

		if (n > 0 && w->dropped[i])
			continue;
		err = operate(&step->place, block_name(&w->block, i),
			      block_to(&w->block, i));
		if (sync && !err)
			err = sync_directories(&step->place);
		*t = (struct timing){ .end = clock_now(),
				      .item = i,
				      .step = (unsigned short)n,
				      .err = (unsigned short)err };
		if (err)
			count_failure(w, i, err);
		else if (last)
			atomic_store_explicit(&w->counters->done, ++done,
					      memory_order_relaxed);
		if (refusals && !err)
			atomic_store(&s->refusals, 0);
		if (t->end >= s->deadline)
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

/* All steps for the block, in batches; returns when the clock started. */
static uint64_t time_block(struct worker *w)
{
	const struct run_plan *plan = w->shared->plan;
	/* with one step, there is nothing to take turns with */
	unsigned int batch = plan->steps > 1 ? plan->batch : w->block.count;
	uint64_t start;

	w->timed = 0;
	memset(w->dropped, 0, w->block.count * sizeof(*w->dropped));
	start = clock_now();
	if (plan->tree) {
		time_step(w, w->block.step, 0, w->block.count);
		return start;
	}
	for (unsigned int from = 0; from < w->block.count;) {
		unsigned int left = w->block.count - from;
		unsigned int to = from + (left < batch ? left : batch);
		unsigned int tried = time_step(w, 0, from, to);

		for (unsigned int n = 1; n < plan->steps; n++)
			time_step(w, n, from, tried);
		if (tried < to || must_stop(w->shared))
			break;
		from = to;
	}
	return start;
}

/* --- keeping the figures ------------------------------------------------- */

static struct sample make_sample(const struct worker *w, const struct timing *t,
				 uint64_t start)
{
	return (struct sample){
		.start = start,
		.end = t->end - w->shared->began,
		.position =
			w->shared->first_position + w->block.position + t->item,
		.index = w->block.index[t->item],
		.name = block_name(&w->block, t->item),
	};
}

static void keep_failure(struct worker *w, const struct timing *t)
{
	struct sample s = make_sample(w, t, 0);

	meter_fail(&w->meter[t->step], t->err, s.position);
	if (w->first.err)
		return;
	w->first.err = t->err;
	w->first.step = t->step;
	w->first.time = s.end;
	w->first.position = s.position;
	w->first.index = s.index;
	w->first.op = w->step[t->step].op;
	w->first.place = w->step[t->step].place;
	strlcpy(w->first.name, s.name, sizeof(w->first.name));
	if (w->block.to_names)
		strlcpy(w->first.to, block_to(&w->block, t->item),
			sizeof(w->first.to));
	if (w->shared->plan->on_failure &&
	    !atomic_flag_test_and_set(&w->shared->failed_before))
		w->shared->plan->on_failure(
			w->shared->plan->on_failure_argument, &w->first);
}

/* The operations of one step in the block that went through; `start` is when
 * the clock was read before the first of all. */
static void gather(struct worker *w, unsigned int step, uint64_t start)
{
	uint64_t began = w->shared->began;
	uint64_t position = w->shared->first_position + w->block.position;
	struct meter_batch *b = &w->batch;
	unsigned int n = 0;

	for (unsigned int i = 0; i < w->timed; i++) {
		const struct timing *t = &w->timings[i];

		if (t->step == step && !t->err) {
			b->end[n] = t->end - began;
			b->latency[n] = t->end - start;
			b->position[n] = position + t->item;
			b->item[n++] = i;
		}
		start = t->end;
	}
	b->count = n;
}

static void keep_slow(struct worker *w, struct meter *m)
{
	const struct meter_batch *b = &w->batch;

	for (unsigned int i = 0; i < b->count; i++) {
		struct sample s;

		if (!meter_is_slow(m, b->latency[i]))
			continue;
		s = make_sample(w, &w->timings[b->item[i]],
				b->end[i] - b->latency[i]);
		meter_add_slow(m, &s);
	}
}

/* The last entry that went through, of those just gathered. */
static void keep_last(struct worker *w)
{
	const struct meter_batch *b = &w->batch;
	unsigned int item;

	if (b->count == 0)
		return;
	item = w->timings[b->item[b->count - 1]].item;
	strlcpy(w->last_name, block_name(&w->block, item),
		sizeof(w->last_name));
	w->last_end = b->end[b->count - 1];
}

static void keep_figures(struct worker *w, uint64_t start)
{
	uint64_t failed = w->failed - w->failures_kept;

	for (unsigned int n = 0; n < w->shared->plan->steps; n++) {
		gather(w, n, start);
		if (meter_add(&w->meter[n], &w->batch))
			keep_slow(w, &w->meter[n]);
		if (n + 1 == w->shared->plan->steps)
			keep_last(w);
	}
	for (unsigned int i = 0; failed && i < w->timed; i++)
		if (w->timings[i].err)
			keep_failure(w, &w->timings[i]);
	w->failures_kept = w->failed;
	if (w->timed > 0)
		w->finished = w->timings[w->timed - 1].end - w->shared->began;
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
	uint64_t failed = w->block.count - w->timed;

	if (!plan->tree)
		return;
	for (unsigned int i = 0; i < w->timed; i++)
		if (w->timings[i].err && w->timings[i].err != ENOENT)
			failed++;
	tree_release(plan->tree, &w->block, failed);
}

static void work(struct worker *w)
{
	struct shared *s = w->shared;

	while (!must_stop(s)) {
		int got = take_block(w);
		uint64_t start;

		if (got < 0) {
			atomic_store(&s->read_error, -got);
			ask_to_stop(s, RUN_UNREADABLE);
		}
		if (got <= 0)
			return;
		start = time_block(w);
		keep_figures(w, start);
		if (s->plan->steps > 1 && !s->plan->tree)
			clean_stage(w);
		if (s->plan->echo)
			echo_names(w);
		give_back(w);
	}
}

static void *thread_main(void *argument)
{
	struct worker *w = argument;

	if (gate_wait(&w->shared->gate))
		work(w);
	return NULL;
}

static int worker_init(struct worker *w, struct shared *s, unsigned int number)
{
	const struct run_plan *plan = s->plan;
	/* whole batches, so that each is done by one worker in one go */
	unsigned int room = plan->batch;
	uint64_t width = (plan->expected + SLICES - 1) / SLICES;
	int err;

	if (room < BLOCK_ENTRIES)
		room *= BLOCK_ENTRIES / room;
	w->shared = s;
	w->counters = &plan->counters[number];
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
		err = meter_init(&w->meter[n], width ? width : 1);
		if (err)
			return err;
	}
	return 0;
}

static void worker_free(struct worker *w)
{
	block_free(&w->block);
	free(w->timings);
	free(w->dropped);
	meter_batch_free(&w->batch);
	for (unsigned int n = 0; n < RUN_MAX_STEPS; n++)
		meter_free(&w->meter[n]);
}

uint64_t run_timeval_ns(const struct timeval *a, const struct timeval *b)
{
	return (uint64_t)((b->tv_sec - a->tv_sec) * 1000000 + b->tv_usec -
			  a->tv_usec) *
	       1000;
}

static void start_clock(struct shared *s)
{
	getrusage(RUSAGE_SELF, &s->usage);
	s->began = clock_now();
	s->deadline = s->plan->time_limit ? s->began + s->plan->time_limit
					  : UINT64_MAX;
}

/* One pass: this thread is the first worker; the others start with it. 0, or
 * -errno when not all of them could be had, and none has worked. */
static int run_workers(struct worker *workers, struct shared *s)
{
	unsigned int started = 1;
	int err = 0;

	gate_init(&s->gate);
	while (started < s->plan->workers && !err) {
		err = pthread_create(&workers[started].thread, NULL,
				     thread_main, &workers[started]);
		if (!err)
			started++;
	}
	gate_gather(&s->gate, started - 1);
	if (s->began == 0)
		start_clock(s);
	gate_open(&s->gate, err != 0);
	if (!err)
		work(&workers[0]);
	for (unsigned int i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	gate_destroy(&s->gate);
	return -err;
}

/* The same entries, back from where the last pass has brought them. */
static int turn_round(struct shared *s)
{
	int err = source_again(s->plan->source, true);

	for (unsigned int n = 0; n < s->plan->steps; n++) {
		int dir = s->step[n].place.dir;

		s->step[n].place.dir = s->step[n].place.to_dir;
		s->step[n].place.to_dir = dir;
	}
	s->first_position += s->plan->expected;
	return err;
}

static int run_passes(struct worker *workers, struct shared *s)
{
	int err = run_workers(workers, s);

	if (err)
		return err;
	for (unsigned int pass = 1; pass < s->plan->passes; pass++) {
		if (must_stop(s))
			break;
		err = turn_round(s);
		if (!err)
			err = run_workers(workers, s);
		if (err) {
			/* what the passes before have done is still told */
			atomic_store(&s->read_error, -err);
			ask_to_stop(s, RUN_UNREADABLE);
		}
	}
	return 0;
}

static void collect(struct worker *w, struct run_result *r)
{
	for (unsigned int n = 0; n < w->shared->plan->steps; n++) {
		if (r->meter[n].by_position.slices) {
			meter_merge(&r->meter[n], &w->meter[n]);
		} else {
			/* the first worker's is taken as it is */
			r->meter[n] = w->meter[n];
			memset(&w->meter[n], 0, sizeof(w->meter[n]));
		}
	}
	if (w->first.err && (!r->first.err || w->first.time < r->first.time))
		r->first = w->first;
	if (w->finished > r->real)
		r->real = w->finished;
	r->cleaned += w->cleaned;
	if (w->last_end > r->last_end) {
		r->last_end = w->last_end;
		strlcpy(r->last_name, w->last_name, sizeof(r->last_name));
	}
}

static void finish(struct shared *s, struct run_result *r)
{
	struct rusage now;

	getrusage(RUSAGE_SELF, &now);
	r->user = run_timeval_ns(&s->usage.ru_utime, &now.ru_utime);
	r->sys = run_timeval_ns(&s->usage.ru_stime, &now.ru_stime);
	r->end = (enum run_end)atomic_load(&s->end);
	r->signal = interrupt_pending();
	r->tried = r->meter[0].latency.count + r->meter[0].failed;
	if (r->end == RUN_UNREADABLE)
		r->first.err = atomic_load(&s->read_error);
}

int run(const struct run_plan *plan, struct run_result *r)
{
	struct worker *workers = calloc(plan->workers, sizeof(*workers));
	struct shared s = { .plan = plan };
	int err = workers ? 0 : -ENOMEM;

	memset(r, 0, sizeof(*r));
	memcpy(s.step, plan->step, sizeof(s.step));
	for (unsigned int i = 0; i < plan->workers && !err; i++)
		err = worker_init(&workers[i], &s, i);
	if (!err)
		err = run_passes(workers, &s);
	if (!err) {
		for (unsigned int i = 0; i < plan->workers; i++)
			collect(&workers[i], r);
		finish(&s, r);
	}
	for (unsigned int i = 0; workers && i < plan->workers; i++)
		worker_free(&workers[i]);
	free(workers);
	return err;
}

void run_result_free(struct run_result *r)
{
	for (unsigned int n = 0; n < RUN_MAX_STEPS; n++)
		meter_free(&r->meter[n]);
}
