/* Rates and rests: the rules, without a clock. */
#include <errno.h>

#include "pace.h"
#include "pressure.h"
#include "unit.h"

#define MS UINT64_C(1000000)
#define SECOND (1000 * MS)

static void rates_are_read(void **state)
{
	static const struct {
		const char *text;
		uint64_t interval;
	} good[] = {
		{ "2000/s", SECOND / 2000 }, { "2000", SECOND / 2000 },
		{ "2k/s", SECOND / 2000 },   { "1/s", SECOND },
		{ "30/m", 2 * SECOND },	     { "1/h", 3600 * SECOND },
		{ "1000000000/s", 1 },
	};
	static const char *const bad[] = { "",	   "0",	    "/s",    "2000/",
					   "2/d",  "-1/s",  "x/s",   "1 /s",
					   "1/s ", "1/s/s", "1.5/s", "2G/s" };
	uint64_t interval;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(good); i++) {
		assert_int_equal(pace_rate(good[i].text, &interval), 0);
		assert_int_equal(interval, good[i].interval);
	}
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		if (pace_rate(bad[i], &interval) != -EINVAL)
			fail_msg("'%s' is taken", bad[i]);
}

static void without_a_wish_nothing_waits(void **state)
{
	struct pace p;

	(void)state;
	pace_init(&p, 0, 0);
	assert_false(pace_is_wished(&p));
	assert_int_equal(pace_block(&p, 256), 256);
	pace_worked(&p, 100, 100 + SECOND, 256, SECOND);
	assert_int_equal(pace_due(&p), 0);
}

static void a_rate_is_kept(void **state)
{
	struct pace p;
	uint64_t now = 5 * SECOND, start = now;

	(void)state;
	pace_init(&p, SECOND / 2000, 0);
	assert_int_equal(pace_block(&p, 256), 40);
	for (int i = 0; i < 100; i++) {
		/* 40 deletions take 1 ms, and are due every 20 */
		pace_worked(&p, now, now + MS, 40, MS);
		now = pace_due(&p);
	}
	assert_int_equal(now - start, 100 * 40 * (SECOND / 2000));
}

static void what_was_missed_is_not_made_up_for(void **state)
{
	struct pace p;

	(void)state;
	pace_init(&p, SECOND / 1000, 0);
	/* one block took ten seconds */
	pace_worked(&p, SECOND, 11 * SECOND, 20, 10 * SECOND);
	assert_true(pace_due(&p) <= 11 * SECOND);
	pace_worked(&p, 11 * SECOND, 11 * SECOND + MS, 20, MS);
	assert_int_equal(pace_due(&p), 11 * SECOND + 20 * MS - PACE_CATCH_UP);
}

static void late_sleepers_keep_the_rate(void **state)
{
	struct pace p;
	uint64_t now = SECOND;

	(void)state;
	pace_init(&p, SECOND / 1000, 0);
	for (int i = 0; i < 100; i++) {
		pace_worked(&p, now, now + MS, 20, MS);
		/* they wake up 5 ms after it was due */
		now = (pace_due(&p) > now + MS ? pace_due(&p) : now + MS) +
		      5 * MS;
	}
	assert_in_range(now, 3 * SECOND, 3 * SECOND + 5 * MS);
}

static void several_workers_share_a_rate(void **state)
{
	struct pace p;

	(void)state;
	pace_init(&p, SECOND / 1000, 0);
	pace_worked(&p, SECOND, SECOND + MS, 20, MS);
	pace_worked(&p, SECOND, SECOND + 2 * MS, 20, MS);
	assert_int_equal(pace_due(&p), SECOND + 40 * MS);
}

static void slow_rates_go_one_by_one(void **state)
{
	struct pace p;

	(void)state;
	pace_init(&p, 10 * SECOND, 0);
	assert_int_equal(pace_block(&p, 256), 1);
	pace_init(&p, 1, 0);
	assert_int_equal(pace_block(&p, 256), 256);
	pace_init(&p, 1, MS);
	assert_true(pace_block(&p, 256) <= 32);
}

