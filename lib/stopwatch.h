/*
 * stopwatch: the clock, at half its cost, for what is timed many times over.
 *
 * Where the kernel itself keeps time by a time stamp counter that never stops
 * or changes its pace, that counter is read in place of the clock, and what was
 * read is turned into time afterwards, by its pace against CLOCK_MONOTONIC
 * from the start to the latest check. A check follows each block of operations,
 * so that nothing is ever extrapolated by more than one block. Elsewhere, and
 * where reading the counter is not cheaper, as in machines that emulate it,
 * readings are those of clock_now().
 *
 * The counter is read without a fence: the processor may do so some dozens of
 * instructions early or late, a few ns. What one operation gains by that, the
 * next one loses.
 */
#ifndef BIGDIR_STOPWATCH_H
#define BIGDIR_STOPWATCH_H

#include <stdbool.h>
#include <stdint.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

#include "clock.h"

/* The same moment by both. */
struct moment {
	uint64_t ticks, ns;
};

struct stopwatch {
	bool counter; /* read in place of the clock */
	struct moment first, last;
	uint64_t width; /* ticks that reading both takes when undisturbed */
	double ns_per_tick;
};

static inline uint64_t stopwatch_ticks(void)
{
#ifdef __x86_64__
	return __rdtsc();
#else
	return clock_now();
#endif
}

/* A reading: only stopwatch_ns() knows what it means. */
static inline uint64_t stopwatch_read(const struct stopwatch *w)
{
	return w->counter ? stopwatch_ticks() : clock_now();
}

/* Choose what is read, and find the counter's pace: a tenth of a millisecond.
 * A stopwatch may be copied; each copy is then checked by itself. */
void stopwatch_start(struct stopwatch *w);

/* Correct the pace. When it turns out to have changed since the last check, as
 * on a virtual machine that was moved, all begins anew from there. */
void stopwatch_check(struct stopwatch *w);

/* A reading as CLOCK_MONOTONIC in ns, to about 50 ns, and the other way round;
 * UINT64_MAX, never, stays what it is. */
static inline uint64_t stopwatch_ns(const struct stopwatch *w, uint64_t reading)
{
	if (!w->counter)
		return reading;
	return w->first.ns +
	       (uint64_t)(int64_t)((double)(int64_t)(reading - w->first.ticks) *
				   w->ns_per_tick);
}

uint64_t stopwatch_reading(const struct stopwatch *w, uint64_t ns);

/* What one reading costs here and now, in ns, and whether it is of the counter.
 * It is part of every latency, as each is the difference between one reading
 * and the next. */
double stopwatch_cost(bool *counter);

/* The same of clock_now(), for those who have no stopwatch. */
double stopwatch_clock_cost(void);

#endif
