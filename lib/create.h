/*
 * create: what the tools that create entries have in common.
 */
#ifndef BIGDIR_CREATE_H
#define BIGDIR_CREATE_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"
#include "options.h"

/* For struct tool: how entries can be created. */
#define CREATE_VIA "open, mknod"

/* Refuse options that do not go together; ends with usage_error(). To be
 * called before anything is touched. */
void create_check(struct options *o, uint64_t count);

struct creation {
	uint64_t count; /* as many, or at most */
	const char *path; /* of the directory */
	bool echo; /* print each name that went in */
	enum until until;
	bool open_ended; /* nobody said how many at most */
	bool free_check;
	unsigned int aging; /* replacements for each file; 0: none */
	bool look_at_age; /* see age.h */
};

/* Create entries as the options say. Returns the exit code. */
int create_entries(struct options *o, const struct creation *c);

/* The operation that the options name for creating. */
const struct operation *create_operation(const struct options *o);

#endif
