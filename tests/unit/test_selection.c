/* Which entries go, and above all which do not. */
#include <errno.h>
#include <string.h>

#include "newest.h"
#include "op.h"
#include "scratch.h"
#include "selection.h"

static struct timespec at(time_t seconds, long ns)
{
	return (struct timespec){ .tv_sec = seconds, .tv_nsec = ns };
}

static void names(void **state)
{
	static const char *const globs[] = { "*.tmp", "sess_?", NULL };
	static const char *const none[] = { "[", "a\\", NULL };
	static const char *const star[] = { "*", NULL };
	struct selection any = { 0 }, some = { .match = globs },
			 broken = { .match = none }, all = { .match = star };

	(void)state;
	assert_false(selection_is_some(&any));
	assert_true(selection_is_some(&some));
	assert_true(selection_name(&any, ".hidden"));
	assert_true(selection_name(&some, "a.tmp"));
	assert_true(selection_name(&some, "sess_1"));
	assert_false(selection_name(&some, "sess_12"));
	assert_false(selection_name(&some, "xsess_1"));
	assert_false(selection_name(&some, "a.tmp.keep"));
	assert_false(selection_name(&some, "A.TMP"));
	assert_false(selection_name(&some, ".tmp"));
	assert_false(selection_name(&some, ".a.tmp"));
	assert_true(selection_name(&all, "x"));
	assert_false(selection_name(&all, ".x"));
	assert_false(selection_name(&broken, "x"));
	assert_false(selection_name(&broken, "a"));
}

static void ages(void **state)
{
	struct timespec now = at(1000, 5), t;
	struct selection s = { 0 };

	(void)state;
	selection_older(&s, &now, UINT64_C(10000000010));
	assert_true(selection_is_timed(&s));
	t = at(989, 999999995); /* as old as that, and not older */
	assert_false(selection_time(&s, "x", &t));
	t = at(989, 999999994);
	assert_true(selection_time(&s, "x", &t));
	t = at(990, 0);
	assert_false(selection_time(&s, "x", &t));
	t = at(5000, 0); /* from the future */
	assert_false(selection_time(&s, "x", &t));
	t = at(-5, 0); /* before 1970 */
	assert_true(selection_time(&s, "x", &t));
}

/* --- the newest of many -------------------------------------------------- */

static void offer(struct newest *n, const char *name, time_t seconds)
{
	struct timespec t = at(seconds, 0);

	assert_int_equal(newest_offer(n, name, &t), 0);
}

static void a_heap_keeps_the_newest(void **state)
{
	struct newest n;
	char name[16];

	(void)state;
	newest_init(&n, 10);
	/* 0 to 999 in an order that is neither up nor down */
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "%d", i);
		offer(&n, name, i * 389 % 1000);
		if (i < 9)
			assert_null(newest_oldest(&n));
	}
	assert_int_equal(n.count, 10);
	assert_int_equal(newest_oldest(&n)->modified.tv_sec, 990);
	assert_true(n.peak >= 10 * sizeof(struct dated));
	assert_true(n.peak < 100 * sizeof(struct dated));
	newest_free(&n);
}

static void of_equals_the_later_names_are_newer(void **state)
{
	static const char *const names[] = { "c", "a", "e", "b", "d" };
	struct newest n;

	(void)state;
	newest_init(&n, 2);
	for (size_t i = 0; i < COUNT_OF(names); i++)
		offer(&n, names[i], 7);
	assert_string_equal(newest_oldest(&n)->name, "d");
	newest_free(&n);
}

static void touch_at(int dir, const char *name, time_t seconds)
{
	struct timespec times[2] = { at(seconds, 0), at(seconds, 0) };

	scratch_touch(dir, name);
	assert_int_equal(utimensat(dir, name, times, 0), 0);
}

/* How many of the names in the directory would go. */
static int going(const struct selection *s, int dir, const char *const *names)
{
	int count = 0;
	struct stat st;

	for (; *names; names++) {
		assert_int_equal(fstatat(dir, *names, &st, AT_SYMLINK_NOFOLLOW),
				 0);
		count += selection_name(s, *names) &&
			 selection_time(s, *names, &st.st_mtim);
	}
	return count;
}

static void as_many_are_kept_as_were_asked_for(void **state)
{
	static const char *const tmp[] = { "*.tmp", NULL };
	static const char *const all[] = { "1.tmp", "2.tmp", "3.tmp",
					   "4.tmp", "5.log", NULL };
	static const int keep_and_go[][2] = {
		{ 1, 3 }, { 2, 2 }, { 3, 1 }, { 4, 0 }, { 5, 0 }
	};
	struct scratch *s = *state;
	uint64_t memory;

	touch_at(s->fd, "1.tmp", 100);
	touch_at(s->fd, "2.tmp", 200);
	touch_at(s->fd, "3.tmp", 200);
	touch_at(s->fd, "4.tmp", 200);
	touch_at(s->fd, "5.log", 300);
	scratch_mkdir(s->fd, "6.tmp");
	for (size_t i = 0; i < COUNT_OF(keep_and_go); i++) {
		struct selection sel = { .match = tmp };

		assert_int_equal(selection_keep(&sel, s->fd,
						(uint64_t)keep_and_go[i][0],
						&memory),
				 0);
		assert_true(selection_is_timed(&sel));
		assert_int_equal(going(&sel, s->fd, all), keep_and_go[i][1]);
		assert_true(memory > 0);
	}
}

/* --- right before the unlink --------------------------------------------- */

static void replaced_entries_are_judged_anew(void **state)
{
	struct scratch *s = *state;
	struct selection sel = { 0 };
	struct place p = { .dir = s->fd, .selection = &sel };
	struct timespec now = at(1000, 0);

	selection_older(&sel, &now, UINT64_C(500000000000));
	touch_at(s->fd, "old", 100);
	touch_at(s->fd, "new", 900);
	/* it was old when it was read, and is not any more */
	assert_int_equal(renameat(s->fd, "new", s->fd, "old"), 0);
	assert_int_equal(op_unlink_selected.run(&p, "old", NULL), OP_KEPT);
	assert_true(scratch_has(s->fd, "old"));
	/* or it is a directory now */
	scratch_mkdir(s->fd, "dir");
	assert_int_equal(op_unlink_selected.run(&p, "dir", NULL), OP_KEPT);
	assert_int_equal(op_unlink_selected.run(&p, "gone", NULL), ENOENT);
	/* a link is as old as itself, not as what it leads to */
	touch_at(s->fd, "ancient", 1);
	assert_int_equal(symlinkat("ancient", s->fd, "link"), 0);
	assert_int_equal(op_unlink_selected.run(&p, "link", NULL), OP_KEPT);
	assert_int_equal(op_unlink_selected.run(&p, "ancient", NULL), 0);
	assert_false(scratch_has(s->fd, "ancient"));
}

#define IN_SCRATCH(test)                                                       \
	cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(ages),
		cmocka_unit_test(a_heap_keeps_the_newest),
		cmocka_unit_test(of_equals_the_later_names_are_newer),
		IN_SCRATCH(as_many_are_kept_as_were_asked_for),
		IN_SCRATCH(replaced_entries_are_judged_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
