/*
 * report: a record as text, for people; 80 columns.
 */
#ifndef BIGDIR_REPORT_H
#define BIGDIR_REPORT_H

#include <stdio.h>

#include "record.h"

/* The whole report. */
void report_text(FILE *f, const struct record *r);

/* What went wrong, if anything did: for standard error, also with --quiet. */
void report_trouble(FILE *f, const struct record *r);

#endif
