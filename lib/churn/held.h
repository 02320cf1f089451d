/*
 * held: the objects that a directory holds already.
 *
 * A name tells its rank (see name.h), so a cache that was ended can go on: all
 * that is lost is the order of use, of which the directory keeps the order of
 * creation, by the time of last modification.
 */
#ifndef BIGDIR_HELD_H
#define BIGDIR_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"
#include "name.h"
#include "policy.h"

struct held_request {
	int dir; /* the base, open for reading */
	const struct name_scheme *scheme;
	const struct layout *layout; /* NULL: flat */
	uint64_t keys;
	uint64_t most; /* objects that may be there to be taken up */
	/* Remove the object of a rank: 0 or a positive errno. */
	int (*evict)(void *argument, uint32_t rank);
	void *argument;
};

struct held {
	uint64_t objects;
	uint64_t surplus; /* more of them than the policy has room for; they
			   * had to go, and are not among the objects */
	uint64_t others; /* names that are none; staging directories of the
			  * suite are not counted (see stage_left.h) */
};

/* Count them; `one`: one is enough. 0, -errno, or -EINTR after a signal. */
int held_count(const struct held_request *r, bool one, struct held *h);

/*
 * Tell an empty policy of them, oldest first. Takes 16 to 24 bytes an object
 * while it sorts. Of more than its capacity, the policy says which must go, and
 * the request's evict() is called for each: a cache that was killed between a
 * creation and its eviction holds one too many. -EOVERFLOW, and nothing is
 * evicted, when there are more than `most`; 0, or -errno.
 */
int held_take_up(const struct held_request *r, struct policy *p,
		 struct held *h);

#endif
