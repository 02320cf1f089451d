/* Entries: sorted by key, equal keys as they were added, nothing lost. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "entries.h"
#include "permute.h"
#include "unit.h"

#define N 20000

static void indices_are_sorted(void **state)
{
	struct entries e = { 0 };
	struct permutation p;

	(void)state;
	permute_init(&p, N, 4);
	for (uint64_t i = 0; i < N; i++)
		assert_int_equal(entries_add_index(&e, permute_at(&p, i), i),
				 0);
	entries_sort(&e);
	assert_int_equal(e.count, N);
	for (uint64_t i = 0; i < N; i++) {
		assert_int_equal(e.list[i].key, i);
		assert_int_equal(permute_at(&p, e.list[i].reference), i);
	}
	assert_true(e.peak >= N * sizeof(struct entry));
	entries_free(&e);
}

static void equal_keys_stay_as_added(void **state)
{
	struct entries e = { 0 };

	(void)state;
	for (uint64_t i = 0; i < N; i++)
		assert_int_equal(entries_add_index(&e, i % 3, i), 0);
	entries_sort(&e);
	for (uint64_t i = 1; i < N; i++)
		if (e.list[i].key == e.list[i - 1].key)
			assert_true(e.list[i].reference >
				    e.list[i - 1].reference);
	entries_free(&e);
}

/* Names of every length, with keys at both ends of their range. */
/* Keys of all 64 bits, and so many that they are not compared. */
static void many_wide_keys_are_sorted(void **state)
{
	static const uint64_t sizes[] = { 2047, 2048, 2049, 50000 };

	(void)state;
	for (size_t n = 0; n < COUNT_OF(sizes); n++) {
		struct entries e = { 0 };
		uint64_t key = 1, sum = 0;

		for (uint64_t i = 0; i < sizes[n]; i++) {
			/* each of them twice */
			if (i % 2 == 0)
				key *= UINT64_C(0x9E3779B97F4A7C15);
			assert_int_equal(entries_add_index(&e, key, i), 0);
		}
		entries_sort(&e);
		for (size_t i = 0; i < e.count; i++) {
			sum += e.list[i].reference;
			if (i == 0)
				continue;
			assert_true(e.list[i - 1].key <= e.list[i].key);
			if (e.list[i - 1].key == e.list[i].key)
				assert_true(e.list[i - 1].reference <
					    e.list[i].reference);
		}
		assert_true(sum == sizes[n] * (sizes[n] - 1) / 2);
		entries_free(&e);
	}
}

static void names_are_kept(void **state)
{
	struct entries e = { 0 };
	char name[256];
	unsigned char type;

	(void)state;
	for (uint64_t i = 0; i < 2000; i++) {
		memset(name, 'a' + (int)(i % 26), sizeof(name));
		name[i % 255 + 1 == 256 ? 255 : i % 255 + 1] = '\0';
		assert_int_equal(entries_add_name(&e, UINT64_MAX - i, name,
						  i % 2 ? DT_DIR : DT_REG),
				 0);
	}
	entries_sort(&e);
	for (uint64_t k = 0; k < 2000; k++) {
		uint64_t i = 1999 - k;
		const char *got = entries_name(&e, &e.list[k], &type);

		assert_true(e.list[k].key == UINT64_MAX - i);
		assert_int_equal(strlen(got), i % 255 + 1);
		assert_int_equal(got[0], 'a' + (int)(i % 26));
		assert_int_equal(type, i % 2 ? DT_DIR : DT_REG);
	}
	entries_free(&e);
}

static void cleared_is_empty_and_usable(void **state)
{
	struct entries e = { 0 };
	unsigned char type;

	(void)state;
	assert_int_equal(entries_add_name(&e, 1, "old", DT_REG), 0);
	entries_clear(&e);
	assert_int_equal(e.count, 0);
	entries_sort(&e);
	assert_int_equal(entries_add_name(&e, 2, "new", DT_FIFO), 0);
	assert_string_equal(entries_name(&e, &e.list[0], &type), "new");
	assert_int_equal(type, DT_FIFO);
	entries_free(&e);
	assert_null(e.list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(indices_are_sorted),
		cmocka_unit_test(equal_keys_stay_as_added),
		cmocka_unit_test(many_wide_keys_are_sorted),
		cmocka_unit_test(names_are_kept),
		cmocka_unit_test(cleared_is_empty_and_usable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
