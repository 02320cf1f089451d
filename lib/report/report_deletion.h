/*
 * report_deletion: of a run that deleted: how its order was chosen, what was
 * left out, the pace, and what the file system did afterwards. Inside of
 * report.h.
 */
#ifndef BIGDIR_REPORT_DELETION_H
#define BIGDIR_REPORT_DELETION_H

#include <stdio.h>

#include "record.h"

/* Nothing when the run deleted nothing, or nothing of these was asked for. */
void report_deletion(FILE *f, const struct record *r);

/* The drain, and a directory that stays large. */
void report_after(FILE *f, const struct record *r);

/* Whether the directory is still large, on a file system where none shrinks
 * by itself. */
bool report_stays_large(const struct record *r);

#endif
