/*
 * worker: one of those who carry out a run. Inside of run.h; nobody else needs
 * it.
 */
#ifndef BIGDIR_WORKER_H
#define BIGDIR_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "gate.h"
#include "interrupt.h"
#include "run.h"
#include "stopwatch.h"

/* What the clock saw of one operation, before it is added to the meter. */
struct timing {
	uint64_t end; /* a reading of the stopwatch; later, in ns */
	unsigned int item; /* in the block */
	unsigned short step;
	unsigned short err;
};

/* What all workers of a run see. */
struct shared {
	const struct run_plan *plan;
	struct gate gate;
	struct run_step step[RUN_MAX_STEPS]; /* of this pass */
	uint64_t first_position; /* of this pass */
	atomic_int end; /* enum run_end; not RUN_COMPLETE: all shall stop */
	atomic_int read_error;
	atomic_uint refusals; /* since the last success */
	atomic_flag failed_before; /* the first failure has been reported */
	struct stopwatch watch; /* as it was started; each worker has a copy */
	uint64_t began, deadline;
	struct rusage usage; /* before the first operation */
};

struct worker {
	struct shared *shared;
	struct run_counters *counters;
	struct run_evidence *evidence; /* that this one gathers, or NULL */
	pthread_t thread;
	struct run_step step[RUN_MAX_STEPS]; /* as they are for this block */
	struct block block;
	struct timing *timings;
	struct stopwatch watch;
	uint64_t clock; /* ns; never goes back */
	bool *dropped; /* entries of the block that have failed a step */
	unsigned int timed;
	struct meter meter[RUN_MAX_STEPS];
	struct run_failure first;
	struct meter_batch batch;
	struct placing placing; /* where the plan has one */
	char last_name[NAME_BUFFER]; /* that has gone through */
	uint64_t last_end;
	uint64_t done, failed, failures_kept, kept, cleaned, finished;
};

/* Ask all workers to stop, for the reason given if it is the first one. */
static inline void ask_to_stop(struct shared *s, enum run_end end)
{
	int none = RUN_COMPLETE;

	atomic_compare_exchange_strong(&s->end, &none, (int)end);
}

/* Whether they have been asked, be it by a signal. */
static inline bool must_stop(struct shared *s)
{
	if (interrupt_pending())
		ask_to_stop(s, RUN_SIGNAL);
	return atomic_load_explicit(&s->end, memory_order_relaxed) !=
	       RUN_COMPLETE;
}

/* How wide the slices of timelines by position are at first. */
uint64_t worker_slice(const struct run_plan *plan);

/* Make ready the worker of that number. 0 or -ENOMEM; worker_free() in both
 * cases. */
int worker_init(struct worker *w, struct shared *s, unsigned int number);
void worker_free(struct worker *w);

/* Work until there is no more to do, or all shall stop. */
void worker_work(struct worker *w);

/* Keep what the clock saw of a block whose first operation began at `start`:
 * the worker's part after the timed one, and off the clock. */
void worker_keep_figures(struct worker *w, uint64_t start);

#endif
