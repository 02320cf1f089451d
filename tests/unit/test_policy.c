/* What a cache holds: against the plainest list that does the same. */
#include <stdlib.h>
#include <string.h>

#include "policy.h"
#include "popularity.h"
#include "unit.h"

/* Oldest first; found by going through it. */
struct plain {
	enum policy_kind kind;
	uint32_t capacity, count;
	uint32_t rank[300];
};

static bool plain_use(struct plain *c, uint32_t rank)
{
	for (uint32_t i = 0; i < c->count; i++) {
		if (c->rank[i] != rank)
			continue;
		if (c->kind == POLICY_LRU) {
			memmove(c->rank + i, c->rank + i + 1,
				(c->count - i - 1) * sizeof(*c->rank));
			c->rank[c->count - 1] = rank;
		}
		return true;
	}
	return false;
}

static bool plain_add(struct plain *c, uint32_t rank, uint32_t *victim)
{
	bool full = c->count == c->capacity;

	if (full) {
		*victim = c->rank[0];
		memmove(c->rank, c->rank + 1,
			(c->count - 1) * sizeof(*c->rank));
		c->count--;
	}
	c->rank[c->count++] = rank;
	return full;
}

static void check_order(enum policy_kind kind, uint32_t capacity,
			const char *text, uint64_t keys)
{
	struct plain c = { .kind = kind, .capacity = capacity };
	struct popularity law;
	struct policy p;

	assert_int_equal(popularity_parse(&law, text), 0);
	popularity_bind(&law, keys, capacity);
	assert_int_equal(policy_init(&p, kind, capacity, 1), 0);
	for (int i = 0; i < 20000; i++) {
		uint32_t rank = popularity_next(&law), a = 0, b = 0;
		bool hit = plain_use(&c, rank);

		assert_int_equal(policy_use(&p, rank), hit);
		if (hit)
			continue;
		assert_int_equal(policy_add(&p, rank, &a),
				 plain_add(&c, rank, &b));
		assert_int_equal(a, b);
		assert_int_equal(p.count, c.count);
	}
	policy_free(&p);
}

static void evicts_in_order(void **state)
{
	static const uint32_t capacities[] = { 1, 2, 3, 10, 299 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(capacities); i++) {
		for (int kind = POLICY_LRU; kind <= POLICY_FIFO; kind++) {
			check_order((enum policy_kind)kind, capacities[i],
				    "zipf:0.8", 1000);
			check_order((enum policy_kind)kind, capacities[i],
				    "uniform", 400);
			check_order((enum policy_kind)kind, capacities[i],
				    "scan", 301);
		}
	}
}

/* Whom random evicts is there, is gone then, and is anyone. */
static void evicts_at_random(void **state)
{
	enum { CAPACITY = 64, KEYS = 256, REQUESTS = 400000 };
	unsigned int age[CAPACITY + 1] = { 0 };
	bool there[KEYS] = { false };
	struct draw d;
	struct policy p;
	unsigned int evicted = 0;

	(void)state;
	draw_init(&d, 9, DRAW_POPULARITY);
	assert_int_equal(policy_init(&p, POLICY_RANDOM, CAPACITY, 1), 0);
	for (int i = 0; i < REQUESTS; i++) {
		uint32_t rank = (uint32_t)draw_below(&d, KEYS), victim = 0;

		assert_int_equal(policy_use(&p, rank), there[rank]);
		if (there[rank])
			continue;
		if (policy_add(&p, rank, &victim)) {
			assert_true(there[victim]);
			there[victim] = false;
			age[victim % CAPACITY]++;
			evicted++;
		}
		there[rank] = true;
	}
	policy_free(&p);
	/* each class of four keys as often as the others: +- 5 sd */
	for (int i = 0; i < CAPACITY; i++) {
		double want = (double)evicted / CAPACITY;
		double off = age[i] - want;

		assert_true(off * off < 25 * want);
	}
}

static void takes_no_more_than_24_bytes_an_object(void **state)
{
	(void)state;
	for (int kind = POLICY_LRU; kind <= POLICY_RANDOM; kind++) {
		assert_true(policy_bytes((enum policy_kind)kind, 1000000) <=
			    18000004);
		assert_true(policy_bytes((enum policy_kind)kind, UINT32_MAX) >
			    UINT64_C(10) * UINT32_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(evicts_in_order),
		cmocka_unit_test(evicts_at_random),
		cmocka_unit_test(takes_no_more_than_24_bytes_an_object),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
