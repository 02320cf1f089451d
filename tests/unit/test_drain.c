/* Waiting: for what a file system owes, and for when the pace allows more. */
#include <string.h>

#include "clock.h"
#include "drain.h"
#include "pacer.h"
#include "scratch.h"

#define SECOND UINT64_C(1000000000)

static void a_file_system_settles(void **state)
{
	struct scratch *s = *state;
	struct space before;
	struct drain d;

	scratch_touch(s->fd, "x");
	assert_int_equal(space_read(s->fd, &before), 0);
	assert_int_equal(unlinkat(s->fd, "x", 0), 0);
	drain_wait(s->fd, &before, 1, 10 * SECOND, &d);
	assert_true(d.asked);
	assert_int_equal(d.err, 0);
	/* others may keep it busy */
	assert_true(d.end == DRAIN_NOTHING || d.end == DRAIN_SETTLED ||
		    d.end == DRAIN_LIMIT);
	assert_true(d.counted == before.inodes_counted);
	assert_true(d.end != DRAIN_NOTHING || d.ns == 0);
}

static void what_cannot_be_asked_is_an_error(void **state)
{
	struct space before = { 0 };
	struct drain d;

	(void)state;
	drain_wait(-1, &before, 1, SECOND, &d);
	assert_true(d.asked);
	assert_true(d.err > 0);
}

static void ends_have_names(void **state)
{
	(void)state;
	assert_string_equal(drain_end_name(DRAIN_NOTHING), "nothing");
	assert_string_equal(drain_end_name(DRAIN_SETTLED), "settled");
	assert_string_equal(drain_end_name(DRAIN_LIMIT), "limit");
	assert_string_equal(drain_end_name(DRAIN_SIGNAL), "signal");
}

static void no_pace_is_no_wait(void **state)
{
	struct pacer p;

	(void)state;
	pacer_init(&p, 0, 0);
	pacer_note(&p, clock_now(), clock_now(), 256, SECOND);
	pacer_wait(&p, UINT64_MAX);
	assert_int_equal(p.pace.rests, 0);
	pacer_destroy(&p);
}

static void a_wait_ends_at_the_deadline(void **state)
{
	struct pacer p;
	uint64_t now = clock_now();

	(void)state;
	pacer_init(&p, 3600 * SECOND, 0);
	pacer_note(&p, now, now, 1, 1);
	pacer_wait(&p, now + SECOND / 50);
	assert_true(clock_now() >= now + SECOND / 50);
	assert_true(p.waited > 0);
	pacer_destroy(&p);
}

static void a_rest_is_taken_and_told(void **state)
{
	struct pacer p;
	uint64_t now = clock_now();

	(void)state;
	pacer_init(&p, 0, SECOND);
	pacer_note(&p, now - PACE_SLICE, now, 16, 1);
	pacer_wait(&p, UINT64_MAX);
	assert_true(clock_now() >= now + PACE_FIRST_REST);
	assert_int_equal(p.pace.rests, 1);
	assert_int_equal(p.pace.slow_rests, 0);
	assert_int_equal(p.pace.longest_rest, PACE_FIRST_REST);
	pacer_destroy(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_file_system_settles, scratch_setup, scratch_teardown),
		cmocka_unit_test(what_cannot_be_asked_is_an_error),
		cmocka_unit_test(ends_have_names),
		cmocka_unit_test(no_pace_is_no_wait),
		cmocka_unit_test(a_wait_ends_at_the_deadline),
		cmocka_unit_test(a_rest_is_taken_and_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
