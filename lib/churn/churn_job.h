/*
 * churn_job: a run of churn, from its options to its exit code.
 */
#ifndef BIGDIR_CHURN_JOB_H
#define BIGDIR_CHURN_JOB_H

#include "churn_options.h"

/* Carry it out and report. Returns the exit code. */
int churn_job(struct options *o, struct churn_options *c);

#endif
