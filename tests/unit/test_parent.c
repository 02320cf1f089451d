/* The table of a layout's directories: bounded, and no way out of the base. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "parent.h"
#include "scratch.h"

struct calls {
	unsigned int open, absent, mkdir, failed;
};

static void count_call(void *argument, enum parent_call call, int err)
{
	struct calls *c = argument;

	if (err && call != PARENT_ABSENT)
		c->failed++;
	else if (call == PARENT_OPEN)
		c->open++;
	else if (call == PARENT_ABSENT)
		c->absent++;
	else
		c->mkdir++;
}

static struct parents *open_table(struct scratch *s, unsigned int room,
				  bool make, struct calls *c)
{
	struct parents_options o = {
		.base = s->fd,
		.room = room,
		.longest = 64,
		.make = make,
		.mode = 0700,
		.called = c ? count_call : NULL,
		.argument = c,
	};
	struct parents *p;

	assert_int_equal(parents_open(&p, &o), 0);
	return p;
}

static int find(struct parents *p, const char *path)
{
	size_t length = strlen(path);

	return parent_find(p, path, length, parent_hash(path, length));
}

static void forget(struct parents *p, const char *path)
{
	size_t length = strlen(path);

	parent_forget(p, path, length, parent_hash(path, length));
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* The descriptor leads to that directory below the scratch one. */
static void expect_leads_to(struct scratch *s, int fd, const char *path)
{
	struct stat a, b;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &a), 0);
	assert_int_equal(fstatat(s->fd, path, &b, 0), 0);
	assert_int_equal(a.st_ino, b.st_ino);
}

static void the_base_is_no_entry(void **state)
{
	struct scratch *s = *state;
	struct parents *p = open_table(s, 1, false, NULL);

	assert_int_equal(find(p, ""), s->fd);
	assert_int_equal(parents_counts(p)->misses, 0);
	parents_close(p);
	assert_true(is_open(s->fd));
}

static void directories_are_made_on_demand_once(void **state)
{
	struct scratch *s = *state;
	struct calls c = { 0 };
	struct parents *p = open_table(s, 8, true, &c);
	int fd = find(p, "0A/1F");

	expect_leads_to(s, fd, "0A/1F");
	assert_int_equal(c.mkdir, 2);
	assert_int_equal(c.absent, 2);
	assert_int_equal(c.open, 2);
	assert_int_equal(find(p, "0A/1F"), fd);
	assert_int_equal(c.open, 2);
	expect_leads_to(s, find(p, "0A/20"), "0A/20");
	assert_int_equal(c.mkdir, 3);
	assert_int_equal(c.failed, 0);
	assert_int_equal(parents_counts(p)->hits, 1);
	assert_int_equal(parents_counts(p)->misses, 2);
	assert_int_equal(parents_counts(p)->made, 3);
	parents_close(p);
	assert_false(is_open(fd));
}

static void directories_that_are_not_to_be_made_are_not(void **state)
{
	struct scratch *s = *state;
	struct parents *p = open_table(s, 8, false, NULL);

	scratch_mkdir(s->fd, "a");
	assert_int_equal(find(p, "a/b"), -ENOENT);
	assert_false(scratch_has(s->fd, "a/b"));
	assert_int_equal(find(p, "x"), -ENOENT);
	expect_leads_to(s, find(p, "a"), "a");
	parents_close(p);
}

static void links_and_files_are_not_entered(void **state)
{
	struct scratch *s = *state;
	struct parents *p = open_table(s, 8, true, NULL);

	scratch_mkdir(s->fd, "real");
	assert_int_equal(symlinkat("real", s->fd, "link"), 0);
	assert_int_equal(symlinkat("nowhere", s->fd, "dangling"), 0);
	scratch_touch(s->fd, "file");
	assert_true(find(p, "link/x") < 0);
	assert_true(find(p, "link") < 0);
	assert_true(find(p, "dangling") < 0);
	assert_int_equal(find(p, "file"), -ENOTDIR);
	assert_int_equal(find(p, "file/x"), -ENOTDIR);
	assert_false(scratch_has(s->fd, "real/x"));
	assert_false(scratch_has(s->fd, "nowhere"));
	parents_close(p);
}

static void the_one_used_longest_ago_makes_room(void **state)
{
	struct scratch *s = *state;
	struct parents *p = open_table(s, 3, true, NULL);
	int a = find(p, "a"), b = find(p, "b"), c = find(p, "c");

	assert_int_equal(find(p, "a"), a);
	find(p, "d"); /* in place of b */
	assert_int_equal(parents_counts(p)->evicted, 1);
	assert_int_equal(find(p, "a"), a);
	assert_int_equal(find(p, "c"), c);
	assert_int_equal(parents_counts(p)->misses, 4);
	expect_leads_to(s, find(p, "b"), "b");
	assert_int_equal(parents_counts(p)->misses, 5);
	(void)b;
	parents_close(p);
}

