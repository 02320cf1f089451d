/*
 * record_find_knees: the knees of a run that is over, held against what its
 * record knows of the directory, the names and the file system.
 */
#ifndef BIGDIR_RECORD_FIND_KNEES_H
#define BIGDIR_RECORD_FIND_KNEES_H

#include "record.h"

/*
 * Fill in r->knees of each step, from the run's timelines and evidence. dir is
 * the open directory; scheme that of the names, or NULL. The model of an index
 * (index_steps.h) is asked only where a knee is, of a directory that was new
 * and has grown, alone and once, by names that are known.
 */
void record_find_knees(struct record *r, int dir,
		       const struct name_scheme *scheme);

#endif
