#include "layout.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

/* Digits of a directory of a fanout: as many as in squid's, at the least. */
#define LEAST_DIGITS 2

static const char *const kinds[] = { "flat", "fanout", "levels", "prefix" };

/* --- reading and writing ------------------------------------------------- */

static size_t hex_digits(uint32_t value)
{
	size_t n = 1;

	while (value >>= 4)
		n++;
	return n < LEAST_DIGITS ? LEAST_DIGITS : n;
}

/* Bytes of a level's directory name, at most. */
static size_t level_bytes(const struct layout *l, unsigned int n)
{
	return l->kind == LAYOUT_FANOUT ? hex_digits(l->level[n] - 1)
					: l->level[n];
}

static size_t longest_path(const struct layout *l)
{
	size_t length = 0;

	for (unsigned int n = 0; n < l->depth; n++)
		length += level_bytes(l, n) + (n > 0);
	return length;
}

/* One of the numbers, up to the next colon or the end, which is returned;
 * NULL: it is none. */
static const char *parse_number(const char *text, uint64_t most,
				uint32_t *level)
{
	size_t length = strcspn(text, ":");
	char digits[16];
	uint64_t value;

	if (length >= sizeof(digits))
		return NULL;
	memcpy(digits, text, length);
	digits[length] = '\0';
	if (number_count(digits, 1, most, &value) < 0)
		return NULL;
	*level = (uint32_t)value;
	return text + length;
}

static int parse_levels(struct layout *l, const char *text, const char **why)
{
	const bool fanout = l->kind == LAYOUT_FANOUT;

	while (*text == ':') {
		if (l->depth == LAYOUT_DEPTH) {
			*why = "it is deeper than a path can be";
			return -EINVAL;
		}
		text = parse_number(text + 1, fanout ? UINT32_MAX : NAME_MAX,
				    &l->level[l->depth]);
		if (!text) {
			*why = fanout ? "its numbers are directories in each "
					"one above, from 1 to 4294967295"
				      : "its numbers are bytes of the name, "
					"from 1 to 255";
			return -EINVAL;
		}
		l->depth++;
	}
	if (layout_least_name(l) > NAME_MAX) {
		*why = "it takes more than the 255 bytes of a name";
		return -EINVAL;
	}
	l->longest = longest_path(l);
	if (l->longest >= LAYOUT_PATH) {
		*why = "its paths are longer than the kernel takes";
		return -EINVAL;
	}
	return 0;
}

int layout_parse(struct layout *l, const char *text, const char **why)
{
	size_t length = strcspn(text, ":");

	memset(l, 0, sizeof(*l));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		bool flat = i == LAYOUT_FLAT;

		if (strlen(kinds[i]) != length ||
		    memcmp(kinds[i], text, length) != 0)
			continue;
		if (flat != (text[length] == '\0')) {
			*why = flat ? "flat takes no numbers"
				    : "it needs a number for each level, such "
				      "as :16:256";
			return -EINVAL;
		}
		l->kind = (enum layout_kind)i;
		return parse_levels(l, text + length, why);
	}
	*why = "there is no such layout";
	return -EINVAL;
}

char *layout_print(const struct layout *l, char *buf, size_t size)
{
	size_t at = (size_t)snprintf(buf, size, "%s", kinds[l->kind]);

	for (unsigned int n = 0; n < l->depth && at < size; n++)
		at += (size_t)snprintf(buf + at, size - at, ":%u", l->level[n]);
	return buf;
}

/* --- its size ------------------------------------------------------------ */

bool layout_directories(const struct layout *l, uint64_t *leaves, uint64_t *all)
{
	*leaves = 1;
	*all = 0;
	if (l->kind == LAYOUT_LEVELS || l->kind == LAYOUT_PREFIX)
		return false;
	for (unsigned int n = 0; n < l->depth; n++)
		if (__builtin_mul_overflow(*leaves, l->level[n], leaves) ||
		    __builtin_add_overflow(*all, *leaves, all))
			return false;
	return true;
}

size_t layout_longest(const struct layout *l)
{
	return l->longest;
}

size_t layout_least_name(const struct layout *l)
{
	size_t bytes = 0;

	if (l->kind == LAYOUT_FANOUT)
		return 0;
	for (unsigned int n = 0; n < l->depth; n++)
		bytes += l->level[n];
	return bytes;
}

/* --- the path ------------------------------------------------------------ */

static const char hex[] = "0123456789ABCDEF";

static char *put_hex(char *out, uint64_t value, size_t digits)
{
	for (size_t i = digits; i-- > 0; value >>= 4)
		out[i] = hex[value & 15];
	return out + digits;
}

/* From the last level to the first, as the number is divided: so from the
 * end of the text to its beginning, and then moved there. */
static size_t put_fanout(const struct layout *l, uint64_t index, char *buf,
			 size_t size)
{
	uint64_t rest = index / l->level[l->depth - 1];
	char *at = buf + size - 1;
	size_t length;

	for (unsigned int n = l->depth; n-- > 0;) {
		uint32_t value = (uint32_t)(rest % l->level[n]);
		size_t digits = hex_digits(value);

		if (n + 1 < l->depth)
			*--at = '/';
		at -= digits;
		put_hex(at, value, digits);
		rest /= l->level[n];
	}
	length = (size_t)(buf + size - 1 - at);
	memmove(buf, at, length);
	return length;
}

/* "." and ".." are not ours to make, and lead elsewhere. */
static bool is_dots(const char *part, size_t bytes)
{
	return part[0] == '.' && (bytes == 1 || (bytes == 2 && part[1] == '.'));
}

/* Parts of the name, from its beginning on or from its end back. */
static int put_parts(const struct layout *l, const char *name, size_t length,
		     char *buf)
{
	size_t taken = 0;
	char *out = buf;

	for (unsigned int n = 0; n < l->depth; n++) {
		size_t bytes = l->level[n];
		const char *part = name + taken;

		taken += bytes;
		if (taken > length)
			return -EINVAL;
		if (l->kind == LAYOUT_LEVELS)
			part = name + length - taken;
		if (is_dots(part, bytes))
			return -EINVAL;
		if (n > 0)
			*out++ = '/';
		memcpy(out, part, bytes);
		out += bytes;
	}
	return (int)(out - buf);
}

int layout_path(const struct layout *l, uint64_t index, const char *name,
		size_t length, char *buf, size_t size)
{
	int used = 0;

	if (l->longest >= size)
		return -ENAMETOOLONG;
	if (l->kind == LAYOUT_FANOUT)
		used = (int)put_fanout(l, index, buf, size);
	else if (l->kind != LAYOUT_FLAT)
		used = put_parts(l, name, length, buf);
	if (used >= 0)
		buf[used] = '\0';
	return used;
}

static bool is_hex(const char *name, uint32_t width)
{
	char again[2 * sizeof(width) + 1]; /* a byte is two digits */
	uint64_t value = 0;

	if (strlen(name) >= sizeof(again))
		return false;
	for (const char *at = name; *at; at++) {
		const char *digit = strchr(hex, *at);

		if (!digit)
			return false;
		value = value << 4 | (uint64_t)(digit - hex);
	}
	if (value >= width)
		return false;
	*put_hex(again, value, hex_digits((uint32_t)value)) = '\0';
	return strcmp(name, again) == 0;
}

bool layout_is_level(const struct layout *l, unsigned int level,
		     const char *name)
{
	if (level >= l->depth)
		return false;
	if (l->kind == LAYOUT_FANOUT)
		return is_hex(name, l->level[level]);
	return strlen(name) == l->level[level] &&
	       !is_dots(name, l->level[level]);
}
