#include "name.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bijection.h"
#include "number.h"

#define LONG_DIGITS 8 /* of the number in a long:LEN name */
#define LONG_FILLER 'x' /* not a hex digit: the number's end is certain */
#define MAILDIR_EPOCH UINT64_C(1000000000)

/* --- parsing ------------------------------------------------------------- */

static int set_number(struct name_scheme *s, unsigned int base,
		      unsigned int width, bool upper)
{
	s->kind = NAME_NUMBER;
	s->base = base;
	s->width = width;
	s->pad = '0';
	s->upper = upper;
	return 0;
}

/* Copy literal text up to a conversion or the end; "%%" is one '%'. Returns
 * where it stopped, or NULL when the text does not fit a name. */
static const char *copy_literal(const char *text, char *out, size_t *length)
{
	while (*text && !(text[0] == '%' && text[1] != '%')) {
		if (*length >= NAME_MAX)
			return NULL;
		out[(*length)++] = *text;
		text += *text == '%' ? 2 : 1;
	}
	out[*length] = '\0';
	return text;
}

static int parse_conversion(struct name_scheme *s, const char **at,
			    const char **why)
{
	const char *p = *at + 1;
	unsigned long width = 0;
	char pad = ' ';

	if (*p == '0') {
		pad = '0';
		p++;
	}
	if (isdigit((unsigned char)*p))
		width = strtoul(p, (char **)&p, 10);
	if (width > NAME_MAX) {
		*why = "the width of its number is over 255";
		return -EINVAL;
	}
	switch (*p) {
	case 'd':
	case 'u':
		set_number(s, 10, (unsigned int)width, false);
		break;
	case 'x':
	case 'X':
		set_number(s, 16, (unsigned int)width, *p == 'X');
		break;
	case 'o':
		set_number(s, 8, (unsigned int)width, false);
		break;
	default:
		*why = "only %d %u %x %X %o, with 0 and a width, can stand "
		       "in a template";
		return -EINVAL;
	}
	s->pad = pad;
	*at = p + 1;
	return 0;
}

static int parse_template(struct name_scheme *s, const char *text,
			  const char **why)
{
	int err;

	*why = "it makes names of over 255 bytes";
	text = copy_literal(text, s->before, &s->before_length);
	if (!text)
		return -EINVAL;
	if (*text == '\0') {
		*why = "it is no scheme, and a template needs a number such "
		       "as %d";
		return -EINVAL;
	}
	err = parse_conversion(s, &text, why);
	if (err)
		return err;
	*why = "it makes names of over 255 bytes";
	text = copy_literal(text, s->after, &s->after_length);
	if (!text)
		return -EINVAL;
	if (*text) {
		*why = "a template has room for one number only";
		return -EINVAL;
	}
	return 0;
}

static int parse_long(struct name_scheme *s, const char *length,
		      const char **why)
{
	uint64_t width;

	if (number_count(length, LONG_DIGITS, NAME_MAX, &width) < 0) {
		*why = "LEN is a number from 8 to 255";
		return -EINVAL;
	}
	set_number(s, 16, (unsigned int)width, true);
	s->kind = NAME_LONG;
	return 0;
}

static int parse_kind(struct name_scheme *s, const char *text, const char **why)
{
	if (strcmp(text, "hex") == 0)
		return set_number(s, 16, 8, true);
	if (strcmp(text, "dec") == 0)
		return set_number(s, 10, 0, false);
	if (strncmp(text, "long:", 5) == 0)
		return parse_long(s, text + 5, why);
	if (strcmp(text, "hash") == 0)
		s->kind = NAME_HASH;
	else if (strcmp(text, "uuid") == 0)
		s->kind = NAME_UUID;
	else if (strcmp(text, "maildir") == 0)
		s->kind = NAME_MAILDIR;
	else
		return parse_template(s, text, why);
	return 0;
}

int name_parse(struct name_scheme *s, const char *text, const char *prefix,
	       const char **why)
{
	memset(s, 0, sizeof(*s));
	if (strchr(text, '/') || (prefix && strchr(prefix, '/'))) {
		*why = "a name cannot hold a slash";
		return -EINVAL;
	}
	if (prefix) {
		s->before_length = strlen(prefix);
		if (s->before_length >= NAME_MAX) {
			*why = "its prefix leaves no room in 255 bytes";
			return -EINVAL;
		}
		memcpy(s->before, prefix, s->before_length + 1);
	}
	if (parse_kind(s, text, why) < 0)
		return -EINVAL;
	s->eight = strcmp(text, "hex") == 0 && s->before_length == 0;
	return 0;
}

