/*
 * layout_walk: the directories of a layout that are there, one by one.
 *
 * Goes through the levels below the base in the order in which the directories
 * return their entries, and hands out each directory that holds entries of the
 * layout. What a level has no place for (a file, a symbolic link, a directory
 * that the layout would not make, a mount point) is told and never entered.
 *
 * Memory: 256 KiB to read with; per level, the names of the subdirectories
 * that are still to come. Descriptors: one per level.
 */
#ifndef BIGDIR_LAYOUT_WALK_H
#define BIGDIR_LAYOUT_WALK_H

#include "layout.h"

struct layout_walk;

struct layout_walk_options {
	const struct layout *layout; /* must outlive it */
	int base; /* not owned */
	/* Something at `path` (of the base: "") called `name` is not of the
	 * layout. Or NULL. */
	void (*foreign)(void *argument, const char *path, const char *name);
	void *argument;
};

/* 0 or -errno. layout_walk_close() takes NULL too. */
int layout_walk_open(struct layout_walk **w,
		     const struct layout_walk_options *o);
void layout_walk_close(struct layout_walk *w);

/*
 * The next directory that holds entries: 1, with its descriptor, to be read
 * from its beginning, and its path below the base, both the walk's until the
 * next call; 0 when there are no more; -errno when one cannot be read. Of a
 * flat layout, it is the base itself.
 */
int layout_walk_next(struct layout_walk *w, int *fd, const char **path);

#endif
