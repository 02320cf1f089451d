/*
 * stage: the directory in which entries are created before they are renamed
 * into place, as mail and cache software does it.
 */
#ifndef BIGDIR_STAGE_H
#define BIGDIR_STAGE_H

#include <stdbool.h>

#include "options.h"

#define STAGE_NAME_SIZE 64

/* What a stage of our own is called, with the process's number behind it. */
#define STAGE_PREFIX ".bigdir-stage-"

struct stage {
	int fd; /* the stage */
	int parent; /* where its name is, or -1 when it is not ours to remove */
	bool made; /* by us, so that we remove it again */
	char name[STAGE_NAME_SIZE];
	const char *path; /* as the user gave it, or NULL */
};

/* Make or open the stage that the options ask for, for files that go to the
 * open directory `dir`. Ends with usage_error() when it cannot be used. */
void stage_open(struct stage *s, const struct options *o, int dir);

/* Remove the stage if we have made it and it is empty. 0 or -errno. */
int stage_close(struct stage *s);

#endif