/* --- making -------------------------------------------------------------- */

static const char upper_digits[] = "0123456789ABCDEF";
static const char lower_digits[] = "0123456789abcdef";

/* How many digits a number has in a base of 8, 10 or 16. */
static size_t count_digits(uint64_t value, unsigned int base)
{
	size_t n = 1;

	if (base == 16)
		return (67 - (size_t)__builtin_clzll(value | 1)) / 4;
	while (value >= base) {
		value /= base;
		n++;
	}
	return n;
}

/* The eight hex digits of a number (%08X), all at once: its nibbles are spread
 * over the bytes of a word, and those above nine are moved on to the letters.
 */
static inline void put_eight(char out[8], uint32_t value)
{
	uint64_t x = value, letters;

	x = (x << 16 | x) & UINT64_C(0x0000ffff0000ffff);
	x = (x << 8 | x) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x << 4 | x) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	letters = (x + UINT64_C(0x0606060606060606)) >> 4 &
		  UINT64_C(0x0101010101010101);
	x += UINT64_C(0x3030303030303030) + letters * 7;
	x = htobe64(x);
	memcpy(out, &x, sizeof(x));
}

static char *put_number(char *out, uint64_t value, unsigned int base,
			size_t width, char pad, bool upper)
{
	const char *digits = upper ? upper_digits : lower_digits;
	size_t length = count_digits(value, base);
	char *at;

	for (; width > length; width--)
		*out++ = pad;
	at = out + length;
	if (base == 16) {
		for (; at > out; value >>= 4)
			*--at = digits[value & 15];
	} else {
		for (; at > out; value /= base)
			*--at = digits[value % base];
	}
	return out + length;
}

static char *put_long(char *out, uint64_t index, unsigned int length)
{
	char *start = out;

	out = put_number(out, index, 16, LONG_DIGITS, '0', true);
	if (out < start + length) {
		memset(out, LONG_FILLER, (size_t)(start + length - out));
		out = start + length;
	}
	return out;
}

/* All 64 bits of the index's hash, then 58 bits of a second one, around the
 * version (8: "made by the application") and variant bits of RFC 9562. */
static char *put_uuid(char *out, uint64_t index)
{
	uint64_t a = bijection_hash(index);
	uint64_t b = bijection_hash(~index);
	uint64_t high = (a >> 16 << 16) | UINT64_C(0x8000) | (a >> 4 & 0xfff);
	uint64_t low = UINT64_C(2) << 62 | (a & 0xf) << 58 | b >> 6;

	return out + sprintf(out, "%08llx-%04llx-%04llx-%04llx-%012llx",
			     (unsigned long long)(high >> 32),
			     (unsigned long long)(high >> 16 & 0xffff),
			     (unsigned long long)(high & 0xffff),
			     (unsigned long long)(low >> 48),
			     (unsigned long long)(low & 0xffffffffffff));
}

/* A thousand deliveries a second, as a busy mail server has them. */
static char *put_maildir(char *out, uint64_t index)
{
	out = put_number(out, MAILDIR_EPOCH + index / 1000, 10, 0, '0', false);
	memcpy(out, ".M", 2);
	out = put_number(out + 2, index % 1000 * 1000, 10, 6, '0', false);
	memcpy(out, "P1.bigdir", 9);
	return out + 9;
}

/* What stands between the prefix and the end, in all its kinds. */
static char *put_kind(const struct name_scheme *s, uint64_t index, char *out)
{
	switch (s->kind) {
	case NAME_NUMBER:
		out = put_number(out, index, s->base, s->width, s->pad,
				 s->upper);
		memcpy(out, s->after, s->after_length);
		return out + s->after_length;
	case NAME_HASH:
		return put_number(out, bijection_hash(index), 16, 16, '0',
				  false);
	case NAME_UUID:
		return put_uuid(out, index);
	case NAME_LONG:
		return put_long(out, index, s->width);
	case NAME_MAILDIR:
		return put_maildir(out, index);
	}
	return out;
}

size_t name_make(const struct name_scheme *s, uint64_t index,
		 char buf[NAME_BUFFER])
{
	char *end;

	if (s->eight && index >> 32 == 0) {
		put_eight(buf, (uint32_t)index);
		buf[8] = '\0';
		return 8;
	}
	memcpy(buf, s->before, s->before_length);
	end = put_kind(s, index, buf + s->before_length);
	*end = '\0';
	return (size_t)(end - buf);
}

