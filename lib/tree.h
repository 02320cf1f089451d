/*
 * tree: the entries of a directory, and of those below it, in the order in
 * which they can be deleted.
 *
 * Hands out blocks as a source does (see run.h), each with the descriptor of
 * the directory that its names are in: first what is no directory, then, when
 * that has been worked on, the subdirectories themselves, deepest first. It
 * never follows a symbolic link, and never enters a mount point or another
 * file system.
 *
 * Memory: 256 KiB to read with; per level of depth, the names of the
 * subdirectories that are still to come; and, in inode order, 32 bytes and
 * the name of each entry of a window.
 */
#ifndef BIGDIR_TREE_H
#define BIGDIR_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "block.h"
#include "lookahead.h"
#include "name.h"
#include "selection.h"

/* A window that takes some 40 MB with names of eight bytes. */
#define TREE_WINDOW (UINT64_C(1) << 20)

/* Which of a run's steps a block is for. */
enum tree_step { TREE_UNLINK, TREE_RMDIR };

struct tree;

struct tree_options {
	int dir; /* the top; stays itself; not owned */
	bool recursive; /* subdirectories too */
	bool by_inode; /* sort each window by inode number */
	bool steady; /* see dirents_steady(): what was kept is not looked at
		      * a second time */
	uint64_t window; /* most entries sorted at once */
	struct lookahead *lookahead; /* is told what comes; or NULL. Not
				      * owned */
	const struct selection *selection; /* names that it leaves out are not
					    * handed out, and no directories
					    * are; NULL: everything is */
};

/* What is left alone, or could not be entered; each with the first name. */
struct tree_left {
	uint64_t directories; /* not recursive */
	uint64_t mounts; /* of another file system */
	uint64_t unreadable;
	int unreadable_errno; /* of the first one */
	uint64_t unmatched, kept; /* by the selection: names, and entries that
				   * the workers have found to stay */
	char directory_name[NAME_BUFFER], mount_name[NAME_BUFFER],
		unreadable_name[NAME_BUFFER];
};

/* 0 or -errno. */
int tree_open(struct tree **t, const struct tree_options *o);
void tree_close(struct tree *t);

/* Fill the block: 1; 0 when all is done; -errno when the walk cannot go on
 * (a directory was moved away under it, or there is no memory). Waits for
 * blocks that other workers still hold where it must. */
int tree_fill(struct tree *t, struct block *b);

/* The worker is done with a block; `failed` of its entries are still there
 * though they should not be, and `kept` are because they should. */
void tree_release(struct tree *t, const struct block *b, uint64_t failed,
		  uint64_t kept);

/* About how many entries will have been handed out in the end: exact once the
 * directory has been read to its end; 0: not known yet, or, with
 * subdirectories, never. May be called while workers run. */
uint64_t tree_expected(const struct tree *t);

/* Peak bytes that a window has held for its entries. */
uint64_t tree_memory(const struct tree *t);

/* Entries handed out so far, and what was left alone. */
uint64_t tree_given(const struct tree *t);
const struct tree_left *tree_left(const struct tree *t);

#endif
