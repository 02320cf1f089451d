/*
 * tree_level: the directories from the top of a tree to where a walk is.
 *
 * Only some of them are open, so that depth takes no descriptors: those far
 * above are closed while the walk is below, and opened again by ".." on the
 * way back.
 */
#ifndef BIGDIR_TREE_LEVEL_H
#define BIGDIR_TREE_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "entries.h"
#include "name.h"

struct level {
	struct level *above;
	int fd;
	dev_t device;
	ino_t inode;
	char name[NAME_BUFFER]; /* in the directory above */

	bool read; /* to its end, for good */
	unsigned int readings; /* before this one */
	uint64_t given; /* entries of this reading */
	uint64_t failed; /* entries that are still there */
	uint64_t unmatched, kept; /* of this reading; see tree_left */
	unsigned int held; /* blocks that workers have */
	struct entries window; /* sorted entries (inode order) */
	size_t window_next, window_told; /* told: to a look-ahead */
	struct entries below; /* subdirectories, to be entered in turn */
	size_t below_next;
};

/* Put an open directory, of that name in the deepest one, below it; it owns
 * the descriptor then. 0 or -errno. */
int level_push(struct level **here, int fd, const char *name);

/* Close it, and forget it. */
void level_free(struct level *l);

/* The open directory that is so far above that it may be closed for now, or
 * NULL. The top stays open. */
struct level *level_far_above(struct level *here);

/* Make sure that the level above is open. The directory that ".." leads to
 * must be the one that we came from: whoever moves directories about while
 * they are emptied shall not lead us elsewhere. 0; -ESTALE when it is not;
 * or another -errno. */
int level_reopen_above(struct level *l);

#endif
