/*
 * job_verify: read back what a job was to leave behind.
 */
#ifndef BIGDIR_JOB_VERIFY_H
#define BIGDIR_JOB_VERIFY_H

#include "job.h"
#include "record.h"

/* Make all of the job's checks, as far as --verify was given and the run lets
 * it be said what must be there; else the record says why not. */
void job_verify(const struct job *j, struct record *r);

#endif
