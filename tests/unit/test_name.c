/* Naming schemes: golden names, every way back, and names of others. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "name.h"
#include "unit.h"

static void parse(struct name_scheme *s, const char *text, const char *prefix)
{
	const char *why = NULL;

	if (name_parse(s, text, prefix, &why) != 0)
		fail_msg("--name %s: %s", text, why);
}

static const struct {
	const char *scheme;
	uint64_t index;
	const char *name;
} golden[] = {
	{ "hex", 0, "00000000" },
	{ "hex", 0x9a, "0000009A" },
	{ "hex", 299999, "000493DF" },
	{ "hex", UINT64_C(0xffffffff), "FFFFFFFF" },
	{ "hex", UINT64_C(0x100000000), "100000000" },
	{ "hex", INT64_MAX, "7FFFFFFFFFFFFFFF" },
	{ "dec", 0, "0" },
	{ "dec", 299999, "299999" },
	{ "dec", INT64_MAX, "9223372036854775807" },
	{ "hash", 0, "c77b3abb6f87acd9" },
	{ "hash", 1, "2fbc593564db792e" },
	{ "hash", 299999, "8daf1ea8fe33b69c" },
	{ "hash", INT64_MAX, "a233cf376558df46" },
	{ "uuid", 0, "c77b3abb-6f87-8acd-a544-471f91f5e110" },
	{ "uuid", 255, "0d00568a-2225-8a3e-963a-694d65836925" },
	{ "uuid", INT64_MAX, "a233cf37-6558-8df4-9a0a-3c91d9e26839" },
	{ "long:8", 255, "000000FF" },
	{ "long:20", 0, "00000000xxxxxxxxxxxx" },
	{ "long:20", INT64_MAX, "7FFFFFFFFFFFFFFFxxxx" },
	{ "maildir", 0, "1000000000.M000000P1.bigdir" },
	{ "maildir", 299999, "1000000299.M999000P1.bigdir" },
	{ "img%05d.jpg", 255, "img00255.jpg" },
	{ "img%05d.jpg", 299999, "img299999.jpg" },
	{ "%010xabc", 255, "00000000ffabc" },
	{ "%d0", 12, "120" },
	{ "%o", 299999, "1111737" },
	{ "%5x", 255, "   ff" },
	{ "%X", 255, "FF" },
	{ "a%%%08u", 299999, "a%00299999" },
	{ "%d%%", 7, "7%" },
};

static void makes_golden_names(void **state)
{
	struct name_scheme s;
	char name[NAME_BUFFER];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(golden); i++) {
		parse(&s, golden[i].scheme, NULL);
		assert_int_equal(name_make(&s, golden[i].index, name),
				 strlen(golden[i].name));
		assert_string_equal(name, golden[i].name);
	}
}

static const char *const schemes[] = {
	"hex",	   "dec",      "hash",	 "uuid",      "long:8",
	"long:9",  "long:200", "%d",	 "%05u",      "%5d",
	"x%xx",	   "0%X",      "%255o",	 "%%%d",      "%d.5",
	"maildir", "f%08d.a",  "%03x%%", "  %4X end", "-%d-",
};

static void goes_back_from(const struct name_scheme *s, uint64_t index)
{
	char name[NAME_BUFFER];
	uint64_t back = ~index;
	size_t length = name_make(s, index, name);

	assert_int_equal(length, strlen(name));
	assert_true(length <= name_longest(s, index));
	if (!name_index(s, name, &back))
		fail_msg("'%s' is not known again", name);
	assert_true(back == index);
}

/* All small numbers, and those around every power of two and of ten. */
static void every_scheme_goes_back(void **state)
{
	struct name_scheme s;

	(void)state;
	for (size_t i = 0; i < 2 * COUNT_OF(schemes); i++) {
		parse(&s, schemes[i / 2], i % 2 && i / 2 != 12 ? "p-" : NULL);
		for (uint64_t n = 0; n < 3000; n++)
			goes_back_from(&s, n);
		for (unsigned int bit = 12; bit < 63; bit++)
			for (uint64_t d = 0; d < 5; d++)
				goes_back_from(&s,
					       (UINT64_C(1) << bit) + d - 2);
		for (uint64_t ten = 10000; ten < INT64_MAX / 10; ten *= 10)
			for (uint64_t d = 0; d < 3; d++)
				goes_back_from(&s, ten + d - 1);
		goes_back_from(&s, INT64_MAX);
	}
}

/* The longest name of a range has the length that is told beforehand. */
static void longest_is_the_longest(void **state)
{
	static const uint64_t last[] = { 0,  7,	    8,	    9,
					 10, 99999, 100000, INT64_MAX };
	struct name_scheme s;
	char name[NAME_BUFFER];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(schemes); i++)
		for (size_t n = 0; n < COUNT_OF(last); n++) {
			parse(&s, schemes[i], NULL);
			assert_int_equal(name_make(&s, last[n], name),
					 name_longest(&s, last[n]));
		}
}

