/*
 * listing: time the reading of a directory alone.
 */
#ifndef BIGDIR_LISTING_H
#define BIGDIR_LISTING_H

#include "options.h"

/* Read the directory that the options name (default: the current one) from
 * its beginning to its end; each getdents64 call is an operation. Returns the
 * exit code. */
int list_directory(struct options *o);

#endif
