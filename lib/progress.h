/*
 * progress: a line on the terminal, or a line every ten seconds in a log,
 * that says how far a run is. It has a thread of its own and only reads the
 * workers' counters, so the run does not know of it.
 */
#ifndef BIGDIR_PROGRESS_H
#define BIGDIR_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "run.h"

struct progress;

struct progress_plan {
	const char *did; /* "created" */
	uint64_t expected; /* operations in all; 0: not known, or ... */
	/* ... found out while the run goes on: called with the argument */
	uint64_t (*expect)(const void *argument);
	const void *expect_argument;
	unsigned int workers;
	const struct run_counters *counters;
	int dir; /* whose file system's free inodes are shown */
	bool live; /* one line, rewritten, rather than one every 10 s */
};

/* Start to show it on standard error. NULL when there is no thread for it:
 * then there is no progress line, and nothing else is lost. */
struct progress *progress_start(const struct progress_plan *plan);

/* Wipe the line and end the thread. NULL is allowed. */
void progress_stop(struct progress *p);

#endif
