/*
 * request: a block of requests, worked out ahead. Inside of churn.h; nobody
 * else needs it.
 */
#ifndef BIGDIR_REQUEST_H
#define BIGDIR_REQUEST_H

#include "churn.h"

/* What has been done for a request; bits. */
enum request_step {
	STEP_LOOKUP = 1 << 0,
	STEP_CREATE = 1 << 1,
	STEP_RENAME = 1 << 2,
	STEP_EVICT = 1 << 3,
};

struct request {
	struct object object, victim;
	bool expected; /* it should be there */
	bool evicts; /* the victim must go */
	unsigned char done; /* steps that were tried */
};

/* Room for a block. 0 or -ENOMEM. */
int requests_init(struct churn *c);

/* Name the object of a rank, and its path, in `text`, which has
 * object_text_room() bytes. 0, or -errno where it has no place in the
 * layout. */
size_t object_text_room(const struct churn_plan *p);
int object_name(const struct churn_plan *p, struct object *o, uint32_t rank,
		char *text);

/* Work out the next ones, for an open or a closed loop. 0, or -errno of a name
 * that has no place in the layout. */
int requests_fill(struct churn *c, bool open);

/* figures.c: add the block's latencies to the meters, off the clock. */
void churn_keep_figures(struct churn *c);

#endif