/* A slice of work, whose slowest deletion takes `worst`; the next rest. */
static uint64_t slice(struct pace *p, uint64_t *now, uint64_t worst)
{
	uint64_t began = *now;

	*now += PACE_SLICE;
	pace_worked(p, began, *now, 100, worst);
	assert_true(pace_due(p) > *now);
	return pace_due(p) - *now;
}

static uint64_t slice_and_rest(struct pace *p, uint64_t *now, uint64_t worst,
			       uint64_t stalled)
{
	uint64_t rest = slice(p, now, worst);

	*now += rest;
	pace_rested(p, rest, stalled);
	assert_int_equal(pace_due(p), 0);
	return rest;
}

static void work_goes_in_slices(void **state)
{
	struct pace p;

	(void)state;
	pace_init(&p, 0, 20 * MS);
	pace_worked(&p, SECOND, SECOND + PACE_SLICE / 2, 16, MS);
	assert_int_equal(pace_due(&p), 0);
	pace_worked(&p, SECOND, SECOND + PACE_SLICE / 2, 16, MS);
	assert_int_equal(pace_due(&p),
			 SECOND + PACE_SLICE / 2 + PACE_FIRST_REST);
}

static void slow_deletions_make_long_rests(void **state)
{
	struct pace p;
	uint64_t now = SECOND, rest = 0;

	(void)state;
	pace_init(&p, 0, 20 * MS);
	for (int i = 0; i < 20; i++) {
		uint64_t next = slice_and_rest(&p, &now, 21 * MS, 0);

		assert_true(next == PACE_MOST_REST || next > rest);
		rest = next;
	}
	assert_int_equal(rest, PACE_MOST_REST);
	assert_int_equal(p.slow_rests, 20);
	assert_int_equal(p.longest_rest, PACE_MOST_REST);
	/* and back, more slowly than it came, and not to none at all */
	for (int i = 0; i < 20; i++)
		rest = slice_and_rest(&p, &now, 20 * MS, 0);
	assert_true(rest > PACE_LEAST_REST);
	for (int i = 0; i < 100; i++)
		rest = slice_and_rest(&p, &now, MS, 0);
	assert_int_equal(rest, PACE_LEAST_REST);
	assert_int_equal(p.slow_rests, 20);
	assert_int_equal(p.rests, 140);
}

static void others_that_wait_make_long_rests(void **state)
{
	struct pace p;
	uint64_t now = SECOND, first, second;

	(void)state;
	pace_init(&p, 0, 20 * MS);
	first = slice_and_rest(&p, &now, MS, PACE_FIRST_REST / 5);
	second = slice_and_rest(&p, &now, MS, 0);
	assert_int_equal(second, 2 * first);
	assert_int_equal(p.stalled_rests, 1);
	assert_int_equal(p.slow_rests, 0);
	/* a tenth is what a machine at work shows */
	assert_true(slice_and_rest(&p, &now, MS, PACE_LEAST_REST / 20) <
		    second);
}

static void pressure_is_read(void **state)
{
	static const char text[] =
		"some avg10=1.89 avg60=1.36 avg300=1.90 total=1194575729\n"
		"full avg10=1.30 avg60=1.09 avg300=1.34 total=196711248\n";
	uint64_t stalled;

	(void)state;
	assert_int_equal(pressure_parse(text, &stalled), 0);
	assert_true(stalled == UINT64_C(1194575729000));
	assert_int_equal(pressure_parse("", &stalled), -EINVAL);
	assert_int_equal(pressure_parse("some avg10=1\nfull total=7\n",
					&stalled),
			 -EINVAL);
	assert_int_equal(pressure_parse("some total=x", &stalled), -EINVAL);
	assert_true(pressure_read(-1, &stalled) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_are_read),
		cmocka_unit_test(without_a_wish_nothing_waits),
		cmocka_unit_test(a_rate_is_kept),
		cmocka_unit_test(what_was_missed_is_not_made_up_for),
		cmocka_unit_test(late_sleepers_keep_the_rate),
		cmocka_unit_test(several_workers_share_a_rate),
		cmocka_unit_test(slow_rates_go_one_by_one),
		cmocka_unit_test(work_goes_in_slices),
		cmocka_unit_test(slow_deletions_make_long_rests),
		cmocka_unit_test(others_that_wait_make_long_rests),
		cmocka_unit_test(pressure_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
