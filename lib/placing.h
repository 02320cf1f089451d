/*
 * placing: the directories of a layout that the entries of a block live in.
 *
 * Before the operations of a block are timed, the descriptor of each entry's
 * directory is found. What that asks of the kernel, opening directories and
 * making them on demand, is timed call by call, with figures of its own; so
 * it is in the real time of a run, but never in the latency of an operation on
 * an entry.
 */
#ifndef BIGDIR_PLACING_H
#define BIGDIR_PLACING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "block.h"
#include "layout.h"
#include "meter.h"
#include "op.h"
#include "parent.h"

/* Where first names live, and where second ones do. */
enum placing_side { PLACING_FROM, PLACING_TO, PLACING_SIDES };

struct placing_plan {
	struct {
		const struct layout *layout; /* NULL: in the base itself */
		int base; /* not owned */
		bool make; /* directories that are not there */
	} side[PLACING_SIDES];
	unsigned int room; /* directories held open, for each side */
	mode_t mode; /* of those made */
	bool sync; /* see parent.h */
	uint64_t absent_from; /* entries of this index and above are not there:
			       * they are looked for where the way to them
			       * ends */
};

/* Where an entry's directory is. */
struct placed {
	int fd; /* or a negative errno */
	const struct operation *failed; /* that gave it; NULL: none did */
};

/* What became of all that; merged, of all workers. */
struct placing_figures {
	struct meter made, opened; /* directories, one by one */
	struct parents_counts counts;
	uint64_t memory; /* bytes of the tables */
};

/* One worker's. */
struct placing {
	struct placing_plan plan;
	struct parents *table[PLACING_SIDES];
	struct placed *at[PLACING_SIDES]; /* of each entry of the block */
	struct placing_figures figures;

	/* while a directory is being opened */
	uint64_t began; /* of the run */
	uint64_t since; /* the call before was over */
	const char *path;
	const struct operation *failed;
};

/* The operations of both meters. */
extern const struct operation op_layout_mkdir, op_layout_opendir;

/* Make it ready for blocks of up to `room` entries, which the plan's room is
 * not below. 0 or -ENOMEM; placing_free() in both cases. */
int placing_init(struct placing *p, const struct placing_plan *plan,
		 unsigned int room);
void placing_free(struct placing *p);

/*
 * Find where all entries of a block live; `began` is when the run did, by
 * clock_now(). What is found is good until the next block. Of an entry that is
 * not there, and whose directory is not either, the name in the block becomes
 * the first part of its path that is missing: a lookup of the whole path would
 * end there.
 */
void placing_block(struct placing *p, struct block *b, uint64_t began);

/* The directory of the layout that an entry lives in, cut to `size` bytes;
 * empty where the layout has none for it. */
void placing_path(const struct placing *p, int side, uint64_t index,
		  const char *name, char *buf, size_t size);

/* The two sides change places, for the way back. */
void placing_turn(struct placing *p);

/* None yet. 0 or -ENOMEM; placing_figures_free() in both cases. */
int placing_figures_init(struct placing_figures *f);

/* Take over one worker's figures: the first one's as they are, in place of
 * none, or added to those that are there. */
void placing_collect(struct placing *p, struct placing_figures *to);
void placing_figures_free(struct placing_figures *f);

/* Bytes that names in a block may take when an entry is not there. */
size_t placing_longest_part(const struct layout *l);

#endif
