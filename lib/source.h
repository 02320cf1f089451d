/*
 * source: hands the entries of a run to its workers, a block at a time.
 *
 * Computed orders are divided by position with one atomic addition; observed
 * ones are read from the directory under a lock, straight through (readdir),
 * or sorted in windows (inode, hash). All calls but open and close may be
 * made by several workers at once.
 */
#ifndef BIGDIR_SOURCE_H
#define BIGDIR_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "block.h"
#include "layout.h"
#include "name.h"
#include "order.h"

struct source;

/*
 * Which positions of an order ask for names that exist, and which for others:
 * exactly `hits` of them, chosen by a keyed permutation. A position that is
 * none of these has the index that it would have, plus `beyond`.
 */
struct mix {
	struct permutation permutation; /* of all positions */
	uint64_t hits, beyond;
};

struct source_options {
	const struct order *order; /* bound to count */
	const struct name_scheme *scheme; /* NULL: any name (observed only) */
	const struct name_scheme *to; /* of second names, or NULL */
	uint64_t start, count; /* the indices start to start + count - 1 */
	int dir; /* read by observed orders; not owned */
	int to_dir; /* the same, after a swap */
	const struct layout *layout; /* of dir, whose directories are read one
				      * after the other (readdir and inode
				      * order); or NULL */
	const struct layout *to_layout; /* the same, after a swap */
	const struct mix *mix; /* names that do not exist among the others; or
				* NULL (computed orders only) */
	uint64_t window; /* most entries sorted at once; 0: no limit */
	bool names_made; /* the entries do not exist yet: their names
			  * are made and not read (hash order only) */
};

/* Set up a source; the options' pointers must outlive it. 0 or -errno (an
 * observed order opens `dir` anew for reading). */
int source_open(struct source **s, const struct source_options *o);
void source_close(struct source *s);

/* Fill the block with what comes next: 1; 0 when there is no more; -errno
 * when the directory cannot be read, or -ENOMEM. */
int source_fill(struct source *s, struct block *b);

/* Begin again at position 0; with `swap`, the first and second schemes, and
 * the two directories, change places. Not while workers run. 0 or -errno. */
int source_again(struct source *s, bool swap);

/* The longest name that a block needs room for. */
size_t source_longest(const struct source *s);

/* Entries handed out since the beginning. */
uint64_t source_given(const struct source *s);

/* Peak bytes that a sorted order has held for its entries. */
uint64_t source_memory(const struct source *s);

#endif
