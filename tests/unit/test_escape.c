/* Names as they are shown: one line, no control characters, no doubt. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "unit.h"

static const char *const utf8[] = { "C.UTF-8", "C.utf8", "en_US.UTF-8" };

static int use_utf8(void)
{
	for (size_t i = 0; i < COUNT_OF(utf8); i++)
		if (setlocale(LC_CTYPE, utf8[i]))
			return 1;
	return 0;
}

static void check(const char *name, const char *shown)
{
	char buf[ESCAPE_BUFFER];
	char *path = escape_path(name);

	assert_string_equal(escape_name(buf, name), shown);
	assert_string_equal(path, shown);
	free(path);
}

static void text_stays(void **state)
{
	(void)state;
	setlocale(LC_CTYPE, "C");
	check("", "");
	check("plain-name_1.txt", "plain-name_1.txt");
	check("with blank", "with blank");
	check("-rf", "-rf");
}

static void control_characters_are_escaped(void **state)
{
	(void)state;
	setlocale(LC_CTYPE, "C");
	check("a\nb", "a\\nb");
	check("\t\r\n", "\\t\\r\\n");
	check("back\\slash", "back\\\\slash");
	check("\033[31mred", "\\033[31mred");
	check("\001\177", "\\001\\177");
	check("caf\xc3\xa9", "caf\\303\\251");
}

static void utf8_stays_where_it_is_spoken(void **state)
{
	(void)state;
	if (!use_utf8())
		skip();
	check("caf\xc3\xa9", "caf\xc3\xa9");
	check("\xe6\x97\xa5\xe6\x9c\xac", "\xe6\x97\xa5\xe6\x9c\xac");
	check("\xff\xfe", "\\377\\376");
	/* cut short, and in the midst of others */
	check("a\xc3", "a\\303");
	check("\xc3z", "\\303z");
	/* overlong forms and surrogates are no UTF-8 */
	check("\xc0\xaf", "\\300\\257");
	check("\xed\xa0\x80", "\\355\\240\\200");
	/* a control character of two bytes: U+0085, next line */
	check("\xc2\x85", "\\302\\205");
}

static void the_longest_name_fits(void **state)
{
	char name[2 * NAME_BUFFER], buf[ESCAPE_BUFFER];
	char *path;

	(void)state;
	setlocale(LC_CTYPE, "C");
	memset(name, 1, sizeof(name));
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(strlen(escape_name(buf, name)), 4 * NAME_MAX);
	path = escape_path(name);
	assert_int_equal(strlen(path), 4 * (sizeof(name) - 1));
	free(path);
}

/* Two names that differ are never shown alike. */
static void every_byte_has_its_own_form(void **state)
{
	char forms[256][ESCAPE_BUFFER];

	(void)state;
	for (int l = 0; l < 2; l++) {
		if (l == 0)
			setlocale(LC_CTYPE, "C");
		else if (!use_utf8())
			break;
		for (int c = 1; c < 256; c++) {
			char name[2] = { (char)c, '\0' };

			escape_name(forms[c], name);
			for (int d = 1; d < c; d++)
				assert_string_not_equal(forms[c], forms[d]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_stays),
		cmocka_unit_test(control_characters_are_escaped),
		cmocka_unit_test(utf8_stays_where_it_is_spoken),
		cmocka_unit_test(the_longest_name_fits),
		cmocka_unit_test(every_byte_has_its_own_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
