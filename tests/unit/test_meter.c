/* The meter: slowest operations, failures, and merging without loss. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "meter.h"
#include "unit.h"

/* Operation number i took `latency`. */
static void add(struct meter *m, uint64_t i, uint64_t latency)
{
	uint64_t end = (i + 1) * 1000000;
	unsigned int item = 0;
	uint16_t bucket;
	struct meter_batch b = { 1, &i, &end, &latency, &item, &bucket };
	char name[32];

	snprintf(name, sizeof(name), "name%ju", i);
	if (meter_add(m, &b)) {
		struct sample s = { end - latency, end, i, i + 70, name };

		assert_true(meter_is_slow(m, latency));
		meter_add_slow(m, &s);
	}
}

static void keeps_the_ten_slowest(void **state)
{
	struct meter m;

	(void)state;
	assert_int_equal(meter_init(&m, 10), 0);
	/* 1 to 1009, in an order of leaps: 1009 is prime */
	for (uint64_t i = 0; i < 1009; i++)
		add(&m, i, i * 500 % 1009 + 1);
	assert_int_equal(m.latency.count, 1009);
	assert_int_equal(m.slow_count, METER_SLOWEST);
	for (unsigned int k = 0; k < METER_SLOWEST; k++) {
		const struct slow_operation *s = &m.slowest[k];
		char name[32];

		assert_int_equal(s->latency, 1009 - k);
		assert_int_equal(s->position * 500 % 1009 + 1, s->latency);
		assert_int_equal(s->index, s->position + 70);
		assert_int_equal(s->start + s->latency,
				 (s->position + 1) * 1000000);
		snprintf(name, sizeof(name), "name%ju", s->position);
		assert_string_equal(s->name, name);
	}
	assert_false(meter_is_slow(&m, 1000));
	assert_true(meter_is_slow(&m, 1001));
	meter_free(&m);
}

static void fewer_than_ten_are_all_kept(void **state)
{
	struct meter m;

	(void)state;
	assert_int_equal(meter_init(&m, 10), 0);
	add(&m, 0, 5);
	add(&m, 1, 9);
	add(&m, 2, 1);
	assert_int_equal(m.slow_count, 3);
	assert_int_equal(m.slowest[0].latency, 9);
	assert_int_equal(m.slowest[1].latency, 5);
	assert_int_equal(m.slowest[2].latency, 1);
	meter_free(&m);
}

static void failures_have_no_latency(void **state)
{
	struct meter m;

	(void)state;
	assert_int_equal(meter_init(&m, 10), 0);
	add(&m, 0, 100);
	meter_fail(&m, EEXIST, 0, 0);
	meter_fail(&m, EEXIST, 0, 0);
	meter_fail(&m, ENOSPC, 0, 0);
	/* no errno of Linux: not lost, and no memory of others written */
	meter_fail(&m, METER_ERRNOS, 0, 0);
	meter_fail(&m, -1, 0, 0);
	assert_int_equal(m.latency.count, 1);
	assert_int_equal(m.failed, 5);
	assert_int_equal(m.errors[EEXIST], 2);
	assert_int_equal(m.errors[ENOSPC], 1);
	assert_int_equal(m.errors[0], 2);
	assert_int_equal(m.by_position.slices[0].count, 1);
	meter_free(&m);
}

static void merging_loses_nothing(void **state)
{
	struct meter a, b, all;

	(void)state;
	assert_int_equal(meter_init(&a, 7), 0);
	assert_int_equal(meter_init(&b, 7), 0);
	assert_int_equal(meter_init(&all, 7), 0);
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t latency = i * 7919 % 100003;

		add(&all, i, latency);
		add(i / 256 % 2 ? &a : &b, i, latency);
		if (i % 100 == 0) {
			meter_fail(&all, (int)(i / 100), 0, 0);
			meter_fail(i / 256 % 2 ? &a : &b, (int)(i / 100), 0, 0);
		}
	}
	meter_merge(&a, &b);
	assert_true(a.latency.count == all.latency.count);
	assert_true(a.latency.sum == all.latency.sum);
	assert_true(a.latency.squares == all.latency.squares);
	assert_memory_equal(a.latency.bucket, all.latency.bucket,
			    sizeof(all.latency.bucket));
	assert_int_equal(a.failed, all.failed);
	assert_memory_equal(a.errors, all.errors, sizeof(all.errors));
	assert_int_equal(a.slow_count, all.slow_count);
	for (unsigned int i = 0; i < all.slow_count; i++)
		assert_int_equal(a.slowest[i].latency, all.slowest[i].latency);
	assert_int_equal(a.by_position.used, all.by_position.used);
	assert_memory_equal(a.by_position.slices, all.by_position.slices,
			    all.by_position.used *
				    sizeof(*all.by_position.slices));
	assert_int_equal(a.by_time.used, all.by_time.used);
	assert_memory_equal(a.by_time.slices, all.by_time.slices,
			    all.by_time.used * sizeof(*all.by_time.slices));
	meter_free(&a);
	meter_free(&b);
	meter_free(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_ten_slowest),
		cmocka_unit_test(fewer_than_ten_are_all_kept),
		cmocka_unit_test(failures_have_no_latency),
		cmocka_unit_test(merging_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