/* Against the plainest possible model, through many evictions. */
static void a_full_table_stays_right(void **state)
{
	enum { NAMES = 97, ROOM = 13, ROUNDS = 20000 };
	struct scratch *s = *state;
	struct parents *p = open_table(s, ROOM, true, NULL);
	unsigned int recent[ROOM], used = 0, hits = 0, seed = 1;

	for (int i = 0; i < ROUNDS; i++) {
		char path[16];
		unsigned int name, at;

		seed = seed * 1103515245 + 12345;
		name = (seed >> 16) % NAMES * ((seed >> 8) % 2);
		snprintf(path, sizeof(path), "%x/%x", name % 7, name);
		for (at = 0; at < used && recent[at] != name; at++)
			continue;
		if (i % 50 == 49) {
			forget(p, path);
			if (at < used)
				memmove(recent + at, recent + at + 1,
					(--used - at) * sizeof(*recent));
			continue;
		}
		hits += at < used;
		if (at == used && used < ROOM)
			used++;
		else if (at == used)
			at--;
		memmove(recent + 1, recent, at * sizeof(*recent));
		recent[0] = name;
		expect_leads_to(s, find(p, path), path);
		assert_int_equal(parents_counts(p)->hits, hits);
	}
	assert_true(hits > 0 && parents_counts(p)->evicted > 1000);
	parents_close(p);
}

static void what_is_forgotten_is_closed(void **state)
{
	struct scratch *s = *state;
	struct parents *p = open_table(s, 4, true, NULL);
	int a = find(p, "a"), b = find(p, "b");

	forget(p, "nothing");
	forget(p, "a");
	assert_false(is_open(a));
	assert_int_equal(find(p, "b"), b);
	assert_int_equal(unlinkat(s->fd, "a", AT_REMOVEDIR), 0);
	expect_leads_to(s, find(p, "a"), "a");
	parents_close(p);
}

static void a_failure_keeps_the_table_as_it_was(void **state)
{
	struct scratch *s = *state;
	struct calls c = { 0 };
	struct parents *p = open_table(s, 2, true, &c);
	int a = find(p, "a");

	scratch_touch(s->fd, "file");
	for (int i = 0; i < 10; i++)
		assert_int_equal(find(p, "file"), -ENOTDIR);
	assert_int_equal(c.failed, 10);
	assert_int_equal(find(p, "a"), a);
	parents_close(p);
}

static void the_nearest_is_the_deepest_that_is_there(void **state)
{
	struct scratch *s = *state;
	struct parents *p = open_table(s, 4, false, NULL);
	size_t known;

	scratch_mkdir(s->fd, "ab");
	scratch_mkdir(s->fd, "ab/cd");
	expect_leads_to(s, parent_nearest(p, "ab/cd", 5, &known), "ab/cd");
	assert_int_equal(known, 5);
	expect_leads_to(s, parent_nearest(p, "ab/cd/ef/gh", 11, &known),
			"ab/cd");
	assert_int_equal(known, 5);
	expect_leads_to(s, parent_nearest(p, "ab/x", 4, &known), "ab");
	assert_int_equal(known, 2);
	assert_int_equal(parent_nearest(p, "x/ab", 4, &known), s->fd);
	assert_int_equal(known, 0);
	scratch_touch(s->fd, "file");
	assert_int_equal(parent_nearest(p, "file/x", 6, &known), -ENOTDIR);
	parents_close(p);
}

static void a_path_that_is_too_long_is_refused(void **state)
{
	static const char path[] = "0123456789012345678901234567890123456789"
				   "0123456789012345678901234";
	struct parents *p = open_table(*state, 4, true, NULL);

	assert_int_equal(find(p, path), -ENAMETOOLONG);
	parents_close(p);
}

static void room_is_what_the_limit_of_files_allows(void **state)
{
	(void)state;
	assert_int_equal(parents_allowed(8, 2), 8);
	assert_true(parents_allowed(PARENT_MOST, 1024) < PARENT_MOST);
}

int main(void)
{
#define SCRATCH_TEST(f)                                                        \
	cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
	const struct CMUnitTest tests[] = {
		SCRATCH_TEST(the_base_is_no_entry),
		SCRATCH_TEST(directories_are_made_on_demand_once),
		SCRATCH_TEST(directories_that_are_not_to_be_made_are_not),
		SCRATCH_TEST(links_and_files_are_not_entered),
		SCRATCH_TEST(the_one_used_longest_ago_makes_room),
		SCRATCH_TEST(a_full_table_stays_right),
		SCRATCH_TEST(what_is_forgotten_is_closed),
		SCRATCH_TEST(a_failure_keeps_the_table_as_it_was),
		SCRATCH_TEST(the_nearest_is_the_deepest_that_is_there),
		SCRATCH_TEST(a_path_that_is_too_long_is_refused),
		cmocka_unit_test(room_is_what_the_limit_of_files_allows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
