#include "stopwatch.h"

#include <stdio.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#define ROUNDS 9
#define READS 200
#define TRIES 20
#define CALIBRATION 100000 /* ns */

/* A clock that takes longer (ns) to read is read by a system call: that of a
 * virtual machine whose counters differ from one processor to the next. One
 * that is cheaper is made from this very counter, in user space. */
#define SYSCALL 80

/* A pace is wrong when it is off by more than reading it can explain (ns), and
 * by more than a clock is ever slewed (500 ppm, of which this is twice). */
#define TOLERATED 1000
#define TOLERATED_PART 1e-3

/* --- whether to trust the counter ---------------------------------------- */

/* Bit 8 of EDX of leaf 0x80000007: the counter has one pace in all states of
 * power. Both vendors' manuals call it the invariant TSC. */
static bool is_invariant(void)
{
#ifdef __x86_64__
	unsigned int a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1 << 8);
#else
	return false;
#endif
}

/* The kernel has found the counters of all CPUs equal, or its host has. */
static bool kernel_trusts(void)
{
	static const char *const sources[] = { "tsc", "kvm-clock",
					       "hyperv_clocksource_tsc_page" };
	char name[64] = "";
	bool trusted = false;
	FILE *f = fopen("/sys/devices/system/clocksource/clocksource0/"
			"current_clocksource",
			"re");

	if (!f)
		return false;
	if (!fgets(name, sizeof(name), f))
		name[0] = '\0';
	fclose(f);
	name[strcspn(name, "\n")] = '\0';
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		trusted = trusted || strcmp(name, sources[i]) == 0;
	return trusted;
}

/* The least of several rounds, as only that is the reading and nothing else. */
static double cost_of(bool counter)
{
	struct stopwatch w = { .counter = counter };
	uint64_t least = UINT64_MAX;

	for (int r = 0; r < ROUNDS; r++) {
		uint64_t start = clock_now(), took;

		for (int i = 0; i < READS; i++) {
			uint64_t reading = stopwatch_read(&w);

			__asm__ volatile("" ::"r"(reading));
		}
		took = clock_now() - start;
		if (took < least)
			least = took;
	}
	return (double)least / READS;
}

double stopwatch_clock_cost(void)
{
	return cost_of(false);
}

double stopwatch_cost(bool *counter)
{
	double clock = cost_of(false), ticks;

	*counter = false;
	if (!is_invariant() || !kernel_trusts() || clock > SYSCALL)
		return clock;
	ticks = cost_of(true);
	*counter = ticks < clock;
	return *counter ? ticks : clock;
}

/* --- both at once -------------------------------------------------------- */

/* Returns the ticks between which the clock was read. */
static uint64_t read_both(struct moment *m)
{
	uint64_t before = stopwatch_ticks(), after;

	m->ns = clock_now();
	after = stopwatch_ticks();
	m->ticks = before + (after - before) / 2;
	return after - before;
}

/* The best of some tries: an interrupt between the readings would spoil it. */
static uint64_t read_well(struct moment *m)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		struct moment now;
		uint64_t width = read_both(&now);

		if (width < best) {
			best = width;
			*m = now;
		}
	}
	return best;
}

static double pace(const struct moment *a, const struct moment *b)
{
	return (double)(b->ns - a->ns) / (double)(b->ticks - a->ticks);
}

/* --- the stopwatch ------------------------------------------------------- */

void stopwatch_start(struct stopwatch *w)
{
	memset(w, 0, sizeof(*w));
	stopwatch_cost(&w->counter);
	if (!w->counter)
		return;
	w->width = read_well(&w->first);
	while (clock_now() < w->first.ns + CALIBRATION)
		;
	read_well(&w->last);
	if (w->last.ticks <= w->first.ticks)
		w->counter = false;
	else
		w->ns_per_tick = pace(&w->first, &w->last);
}

static bool has_changed(const struct stopwatch *w, const struct moment *now)
{
	double expected =
		(double)(int64_t)(now->ticks - w->last.ticks) * w->ns_per_tick;
	double found = (double)(int64_t)(now->ns - w->last.ns);
	double off = found > expected ? found - expected : expected - found;

	return off > TOLERATED && off > found * TOLERATED_PART;
}

void stopwatch_check(struct stopwatch *w)
{
	struct moment now;

	/* one that was disturbed is left out; there will be others */
	if (!w->counter || read_both(&now) > 2 * w->width ||
	    now.ticks <= w->last.ticks)
		return;
	if (has_changed(w, &now))
		w->first = w->last;
	w->ns_per_tick = pace(&w->first, &now);
	w->last = now;
}

uint64_t stopwatch_reading(const struct stopwatch *w, uint64_t ns)
{
	if (!w->counter || ns == UINT64_MAX)
		return ns;
	return w->first.ticks +
	       (uint64_t)(int64_t)((double)(int64_t)(ns - w->first.ns) /
				   w->ns_per_tick);
}
