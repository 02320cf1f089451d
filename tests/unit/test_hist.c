/* The histogram: its error bound, sums and quantiles against plain ones. */
#include <math.h>
#include <stdlib.h>

#include "hist.h"
#include "permute.h"
#include "unit.h"

#define LAST ((UINT64_C(1) << HIST_TOP_BIT) - 1)

static void add(struct hist *h, uint64_t value)
{
	uint16_t bucket;

	hist_add(h, &value, 1, &bucket);
	assert_int_equal(bucket, hist_bucket(value, HIST_SUB_BITS));
}

/* The middle of a value's bucket is within 1/128 of the value. */
static void check_error(uint64_t v)
{
	unsigned int b = hist_bucket(v, HIST_SUB_BITS);
	uint64_t middle = hist_middle(b, HIST_SUB_BITS);
	uint64_t off = middle > v ? middle - v : v - middle;

	assert_true(b < HIST_BUCKETS(HIST_SUB_BITS));
	assert_true(hist_low(b, HIST_SUB_BITS) <= v);
	if (b + 1 < HIST_BUCKETS(HIST_SUB_BITS))
		assert_true(v < hist_low(b + 1, HIST_SUB_BITS));
	if (off * 128 > v)
		fail_msg("%ju is shown as %ju", v, middle);
}

static void values_are_known_to_1_in_128(void **state)
{
	struct permutation p;

	(void)state;
	for (uint64_t v = 0; v < 300000; v++)
		check_error(v);
	for (unsigned int bit = 18; bit < HIST_TOP_BIT; bit++) {
		permute_init(&p, UINT64_C(1) << bit, bit);
		for (uint64_t i = 0; i < 2000; i++)
			check_error((UINT64_C(1) << bit) + permute_at(&p, i));
		for (uint64_t d = 0; d < 5; d++)
			check_error((UINT64_C(1) << bit) + d - 2);
	}
	check_error(LAST);
}

static void every_bucket_starts_where_it_says(void **state)
{
	(void)state;
	for (unsigned int sub = 3; sub <= HIST_SUB_BITS; sub++)
		for (unsigned int b = 0; b < HIST_BUCKETS(sub); b++) {
			uint64_t low = hist_low(b, sub);

			assert_int_equal(hist_bucket(low, sub), b);
			assert_int_equal(hist_bucket(hist_middle(b, sub), sub),
					 b);
			if (low)
				assert_int_equal(hist_bucket(low - 1, sub),
						 b - 1);
		}
}

static void coarse_buckets_follow_from_fine_ones(void **state)
{
	struct permutation p;

	(void)state;
	permute_init(&p, LAST, 5);
	for (uint64_t i = 0; i < 200000; i++) {
		/* of all magnitudes */
		uint64_t v = permute_at(&p, i) >> i % HIST_TOP_BIT;

		assert_int_equal(hist_coarser(v, hist_bucket(v, HIST_SUB_BITS),
					      4),
				 hist_bucket(v, 4));
	}
}

static void longer_values_count_as_the_longest(void **state)
{
	struct hist h;

	(void)state;
	hist_reset(&h);
	add(&h, LAST + 1);
	add(&h, UINT64_C(1) << 60);
	assert_int_equal(h.bucket[hist_bucket(LAST, HIST_SUB_BITS)], 2);
	assert_true(h.max == UINT64_C(1) << 60);
	assert_true(h.min == LAST + 1);
	/* never outside of what there was */
	assert_true(hist_quantile(&h, 0.5) >= h.min);
	assert_true(hist_quantile(&h, 1) <= h.max);
}

static void an_empty_one_has_nothing(void **state)
{
	struct hist h;

	(void)state;
	hist_reset(&h);
	assert_true(hist_mean(&h) == 0 && hist_sd(&h) == 0);
	assert_int_equal(hist_quantile(&h, 0.5), 0);
	assert_int_equal(h.count, 0);
	assert_int_equal(hist_add(&h, NULL, 0, NULL), 0);
	assert_int_equal(h.count, 0);
}

#define N 20000

