/*
 * drain: what a file system still owes after the last unlink.
 *
 * xfs frees the inodes of deleted files later, by kernel threads (inode
 * inactivation); btrfs gives space back when its transactions are done. Both
 * are watched by the figures of statfs(2), which asks for nothing but a look,
 * takes no rights, and holds nobody up. ext4, tmpfs and others have paid when
 * unlink and syncfs have returned.
 */
#ifndef BIGDIR_DRAIN_H
#define BIGDIR_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "space.h"

enum drain_end {
	DRAIN_NOTHING, /* this file system leaves nothing for later */
	DRAIN_SETTLED, /* its figures no longer change */
	DRAIN_LIMIT, /* they still did when the time was up */
	DRAIN_SIGNAL, /* a signal ended the wait */
};

struct drain {
	bool asked;
	enum drain_end end;
	int err; /* positive errno of statfs or syncfs, or 0 */
	uint64_t ns; /* until the figures changed for the last time, and
		      * what of it had to be synced then */
	bool counted; /* inodes are: */
	uint64_t freed; /* that are free again since before the run */
};

/* A file system has settled when nothing has changed for so long. */
#define DRAIN_QUIET UINT64_C(300000000) /* ns */

/* Wait, at most `limit` ns, for the file system of the open directory, from
 * which `deleted` entries have gone since `before`. */
void drain_wait(int dir, const struct space *before, uint64_t deleted,
		uint64_t limit, struct drain *d);

/* "nothing", "settled", "limit" or "signal". Static. */
const char *drain_end_name(enum drain_end end);

#endif
