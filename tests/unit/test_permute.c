/* The random order: a permutation, the same everywhere, and flat. */
#include <stdlib.h>
#include <string.h>

#include "permute.h"
#include "unit.h"

static const struct {
	uint64_t n, seed, value[5];
} golden[] = {
	{ 1, 0, { 0 } },
	{ 2, 1, { 0, 1 } },
	{ 10, 1, { 9, 6, 7, 0, 1 } },
	{ 10, 42, { 7, 2, 1, 0, 9 } },
	{ 1000, 7, { 524, 865, 591, 308, 180 } },
	{ 300000, 1, { 289090, 80160, 20371, 119309, 6871 } },
	{ 1000000, 123456789, { 218120, 691817, 816989, 998181, 890285 } },
	{ UINT64_C(4294967297),
	  1,
	  { UINT64_C(50624807), UINT64_C(3127245137), UINT64_C(3140043634),
	    UINT64_C(3693583), UINT64_C(3297614524) } },
	{ INT64_MAX,
	  1,
	  { UINT64_C(1461315114908967926), UINT64_C(3328140820090970467),
	    UINT64_C(7371380471186338143), UINT64_C(5139708242344253795),
	    UINT64_C(3261024002144315885) } },
	{ INT64_MAX,
	  UINT64_MAX,
	  { UINT64_C(4524504824761844657), UINT64_C(5189658004581610572),
	    UINT64_C(5524327140562381651), UINT64_C(7130759120897739606),
	    UINT64_C(4620657866764554152) } },
};

static void is_the_same_on_every_machine(void **state)
{
	struct permutation p;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(golden); i++) {
		permute_init(&p, golden[i].n, golden[i].seed);
		for (uint64_t at = 0; at < 5 && at < golden[i].n; at++)
			assert_true(permute_at(&p, at) == golden[i].value[at]);
	}
}

/* Whether positions 0 to n - 1 have all values below n, once each. */
static void check_bijective(uint64_t n, uint64_t seed)
{
	unsigned char *seen = calloc(n / 8 + 1, 1);
	struct permutation p;

	assert_non_null(seen);
	permute_init(&p, n, seed);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t v = permute_at(&p, i);

		if (v >= n)
			fail_msg("n %ju seed %ju: %ju at %ju", n, seed, v, i);
		if (seen[v / 8] & 1u << v % 8)
			fail_msg("n %ju seed %ju: %ju twice", n, seed, v);
		seen[v / 8] |= (unsigned char)(1u << v % 8);
	}
	free(seen);
}

static void is_bijective_up_to_5000(void **state)
{
	(void)state;
	for (uint64_t n = 1; n <= 5000; n++)
		check_bijective(n, n * 31 % 7);
}

