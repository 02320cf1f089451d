/*
 * report_full: how a run until the file system is full ended, as text.
 */
#ifndef BIGDIR_REPORT_FULL_H
#define BIGDIR_REPORT_FULL_H

#include <stdio.h>

#include "record.h"

/* Nothing, unless the run was to go on until the file system is full. */
void report_full(FILE *f, const struct record *r);

#endif
