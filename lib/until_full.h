/*
 * until_full: creating until the file system refuses, as an expected end.
 *
 * The first refusal need not be the last: after ext4 has said that a
 * directory index is full, most of the next names still go in, since only one
 * node of the index is.
 */
#ifndef BIGDIR_UNTIL_FULL_H
#define BIGDIR_UNTIL_FULL_H

#include <stdbool.h>
#include <stdint.h>

#include "name.h"
#include "op.h"
#include "run.h"

enum until {
	UNTIL_COUNT, /* not asked for */
	UNTIL_FIRST, /* the first refusal is the end */
	UNTIL_REFUSED, /* go on until next to nothing goes in any more */
};

/*
 * So many refusals without a success between them end an UNTIL_REFUSED run.
 * If 1 % of names still went in, that would happen by chance once in a
 * hundred times: 0.99^459 < 0.01. So fewer than 1 % do, at a confidence of
 * 99 %.
 */
#define UNTIL_REFUSALS 459

/* What came of deleting one entry of the full directory. */
struct free_check {
	bool done;
	char deleted[NAME_BUFFER]; /* the last name that had gone in */
	int delete_errno; /* 0: it was deleted */
	int refused_errno; /* creating the refused name then; 0: went in */
	int deleted_errno; /* creating the deleted name again, after the
			    * refused one was out of the way */
	uint64_t refused_wait; /* ns until it went in, or we gave up */
	uint64_t deleted_wait;
};

/*
 * Delete the last name that has gone in, try to create the one that was
 * refused and, without that, the deleted one again; so the directory ends as
 * it was, if the file system lets it. Each is tried for a second, as some file
 * systems (XFS) free an inode only some time after its last name has gone.
 */
void free_check_run(struct free_check *c, const struct run_result *run);

#endif