static void is_bijective_for_other_sizes(void **state)
{
	static const uint64_t sizes[] = { 8191,	 8192,	 8193,	  65535,  65536,
					  65537, 300000, 1000000, 1048577 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(sizes); i++)
		check_bijective(sizes[i], i);
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Of sizes that no bitmap can hold: many positions, no value twice. */
static void large_sizes_repeat_nothing(void **state)
{
	static const uint64_t sizes[] = {
		(UINT64_C(1) << 32) - 1, (UINT64_C(1) << 32) + 1,
		UINT64_C(1000000000000), (UINT64_C(1) << 62) + 1,
		INT64_MAX - 1,		 INT64_MAX,
	};
	enum { LOOKS = 100000 };
	uint64_t *v = calloc(2 * LOOKS, sizeof(*v));

	(void)state;
	assert_non_null(v);
	for (size_t s = 0; s < COUNT_OF(sizes); s++) {
		struct permutation p;

		permute_init(&p, sizes[s], 3);
		for (uint64_t i = 0; i < LOOKS; i++) {
			v[i] = permute_at(&p, i);
			v[LOOKS + i] = permute_at(&p, sizes[s] - 1 - i);
		}
		qsort(v, 2 * LOOKS, sizeof(*v), compare);
		assert_true(v[2 * LOOKS - 1] < sizes[s]);
		for (size_t i = 1; i < 2 * LOOKS; i++)
			assert_true(v[i - 1] != v[i]);
	}
	free(v);
}

static void seeds_differ(void **state)
{
	struct permutation p, q;
	unsigned int same = 0;

	(void)state;
	permute_init(&p, 100000, 1);
	permute_init(&q, 100000, 2);
	for (uint64_t i = 0; i < 100000; i++)
		same += permute_at(&p, i) == permute_at(&q, i);
	/* one in all is what chance gives */
	assert_true(same < 20);
}

/*
 * Chi-square of counts in a table of `cells` equal cells. Its expectation is
 * cells - 1 and its deviation sqrt(2 (cells - 1)); the seeds are fixed, so the
 * outcome is too.
 */
static double chi_square(const unsigned int *count, unsigned int cells,
			 double expected)
{
	double sum = 0;

	for (unsigned int i = 0; i < cells; i++) {
		double d = (double)count[i] - expected;

		sum += d * d / expected;
	}
	return sum;
}

#define SIDE 32
#define CELLS (SIDE * SIDE)

/* Where a position's value falls, for 32 ranges of positions and of values. */
static void positions_tell_nothing_of_values(void **state)
{
	const uint64_t n = 300000;

	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		unsigned int count[CELLS] = { 0 };
		struct permutation p;
		double x;

		permute_init(&p, n, seed);
		for (uint64_t i = 0; i < n; i++)
			count[i * SIDE / n * SIDE +
			      permute_at(&p, i) * SIDE / n]++;
		x = chi_square(count, CELLS, (double)n / CELLS);
		/* (SIDE - 1)^2 = 961 degrees of freedom, sd 44: +- 5 sd */
		assert_true(x > 741 && x < 1181);
	}
}

/* The same for two values that follow each other: no runs, no steps. */
static void neighbours_tell_nothing_of_each_other(void **state)
{
	const uint64_t n = 300000;

	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		unsigned int count[CELLS] = { 0 };
		struct permutation p;
		double x;

		permute_init(&p, n, seed);
		for (uint64_t i = 0; i + 1 < n; i++)
			count[permute_at(&p, i) * SIDE / n * SIDE +
			      permute_at(&p, i + 1) * SIDE / n]++;
		x = chi_square(count, CELLS, (double)(n - 1) / CELLS);
		assert_true(x > 741 && x < 1181);
	}
}

/* All 24 orders of four things come up alike over many seeds. */
static void small_sizes_have_all_orders(void **state)
{
	unsigned int count[256] = { 0 }, used = 0, cells[24];
	double x;

	(void)state;
	for (uint64_t seed = 0; seed < 24000; seed++) {
		struct permutation p;
		unsigned int code = 0;

		permute_init(&p, 4, seed);
		for (uint64_t i = 0; i < 4; i++)
			code = code * 4 + (unsigned int)permute_at(&p, i);
		count[code]++;
	}
	for (unsigned int i = 0; i < 256; i++)
		if (count[i]) {
			assert_true(used < 24);
			cells[used++] = count[i];
		}
	assert_int_equal(used, 24);
	x = chi_square(cells, 24, 1000);
	print_message("# chi-square of the orders of four: %.1f\n", x);
	/* 23 degrees of freedom, sd 6.8 */
	assert_true(x < 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_the_same_on_every_machine),
		cmocka_unit_test(is_bijective_up_to_5000),
		cmocka_unit_test(is_bijective_for_other_sizes),
		cmocka_unit_test(large_sizes_repeat_nothing),
		cmocka_unit_test(seeds_differ),
		cmocka_unit_test(positions_tell_nothing_of_values),
		cmocka_unit_test(neighbours_tell_nothing_of_each_other),
		cmocka_unit_test(small_sizes_have_all_orders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
