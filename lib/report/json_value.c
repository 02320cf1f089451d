#include "json_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"

/* JSON holds UTF-8 only: other bytes are shown as \ooo. */
json_t *json_text(const char *s)
{
	json_t *value;
	char *plain;
	size_t used = 0;

	if (!s)
		return json_null();
	value = json_string(s);
	if (value)
		return value;
	plain = malloc(4 * strlen(s) + 1);
	if (!plain)
		return json_null();
	for (; *s; s++) {
		if ((unsigned char)*s < 0x80)
			plain[used++] = *s;
		else
			used += (size_t)sprintf(plain + used, "\\%03o",
						(unsigned char)*s);
	}
	plain[used] = '\0';
	value = json_string(plain);
	free(plain);
	return value;
}

/* An empty text is one that could not be found out. */
json_t *json_known(const char *s)
{
	return s[0] ? json_text(s) : json_null();
}

json_t *json_name(const char *name)
{
	char buf[ESCAPE_BUFFER];

	return json_text(escape_name(buf, name));
}

/* JSON integers are signed here; larger numbers, such as seeds, are texts. */
json_t *json_number(uint64_t n)
{
	char digits[32];

	if (n <= INT64_MAX)
		return json_integer((json_int_t)n);
	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);
	return json_string(digits);
}

json_t *json_seconds(uint64_t ns)
{
	return json_real((double)ns / 1e9);
}

void json_set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

/* The errno's name, or null for a success. */
json_t *json_errno(int err)
{
	const char *name = strerrorname_np(err);

	return err ? json_text(name ? name : "unknown") : json_null();
}
