/* What --order auto makes of a directory. */
#include <linux/magic.h>
#include <string.h>

#include "chooser.h"
#include "scratch.h"

/* A directory of many entries, of which so many per cent follow on. */
static struct chooser_facts large(uint64_t file_system, unsigned int near)
{
	return (struct chooser_facts){
		.file_system = file_system,
		.processors = 2,
		.entries = 10001,
		.pairs = 10000,
		.near = near * 100,
	};
}

static void few_are_taken_as_they_come(void **state)
{
	struct chooser_facts f = large(EXT4_SUPER_MAGIC, 0);
	struct choice c;

	(void)state;
	f.entries = CHOOSER_FEW - 1;
	f.whole = true;
	choose(&f, &c);
	assert_false(c.by_inode);
	assert_int_equal(c.workers, 1);
	assert_false(c.look_ahead);
	assert_non_null(strstr(c.reason, "few"));
	/* as many seen, but there are more */
	f.whole = false;
	choose(&f, &c);
	assert_true(c.by_inode);
}

static void few_above_unknown_subdirectories_say_nothing(void **state)
{
	struct chooser_facts f = large(EXT4_SUPER_MAGIC, 100);
	struct choice c;

	(void)state;
	f.entries = f.pairs = f.near = 0;
	f.whole = f.deep = true;
	choose(&f, &c);
	assert_true(c.by_inode);
	assert_int_equal(c.workers, 2);
	assert_null(strstr(c.reason, "few"));
	/* many say what order names come in */
	f = large(EXT4_SUPER_MAGIC, 100);
	f.whole = f.deep = true;
	choose(&f, &c);
	assert_false(c.by_inode);
}

static void inodes_are_read_ahead_where_that_gains(void **state)
{
	static const struct {
		uint64_t file_system;
		bool look_ahead;
	} systems[] = {
		{ XFS_SUPER_MAGIC, true },   { BTRFS_SUPER_MAGIC, true },
		{ EXT4_SUPER_MAGIC, false }, { TMPFS_MAGIC, false },
		{ NFS_SUPER_MAGIC, false },  { 0, false },
	};
	struct choice c;

	(void)state;
	for (unsigned int i = 0; i < sizeof(systems) / sizeof(systems[0]);
	     i++) {
		struct chooser_facts f = large(systems[i].file_system, 50);

		choose(&f, &c);
		assert_int_equal(c.look_ahead, systems[i].look_ahead);
		f.gentle = true;
		choose(&f, &c);
		assert_false(c.look_ahead);
	}
}

static void disorder_is_sorted(void **state)
{
	static const uint64_t systems[] = { EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC,
					    BTRFS_SUPER_MAGIC, NFS_SUPER_MAGIC,
					    0x1234 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(systems); i++) {
		struct chooser_facts f = large(systems[i], 2);
		struct choice c;

		choose(&f, &c);
		assert_true(c.by_inode);
		f = large(systems[i], 98);
		choose(&f, &c);
		assert_false(c.by_inode);
	}
}

static void memory_needs_no_order(void **state)
{
	struct chooser_facts f = large(TMPFS_MAGIC, 0);
	struct choice c;

	(void)state;
	choose(&f, &c);
	assert_false(c.by_inode);
	assert_non_null(strstr(c.reason, "tmpfs"));
}

static void workers_where_they_help(void **state)
{
	struct chooser_facts f = large(EXT4_SUPER_MAGIC, 0);
	struct choice c;

	(void)state;
	choose(&f, &c);
	assert_int_equal(c.workers, 2);
	assert_int_equal(c.block, 1024);
	f.gentle = true;
	choose(&f, &c);
	assert_true(c.by_inode);
	assert_int_equal(c.workers, 1);
	f = large(EXT4_SUPER_MAGIC, 0);
	f.processors = 1;
	choose(&f, &c);
	assert_int_equal(c.workers, 1);
	f = large(XFS_SUPER_MAGIC, 98);
	f.processors = 64;
	choose(&f, &c);
	assert_int_equal(c.workers, 1);
	assert_non_null(strstr(c.reason, "second worker slows"));
	f = large(NFS_SUPER_MAGIC, 2);
	choose(&f, &c);
	assert_int_equal(c.workers, 1);
	assert_non_null(strstr(c.reason, "second worker would only wait"));
	f = large(0x1234, 98);
	choose(&f, &c);
	assert_int_equal(c.workers, 1);
	assert_non_null(strstr(c.reason, "this file system"));
}

static void every_choice_has_a_reason(void **state)
{
	static const uint64_t systems[] = { EXT4_SUPER_MAGIC,  XFS_SUPER_MAGIC,
					    BTRFS_SUPER_MAGIC, NFS_SUPER_MAGIC,
					    TMPFS_MAGIC,       1 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(systems); i++) {
		for (unsigned int near = 0; near <= 100; near += 50) {
			struct chooser_facts f = large(systems[i], near);
			struct choice c;

			memset(&c, 0, sizeof(c));
			choose(&f, &c);
			assert_true(strlen(c.reason) > 10);
			/* not cut short */
			assert_true(strlen(c.reason) < sizeof(c.reason) - 1);
			assert_true(c.workers >= 1 && c.block >= 1);
		}
	}
}

static void a_directory_is_looked_at(void **state)
{
	struct scratch *s = *state;
	struct chooser_facts f;
	char name[16];

	for (int i = 0; i < 50; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		scratch_touch(s->fd, name);
	}
	scratch_mkdir(s->fd, "sub");
	assert_int_equal(chooser_look(s->fd, &f), 0);
	assert_int_equal(f.entries, 50);
	assert_int_equal(f.pairs, 49);
	assert_true(f.near <= f.pairs);
	assert_true(f.whole);
	assert_true(f.processors >= 1);
	assert_true(f.file_system != 0);
	/* the descriptor is where it was: it can be looked at again */
	assert_int_equal(chooser_look(s->fd, &f), 0);
	assert_int_equal(f.entries, 50);
	assert_true(chooser_look(-1, &f) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_are_taken_as_they_come),
		cmocka_unit_test(few_above_unknown_subdirectories_say_nothing),
		cmocka_unit_test(inodes_are_read_ahead_where_that_gains),
		cmocka_unit_test(disorder_is_sorted),
		cmocka_unit_test(memory_needs_no_order),
		cmocka_unit_test(workers_where_they_help),
		cmocka_unit_test(every_choice_has_a_reason),
		cmocka_unit_test_setup_teardown(a_directory_is_looked_at,
						scratch_setup,
						scratch_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
