/*
 * report_command: what became of a command, as text.
 */
#ifndef BIGDIR_REPORT_COMMAND_H
#define BIGDIR_REPORT_COMMAND_H

#include <stdio.h>

#include "record.h"

/* The report's first lines: what ran, how long, and how it ended. */
void report_command(FILE *f, const struct record *r);

/* What went wrong, if anything did. */
void report_command_trouble(FILE *f, const struct record *r);

#endif
