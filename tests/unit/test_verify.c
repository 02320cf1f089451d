/* Verification: what is missing, added or wrong is found, and named. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "scratch.h"
#include "verify.h"

#define COUNT 500

static struct name_scheme scheme;

static void make_names(int dir)
{
	char name[NAME_BUFFER];
	const char *why;

	assert_int_equal(name_parse(&scheme, "hex", NULL, &why), 0);
	for (uint64_t i = 0; i < COUNT; i++) {
		name_make(&scheme, 100 + i, name);
		scratch_touch(dir, name);
	}
}

static struct expectation expect(uint64_t present)
{
	return (struct expectation){ .scheme = &scheme,
				     .start = 100,
				     .count = COUNT,
				     .present = present };
}

static void all_there_passes(void **state)
{
	struct scratch *s = *state;
	struct expectation e = expect(COUNT);
	struct verification v;

	make_names(s->fd);
	verify(s->fd, &e, &v);
	assert_true(v.passed);
	assert_false(v.by_count_only || v.interrupted || v.err);
	assert_int_equal(v.present, COUNT);
	assert_int_equal(v.others, 0);
	assert_true(v.digest[0] || v.digest[1]);
	assert_memory_equal(v.digest, v.expected_digest, sizeof(v.digest));
}

static void the_missing_are_named(void **state)
{
	struct scratch *s = *state;
	struct expectation e = expect(COUNT);
	struct verification v;

	make_names(s->fd);
	assert_int_equal(unlinkat(s->fd, "00000064", 0), 0); /* the first */
	assert_int_equal(unlinkat(s->fd, "00000257", 0), 0); /* the last */
	verify(s->fd, &e, &v);
	assert_false(v.passed);
	assert_int_equal(v.present, COUNT - 2);
	assert_int_equal(v.missing.count, 2);
	assert_string_equal(v.missing.example[0], "00000064");
	assert_string_equal(v.missing.example[1], "00000257");
	assert_int_equal(v.unexpected.count, 0);
}

static void the_unexpected_are_named(void **state)
{
	struct scratch *s = *state;
	struct expectation e = expect(COUNT);
	struct verification v;

	make_names(s->fd);
	scratch_touch(s->fd, "00000063"); /* one before the first */
	scratch_touch(s->fd, "00000258"); /* one after the last */
	scratch_touch(s->fd, "0000006a"); /* almost one of them */
	scratch_mkdir(s->fd, "a\nb");
	verify(s->fd, &e, &v);
	assert_false(v.passed);
	assert_int_equal(v.present, COUNT);
	assert_int_equal(v.others, 4);
	assert_int_equal(v.unexpected.count, 4);
	assert_int_equal(v.unexpected.examples, 4);
	assert_int_equal(v.missing.count, 0);
	e.others_allowed = true;
	verify(s->fd, &e, &v);
	assert_true(v.passed);
	assert_int_equal(v.others, 4);
}

/* As many names as there should be, but one is another. */
static void a_wrong_name_is_missing_and_unexpected(void **state)
{
	struct scratch *s = *state;
	struct expectation e = expect(COUNT);
	struct verification v;

	make_names(s->fd);
	assert_int_equal(renameat(s->fd, "00000070", s->fd, "00000258"), 0);
	for (int allowed = 0; allowed < 2; allowed++) {
		e.others_allowed = allowed;
		verify(s->fd, &e, &v);
		assert_false(v.passed);
		assert_int_equal(v.missing.count, 1);
		assert_string_equal(v.missing.example[0], "00000070");
		assert_int_equal(v.unexpected.count, !allowed);
		if (!allowed)
			assert_string_equal(v.unexpected.example[0],
					    "00000258");
	}
}

static void what_should_be_gone_is_named(void **state)
{
	struct scratch *s = *state;
	struct expectation e = expect(0);
	struct verification v;

	make_names(s->fd);
	verify(s->fd, &e, &v);
	assert_false(v.passed);
	assert_int_equal(v.present, COUNT);
	assert_int_equal(v.unexpected.count, COUNT);
	assert_int_equal(v.unexpected.examples, VERIFY_EXAMPLES);
}

