/*
 * report_listed: what a report tells of a directory that was listed. Inside of
 * report.h; record_outcome.c has the types' names from here.
 */
#ifndef BIGDIR_REPORT_LISTED_H
#define BIGDIR_REPORT_LISTED_H

#include <stdio.h>

#include "record.h"

/* How many entries, in what time, and of which types where the directory has
 * told. */
void report_listed(FILE *f, const struct record *r);

/* What a DT_... stands for, as a word for records; NULL for no type. Static. */
const char *listed_type_name(unsigned int type);

#endif
