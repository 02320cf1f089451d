/* The directories of a layout that are there, and what is not of it. */
#include <errno.h>
#include <string.h>

#include "layout_walk.h"
#include "scratch.h"

struct met {
	unsigned int count;
	char text[1024]; /* "PATH:NAME " of each */
};

static void meet(void *argument, const char *path, const char *name)
{
	struct met *m = argument;
	size_t used = strlen(m->text);

	m->count++;
	snprintf(m->text + used, sizeof(m->text) - used, "%s:%s ", path, name);
}

/* Walk, and write down the directories, which must be open. */
static int walk(struct scratch *s, const char *text, struct met *found,
		struct met *foreign)
{
	struct layout_walk_options o = {
		.base = s->fd,
		.foreign = meet,
		.argument = foreign,
	};
	struct layout_walk *w;
	struct layout l;
	const char *path, *why;
	int fd, got;

	assert_int_equal(layout_parse(&l, text, &why), 0);
	o.layout = &l;
	assert_int_equal(layout_walk_open(&w, &o), 0);
	while ((got = layout_walk_next(w, &fd, &path)) == 1) {
		struct stat a, b;

		assert_int_equal(fstat(fd, &a), 0);
		assert_int_equal(fstatat(s->fd, path[0] ? path : ".", &b, 0),
				 0);
		assert_int_equal(a.st_ino, b.st_ino);
		meet(found, path, "");
	}
	layout_walk_close(w);
	return got;
}

static void flat_is_the_base_alone(void **state)
{
	struct met found = { 0 }, foreign = { 0 };

	scratch_mkdir(((struct scratch *)*state)->fd, "00");
	assert_int_equal(walk(*state, "flat", &found, &foreign), 0);
	assert_int_equal(found.count, 1);
	assert_string_equal(found.text, ": ");
	assert_int_equal(foreign.count, 0);
}

static void each_directory_comes_once(void **state)
{
	struct scratch *s = *state;
	struct met found = { 0 }, foreign = { 0 };
	char path[16];

	for (unsigned int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%02X", i);
		scratch_mkdir(s->fd, path);
		for (unsigned int k = 0; k < 3 * i; k++) {
			snprintf(path, sizeof(path), "%02X/%02X", i, k);
			scratch_mkdir(s->fd, path);
		}
	}
	assert_int_equal(walk(s, "fanout:4:16", &found, &foreign), 0);
	assert_int_equal(found.count, 3 + 6 + 9);
	assert_int_equal(foreign.count, 0);
	assert_non_null(strstr(found.text, "03/08: "));
	assert_null(strstr(found.text, "00/"));
}

static void what_is_not_of_the_layout_is_told_and_not_entered(void **state)
{
	static const char *const names[] = { "04", "0", "0a", "000", "xx" };
	struct scratch *s = *state;
	struct met found = { 0 }, foreign = { 0 };

	for (size_t i = 0; i < COUNT_OF(names); i++)
		scratch_mkdir(s->fd, names[i]);
	scratch_mkdir(s->fd, "03");
	scratch_mkdir(s->fd, "04/00");
	scratch_mkdir(s->fd, "03/02");
	scratch_mkdir(s->fd, "03/02/00");
	scratch_touch(s->fd, "00");
	assert_int_equal(symlinkat("03", s->fd, "01"), 0);
	scratch_touch(s->fd, "03/00");
	assert_int_equal(walk(s, "fanout:4:4", &found, &foreign), 0);
	assert_string_equal(found.text, "03/02: ");
	assert_int_equal(foreign.count, COUNT_OF(names) + 3);
	assert_non_null(strstr(foreign.text, ":01 "));
	assert_non_null(strstr(foreign.text, "03:00 "));
}

static void parts_of_names_are_as_long_as_their_level(void **state)
{
	struct scratch *s = *state;
	struct met found = { 0 }, foreign = { 0 };

	scratch_mkdir(s->fd, "a");
	scratch_mkdir(s->fd, "a/bc");
	scratch_mkdir(s->fd, "a/b");
	scratch_mkdir(s->fd, "ab");
	assert_int_equal(walk(s, "levels:1:2", &found, &foreign), 0);
	assert_string_equal(found.text, "a/bc: ");
	assert_int_equal(foreign.count, 2);
}

static void an_empty_base_has_none(void **state)
{
	struct met found = { 0 }, foreign = { 0 };

	assert_int_equal(walk(*state, "prefix:2:2", &found, &foreign), 0);
	assert_int_equal(found.count + foreign.count, 0);
}

int main(void)
{
#define SCRATCH_TEST(f)                                                        \
	cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
	const struct CMUnitTest tests[] = {
		SCRATCH_TEST(flat_is_the_base_alone),
		SCRATCH_TEST(each_directory_comes_once),
		SCRATCH_TEST(what_is_not_of_the_layout_is_told_and_not_entered),
		SCRATCH_TEST(parts_of_names_are_as_long_as_their_level),
		SCRATCH_TEST(an_empty_base_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
