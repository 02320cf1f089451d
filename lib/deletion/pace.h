/*
 * pace: when the next few deletions may begin. Rules alone, without a clock
 * or a lock; pacer.h carries them out.
 *
 * A rate sets the earliest time of the next block. A most latency makes the
 * work go in slices with rests between them, which grow and shrink with what
 * the last slice and rest have shown:
 *
 * - an unlink of the slice took longer than allowed: whoever wants a name in
 *   the directory meanwhile has waited as long, as the kernel holds the
 *   directory for it; or
 * - during the rest, when nothing was deleted, tasks still waited for the
 *   disks for more than a tenth of the time: those are others (or the kernel,
 *   which still writes what was deleted).
 *
 * Then the next rest is twice as long, up to PACE_MOST_REST; otherwise it is
 * shorter by an eighth, down to PACE_LEAST_REST. So it gives way at once, and
 * takes back slowly, as network senders do that share a line.
 */
#ifndef BIGDIR_PACE_H
#define BIGDIR_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define PACE_SLICE UINT64_C(10000000) /* ns of work between two rests */
#define PACE_LEAST_REST UINT64_C(1000000)
#define PACE_FIRST_REST UINT64_C(10000000)
#define PACE_MOST_REST UINT64_C(1000000000)

/* A rate makes up for so much time that was not used, ns: a sleep that took
 * longer than it should, and no more. */
#define PACE_CATCH_UP UINT64_C(100000000)

/* Others wait when stalled for more than 1 in so many ns of a rest. */
#define PACE_STALLED 10

struct pace {
	/* wishes; 0: none */
	uint64_t interval; /* ns from one deletion to the next */
	uint64_t latency; /* ns that one may take */

	/* where it stands */
	uint64_t next; /* the rate allows no block before */
	uint64_t worked; /* ns since the last rest */
	uint64_t rest; /* ns of the next rest, or the one that goes on */
	uint64_t resting_until; /* 0: not resting */
	bool slow; /* a deletion since the last rest took too long */

	/* what has come of it */
	uint64_t rests, slow_rests, stalled_rests; /* all; grown because of */
	uint64_t longest_rest; /* ns */
};

/* Read a rate - 2000/s, 2000 (a second), 120/m, 1k/h - as the ns from one to
 * the next. 0 or -EINVAL. */
int pace_rate(const char *text, uint64_t *interval);

void pace_init(struct pace *p, uint64_t interval, uint64_t latency);

/* Whether there is any wish at all. */
static inline bool pace_is_wished(const struct pace *p)
{
	return p->interval || p->latency;
}

/* How many entries a worker shall take at a time: those of some 20 ms, and
 * few enough for rests to come when they are due; `most` without a wish. */
unsigned int pace_block(const struct pace *p, unsigned int most);

/* `count` deletions were made from `began` to `ended`; the longest took
 * `worst` ns. */
void pace_worked(struct pace *p, uint64_t began, uint64_t ended,
		 unsigned int count, uint64_t worst);

/* The time before which no other block may begin; 0: at once. */
uint64_t pace_due(const struct pace *p);

/* The rest is over; it took `rested` ns, of which some task waited for the
 * disks for `stalled` (0 where that is not known). */
void pace_rested(struct pace *p, uint64_t rested, uint64_t stalled);

#endif