static void too_long_is_told(void **state)
{
	struct name_scheme s;
	char prefix[NAME_BUFFER];

	(void)state;
	memset(prefix, 'p', sizeof(prefix));
	prefix[250] = '\0';
	parse(&s, "%d", prefix);
	assert_int_equal(name_longest(&s, 99999), NAME_MAX);
	assert_true(name_longest(&s, 100000) > NAME_MAX);
	parse(&s, "long:8", prefix);
	assert_true(name_longest(&s, 0) > NAME_MAX);
}

static const struct {
	const char *scheme, *prefix, *name;
} foreign[] = {
	{ "hex", NULL, "" },
	{ "hex", NULL, "0" },
	{ "hex", NULL, "000000ff" }, /* other case */
	{ "hex", NULL, "0000000000" }, /* leading zeros */
	{ "hex", NULL, "0000000FF" }, /* one zero too many */
	{ "hex", NULL, "000000F" }, /* one too few */
	{ "hex", NULL, "000000FF " },
	{ "hex", NULL, " 000000FF" },
	{ "hex", NULL, "000000FF\n" },
	{ "hex", NULL, "\n000000FF" },
	{ "hex", NULL, "0000\n0FF" },
	{ "hex", NULL, "0x0000FF" },
	{ "hex", NULL, "+00000FF" },
	{ "hex", NULL, "-00000FF" },
	{ "hex", NULL, "000000FG" },
	{ "hex", NULL, "10000000000000000" }, /* 2^64 */
	{ "hex", NULL, "FFFFFFFFFFFFFFFFF" },
	{ "hex", "a", "000000FF" },
	{ "hex", NULL, "a000000FF" },
	{ "dec", NULL, "" },
	{ "dec", NULL, "00" },
	{ "dec", NULL, "01" },
	{ "dec", NULL, "-1" },
	{ "dec", NULL, "+1" },
	{ "dec", NULL, " 1" },
	{ "dec", NULL, "1\n" },
	{ "dec", NULL, "1.0" },
	{ "dec", NULL, "1e3" },
	{ "dec", NULL, "0x1" },
	{ "dec", NULL, "18446744073709551616" },
	{ "dec", NULL, "99999999999999999999999" },
	{ "dec", "f", "f01" },
	{ "dec", "f", "F1" },
	{ "dec", "f", "f" },
	{ "hash", NULL, "C77B3ABB6F87ACD9" },
	{ "hash", NULL, "c77b3abb6f87acd" },
	{ "hash", NULL, "c77b3abb6f87acd90" },
	{ "hash", NULL, "c77b3abb6f87acg9" },
	{ "uuid", NULL, "C77B3ABB-6F87-8ACD-A544-471F91F5E110" },
	{ "uuid", NULL, "c77b3abb-6f87-8acd-a544-471f91f5e111" },
	{ "uuid", NULL, "c77b3abb-6f87-4acd-a544-471f91f5e110" },
	{ "uuid", NULL, "c77b3abb6f87-8acd-a544-471f91f5e1100" },
	{ "uuid", NULL, "c77b3abb-6f87-8acd-a544-471f91f5e11" },
	{ "long:20", NULL, "00000000" },
	{ "long:20", NULL, "00000000xxxxxxxxxxx" },
	{ "long:20", NULL, "00000000xxxxxxxxxxxxx" },
	{ "long:20", NULL, "00000000xxxxxxxxxxxX" },
	{ "long:20", NULL, "000000ffxxxxxxxxxxxx" },
	{ "long:20", NULL, "000000000xxxxxxxxxxx" },
	{ "maildir", NULL, "1000000000.M000000P1.other" },
	{ "maildir", NULL, "1000000000.M000500P1.bigdir" },
	{ "maildir", NULL, "1000000000.M1000000P1.bigdir" },
	{ "maildir", NULL, "999999999.M000000P1.bigdir" },
	{ "maildir", NULL, "01000000000.M000000P1.bigdir" },
	{ "maildir", NULL, "18446744073709551615.M000000P1.bigdir" },
	{ "maildir", NULL, "1000000000.M000000P1.bigdir:2,S" },
	{ "img%05d.jpg", NULL, "img255.jpg" },
	{ "img%05d.jpg", NULL, "img000255.jpg" },
	{ "img%05d.jpg", NULL, "img00255.jpg\n" },
	{ "img%05d.jpg", NULL, "img00255.JPG" },
	{ "img%05d.jpg", NULL, "img00255" },
	{ "%x0", NULL, "0" },
	{ "%5x", NULL, "ff" },
	{ "%5x", NULL, "000ff" },
	{ "%5x", NULL, "    ff" },
	{ "%o", NULL, "8" },
	{ "%o", NULL, "2000000000000000000000" },
	{ "%d", NULL, "." },
	{ "%d", NULL, ".." },
};

