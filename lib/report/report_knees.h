/*
 * report_knees: where the cost of an operation changes, as text.
 */
#ifndef BIGDIR_REPORT_KNEES_H
#define BIGDIR_REPORT_KNEES_H

#include <stdio.h>

#include "record.h"

/* The knees of a step; nothing where there are none. */
void report_knees(FILE *f, const struct record *r, unsigned int step);

#endif
