/*
 * lookahead: a thread that has inodes read that are deleted soon, while the
 * current ones are deleted.
 *
 * The one who hands out entries says which inodes they have, in order and ahead
 * of time, and how many of them have been handed out; the thread goes through
 * those that are still to come, a call for each block of inodes. It stops
 * reading ahead where inodes turn out to be in memory already, but for a look
 * now and then.
 *
 * Memory: 256 KiB. What is told beyond that is forgotten: it is read when its
 * turn comes, as without any of this.
 */
#ifndef BIGDIR_LOOKAHEAD_H
#define BIGDIR_LOOKAHEAD_H

#include <stdint.h>

#include "inode_reader.h"

struct lookahead;

/* So many entries ahead are enough: at 100,000 deletions a second, 80 ms. */
#define LOOKAHEAD_DISTANCE 8192

struct lookahead_figures {
	uint64_t calls; /* for a block each */
	uint64_t reads; /* of these, that waited for the device */
	int err; /* positive errno that ended it, or 0 */
};

/* Start the thread, for the file system of the open directory, which must
 * stay open. 0; or -errno of inode_reader_init(), -EAGAIN or -ENOMEM. */
int lookahead_start(struct lookahead **l, int dir);

/* End it and wait for it; what it did, if `f` is not NULL. */
void lookahead_stop(struct lookahead *l, struct lookahead_figures *f);

/* All of the following are for one caller at a time, and do nothing if `l` is
 * NULL. */

/* Forget what was told: entries are counted from here on. */
void lookahead_begin(struct lookahead *l);

/* The entry that comes after those already told has that inode; 0: it is none
 * that need be read. */
void lookahead_tell(struct lookahead *l, uint64_t inode);

/* So many of the entries told have been handed out since it began; those told
 * after the last call are taken up now. */
void lookahead_handed_out(struct lookahead *l, uint64_t entries);

#endif
