/*
 * run: workers take blocks from a source, do the operations, and time them.
 *
 * One clock reading separates each operation from the next: the end of one is
 * the start of the other. Between the readings there is the operation alone;
 * names are made before the first, and the figures are kept after the last of
 * a block.
 */
#ifndef BIGDIR_RUN_H
#define BIGDIR_RUN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>

#include "evidence.h"
#include "meter.h"
#include "op.h"
#include "pacer.h"
#include "placing.h"
#include "source.h"
#include "tree.h"

#define RUN_MAX_STEPS 2
#define RUN_MAX_WORKERS 1024
#define RUN_TYPES 16 /* above every DT_... */

/* An operation and where it works. A run with several steps does each of
 * them to an entry in turn: create in a staging directory, then rename. */
struct run_step {
	const struct operation *op;
	struct place place;
	bool placed; /* the entry's directory is that of the layout; ... */
	bool to_placed; /* ... so is that of its second name */
};

/* What workers have done so far; read by the progress line while they run. */
struct run_counters {
	atomic_uint_least64_t done, failed; /* of the last step */
	atomic_uint_least64_t kept; /* OP_KEPT */
};

/* The first failure of a run, by time. */
struct run_failure {
	int err; /* positive errno; 0: nothing failed */
	unsigned int step;
	uint64_t time; /* ns since the run began */
	uint64_t position, index;
	char name[NAME_BUFFER], to[NAME_BUFFER]; /* `to` empty if none */
	char directory[NAME_BUFFER]; /* of the layout, cut; or empty */
	struct place place; /* where it was to be done */
	const struct operation *op;
};

struct run_plan {
	struct source *source; /* of the entries; or a walk ... */
	struct tree *tree; /* ... whose blocks go through one step each */
	struct run_step step[RUN_MAX_STEPS];
	unsigned int steps;
	const struct placing_plan *placing; /* of entries in a layout; or
					     * NULL */
	uint64_t second_from; /* entries of this index and above go through the
			       * second step alone, others through the first;
			       * 0: all go through all steps */
	unsigned int batch; /* entries that go through one step before the
			     * next step begins */
	unsigned int block; /* entries that a worker takes at a time; 0:
			     * BLOCK_ENTRIES */
	unsigned int workers; /* 1 to RUN_MAX_WORKERS */
	unsigned int passes; /* each later one goes the way back: the two
			      * schemes and directories change places */
	uint64_t expected; /* positions of a pass; sets the slices' width */
	uint64_t time_limit; /* ns, or 0 */
	struct pacer *pacer; /* that sets the pace, or NULL */
	bool stop_on_error;
	unsigned int refusals; /* so many failures for want of something,
				* with no success between them, end the run
				* as full; 0: any number */
	/* Called at the first failure, right after it but off the clock, by the
	 * worker that met it; or NULL. */
	void (*on_failure)(void *argument, const struct run_failure *f);
	void *on_failure_argument;
	FILE *echo; /* each name that went through is printed here, or NULL */
	struct run_counters *counters; /* one for each worker */
	struct run_evidence *evidence; /* open, to be gathered; or NULL */
};

enum run_end {
	RUN_COMPLETE, /* every position was tried */
	RUN_TIME_LIMIT, /* the time was up */
	RUN_SIGNAL, /* see result->signal */
	RUN_FAILED, /* an operation failed, and that was to stop it */
	RUN_FULL, /* as many refusals as were asked for */
	RUN_UNREADABLE, /* the directory could not be read: ->first */
};

struct run_result {
	struct meter meter[RUN_MAX_STEPS]; /* one for each step */
	struct placing_figures directories; /* of the layout */
	enum run_end end;
	int signal;
	struct run_failure first;
	char last_name[NAME_BUFFER]; /* that went through all steps */
	uint64_t last_end; /* when; ns since the run began */
	uint64_t real, user, sys; /* ns, of all workers */
	uint64_t tried; /* entries that the first step was tried on */
	uint64_t cleaned; /* staged entries that were removed again */
	uint64_t listed; /* entries read, where reading is the work; ... */
	uint64_t listed_types[RUN_TYPES]; /* ... by DT_..., as told then */
	uint64_t sort_memory; /* bytes that it has sorted with at most */
};

/*
 * Carry out the plan. 0, whatever became of the operations, or -errno when
 * the run could not begin (-ENOMEM, -EAGAIN for want of threads).
 * run_result_free() the result in either case.
 */
int run(const struct run_plan *plan, struct run_result *result);
void run_result_free(struct run_result *result);

/* From a to b in nanoseconds. */
uint64_t run_timeval_ns(const struct timeval *a, const struct timeval *b);

#endif
