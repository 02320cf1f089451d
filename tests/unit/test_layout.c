/* Layouts: where an entry lives below the directory. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "layout.h"
#include "name.h"
#include "unit.h"

static struct layout read_layout(const char *text)
{
	struct layout l;
	const char *why = "";

	if (layout_parse(&l, text, &why) < 0)
		fail_msg("%s: %s", text, why);
	return l;
}

static void expect_path(const char *text, uint64_t index, const char *name,
			const char *want)
{
	struct layout l = read_layout(text);
	char path[LAYOUT_PATH];
	int length =
		layout_path(&l, index, name, strlen(name), path, sizeof(path));

	assert_string_equal(path, want);
	assert_int_equal(length, strlen(want));
}

static void expect_refused(const char *text, const char *because)
{
	struct layout l;
	const char *why = "";

	assert_int_equal(layout_parse(&l, text, &why), -EINVAL);
	if (!strstr(why, because))
		fail_msg("%s: '%s' does not say '%s'", text, why, because);
}

static void texts_come_back_as_they_were(void **state)
{
	static const char *const texts[] = { "flat",	      "fanout:256",
					     "fanout:16:256", "levels:1:2",
					     "prefix:2:2",    "prefix:1:1:1:1",
					     "levels:255",    "fanout:1:1:7" };
	static char buf[LAYOUT_TEXT];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct layout l = read_layout(texts[i]);

		assert_string_equal(layout_print(&l, buf, sizeof(buf)),
				    texts[i]);
	}
	/* cut, but ended, where there is little room */
	struct layout l = read_layout("fanout:16:256");

	assert_string_equal(layout_print(&l, buf, 10), "fanout:16");
}

static void what_is_no_layout_is_refused(void **state)
{
	(void)state;
	expect_refused("", "no such");
	expect_refused("tree", "no such");
	expect_refused("fan:16", "no such");
	expect_refused("flat:1", "no numbers");
	expect_refused("levels", "number for each level");
	expect_refused("levels:", "bytes of the name");
	expect_refused("levels:1:", "bytes of the name");
	expect_refused("levels::1", "bytes of the name");
	expect_refused("levels:0", "bytes of the name");
	expect_refused("levels:-1", "bytes of the name");
	expect_refused("prefix:256", "bytes of the name");
	expect_refused("prefix:2x", "bytes of the name");
	expect_refused("prefix:128:128", "255 bytes");
	expect_refused("fanout:0:2", "directories in each");
	expect_refused("fanout:4294967296", "directories in each");
	expect_refused("fanout:00000000000000000001", "directories in each");
}

/* The formula of squid's ufs store: ((n / L2) / L2) % L1, (n / L2) % L2. */
static void fanout_is_squids(void **state)
{
	(void)state;
	expect_path("fanout:16:256", 0, "a", "00/00");
	expect_path("fanout:16:256", 255, "a", "00/00");
	expect_path("fanout:16:256", 256, "a", "00/01");
	expect_path("fanout:16:256", 65535, "a", "00/FF");
	expect_path("fanout:16:256", 65536, "a", "01/00");
	expect_path("fanout:16:256", 0xFFFFF, "a", "0F/FF");
	expect_path("fanout:16:256", 0x100000, "a", "00/00");
	for (uint64_t n = 0; n < 3000000; n += 7919) {
		char want[32];

		snprintf(want, sizeof(want), "%02X/%02X",
			 (unsigned int)(n / 100 / 100 % 33),
			 (unsigned int)(n / 100 % 100));
		expect_path("fanout:33:100", n, "x", want);
	}
}

static void fanout_of_other_depths(void **state)
{
	(void)state;
	expect_path("fanout:4", 3, "a", "00");
	expect_path("fanout:4", 4, "a", "01");
	expect_path("fanout:4", 16, "a", "00");
	expect_path("fanout:2:3:5", 5, "a", "00/00/01");
	expect_path("fanout:2:3:5", 25, "a", "00/01/00");
	expect_path("fanout:2:3:5", 75, "a", "01/00/00");
	/* more digits where two are too few */
	expect_path("fanout:70000", UINT64_C(70000) * 0x1100, "a", "1100");
	expect_path("fanout:4294967295", UINT64_MAX, "a", "02");
}

/* The example of nginx's manual. */
static void levels_go_by_the_end_of_the_name(void **state)
{
	const char *key = "b7f54b2df7773722d382f4809d65029c";

	(void)state;
	expect_path("levels:1:2", 0, key, "c/29");
	expect_path("levels:2:2:2", 7, key, "9c/02/65");
	expect_path("levels:1:2", 0, "abc", "c/ab");
}

static void prefix_goes_by_its_beginning(void **state)
{
	(void)state;
	expect_path("prefix:2:2", 0, "b7f54b2d", "b7/f5");
	expect_path("prefix:2", 9, "b7f54b2d", "b7");
	expect_path("prefix:8", 9, "b7f54b2d", "b7f54b2d");
}

static void flat_is_the_directory_itself(void **state)
{
	(void)state;
	expect_path("flat", 12345, "abc", "");
}

