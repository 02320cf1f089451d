/*
 * report_age: how old a directory is, as text.
 */
#ifndef BIGDIR_REPORT_AGE_H
#define BIGDIR_REPORT_AGE_H

#include <stdio.h>

#include "record.h"

/* What was done to make it old, and what can be seen of its age; nothing
 * where neither was asked for. */
void report_age(FILE *f, const struct record *r);

/* What went wrong, if anything did. */
void report_age_trouble(FILE *f, const struct record *r);

#endif
