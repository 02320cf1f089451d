#include "hit_theory.h"

#include <math.h>
#include <string.h>

/*
 * Sums over all ranks: the first ones singly, the others in segments that are
 * each a part in 64 of their rank wide, by Gauss's rule of three points. By
 * the midpoint rule, a sum over a to b is the integral from a - 1/2 to b + 1/2
 * but for a 24th of the second derivative: parts in 10^8 of the terms there.
 */
#define SINGLY 4096
#define SEGMENT 64

struct sum {
	const struct popularity *law;
	double total; /* weight of all ranks */
	bool renewal; /* 1 - e^-x, otherwise x / (1 + x) */
};

/* How likely an object is to be there that is asked for x times in T. */
static double occupancy(const struct sum *s, double x)
{
	return s->renewal ? -expm1(-x) : x / (1 + x);
}

/* A rank's part of what is summed up: with `by_weight`, of the hit ratio;
 * otherwise of the objects that are there. */
static double term(const struct sum *s, double rank, double t, bool by_weight)
{
	double p = popularity_weight(s->law, rank) / s->total;

	return occupancy(s, p * t) * (by_weight ? p : 1);
}

static double segment(const struct sum *s, double from, double to, double t,
		      bool by_weight)
{
	double middle = (from + to) / 2, half = (to - from) / 2;
	double off = half * sqrt(0.6);

	return half *
	       (5 * term(s, middle - off, t, by_weight) +
		8 * term(s, middle, t, by_weight) +
		5 * term(s, middle + off, t, by_weight)) /
	       9;
}

static double sum_up(const struct sum *s, double t, bool by_weight)
{
	uint64_t keys = s->law->keys, rank = 0;
	double sum = 0;

	for (; rank < keys && rank < SINGLY; rank++)
		sum += term(s, (double)rank, t, by_weight);
	while (rank < keys) {
		uint64_t to = rank + rank / SEGMENT;

		if (to > keys)
			to = keys;
		sum += segment(s, (double)rank - 0.5, (double)to - 0.5, t,
			       by_weight);
		rank = to;
	}
	return sum;
}

static double total_weight(const struct popularity *law)
{
	/* the occupancy of an endless time is 1, and the total then 1 too */
	struct sum s = { .law = law, .total = 1, .renewal = true };

	return sum_up(&s, INFINITY, true);
}

/* The T for which so many objects are there; their number rises with T. */
static double solve(const struct sum *s, double capacity)
{
	double low = 0, high = capacity;

	while (sum_up(s, high, false) < capacity && high < 1e18)
		high *= 2;
	for (int i = 0; i < 60 && high - low > 1e-9 * high; i++) {
		double middle = (low + high) / 2;

		if (sum_up(s, middle, false) < capacity)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* From 0 upwards, the iteration ends at the lower of the two solutions. */
static double scan_random(double width)
{
	double hit = 0, last;

	do {
		last = hit;
		hit = exp(-width * (1 - hit));
	} while (hit - last > 1e-12);
	return hit;
}

static void theory_of_scan(const struct popularity *law, enum policy_kind p,
			   uint64_t capacity, struct hit_theory *t)
{
	double width = (double)law->keys / (double)capacity;

	t->filling = (double)(law->keys < capacity ? law->keys : capacity);
	t->by = "a scan goes through all keys in turn";
	if (width <= 1) {
		t->hit_ratio = 1;
	} else if (p == POLICY_RANDOM) {
		t->hit_ratio = scan_random(width);
		t->by = "survival of random evictions";
	}
}

void hit_theory(const struct popularity *law, enum policy_kind policy,
		uint64_t capacity, struct hit_theory *t)
{
	struct sum s = { .law = law, .renewal = true };

	memset(t, 0, sizeof(*t));
	if (law->kind == POPULARITY_SCAN) {
		theory_of_scan(law, policy, capacity, t);
		return;
	}
	t->filling = INFINITY;
	if (capacity >= law->keys) {
		t->hit_ratio = 1;
		t->by = "all keys fit in";
		return;
	}
	s.total = total_weight(law);
	t->filling = solve(&s, (double)capacity);
	if (policy == POLICY_LRU) {
		t->hit_ratio = sum_up(&s, t->filling, true);
		t->by = "Che's approximation";
		return;
	}
	s.renewal = false;
	t->hit_ratio = sum_up(&s, solve(&s, (double)capacity), true);
	t->by = "the fixed point of fifo and random";
}