size_t name_longest(const struct name_scheme *s, uint64_t last)
{
	size_t number;

	switch (s->kind) {
	case NAME_NUMBER:
		number = count_digits(last, s->base);
		break;
	case NAME_HASH:
		number = 16;
		break;
	case NAME_UUID:
		number = 36;
		break;
	case NAME_LONG:
		number = count_digits(last, 16);
		break;
	default:
		number = count_digits(last / 1000 + MAILDIR_EPOCH, 10) +
			 sizeof(".M000000P1.bigdir") - 1;
		break;
	}
	if (number < s->width)
		number = s->width;
	return s->before_length + number + s->after_length;
}

/* --- reading back -------------------------------------------------------- */

/* Digits of the base from `p` on, as many as there are. False: none, or more
 * than 64 bits. */
static bool read_number(const char **p, unsigned int base, uint64_t *value)
{
	char *end;

	if (!isxdigit((unsigned char)**p))
		return false;
	errno = 0;
	*value = strtoull(*p, &end, (int)base);
	if (errno || end == *p)
		return false;
	*p = end;
	return true;
}

/* The number of a template; what follows it may begin with digits too. */
static bool read_template(const struct name_scheme *s, const char *p,
			  uint64_t *value)
{
	char number[NAME_BUFFER];
	size_t length = strlen(p);

	if (!isxdigit((unsigned char)s->after[0]))
		return read_number(&p, s->base, value);
	if (length <= s->after_length || length >= sizeof(number))
		return false;
	memcpy(number, p, length - s->after_length);
	number[length - s->after_length] = '\0';
	p = number;
	return read_number(&p, s->base, value);
}

static bool read_fixed_hex(const char *p, size_t digits, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < digits; i++) {
		unsigned char c = (unsigned char)p[i];

		if (!isxdigit(c))
			return false;
		*value = *value << 4 |
			 (uint64_t)(isdigit(c) ? c - '0' : (c | 32) - 'a' + 10);
	}
	return true;
}

static bool read_uuid(const char *p, uint64_t *index)
{
	uint64_t a, b, c, d;

	if (strlen(p) != 36 || !read_fixed_hex(p, 8, &a) ||
	    !read_fixed_hex(p + 9, 4, &b) || !read_fixed_hex(p + 14, 4, &c) ||
	    !read_fixed_hex(p + 19, 4, &d))
		return false;
	*index = bijection_unhash(a << 32 | b << 16 | (c & 0xfff) << 4 |
				  (d >> 10 & 0xf));
	return true;
}

static bool read_maildir(const char *p, uint64_t *index)
{
	uint64_t seconds, micros;

	if (!read_number(&p, 10, &seconds) || strncmp(p, ".M", 2) != 0)
		return false;
	p += 2;
	if (!read_number(&p, 10, &micros) || seconds < MAILDIR_EPOCH)
		return false;
	*index = (seconds - MAILDIR_EPOCH) * 1000 + micros / 1000;
	return true;
}

/* What the index must be if the scheme made the text that follows the
 * prefix; whether it did, name_index() finds by making the name again. */
static bool guess_index(const struct name_scheme *s, const char *p,
			uint64_t *index)
{
	switch (s->kind) {
	case NAME_NUMBER:
		while (s->pad == ' ' && *p == ' ')
			p++;
		return read_template(s, p, index);
	case NAME_HASH:
		if (strlen(p) != 16 || !read_fixed_hex(p, 16, index))
			return false;
		*index = bijection_unhash(*index);
		return true;
	case NAME_UUID:
		return read_uuid(p, index);
	case NAME_LONG:
		return read_number(&p, 16, index);
	case NAME_MAILDIR:
		return read_maildir(p, index);
	}
	return false;
}

bool name_index(const struct name_scheme *s, const char *name, uint64_t *index)
{
	char again[NAME_BUFFER];
	uint64_t guess;

	if (strncmp(name, s->before, s->before_length) != 0 ||
	    !guess_index(s, name + s->before_length, &guess) ||
	    name_longest(s, guess) > NAME_MAX)
		return false;
	name_make(s, guess, again);
	if (strcmp(name, again) != 0)
		return false;
	*index = guess;
	return true;
}
