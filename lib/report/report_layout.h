/*
 * report_layout: what a run's report tells of the directories of its layout.
 * Inside of report.h; nobody else needs it.
 */
#ifndef BIGDIR_REPORT_LAYOUT_H
#define BIGDIR_REPORT_LAYOUT_H

#include <stdio.h>

#include "record.h"

/* Which layout, and what making, opening and removing its directories took;
 * nothing of a flat one. */
void report_layout(FILE *f, const struct record *r);

/* What went wrong with directories made ahead or removed, if anything. */
void report_layout_trouble(FILE *f, const struct record *r);

#endif
