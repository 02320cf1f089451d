#include "unit.h"

#include "stopwatch.h"

/* Whether a reading, taken between two of the clock, is between them as time;
 * to 20 us, for what may come between. One of many tries will do, as others may
 * be interrupted: a stopwatch that is wrong is wrong in all. */
static bool agrees(const struct stopwatch *w)
{
	for (int i = 0; i < 1000; i++) {
		uint64_t before = clock_now(), reading = stopwatch_read(w);
		uint64_t after = clock_now(), ns = stopwatch_ns(w, reading);

		if (after - before < 10000 && ns + 20000 >= before &&
		    ns <= after + 20000)
			return true;
	}
	return false;
}

static void pass(uint64_t ns)
{
	uint64_t until = clock_now() + ns;

	while (clock_now() < until)
		;
}

/* A check that something came between counts for nothing. */
static void check(struct stopwatch *w)
{
	uint64_t last = w->last.ns;

	for (int i = 0; i < 1000 && w->last.ns == last; i++)
		stopwatch_check(w);
}

static void test_it_is_the_clock(void **state)
{
	struct stopwatch w;

	(void)state;
	stopwatch_start(&w);
	assert_true(agrees(&w));
	for (int i = 0; i < 20; i++) {
		pass(1000000);
		check(&w);
		assert_true(agrees(&w));
	}
}

static void test_there_and_back(void **state)
{
	struct stopwatch w;
	uint64_t ns;

	(void)state;
	stopwatch_start(&w);
	ns = clock_now() + 5000000000;
	assert_in_range(stopwatch_ns(&w, stopwatch_reading(&w, ns)), ns - 2,
			ns + 2);
	assert_int_equal(stopwatch_reading(&w, UINT64_MAX), UINT64_MAX);
}

static void test_without_a_counter(void **state)
{
	struct stopwatch w = { .counter = false };

	(void)state;
	assert_true(agrees(&w));
	stopwatch_check(&w);
	assert_int_equal(stopwatch_ns(&w, 17), 17);
	assert_int_equal(stopwatch_reading(&w, 17), 17);
}

/* As after a move to a machine whose counter runs twice as fast. */
static void test_a_pace_that_changes(void **state)
{
	struct stopwatch w;

	(void)state;
	stopwatch_start(&w);
	if (!w.counter)
		skip();
	w.ns_per_tick *= 2;
	w.first.ns -= 1000000000;
	pass(1000000);
	assert_false(agrees(&w));
	check(&w);
	assert_true(agrees(&w));
	assert_int_equal(w.first.ns + 1000000 <= w.last.ns, 1);
}

static void test_its_cost(void **state)
{
	struct stopwatch w;
	bool counter;
	double cost = stopwatch_cost(&counter);

	(void)state;
	stopwatch_start(&w);
	assert_int_equal(counter, w.counter);
	assert_true(cost > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_it_is_the_clock),
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_without_a_counter),
		cmocka_unit_test(test_a_pace_that_changes),
		cmocka_unit_test(test_its_cost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
