/*
 * figure: small pictures made of text.
 */
#ifndef BIGDIR_FIGURE_H
#define BIGDIR_FIGURE_H

#include <stdbool.h>
#include <stdio.h>

#include "hist.h"
#include "timeline.h"

/* True when the stream is a terminal that shows UTF-8. */
bool figure_utf8(FILE *f);

/*
 * Rate along a run: `columns` characters, the highest rate at full height,
 * each over two lines of text. `title` says what the axis is; first and last
 * are the keys at its ends.
 */
void figure_rate(FILE *f, const struct timeline *t, bool utf8,
		 const char *title, const char *first, const char *last);

/* How many operations took how long: a bar for each step of 1, 2, 5, 10 ... */
void figure_latency(FILE *f, const struct hist *h, bool utf8);

#endif