static void all_gone_passes(void **state)
{
	struct scratch *s = *state;
	struct expectation e = expect(0);
	struct verification v;
	const char *why;

	assert_int_equal(name_parse(&scheme, "hex", NULL, &why), 0);
	verify(s->fd, &e, &v);
	assert_true(v.passed);
	scratch_touch(s->fd, "other");
	verify(s->fd, &e, &v);
	assert_false(v.passed);
	assert_string_equal(v.unexpected.example[0], "other");
	e.others_allowed = true;
	verify(s->fd, &e, &v);
	assert_true(v.passed);
}

static void a_part_is_known_by_count(void **state)
{
	struct scratch *s = *state;
	struct expectation e = expect(COUNT - 1);
	struct verification v;

	make_names(s->fd);
	verify(s->fd, &e, &v);
	assert_false(v.passed);
	assert_int_equal(unlinkat(s->fd, "00000070", 0), 0);
	verify(s->fd, &e, &v);
	assert_true(v.passed);
	assert_true(v.by_count_only);
	assert_int_equal(unlinkat(s->fd, "00000071", 0), 0);
	verify(s->fd, &e, &v);
	assert_false(v.passed);
}

static void an_unreadable_directory_is_no_pass(void **state)
{
	struct scratch *s = *state;
	struct expectation e = expect(0);
	struct verification v;
	const char *why;
	int fd;

	assert_int_equal(name_parse(&scheme, "hex", NULL, &why), 0);
	scratch_touch(s->fd, "file");
	fd = openat(s->fd, "file", O_RDONLY);
	verify(fd, &e, &v);
	assert_false(v.passed);
	assert_int_equal(v.err, ENOTDIR);
	close(fd);
}

#define TEST(f)                                                                \
	cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)

/* The names of the test in a layout; then what it should find of changes. */
static void a_layout_is_read_through(void **state)
{
	struct scratch *s = *state;
	struct expectation e = expect(COUNT);
	struct verification v;
	struct layout l;
	const char *why;

	make_names(s->fd);
	assert_int_equal(layout_parse(&l, "prefix:6:1", &why), 0);
	e.layout = &l;
	verify(s->fd, &e, &v);
	assert_false(v.passed);
	assert_int_equal(v.misplaced.count, COUNT);
	for (uint64_t i = 0; i < COUNT; i++) {
		char name[NAME_BUFFER], to[2 * NAME_BUFFER];

		name_make(&scheme, 100 + i, name);
		snprintf(to, sizeof(to), "%.6s", name);
		mkdirat(s->fd, to, 0700);
		snprintf(to, sizeof(to), "%.6s/%.1s", name, name + 6);
		mkdirat(s->fd, to, 0700);
		snprintf(to, sizeof(to), "%.6s/%.1s/%s", name, name + 6, name);
		assert_int_equal(renameat(s->fd, name, s->fd, to), 0);
	}
	verify(s->fd, &e, &v);
	assert_true(v.passed);
	assert_int_equal(v.present, COUNT);
	/* 100 to 599: 64 to 257 in hex, so 06 to 25 without the last digit */
	assert_int_equal(v.directories, 0x25 - 0x06 + 1);
	assert_int_equal(renameat(s->fd, "000000/6/00000064", s->fd,
				  "000000/7/00000064"),
			 0);
	scratch_touch(s->fd, "000000/6/other");
	e.others_allowed = true;
	verify(s->fd, &e, &v);
	assert_false(v.passed);
	assert_int_equal(v.others, 1);
	assert_int_equal(v.misplaced.count, 1);
	assert_string_equal(v.misplaced.example[0], "000000/7/00000064");
	assert_int_equal(v.missing.count, 1);
	assert_string_equal(v.missing.example[0], "00000064");
	e.elsewhere_allowed = true;
	verify(s->fd, &e, &v);
	assert_false(v.passed);
	assert_int_equal(v.misplaced.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_there_passes),
		TEST(the_missing_are_named),
		TEST(the_unexpected_are_named),
		TEST(a_wrong_name_is_missing_and_unexpected),
		TEST(what_should_be_gone_is_named),
		TEST(all_gone_passes),
		TEST(a_part_is_known_by_count),
		TEST(an_unreadable_directory_is_no_pass),
		TEST(a_layout_is_read_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
