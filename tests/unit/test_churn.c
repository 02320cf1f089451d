/* A cache on a device that takes a known time by a clock of its own, so that
 * its figures can be held against calculation: counts, queues, hit ratios. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "churn.h"
#include "hit_theory.h"
#include "unit.h"

#define KEYS 20000
#define DELAY 200000 /* ns: 200 us */

/* Keeps whether each object is there, and how often each operation came. */
struct toy {
	struct device device;
	uint64_t clock, delay;
	bool there[KEYS], staged[KEYS];
	uint64_t calls;
};

static struct toy *toy_of(struct device *d)
{
	return (struct toy *)d; /* it comes first */
}

static struct toy *operate(struct device *d)
{
	struct toy *t = toy_of(d);

	t->clock += t->delay;
	t->calls++;
	return t;
}

static int toy_look_up(struct device *d, const struct object *o)
{
	return operate(d)->there[o->rank] ? 0 : ENOENT;
}

static int toy_create(struct device *d, const struct object *o)
{
	struct toy *t = operate(d);

	if (t->staged[o->rank])
		return EEXIST;
	t->staged[o->rank] = true;
	return 0;
}

static int toy_rename(struct device *d, const struct object *o)
{
	struct toy *t = operate(d);

	if (!t->staged[o->rank] || t->there[o->rank])
		return EEXIST;
	t->staged[o->rank] = false;
	t->there[o->rank] = true;
	return 0;
}

static int toy_evict(struct device *d, const struct object *o)
{
	struct toy *t = operate(d);

	if (!t->there[o->rank])
		return ENOENT;
	t->there[o->rank] = false;
	return 0;
}

static uint64_t toy_now(struct device *d)
{
	return toy_of(d)->clock;
}

static void toy_wait(struct device *d, uint64_t until)
{
	struct toy *t = toy_of(d);

	if (t->clock < until)
		t->clock = until;
}

/* --- a cache on it ------------------------------------------------------- */

struct cache {
	struct toy toy;
	struct popularity law;
	struct policy policy;
	struct name_scheme scheme;
	struct churn_plan plan;
	struct churn churn;
};

static struct cache *make(const char *law, uint64_t keys, enum policy_kind kind,
			  uint32_t capacity)
{
	struct cache *c = calloc(1, sizeof(*c));
	const char *why;

	assert_non_null(c);
	c->toy.device = (struct device){ toy_look_up, toy_create, toy_rename,
					 toy_evict,   toy_now,	  toy_wait };
	c->toy.clock = 1000000007;
	c->toy.delay = DELAY;
	assert_int_equal(popularity_parse(&c->law, law), 0);
	popularity_bind(&c->law, keys, 1);
	assert_int_equal(policy_init(&c->policy, kind, capacity, 1), 0);
	assert_int_equal(name_parse(&c->scheme, "hash", NULL, &why), 0);
	c->plan = (struct churn_plan){
		.device = &c->toy.device,
		.law = &c->law,
		.policy = &c->policy,
		.scheme = &c->scheme,
		.seed = 1,
	};
	assert_int_equal(churn_init(&c->churn, &c->plan), 0);
	return c;
}

static void unmake(struct cache *c)
{
	churn_free(&c->churn);
	policy_free(&c->policy);
	free(c);
}

static void run_for(struct cache *c, uint64_t requests, double rate)
{
	const struct churn_phase phase = { .requests = requests, .rate = rate };

	assert_int_equal(churn_run(&c->churn, &phase), 0);
	assert_int_equal(c->churn.end, RUN_COMPLETE);
	assert_int_equal(c->churn.figures.counts.requests, requests);
}

static double mean(const struct cache *c, enum churn_kind kind)
{
	return hist_mean(&c->churn.figures.meter[kind].latency);
}

/* --- counts -------------------------------------------------------------- */

static uint64_t count(const struct cache *c, enum churn_kind kind)
{
	return c->churn.figures.meter[kind].latency.count;
}

