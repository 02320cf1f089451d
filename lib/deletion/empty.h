/*
 * empty: delete what a directory holds, whatever the names are.
 */
#ifndef BIGDIR_EMPTY_H
#define BIGDIR_EMPTY_H

#include "deletion.h"
#include "options.h"

/* Empty the directory that is the first argument, or say what would go.
 * Returns the exit code; ends with usage_error() for a directory that must not
 * be emptied, and for options that have no meaning here. */
int empty_directory(struct options *o, struct deletion *d, bool recursive);

#endif
