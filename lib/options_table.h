/*
 * options_table: the shared options as popt tables, and --help.
 *
 * Everything is taken as text here; options.c says what the texts mean.
 */
#ifndef BIGDIR_OPTIONS_TABLE_H
#define BIGDIR_OPTIONS_TABLE_H

#include "options.h"

/* What was given; NULL or 0 where it was not. An option whose argument is
 * optional is "" without one. It is static wherever there is one, as are a
 * tool's own texts: they and what popt holds live as long as the program. */
struct option_texts {
	const char *start, *name, *prefix, *layout, *order, *seed, *window;
	const char *type, *via, *mode, *stage, *stage_batch, *fsync, *jobs;
	const char *parents;
	const char *time, *on_error, *verify, *json;
	const char **labels;
	int prepare, quiet, progress, dry_run, help, version;
	void *context; /* popt's, which owns all texts here */
	const char **words; /* the whole line, as popt has it */
	const char **arguments; /* positional ones; ends with NULL, or NULL */
};

/* Parse; print --help or --version and exit, or end with usage_error(). */
void options_table_read(const struct tool *tool, struct option_texts *t,
			int argc, char **argv);

/* The same for a tool that shares no option but --help and --version. */
void options_table_own(const struct tool *tool, struct option_texts *t,
		       int argc, char **argv);

#endif