static void keeps_its_books(void **state)
{
	(void)state;
	for (int kind = POLICY_LRU; kind <= POLICY_RANDOM; kind++) {
		struct cache *c =
			make("zipf:0.9", KEYS, (enum policy_kind)kind, 1000);
		const struct churn_counts *n = &c->churn.figures.counts;
		uint64_t there = 0;

		run_for(c, 50001, 0);
		assert_int_equal(n->hits + n->misses, n->requests);
		assert_int_equal(n->created - n->evicted, 1000);
		assert_int_equal(n->created, n->misses);
		assert_int_equal(n->found + n->lost, 0);
		assert_int_equal(c->churn.objects, 1000);
		assert_int_equal(count(c, CHURN_REQUEST), n->requests);
		assert_int_equal(count(c, CHURN_HIT), n->hits);
		assert_int_equal(count(c, CHURN_MISS), n->misses);
		assert_int_equal(count(c, CHURN_FETCH), n->misses);
		assert_int_equal(count(c, CHURN_CREATE), n->created);
		assert_int_equal(count(c, CHURN_RENAME), n->created);
		assert_int_equal(count(c, CHURN_EVICT), n->evicted);
		assert_int_equal(count(c, CHURN_RESPONSE), 0);
		assert_int_equal(c->toy.calls,
				 n->requests + 2 * n->created + n->evicted);
		assert_int_equal(c->churn.figures.real, c->toy.calls * DELAY);
		for (int i = 0; i < KEYS; i++) {
			there += c->toy.there[i];
			assert_false(c->toy.staged[i]);
		}
		assert_int_equal(there, 1000);
		unmake(c);
	}
}

/* Parts of a run follow each other as if they were one. */
static void parts_make_a_whole(void **state)
{
	struct cache *whole = make("zipf:0.9", KEYS, POLICY_LRU, 500);
	struct cache *parts = make("zipf:0.9", KEYS, POLICY_LRU, 500);

	(void)state;
	run_for(whole, 10000, 0);
	run_for(parts, 1, 0);
	run_for(parts, 700, 2000);
	run_for(parts, 299, 0);
	run_for(parts, 9000, 0);
	assert_memory_equal(&whole->churn.total, &parts->churn.total,
			    sizeof(whole->churn.total));
	assert_memory_equal(whole->toy.there, parts->toy.there,
			    sizeof(parts->toy.there));
	unmake(whole);
	unmake(parts);
}

static void is_warm_when_full(void **state)
{
	static const uint64_t keys[] = { KEYS, 300 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		const struct churn_phase phase = { .until_full = true };
		struct cache *c = make("uniform", keys[i], POLICY_FIFO, 400);

		assert_int_equal(churn_run(&c->churn, &phase), 0);
		assert_int_equal(c->churn.objects, keys[i] < 400 ? 300 : 400);
		assert_int_equal(c->churn.total.evicted, 0);
		unmake(c);
	}
}

static void ends_when_the_time_is_up(void **state)
{
	const struct churn_phase phase = { .time_limit = UINT64_C(1000000000) };
	struct cache *c = make("scan", KEYS, POLICY_LRU, 100);

	(void)state;
	assert_int_equal(churn_run(&c->churn, &phase), 0);
	assert_int_equal(c->churn.end, RUN_TIME_LIMIT);
	/* a request of four operations may be under way */
	assert_true(c->churn.figures.real >= phase.time_limit);
	assert_true(c->churn.figures.real < phase.time_limit + 4 * DELAY);
	unmake(c);
}

static void notices_what_others_do(void **state)
{
	struct cache *c = make("scan", 10, POLICY_LRU, 100);

	(void)state;
	run_for(c, 10, 0);
	c->toy.there[3] = false;
	run_for(c, 10, 0);
	assert_int_equal(c->churn.total.lost, 1);
	assert_int_equal(c->churn.total.found, 0);
	assert_int_equal(c->churn.total.created, 11);
	assert_int_equal(c->churn.objects, 10);
	unmake(c);

	c = make("scan", 10, POLICY_LRU, 100);
	c->toy.there[3] = true;
	run_for(c, 10, 0);
	assert_int_equal(c->churn.total.found, 1);
	assert_int_equal(c->churn.total.created, 9);
	assert_int_equal(c->churn.objects, 10);
	unmake(c);
}

