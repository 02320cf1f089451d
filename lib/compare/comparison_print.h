/*
 * comparison_print: a comparison for people, and for programs.
 */
#ifndef BIGDIR_COMPARISON_PRINT_H
#define BIGDIR_COMPARISON_PRINT_H

#include "comparison.h"
#include "document.h"

/* Machine, variants, a table for each phase, and how to read it. 0 or
 * -ENOMEM. */
int comparison_print(const struct document *d, const struct comparison *c);

/* One line for each phase, metric and variant, figures in plain units; the
 * first line names the columns. */
void comparison_csv(FILE *f, const struct comparison *c);

/* A difference as a word: "baseline", "same", "noise", "too few",
 * "significant", or "not tested". Static. */
const char *comparison_difference(const struct cell *c, size_t variant);

#endif
