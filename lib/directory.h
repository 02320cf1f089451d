/*
 * directory: open what the user named, and say clearly why it cannot be.
 */
#ifndef BIGDIR_DIRECTORY_H
#define BIGDIR_DIRECTORY_H

#include "options.h"

enum directory_use {
	DIRECTORY_READ, /* looked at */
	DIRECTORY_CREATE, /* written to; a link to it will do */
	DIRECTORY_DELETE, /* names in it are deleted or renamed: it must be
			   * the directory itself and not a link */
};

/* Open it for use as a base of *at() calls and for reading; ends with
 * usage_error() when that is not possible. */
int directory_open(const struct tool *tool, const char *path,
		   enum directory_use use);

#endif
