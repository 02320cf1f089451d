/* How many entries a directory has, told while it is read. */
#include <linux/magic.h>

#include "extent.h"
#include "scratch.h"

static void see_many(struct extent *e, int count, int64_t step)
{
	for (int i = 1; i <= count; i++)
		extent_see(e, "12345678", i * step);
}

static void at_the_end_it_is_what_was_read(void **state)
{
	struct extent e = { .file_system = 1 };

	(void)state;
	see_many(&e, 100, 1);
	assert_int_equal(extent_entries(&e), 0);
	e.at_end = true;
	assert_int_equal(extent_entries(&e), 100);
}

static void by_the_size_of_the_directory(void **state)
{
	struct extent t = { .file_system = TMPFS_MAGIC, .bytes = 20040 };
	struct extent b = { .file_system = BTRFS_SUPER_MAGIC, .bytes = 16000 };

	(void)state;
	assert_int_equal(extent_entries(&t), 0);
	see_many(&t, 10, 1);
	assert_int_equal(extent_entries(&t), 1000);
	see_many(&b, 10, 1);
	assert_int_equal(extent_entries(&b), 1000);
}

static void by_how_far_the_offset_has_come(void **state)
{
	struct extent e = { .file_system = EXT4_SUPER_MAGIC };
	struct extent x = { .file_system = XFS_SUPER_MAGIC, .bytes = 80000 };

	(void)state;
	/* a quarter of [0, 2^63) */
	see_many(&e, 1000, (INT64_MAX / 4 + 1) / 1000);
	assert_in_range(extent_entries(&e), 3995, 4005);
	/* 2,501 of 10,000 units, of which the first is passed at once */
	see_many(&x, 1251, 2);
	assert_in_range(extent_entries(&x), 4995, 5010);
}

static void little_of_it_tells_nothing(void **state)
{
	struct extent e = { .file_system = EXT4_SUPER_MAGIC };
	struct extent x = { .file_system = XFS_SUPER_MAGIC, .bytes = 4096 };

	(void)state;
	see_many(&e, 10, 1 << 20);
	assert_int_equal(extent_entries(&e), 0);
	/* offsets beyond the end */
	see_many(&x, 10, 1 << 20);
	assert_int_equal(extent_entries(&x), 0);
}

static void it_begins_with_the_directory(void **state)
{
	struct scratch *s = *state;
	struct extent e;

	assert_int_equal(extent_begin(&e, s->fd), 0);
	assert_true(e.file_system != 0);
	assert_false(e.at_end);
	assert_true(extent_begin(&e, -1) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_the_end_it_is_what_was_read),
		cmocka_unit_test(by_the_size_of_the_directory),
		cmocka_unit_test(by_how_far_the_offset_has_come),
		cmocka_unit_test(little_of_it_tells_nothing),
		cmocka_unit_test_setup_teardown(it_begins_with_the_directory,
						scratch_setup,
						scratch_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
