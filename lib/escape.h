/*
 * escape: file names as they can be shown to people.
 */
#ifndef BIGDIR_ESCAPE_H
#define BIGDIR_ESCAPE_H

#include "name.h"

/* Every byte as four characters at the worst. */
#define ESCAPE_BUFFER (4 * NAME_BUFFER)

/* The name with newlines, control characters, backslashes and bytes that are
 * no text in the user's locale as \n, \t, \033 ...; a name over NAME_MAX bytes
 * is cut. Returns buf. */
const char *escape_name(char buf[ESCAPE_BUFFER], const char *name);

/* The same, a longer one than fits a table cut in its middle: at most
 * ESCAPE_SHORT columns of one-column characters. Returns buf. */
#define ESCAPE_SHORT 40
const char *escape_short(char buf[ESCAPE_BUFFER], const char *name);

/* The same for a path of any length: allocated, or NULL for want of memory. */
char *escape_path(const char *path);

#endif
