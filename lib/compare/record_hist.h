/*
 * record_hist: the histogram of a record, to be merged with others.
 */
#ifndef BIGDIR_RECORD_HIST_H
#define BIGDIR_RECORD_HIST_H

#include <jansson.h>
#include <stdbool.h>

#include "hist.h"

/* Add the latencies of a member of "operations" to h, which hist_reset() has
 * begun. Only what hist_quantile() needs is kept: not the sum. False, and h
 * as it was: the record has no histogram that is as it should be. */
bool record_hist_add(struct hist *h, const json_t *operation);

#endif
