/*
 * deletion_options: the options that only deleting has, from their texts.
 */
#ifndef BIGDIR_DELETION_OPTIONS_H
#define BIGDIR_DELETION_OPTIONS_H

#include "deletion.h"
#include "options.h"

/* As they were given; NULL, or 0, where they were not. */
struct deletion_texts {
	int all, recursive, nice;
	const char *older_than, *keep, *rate, *max_latency, *drain, *look_ahead;
	const char **match; /* ends with NULL */
};

/* Set up what they ask for, or end with usage_error(). With --nice, this
 * process gives way from here on. */
void deletion_read(struct deletion *d, const struct deletion_texts *t,
		   const struct options *o);

#endif
