#include "escape.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

/* Characters that change the direction of what is around them (Unicode's
 * Bidi_Control): a name shall not rearrange the line that shows it. */
static bool turns_text(uint32_t c)
{
	return c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* How many bytes from s on can be shown as they are: one character of the
 * user's locale, or 0. */
static size_t printable(const char *s, size_t left)
{
	mbstate_t state = { 0 };
	wchar_t wide;
	size_t length = mbrtowc(&wide, s, left, &state);

	if (length == 0 || length > left || !iswprint((wint_t)wide) ||
	    turns_text((uint32_t)wide) || *s == '\\')
		return 0;
	return length;
}

static char *put_escaped(char *out, unsigned char c)
{
	static const char plain[] = "\n\t\r\\", letters[] = "ntr\\";
	const char *found = c ? strchr(plain, c) : NULL;

	*out++ = '\\';
	if (found) {
		*out++ = letters[found - plain];
		return out;
	}
	*out++ = (char)('0' + (c >> 6));
	*out++ = (char)('0' + (c >> 3 & 7));
	*out++ = (char)('0' + (c & 7));
	return out;
}

static void escape(char *out, const char *s, size_t length)
{
	for (size_t i = 0; i < length;) {
		size_t n = printable(s + i, length - i);

		if (n == 0) {
			out = put_escaped(out, (unsigned char)s[i++]);
			continue;
		}
		memcpy(out, s + i, n);
		out += n;
		i += n;
	}
	*out = '\0';
}

const char *escape_name(char buf[ESCAPE_BUFFER], const char *name)
{
	escape(buf, name, strnlen(name, NAME_MAX));
	return buf;
}

const char *escape_short(char buf[ESCAPE_BUFFER], const char *name)
{
	static const char gap[] = "...";
	size_t length, tail = ESCAPE_SHORT / 3;
	size_t head = ESCAPE_SHORT - tail - (sizeof(gap) - 1);

	escape_name(buf, name);
	length = strlen(buf);
	if (length <= ESCAPE_SHORT)
		return buf;
	/* never within a character: their later bytes begin with 10 */
	while (head > 0 && ((unsigned char)buf[head] & 0xc0) == 0x80)
		head--;
	while (tail > 0 && ((unsigned char)buf[length - tail] & 0xc0) == 0x80)
		tail--;
	memcpy(buf + head, gap, sizeof(gap) - 1);
	memmove(buf + head + sizeof(gap) - 1, buf + length - tail, tail + 1);
	return buf;
}

char *escape_path(const char *path)
{
	size_t length = strlen(path);
	char *shown = malloc(4 * length + 1);

	if (shown)
		escape(shown, path, length);
	return shown;
}