static void stops_at_a_failure(void **state)
{
	const struct churn_phase phase = { .requests = 100 };
	struct cache *c = make("scan", KEYS, POLICY_LRU, 100);

	(void)state;
	c->toy.staged[7] = true;
	assert_int_equal(churn_run(&c->churn, &phase), 0);
	assert_int_equal(c->churn.end, RUN_FAILED);
	assert_int_equal(c->churn.failure.err, EEXIST);
	assert_int_equal(c->churn.failure.step, CHURN_CREATE);
	assert_int_equal(c->churn.failure.index, 7);
	assert_int_equal(c->churn.figures.meter[CHURN_CREATE].failed, 1);
	assert_int_equal(c->churn.figures.counts.requests, 7);
	assert_int_equal(c->churn.objects, 7);
	unmake(c);
}

static void counts_what_was_gone_when_it_was_to_go(void **state)
{
	const struct churn_phase phase = { .requests = 100 };
	struct cache *c = make("scan", KEYS, POLICY_LRU, 100);
	const struct churn_counts *n = &c->churn.total;
	uint64_t there = 0;

	(void)state;
	run_for(c, 100, 0);
	c->toy.there[0] = false;
	assert_int_equal(churn_run(&c->churn, &phase), 0);
	assert_int_equal(c->churn.failure.err, ENOENT);
	assert_int_equal(c->churn.failure.step, CHURN_EVICT);
	assert_int_equal(n->lost, 1);
	for (int i = 0; i < KEYS; i++)
		there += c->toy.there[i];
	assert_int_equal(c->churn.objects, there);
	assert_int_equal(n->created + n->found,
			 c->churn.objects + n->evicted + n->lost);
	unmake(c);
}

/* --- queues -------------------------------------------------------------- */

/* All requests are hits, which take DELAY each. */
static struct cache *make_server(void)
{
	struct cache *c = make("uniform", 100, POLICY_LRU, 100);

	for (int i = 0; i < 100; i++)
		c->toy.there[i] = true;
	run_for(c, 5000, 0);
	return c;
}

static double load_rate(double load)
{
	return load * 1e9 / DELAY;
}

/* D/D/1: nobody waits while the server keeps up. */
static void constant_arrivals_do_not_wait(void **state)
{
	struct cache *c = make_server();

	(void)state;
	run_for(c, 20000, load_rate(0.97));
	assert_int_equal(mean(c, CHURN_REQUEST), DELAY);
	/* a due time is cut to a whole ns */
	assert_true(fabs(mean(c, CHURN_RESPONSE) - DELAY) < 1);
	assert_true(churn_shortfall(&c->churn.figures) < 1e-6);
	unmake(c);
}

/* Beyond that, the queue grows with the time: request n is n (D - 1 / rate)
 * late. */
static void constant_arrivals_pile_up(void **state)
{
	struct cache *c = make_server();
	double gap = 1e9 / load_rate(1.25);

	(void)state;
	run_for(c, 20000, load_rate(1.25));
	assert_int_equal(mean(c, CHURN_REQUEST), DELAY);
	assert_true(fabs(mean(c, CHURN_RESPONSE) - DELAY -
			 (DELAY - gap) * 19999 / 2) < 2);
	/* 1 / 1.25 of the rate is answered: a fifth is lacking */
	assert_true(fabs(churn_shortfall(&c->churn.figures) - 0.2) < 1e-6);
	assert_true(fabs(churn_rate(&c->churn.figures) - 1e9 / DELAY) < 1);
	unmake(c);
}

/* M/D/1: the mean wait is load / (2 (1 - load)) services (Pollaczek and
 * Khinchine). */
static void poisson_arrivals_wait_as_calculated(void **state)
{
	static const double loads[] = { 0.2, 0.5, 0.7, 0.8, 0.9 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(loads); i++) {
		struct cache *c = make_server();
		double want = DELAY * loads[i] / (2 * (1 - loads[i])), wait;

		c->plan.arrivals.poisson = true;
		run_for(c, 600000, load_rate(loads[i]));
		wait = mean(c, CHURN_RESPONSE) - mean(c, CHURN_REQUEST);
		print_message("# load %.1f: wait %.0f ns, M/D/1 %.0f ns\n",
			      loads[i], wait, want);
		assert_int_equal(mean(c, CHURN_REQUEST), DELAY);
		assert_true(fabs(wait - want) < 0.03 * want);
		unmake(c);
	}
}

/* A miss takes four operations, a hit one: M/G/1 by the same formula, wait =
 * rate E(S^2) / (2 (1 - load)). */
