#include "escape.h"

#include <stdlib.h>
#include <string.h>
#define LIBBSD_NETBSD_VIS /* libbsd asks which strnvis() we mean: none */
#include <vis.h>

#define HOW (VIS_CSTYLE | VIS_OCTAL | VIS_NL | VIS_TAB)

const char *escape_name(char buf[ESCAPE_BUFFER], const char *name)
{
	strvisx(buf, name, strnlen(name, NAME_MAX), HOW);
	return buf;
}

char *escape_path(const char *path)
{
	size_t length = strlen(path);
	char *shown = malloc(4 * length + 1);

	if (shown)
		strvisx(shown, path, length, HOW);
	return shown;
}