/* Values over six powers of ten, crowded at the lower end as latencies are. */
static void draw(uint64_t *v, uint64_t seed)
{
	struct permutation p;

	permute_init(&p, N, seed);
	for (uint64_t i = 0; i < N; i++)
		v[i] = (uint64_t)exp(
			log(500) +
			log(1e6) * pow((double)permute_at(&p, i) / N, 3));
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void quantiles_agree_with_a_sorted_list(void **state)
{
	static const double parts[] = { 0,   0.0001, 0.01,  0.1,    0.25, 0.5,
					0.9, 0.99,   0.999, 0.9999, 1 };
	static uint64_t v[N];
	struct hist h;

	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		draw(v, seed);
		hist_reset(&h);
		for (size_t i = 0; i < N; i++)
			add(&h, v[i]);
		qsort(v, N, sizeof(*v), compare);
		for (size_t i = 0; i < COUNT_OF(parts); i++) {
			size_t rank = (size_t)ceil(parts[i] * N);
			uint64_t want = v[rank ? rank - 1 : 0];
			uint64_t got = hist_quantile(&h, parts[i]);

			if (fabs((double)got - (double)want) * 128 >
			    (double)want)
				fail_msg("p%g is %ju, not %ju", 100 * parts[i],
					 got, want);
		}
		assert_true(h.min == v[0] && h.max == v[N - 1]);
	}
}

static void mean_and_deviation_are_exact(void **state)
{
	static const uint64_t v[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct hist h;

	(void)state;
	hist_reset(&h);
	for (size_t i = 0; i < COUNT_OF(v); i++)
		add(&h, v[i]);
	assert_true(fabs(hist_mean(&h) - 5) < 1e-12);
	assert_true(fabs(hist_sd(&h) - 2) < 1e-12);
	/* an hour and a nanosecond: nothing is lost on the way */
	hist_reset(&h);
	for (int i = 0; i < 1000; i++) {
		add(&h, UINT64_C(3600000000000));
		add(&h, 1);
	}
	assert_true(fabs(hist_sd(&h) / 1.8e12 - 1) < 1e-9);
}

static void assert_same(const struct hist *a, const struct hist *b)
{
	assert_true(a->count == b->count && a->sum == b->sum);
	assert_true(a->min == b->min && a->max == b->max);
	assert_true(a->squares == b->squares);
	assert_memory_equal(a->bucket, b->bucket, sizeof(a->bucket));
}

static void merging_is_adding(void **state)
{
	static struct hist all, part[3], sum;
	static uint64_t v[N];

	(void)state;
	draw(v, 9);
	hist_reset(&all);
	hist_reset(&sum);
	for (int i = 0; i < 3; i++)
		hist_reset(&part[i]);
	for (size_t i = 0; i < N; i++) {
		add(&all, v[i]);
		add(&part[i % 7 % 2], v[i]);
	}
	/* the third part is empty */
	for (int i = 2; i >= 0; i--)
		hist_merge(&sum, &part[i]);
	assert_same(&sum, &all);
}

static void adding_many_is_adding_each(void **state)
{
	static struct hist one, many;
	static uint64_t v[N];
	static uint16_t bucket[N];

	(void)state;
	draw(v, 11);
	hist_reset(&one);
	hist_reset(&many);
	for (size_t i = 0; i < N; i++)
		add(&one, v[i]);
	assert_true(hist_add(&many, v, N, bucket) == many.max);
	for (size_t i = 0; i < N; i++)
		assert_int_equal(bucket[i], hist_bucket(v[i], HIST_SUB_BITS));
	assert_same(&one, &many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_known_to_1_in_128),
		cmocka_unit_test(every_bucket_starts_where_it_says),
		cmocka_unit_test(coarse_buckets_follow_from_fine_ones),
		cmocka_unit_test(longer_values_count_as_the_longest),
		cmocka_unit_test(an_empty_one_has_nothing),
		cmocka_unit_test(quantiles_agree_with_a_sorted_list),
		cmocka_unit_test(mean_and_deviation_are_exact),
		cmocka_unit_test(merging_is_adding),
		cmocka_unit_test(adding_many_is_adding_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
