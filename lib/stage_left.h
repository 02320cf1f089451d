/*
 * stage_left: staging directories that a killed process has left behind.
 *
 * Their names tell whose they are: .bigdir-stage-PID (see stage.h). Process
 * numbers are those of this host, and are used again: one that is in use by
 * anybody is taken to be alive.
 */
#ifndef BIGDIR_STAGE_LEFT_H
#define BIGDIR_STAGE_LEFT_H

#include <stdbool.h>
#include <stdint.h>

#include "name.h"

struct stages_left {
	uint64_t removed; /* directories ... */
	uint64_t files; /* ... and what was in them */
	uint64_t strange; /* left alone, for what they hold */
	char strange_name[NAME_BUFFER]; /* of the first */
};

/* Whether it is the name of a staging directory, byte for byte; *live: of a
 * process that is there, and is not this one. */
bool stage_is_name(const char *name, bool *live);

/* Remove those in the open directory that are no living process's and hold
 * nothing but empty files with names of the first `count` indices of the
 * scheme; what was made by others is never touched. 0 or -errno. */
int stages_left_remove(int dir, const struct name_scheme *scheme,
		       uint64_t count, struct stages_left *found);

#endif
