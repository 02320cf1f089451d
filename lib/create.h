/*
 * create: what the tools that create entries have in common.
 */
#ifndef BIGDIR_CREATE_H
#define BIGDIR_CREATE_H

#include <stdint.h>

#include "job.h"
#include "options.h"

/* For struct tool: how entries can be created. */
#define CREATE_VIA "open, mknod"

/* Refuse options that do not go together; ends with usage_error(). To be
 * called before anything is touched. */
void create_check(struct options *o, uint64_t count);

/* Create `count` entries as the options say in the directory at `path`, each
 * name printed when `echo`. Returns the exit code. */
int create_entries(struct options *o, uint64_t count, const char *path,
		   bool echo);

#endif
