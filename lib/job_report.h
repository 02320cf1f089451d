/*
 * job_report: what a job that is over says, keeps, and ends with.
 */
#ifndef BIGDIR_JOB_REPORT_H
#define BIGDIR_JOB_REPORT_H

#include "job.h"
#include "record.h"

/* Complete the record, print the report, and append the record to its file;
 * what cannot be written is told on standard error. Returns the exit code. */
int job_report(const struct job *j, struct record *r);

#endif