static void mixed_services_wait_as_calculated(void **state)
{
	struct cache *c = make("uniform", 1000, POLICY_RANDOM, 500);
	double service = DELAY * 2.5, square = (double)DELAY * DELAY * 8.5;
	double rate = 0.6 / service, want = rate * square / (2 * 0.4), wait;

	(void)state;
	run_for(c, 10000, 0);
	c->plan.arrivals.poisson = true;
	run_for(c, 600000, rate * 1e9);
	wait = mean(c, CHURN_RESPONSE) - mean(c, CHURN_REQUEST);
	print_message("# half are hits: wait %.0f ns, M/G/1 %.0f ns\n", wait,
		      want);
	assert_true(fabs(wait - want) < 0.02 * want);
	assert_true(fabs(mean(c, CHURN_RESPONSE_MISS) -
			 mean(c, CHURN_RESPONSE_HIT) - 3 * DELAY) <
		    0.02 * want);
	unmake(c);
}

/* --- hit ratios ---------------------------------------------------------- */

static void hits_as_theory_says(void **state)
{
	static const char *const laws[] = { "zipf:0.6", "zipf:0.9", "zipf:1.1",
					    "uniform" };

	(void)state;
	for (size_t l = 0; l < COUNT_OF(laws); l++)
		for (int kind = POLICY_LRU; kind <= POLICY_RANDOM; kind++) {
			struct cache *c = make(laws[l], KEYS,
					       (enum policy_kind)kind, 2000);
			struct hit_theory t;
			double got;

			hit_theory(&c->law, (enum policy_kind)kind, 2000, &t);
			run_for(c, 200000, 0);
			run_for(c, 500000, 0);
			got = churn_hit_ratio(&c->churn.figures.counts);
			print_message("# %s %s: %.4f, theory %.4f\n", laws[l],
				      policy_name((enum policy_kind)kind), got,
				      t.hit_ratio);
			assert_true(fabs(got - t.hit_ratio) < 0.004);
			unmake(c);
		}
}

static void scans_hit_all_or_nothing(void **state)
{
	static const struct {
		uint64_t keys;
		double ratio;
	} cases[] = { { 1000, 1 }, { 1001, 0 } };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		for (int kind = POLICY_LRU; kind <= POLICY_FIFO; kind++) {
			struct cache *c = make("scan", cases[i].keys,
					       (enum policy_kind)kind, 1000);
			struct hit_theory t;

			hit_theory(&c->law, (enum policy_kind)kind, 1000, &t);
			run_for(c, cases[i].keys, 0);
			run_for(c, 3000, 0);
			assert_true(t.hit_ratio == cases[i].ratio);
			assert_true(churn_hit_ratio(&c->churn.figures.counts) ==
				    cases[i].ratio);
			unmake(c);
		}
}

static void scans_survive_random_evictions(void **state)
{
	struct cache *c = make("scan", 1200, POLICY_RANDOM, 1000);
	struct hit_theory t;
	double got;

	(void)state;
	hit_theory(&c->law, POLICY_RANDOM, 1000, &t);
	run_for(c, 20000, 0);
	run_for(c, 500000, 0);
	got = churn_hit_ratio(&c->churn.figures.counts);
	print_message("# scan random: %.4f, theory %.4f\n", got, t.hit_ratio);
	assert_true(t.hit_ratio > 0.6 && t.hit_ratio < 0.8);
	assert_true(fabs(got - t.hit_ratio) < 0.004);
	unmake(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_its_books),
		cmocka_unit_test(parts_make_a_whole),
		cmocka_unit_test(is_warm_when_full),
		cmocka_unit_test(ends_when_the_time_is_up),
		cmocka_unit_test(notices_what_others_do),
		cmocka_unit_test(stops_at_a_failure),
		cmocka_unit_test(counts_what_was_gone_when_it_was_to_go),
		cmocka_unit_test(constant_arrivals_do_not_wait),
		cmocka_unit_test(constant_arrivals_pile_up),
		cmocka_unit_test(poisson_arrivals_wait_as_calculated),
		cmocka_unit_test(mixed_services_wait_as_calculated),
		cmocka_unit_test(hits_as_theory_says),
		cmocka_unit_test(scans_hit_all_or_nothing),
		cmocka_unit_test(scans_survive_random_evictions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
