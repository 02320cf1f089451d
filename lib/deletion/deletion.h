/*
 * deletion: what only runs that delete have: which entries go, how gently,
 * and what the file system owes afterwards.
 */
#ifndef BIGDIR_DELETION_H
#define BIGDIR_DELETION_H

#include <stdbool.h>
#include <stdint.h>

#include "chooser.h"
#include "drain.h"
#include "lookahead.h"
#include "pacer.h"
#include "selection.h"

/* Unless it is said otherwise, the drain is waited for so long. */
#define DELETION_DRAIN UINT64_C(10000000000) /* ns */

/* Whether inodes are read ahead. */
enum look_ahead_wish { LOOK_AHEAD_AUTO, LOOK_AHEAD_YES, LOOK_AHEAD_NO };

struct deletion {
	/* asked for; 0, or false: it was not */
	bool chosen; /* by --order auto: */
	struct choice choice;
	struct selection selection;
	uint64_t older; /* ns */
	uint64_t keep;
	const char *rate; /* as it was given, or NULL */
	bool nice;
	enum look_ahead_wish look_ahead_wish;
	uint64_t drain_limit; /* ns; 0: not waited for */

	/* found */
	uint64_t keep_memory; /* bytes that finding the newest took */
	int nice_errno; /* why it could not be had all, or 0 */
	bool looked_ahead; /* or wanted to: */
	struct lookahead *lookahead; /* while it does; owned */
	int look_ahead_errno; /* why it could not, or 0 */
	struct lookahead_figures looked;
	struct pacer pacer;
	struct drain drain;
};

/* Begin with nothing asked for; end with it. */
void deletion_init(struct deletion *d);
void deletion_destroy(struct deletion *d);

/* Start looking ahead in the open directory, if that was asked for, or chosen.
 * That it could not be had is noted, and no reason to stop. */
void deletion_look_ahead(struct deletion *d, int dir);

/* End it, if it does: before whoever tells it what comes is closed. */
void deletion_end_look_ahead(struct deletion *d);

/* What run_plan has of it: entries that a worker takes at a time, and the
 * pacer or NULL. */
unsigned int deletion_block(const struct deletion *d);
struct pacer *deletion_pacer(struct deletion *d);

#endif
