/*
 * churn_work: the parts of a run of churn, one after the other. Inside of
 * churn_job.h; nobody else needs it.
 */
#ifndef BIGDIR_CHURN_WORK_H
#define BIGDIR_CHURN_WORK_H

#include "churn_result.h"

/* Warm up, and measure: once, or for each rate of a ramp. 0 or -ENOMEM. */
int churn_work(struct churn *c, uint64_t time_limit, struct churn_result *r);

#endif
