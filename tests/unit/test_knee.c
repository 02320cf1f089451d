/* Knees: found where they are, and not where there are none. */
#include <math.h>
#include <stdint.h>

#include "knee.h"
#include "unit.h"

#define N 100
#define MOST 8

/* Numbers that are the same everywhere: uniform in [0, 1). */
static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) / 9007199254740992.0;
}

/* About normal, of standard deviation 1. */
static double normal(uint64_t *state)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform(state);
	return sum;
}

static void fill(double *cost, double level, double noise, uint64_t seed)
{
	for (int i = 0; i < N; i++)
		cost[i] = level * exp(noise * normal(&seed));
}

static void raise_from(double *cost, int from, int to, double factor)
{
	for (int i = from; i < to; i++)
		cost[i] *= factor;
}

static void test_steps_are_found(void **state)
{
	static const double factors[] = { 1.2, 2, 0.5, 0.8 };
	struct knee_step k[MOST];
	double cost[N];

	(void)state;
	for (int at = 5; at < N - 5; at += 9) {
		for (int f = 0; f < 4; f++) {
			fill(cost, 5000, 0.01, (uint64_t)at);
			raise_from(cost, at, N, factors[f]);
			assert_int_equal(knee_find(cost, N, k, MOST), 1);
			assert_int_equal(k[0].at, at);
			assert_int_equal(k[0].low, at - 1);
			assert_int_equal(k[0].high, at);
			assert_true(fabs(k[0].to / k[0].from / factors[f] - 1) <
				    0.03);
		}
	}
}

static void test_several(void **state)
{
	struct knee_step k[MOST];
	double cost[N];

	(void)state;
	fill(cost, 3000, 0.02, 7);
	raise_from(cost, 20, N, 1.5);
	raise_from(cost, 50, N, 1.4);
	raise_from(cost, 75, N, 0.6);
	assert_int_equal(knee_find(cost, N, k, MOST), 3);
	assert_int_equal(k[0].at, 20);
	assert_int_equal(k[1].at, 50);
	assert_int_equal(k[2].at, 75);
	assert_true(k[2].to < k[2].from);
}

static void test_noise_has_none(void **state)
{
	static const double noises[] = { 0, 0.01, 0.05, 0.1, 0.3 };
	struct knee_step k[MOST];
	double cost[N];
	size_t found = 0;

	(void)state;
	for (int n = 0; n < 5; n++) {
		for (uint64_t seed = 0; seed < 200; seed++) {
			fill(cost, 800, noises[n], seed * 977 + 1);
			found += knee_find(cost, N, k, MOST);
		}
	}
	assert_true(found <= 3);
}

/* Three slices in a row can be slow, many times over. */
static void test_spikes_are_none(void **state)
{
	struct knee_step k[MOST];
	double cost[N];

	(void)state;
	fill(cost, 5000, 0.02, 3);
	for (int at = 6; at < N - 4; at += 13)
		raise_from(cost, at, at + 1 + at % 3, 5);
	assert_int_equal(knee_find(cost, N, k, MOST), 0);
}

static void test_slopes_are_none(void **state)
{
	struct knee_step k[MOST];
	double cost[N];

	(void)state;
	fill(cost, 5000, 0.01, 4);
	for (int i = 0; i < N; i++)
		cost[i] *= 1 + i * 0.02; /* three times the cost at the end */
	assert_int_equal(knee_find(cost, N, k, MOST), 0);
	raise_from(cost, 60, N, 1.3);
	assert_int_equal(knee_find(cost, N, k, MOST), 1);
	assert_in_range(k[0].at, 59, 61);
}

/* What lasts four slices is a knee up and one down. */
static void test_short_plateau(void **state)
{
	struct knee_step k[MOST];
	double cost[N];

	(void)state;
	fill(cost, 5000, 0.01, 5);
	raise_from(cost, 40, 44, 2);
	assert_int_equal(knee_find(cost, N, k, MOST), 2);
	assert_int_equal(k[0].at, 40);
	assert_int_equal(k[1].at, 44);
}

/* A change that takes three slices is one knee, which says so. */
static void test_soft_step(void **state)
{
	struct knee_step k[MOST];
	double cost[N];

	(void)state;
	fill(cost, 5000, 0.005, 6);
	raise_from(cost, 50, N, 1.2);
	raise_from(cost, 51, N, 1.2);
	raise_from(cost, 52, N, 1.2);
	assert_int_equal(knee_find(cost, N, k, MOST), 1);
	assert_int_equal(k[0].low, 49);
	assert_int_equal(k[0].high, 52);
}

static void test_small_changes_are_none(void **state)
{
	struct knee_step k[MOST];
	double cost[N];

	(void)state;
	fill(cost, 5000, 0.001, 8);
	raise_from(cost, 50, N, 1.13);
	assert_int_equal(knee_find(cost, N, k, MOST), 0);
}

static void test_short_series(void **state)
{
	double cost[8] = { 1, 1, 1, 1, 2, 2, 2, 2 };
	struct knee_step k[MOST];

	(void)state;
	assert_int_equal(knee_find(cost, 8, k, MOST), 1);
	assert_int_equal(k[0].at, 4);
	assert_int_equal(knee_find(cost, 7, k, MOST), 0);
	assert_int_equal(knee_find(cost, 0, k, MOST), 0);
}

static void test_at_most(void **state)
{
	struct knee_step k[2];
	double cost[N];

	(void)state;
	fill(cost, 3000, 0.01, 9);
	for (int at = 20; at < N; at += 20)
		raise_from(cost, at, N, 1.5);
	assert_int_equal(knee_find(cost, N, k, 2), 2);
	assert_true(k[0].at < k[1].at);
}

/* Steps of any size close to one another, their edges blurred, as a busy
 * machine gives them: bounds of neighbours do not reach into each other, and
 * what is said of either side was measured there. */
static void test_neighbours_keep_apart(void **state)
{
	struct knee_step k[MOST];
	double cost[N];
	size_t several = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 4000; seed++) {
		uint64_t random = seed;
		double level = 1000, next = level;
		size_t n = 8 + (size_t)(uniform(&random) * (N - 8)), found;

		for (size_t i = 0; i < n; i++) {
			if (uniform(&random) < 0.2)
				next = 1000 * exp(2 * normal(&random));
			level += (next - level) * uniform(&random);
			cost[i] = level * exp(0.05 * normal(&random));
		}
		found = knee_find(cost, n, k, MOST);
		several += found > 1;
		for (size_t i = 0; i < found; i++) {
			assert_true(k[i].low < k[i].high && k[i].high < n);
			assert_true(i == 0 || k[i].low >= k[i - 1].high);
			assert_true(k[i].before > 0 && k[i].after > 0);
			assert_true(isfinite(k[i].from) && k[i].from > 0);
			assert_true(isfinite(k[i].to) && k[i].to > 0);
		}
	}
	assert_true(several > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps_are_found),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_noise_has_none),
		cmocka_unit_test(test_spikes_are_none),
		cmocka_unit_test(test_slopes_are_none),
		cmocka_unit_test(test_short_plateau),
		cmocka_unit_test(test_soft_step),
		cmocka_unit_test(test_small_changes_are_none),
		cmocka_unit_test(test_short_series),
		cmocka_unit_test(test_at_most),
		cmocka_unit_test(test_neighbours_keep_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