static void names_of_others_are_not_ours(void **state)
{
	struct name_scheme s;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(foreign); i++) {
		uint64_t index = 12345;

		parse(&s, foreign[i].scheme, foreign[i].prefix);
		if (name_index(&s, foreign[i].name, &index))
			fail_msg("%s takes '%s' for its own", foreign[i].scheme,
				 foreign[i].name);
		assert_int_equal(index, 12345);
	}
}

/* Every name with one byte changed is of another index, or of none. */
static void a_changed_byte_is_noticed(void **state)
{
	struct name_scheme s;
	char name[NAME_BUFFER], again[NAME_BUFFER];
	uint64_t index;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(golden); i++) {
		size_t length = strlen(golden[i].name);

		parse(&s, golden[i].scheme, NULL);
		for (size_t at = 0; at < length; at++)
			for (int c = 1; c < 256; c++) {
				strcpy(name, golden[i].name);
				if ((char)c == name[at])
					continue;
				name[at] = (char)c;
				if (!name_index(&s, name, &index))
					continue;
				assert_true(index != golden[i].index);
				name_make(&s, index, again);
				assert_string_equal(again, name);
			}
	}
}

/* A name of 255 bytes and more is read without running over. */
static void overlong_names_are_not_ours(void **state)
{
	char name[2 * NAME_BUFFER];
	struct name_scheme s;
	uint64_t index;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(schemes); i++) {
		parse(&s, schemes[i], NULL);
		for (const char *c = "0x1fF /"; *c; c++) {
			memset(name, *c, sizeof(name));
			name[400] = '\0';
			assert_false(name_index(&s, name, &index));
		}
	}
}

static void bad_schemes_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"name",
		"HEX",
		"hex ",
		"long",
		"long:",
		"long:7",
		"long:256",
		"long:-9",
		"long:abc",
		"long:20x",
		"%",
		"%%",
		"a%%b",
		"%s",
		"%n",
		"%i",
		"%ld",
		"%-5d",
		"%+d",
		"% d",
		"%*d",
		"%5.3d",
		"%256d",
		"%99999999999999999999d",
		"%d%d",
		"%x-%o",
		"%d%",
		"%d%s",
		"a/%d",
		"/%d",
		"%d/",
		"%p",
		"%c",
		"%f",
		"%d%n",
		"%'d",
		"%#x",
		"%1$d",
	};
	struct name_scheme s;
	const char *why;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		why = NULL;
		if (name_parse(&s, bad[i], NULL, &why) != -EINVAL)
			fail_msg("'%s' is taken", bad[i]);
		assert_non_null(why);
		assert_true(strlen(why) > 5);
	}
}

static void bad_prefixes_are_refused(void **state)
{
	char prefix[2 * NAME_BUFFER];
	struct name_scheme s;
	const char *why = NULL;

	(void)state;
	assert_int_equal(name_parse(&s, "dec", "a/b", &why), -EINVAL);
	assert_non_null(why);
	memset(prefix, 'p', sizeof(prefix));
	prefix[sizeof(prefix) - 1] = '\0';
	assert_int_equal(name_parse(&s, "dec", prefix, &why), -EINVAL);
	assert_int_equal(name_parse(&s, "%d", prefix, &why), -EINVAL);
	prefix[255] = '\0';
	assert_int_equal(name_parse(&s, "dec", prefix, &why), -EINVAL);
	prefix[254] = '\0';
	assert_int_equal(name_parse(&s, "dec", prefix, &why), 0);
	/* what stands in a prefix is no template */
	parse(&s, "dec", "%d");
	assert_int_equal(name_make(&s, 5, prefix), 3);
	assert_string_equal(prefix, "%d5");
}

static void a_long_template_is_refused(void **state)
{
	char text[2 * NAME_BUFFER + 8];
	struct name_scheme s;
	const char *why;

	(void)state;
	memset(text, 't', sizeof(text));
	strcpy(text + 2 * NAME_BUFFER, "%d");
	assert_int_equal(name_parse(&s, text, NULL, &why), -EINVAL);
	memset(text, 't', sizeof(text));
	memcpy(text, "%d", 2);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(name_parse(&s, text, NULL, &why), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makes_golden_names),
		cmocka_unit_test(every_scheme_goes_back),
		cmocka_unit_test(longest_is_the_longest),
		cmocka_unit_test(too_long_is_told),
		cmocka_unit_test(names_of_others_are_not_ours),
		cmocka_unit_test(a_changed_byte_is_noticed),
		cmocka_unit_test(overlong_names_are_not_ours),
		cmocka_unit_test(bad_schemes_are_refused),
		cmocka_unit_test(bad_prefixes_are_refused),
		cmocka_unit_test(a_long_template_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
