/*
 * command_phase: any command as a phase, reported like those of the suite.
 */
#ifndef BIGDIR_COMMAND_PHASE_H
#define BIGDIR_COMMAND_PHASE_H

#include "command.h"
#include "options.h"

/* Run the command, describe the file system of the directory `path` before
 * and after, and report. Returns the exit code: the command's own, or 128 + N
 * when signal N came and the command ended with 0 all the same. */
int command_phase(struct options *o, const char *path, struct command *c);

#endif
