/*
 * comparison_head: what stands above the tables of a comparison.
 */
#ifndef BIGDIR_COMPARISON_HEAD_H
#define BIGDIR_COMPARISON_HEAD_H

#include "document.h"
#include "grouping.h"

/* Machines and kernels, with a warning when there are several; the variants
 * with their letters; the runs that were left out, and why. 0 or -ENOMEM. */
int comparison_head(const struct document *d, const struct grouping *g);

/* The runs left out as lines of text, for where there is no head. */
void comparison_left_out(FILE *f, const struct grouping *g);

#endif
