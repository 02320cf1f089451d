#include "run.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "clock.h"
#include "interrupt.h"
#include "worker.h"

static void *thread_main(void *argument)
{
	struct worker *w = argument;

	if (gate_wait(&w->shared->gate))
		worker_work(w);
	return NULL;
}

uint64_t run_timeval_ns(const struct timeval *a, const struct timeval *b)
{
	return (uint64_t)((b->tv_sec - a->tv_sec) * 1000000 + b->tv_usec -
			  a->tv_usec) *
	       1000;
}

static void start_clock(struct shared *s)
{
	stopwatch_start(&s->watch);
	getrusage(RUSAGE_SELF, &s->usage);
	if (s->plan->evidence)
		evidence_begin(s->plan->evidence, worker_slice(s->plan));
	s->began = clock_now();
	if (s->plan->evidence)
		evidence_started(s->plan->evidence, s->began);
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
		worker_work(&workers[0]);
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
		struct run_step *step = &s->step[n];
		int dir = step->place.dir;
		bool placed = step->placed;

		step->place.dir = step->place.to_dir;
		step->place.to_dir = dir;
		step->placed = step->to_placed;
		step->to_placed = placed;
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
		for (unsigned int i = 0; i < s->plan->workers; i++)
			placing_turn(&workers[i].placing);
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
	if (w->shared->plan->placing)
		placing_collect(&w->placing, &r->directories);
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
	if (s->plan->second_from)
		r->tried += r->meter[1].latency.count + r->meter[1].failed;
	if (r->end == RUN_UNREADABLE)
		r->first.err = atomic_load(&s->read_error);
	if (s->plan->evidence)
		evidence_end(s->plan->evidence, r->tried);
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
	placing_figures_free(&r->directories);
}