static void names_that_cannot_be_placed_are_refused(void **state)
{
	struct layout prefix = read_layout("prefix:1:2");
	struct layout levels = read_layout("levels:1:2");
	char path[LAYOUT_PATH];

	(void)state;
	assert_int_equal(layout_least_name(&prefix), 3);
	assert_int_equal(layout_path(&prefix, 0, "ab", 2, path, sizeof(path)),
			 -EINVAL);
	assert_int_equal(layout_path(&levels, 0, "ab", 2, path, sizeof(path)),
			 -EINVAL);
	/* . and .. would lead elsewhere */
	assert_int_equal(layout_path(&prefix, 0, ".abc", 4, path, sizeof(path)),
			 -EINVAL);
	assert_int_equal(layout_path(&prefix, 0, "a..b", 4, path, sizeof(path)),
			 -EINVAL);
	assert_int_equal(layout_path(&levels, 0, "b..a", 4, path, sizeof(path)),
			 -EINVAL);
	/* but these are names like others */
	assert_int_equal(layout_path(&prefix, 0, "a.b", 3, path, sizeof(path)),
			 4);
	assert_string_equal(path, "a/.b");
}

static void a_short_buffer_is_not_overrun(void **state)
{
	static const char *const texts[] = { "fanout:16:256", "prefix:2:2",
					     "levels:2:2" };
	char path[8];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct layout l = read_layout(texts[i]);

		assert_int_equal(layout_longest(&l), 5);
		memset(path, 'x', sizeof(path));
		assert_int_equal(layout_path(&l, 1, "abcdef", 6, path, 5),
				 -ENAMETOOLONG);
		assert_int_equal(layout_path(&l, 1, "abcdef", 6, path, 6), 5);
		assert_int_equal(path[5], '\0');
		assert_int_equal(path[6], 'x');
	}
}

static void directories_are_counted_where_they_are_finite(void **state)
{
	struct layout l = read_layout("fanout:16:256");
	uint64_t leaves, all;

	(void)state;
	assert_true(layout_directories(&l, &leaves, &all));
	assert_int_equal(leaves, 4096);
	assert_int_equal(all, 4112);
	l = read_layout("flat");
	assert_true(layout_directories(&l, &leaves, &all));
	assert_int_equal(leaves, 1);
	assert_int_equal(all, 0);
	l = read_layout("levels:1:2");
	assert_false(layout_directories(&l, &leaves, &all));
	l = read_layout("fanout:4294967295:4294967295:4294967295");
	assert_false(layout_directories(&l, &leaves, &all));
}

/* As deep as a path can be, and not a level deeper. */
static void depth_ends_with_the_path(void **state)
{
	static char text[LAYOUT_TEXT], again[LAYOUT_TEXT];
	static char path[LAYOUT_PATH];
	unsigned int deepest = (LAYOUT_PATH - 1 + 1) / 3; /* "00/" each */
	size_t at = (size_t)sprintf(text, "fanout");
	struct layout l;
	const char *why;

	(void)state;
	for (unsigned int n = 0; n < deepest; n++)
		at += (size_t)sprintf(text + at, ":3");
	l = read_layout(text);
	assert_int_equal(l.depth, deepest);
	assert_int_equal(layout_path(&l, 5, "a", 1, path, sizeof(path)),
			 deepest * 3 - 1);
	assert_string_equal(path + deepest * 3 - 6, "00/01");
	assert_string_equal(layout_print(&l, again, sizeof(again)), text);
	sprintf(text + at, ":3");
	assert_int_equal(layout_parse(&l, text, &why), -EINVAL);
	assert_non_null(strstr(why, "paths"));
}

/* Hashed names spread evenly over all directories that hex digits make. */
static void hashed_names_spread_evenly(void **state)
{
	struct layout l = read_layout("levels:1:2");
	static unsigned int count[4096];
	struct name_scheme s;
	const char *why;
	char name[NAME_BUFFER], path[LAYOUT_PATH];

	(void)state;
	assert_int_equal(name_parse(&s, "hash", NULL, &why), 0);
	for (uint64_t i = 0; i < 100 * COUNT_OF(count); i++) {
		size_t length = name_make(&s, i, name);
		unsigned int a, b;

		layout_path(&l, i, name, length, path, sizeof(path));
		assert_int_equal(sscanf(path, "%1x/%2x", &a, &b), 2);
		count[a << 8 | b]++;
	}
	for (size_t i = 0; i < COUNT_OF(count); i++)
		assert_in_range(count[i], 40, 160); /* 6 sigma */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_come_back_as_they_were),
		cmocka_unit_test(what_is_no_layout_is_refused),
		cmocka_unit_test(fanout_is_squids),
		cmocka_unit_test(fanout_of_other_depths),
		cmocka_unit_test(levels_go_by_the_end_of_the_name),
		cmocka_unit_test(prefix_goes_by_its_beginning),
		cmocka_unit_test(flat_is_the_directory_itself),
		cmocka_unit_test(names_that_cannot_be_placed_are_refused),
		cmocka_unit_test(a_short_buffer_is_not_overrun),
		cmocka_unit_test(directories_are_counted_where_they_are_finite),
		cmocka_unit_test(depth_ends_with_the_path),
		cmocka_unit_test(hashed_names_spread_evenly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
