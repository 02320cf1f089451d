/*
 * report_churn: what became of a cache, as text.
 */
#ifndef BIGDIR_REPORT_CHURN_H
#define BIGDIR_REPORT_CHURN_H

#include <stdio.h>

#include "record.h"

/* The lines after the first, up to where it was. */
void report_churn(FILE *f, const struct record *r);

/* Each kind of operation in a line; and a line that says which of them the
 * pictures below are of: returns its number, for record_meter(). */
unsigned int report_churn_operations(FILE *f, const struct record *r);

/* What has gone wrong that no operation tells. */
void report_churn_trouble(FILE *f, const struct record *r);

#endif
