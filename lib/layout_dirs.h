/*
 * layout_dirs: the directories of a layout that the names of a run live in,
 * made before it or removed after it, and timed apart from it.
 */
#ifndef BIGDIR_LAYOUT_DIRS_H
#define BIGDIR_LAYOUT_DIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"
#include "meter.h"
#include "name.h"
#include "placing.h"

struct layout_dirs {
	const struct layout *layout; /* not flat */
	const struct name_scheme *scheme;
	uint64_t start, count; /* indices of the names */
	int base; /* not owned */
	unsigned int room; /* directories held open */
	bool sync; /* see parent.h */

	/* results */
	bool done; /* it was asked for, whatever came of it */
	uint64_t real; /* ns */
	struct meter meter; /* of each mkdir, or rmdir */
	int err; /* positive errno that has ended it, or 0 */
	char at[NAME_BUFFER]; /* that error's, or a directory that was left */
	bool left; /* some directories were not empty, and stay */
};

/* Make them all, one for each that COUNT names come to; those that are there
 * stay as they are. Ends at the first error, or at a signal. */
void layout_dirs_make(struct layout_dirs *d);

/*
 * Remove those that are empty, the deepest first. Others are left alone, and
 * so is whatever the names do not lead to, or is no directory. Nothing but
 * rmdir() is ever done.
 */
void layout_dirs_remove(struct layout_dirs *d);

void layout_dirs_free(struct layout_dirs *d);

#endif
