/*
 * empty_dry: count what emptying a directory would delete.
 */
#ifndef BIGDIR_EMPTY_DRY_H
#define BIGDIR_EMPTY_DRY_H

#include "options.h"
#include "tree.h"

/* Walk as for deleting, touch nothing, and print how many entries would go and
 * stay. `path`: what the directory is called. Returns the exit code. */
int empty_dry_run(const struct options *o, const struct tree_options *walk,
		  const char *path);

#endif
