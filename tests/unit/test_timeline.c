/* The timeline: nothing is lost when slices are joined or merged. */
#include <string.h>

#include "timeline.h"
#include "unit.h"

/* One operation at a key, of a latency that the key tells. */
static uint64_t latency_of(uint64_t key)
{
	return 100 + key * 7919 % 5000;
}

static void add(struct timeline *t, uint64_t key)
{
	uint64_t latency = latency_of(key), end = key * 10 + latency;
	uint16_t bucket = (uint16_t)hist_bucket(latency, HIST_SUB_BITS);
	struct timeline_batch b = { 1, &key, &end, &latency, &bucket };

	timeline_add(t, &b);
}

static uint64_t buckets_of(const struct slice *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < HIST_BUCKETS(TIMELINE_SUB_BITS); i++)
		sum += s->bucket[i];
	return sum;
}

/* That t holds the keys from 0 to n - 1, each as often as `times`. */
static void check(const struct timeline *t, uint64_t n, uint64_t times)
{
	assert_int_equal(t->used, (n + t->width - 1) / t->width);
	assert_true(t->used <= TIMELINE_SLICES);
	for (size_t i = 0; i < t->used; i++) {
		const struct slice *s = &t->slices[i];
		uint64_t from = i * t->width, to = from + t->width, max = 0;
		uint64_t first = UINT64_MAX, last = 0;

		to = to < n ? to : n;
		for (uint64_t k = from; k < to; k++) {
			uint64_t latency = latency_of(k);

			max = latency > max ? latency : max;
			first = k * 10 < first ? k * 10 : first;
			last = k * 10 + latency > last ? k * 10 + latency
						       : last;
		}
		assert_true(s->count == (to - from) * times);
		assert_true(buckets_of(s) == s->count);
		assert_true(s->max == max);
		assert_true(s->first_start == first);
		/* batches of one end where they end */
		assert_true(s->last_end == last);
	}
}

static void slices_count_their_keys(void **state)
{
	struct timeline t;

	(void)state;
	assert_int_equal(timeline_init(&t, 10), 0);
	for (uint64_t k = 0; k < 995; k++)
		add(&t, k);
	assert_int_equal(t.width, 10);
	check(&t, 995, 1);
	timeline_free(&t);
}

static void doubling_keeps_all(void **state)
{
	struct timeline t;
	uint64_t n = 0;

	(void)state;
	assert_int_equal(timeline_init(&t, 1), 0);
	for (uint64_t stop = 1; stop < 40000; stop = stop * 5 / 4 + 1) {
		for (; n < stop; n++)
			add(&t, n);
		check(&t, n, 1);
	}
	assert_true(t.width >= 256);
	timeline_free(&t);
}

static void a_far_key_leaves_empty_slices(void **state)
{
	struct timeline t;

	(void)state;
	assert_int_equal(timeline_init(&t, 1), 0);
	add(&t, 0);
	add(&t, 1000000);
	assert_int_equal(t.slices[0].count, 1);
	assert_int_equal(t.slices[t.used - 1].count, 1);
	for (size_t i = 1; i + 1 < t.used; i++) {
		assert_int_equal(t.slices[i].count, 0);
		assert_int_equal(t.slices[i].max, 0);
		assert_true(t.slices[i].first_start == UINT64_MAX);
		assert_int_equal(slice_quantile(&t.slices[i], 0.5), 0);
	}
	timeline_free(&t);
}

static void a_batch_may_cross_slices(void **state)
{
	enum { COUNT = 1000 };
	uint64_t key[COUNT], end[COUNT], latency[COUNT];
	uint16_t bucket[COUNT];
	struct timeline_batch b = { COUNT, key, end, latency, bucket };
	struct timeline t, single;

	(void)state;
	assert_int_equal(timeline_init(&t, 3), 0);
	assert_int_equal(timeline_init(&single, 3), 0);
	for (uint64_t i = 0; i < COUNT; i++) {
		key[i] = i;
		/* ends never fall within a batch */
		latency[i] = 5 + i % 3;
		end[i] = i * 10 + latency[i];
		bucket[i] = (uint16_t)hist_bucket(latency[i], HIST_SUB_BITS);
	}
	timeline_add(&t, &b);
	b.count = 1;
	for (; b.key < key + COUNT; b.key++, b.end++, b.latency++, b.bucket++)
		timeline_add(&single, &b);
	assert_int_equal(t.used, single.used);
	assert_int_equal(t.width, single.width);
	assert_memory_equal(t.slices, single.slices,
			    t.used * sizeof(*t.slices));
	timeline_free(&t);
	timeline_free(&single);
}

/* Of two that have become unequally coarse. */
static void check_merge(uint64_t in_a, uint64_t in_b)
{
	struct timeline a, b;
	uint64_t n = in_a > in_b ? in_a : in_b, counted = 0;

	assert_int_equal(timeline_init(&a, 1), 0);
	assert_int_equal(timeline_init(&b, 1), 0);
	for (uint64_t k = 0; k < in_a; k++)
		add(&a, k);
	for (uint64_t k = 0; k < in_b; k++)
		add(&b, k);
	timeline_merge(&a, &b);
	for (size_t i = 0; i < a.used; i++) {
		counted += a.slices[i].count;
		assert_true(buckets_of(&a.slices[i]) == a.slices[i].count);
	}
	assert_true(counted == in_a + in_b);
	assert_int_equal(a.used, (n + a.width - 1) / a.width);
	if (in_a == in_b)
		check(&a, n, 2);
	timeline_free(&a);
	timeline_free(&b);
}

static void merging_adds(void **state)
{
	(void)state;
	check_merge(100, 100);
	check_merge(5000, 5000);
	check_merge(100, 5000);
	check_merge(5000, 100);
	check_merge(0, 300);
	check_merge(300, 0);
	check_merge(0, 0);
}

static void quantiles_are_known_to_1_in_32(void **state)
{
	struct timeline t;

	(void)state;
	assert_int_equal(timeline_init(&t, 1000), 0);
	for (uint64_t i = 1; i <= 1000; i++) {
		uint64_t key = 0, latency = i * 1000, end = latency;
		uint16_t bucket = (uint16_t)hist_bucket(latency, HIST_SUB_BITS);
		struct timeline_batch b = { 1, &key, &end, &latency, &bucket };

		timeline_add(&t, &b);
	}
	for (int part = 1; part <= 100; part++) {
		uint64_t want = (uint64_t)part * 10000;
		uint64_t got = slice_quantile(&t.slices[0], part / 100.0);
		uint64_t off = got > want ? got - want : want - got;

		assert_true(off * 32 <= want);
	}
	assert_true(slice_quantile(&t.slices[0], 1) <= 1000000);
	timeline_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slices_count_their_keys),
		cmocka_unit_test(doubling_keeps_all),
		cmocka_unit_test(a_far_key_leaves_empty_slices),
		cmocka_unit_test(a_batch_may_cross_slices),
		cmocka_unit_test(merging_adds),
		cmocka_unit_test(quantiles_are_known_to_1_in_32),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
