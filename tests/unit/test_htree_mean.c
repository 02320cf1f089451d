/* The formula against the simulation, over many hash seeds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "dirblock.h"
#include "htree.h"
#include "htree_mean.h"

static uint32_t hash_of(uint64_t seed, uint64_t i)
{
	i += seed * 0xd1342543de82ef95ULL;
	i = (i + 1) * 0x9e3779b97f4a7c15ULL;
	i ^= i >> 29;
	i *= 0xbf58476d1ce4e5b9ULL;
	i ^= i >> 32;
	return (uint32_t)i & ~1U;
}

/* Names that go in, at most count; *bytes is the directory's size then. */
static uint64_t simulate(const struct htree_geometry *g, size_t len,
			 uint64_t seed, uint64_t count, uint64_t *bytes)
{
	struct htree *t = htree_new(g);
	uint64_t i = 0;

	assert_non_null(t);
	while (i < count && htree_add(t, len, hash_of(seed, i)) == 0)
		i++;
	*bytes = htree_bytes(t);
	htree_free(t);
	return i;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void assert_near(uint64_t a, uint64_t b, double share)
{
	assert_true(fabs((double)a - (double)b) <= share * (double)b);
}

/* A sanitizer sees as much in few of them, and takes ten times as long. */
#ifdef __SANITIZE_ADDRESS__
#define SEEDS 5
#else
#define SEEDS 41
#endif

/* The median over seeds lies within 3 %, and nearly all in the interval. */
static void check_full(unsigned int block_size, size_t len, uint64_t count)
{
	struct htree_geometry g = { .block_size = block_size,
				    .max_levels = 2,
				    .csum = true };
	uint64_t at[SEEDS], bytes;
	struct htree_mean m;
	int outside = 0;

	assert_int_equal(htree_mean(&g, 4 * dirblock_need(len), count, &m), 0);
	for (uint64_t s = 0; s < SEEDS; s++) {
		at[s] = simulate(&g, len, s, count, &bytes);
		assert_true(at[s] < count);
		outside += at[s] < m.full_low || at[s] > m.full_high;
	}
	qsort(at, SEEDS, sizeof(*at), compare);
	assert_near(m.full_at, at[SEEDS / 2], 0.03);
	assert_true(outside <= 2);
}

static void full_at(void **state)
{
	(void)state;
	check_full(1024, 255, 100000);
	check_full(1024, 200, 100000);
	check_full(1024, 100, 200000);
	check_full(1024, 40, 400000);
}

static void size_by_count(void **state)
{
	static const uint64_t counts[] = { 1, 50, 3000, 20000, 100000 };
	struct htree_geometry g = { .block_size = 4096, .max_levels = 2 };
	struct htree_mean m;
	uint64_t bytes;

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		assert_int_equal(htree_mean(&g, 48, counts[i], &m), 0);
		assert_int_equal(m.full_at, UINT64_MAX);
		simulate(&g, 40, i, counts[i], &bytes);
		assert_near(m.bytes, bytes, 0.05);
	}
}

/* Without an index, blocks in a row: three names of 264 bytes to each. */
static void linear(void **state)
{
	struct htree_geometry g = { .block_size = 1024 };
	struct htree_mean m;

	(void)state;
	assert_int_equal(htree_mean(&g, 264, 300, &m), 0);
	assert_int_equal(m.bytes, 100 * 1024);
	assert_int_equal(m.levels, 0);
}

static void refuses_nonsense(void **state)
{
	struct htree_geometry g = { .block_size = 1024, .max_levels = 2 };
	struct htree_mean m;

	(void)state;
	assert_int_equal(htree_mean(&g, 8, 10, &m), -EINVAL);
	assert_int_equal(htree_mean(&g, 2000, 10, &m), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_at),
		cmocka_unit_test(size_by_count),
		cmocka_unit_test(linear),
		cmocka_unit_test(refuses_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
