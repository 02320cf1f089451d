/*
 * cause: what was seen where a knee is, that could explain it.
 *
 * Each cause has a rule over the evidence before, at and after the knee, and
 * is told with the numbers it was judged by. None is a proof; and where no
 * rule is met, none is named.
 */
#ifndef BIGDIR_CAUSE_H
#define BIGDIR_CAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "evidence.h"
#include "index_steps.h"

enum cause_kind {
	CAUSE_INDEX_DEPTH, /* the model's directory gets a level here */
	CAUSE_DEVICE_READS, /* the device is read from: twice as much for each
			     * operation as on the cheap side, and once in a
			     * hundred operations or more */
	CAUSE_MEMORY_LIMIT, /* the control group reaches 97 % of its limit */
	CAUSE_MEMORY_SHORT, /* less than 5 % of memory is available */
	CAUSE_JOURNAL_FULL, /* as much as the journal holds has been written to
			     * the device since the run began */
	CAUSE_WRITE_BACK, /* dirty memory passes the background threshold */
	CAUSE_DEVICE_WRITES, /* twice the bytes for each operation as on the
			      * cheap side, and 64 more */
	CAUSE_PREEMPTED, /* others have taken the processor away twice as
			  * often as on the cheap side, and 50 times a second
			  * more */
	CAUSE_OTHERS_BUSY, /* all but this process have kept a third of a
			    * processor more busy than on the cheap side */
	CAUSE_KINDS
};

#define CAUSE_TEXT 128

struct cause {
	enum cause_kind kind;
	char text[CAUSE_TEXT]; /* the numbers, in a few words */
};

/* Where to look, and what to hold it against; 0 or none: not known. */
struct cause_scene {
	const struct run_evidence *evidence;
	uint64_t low, high; /* positions: the knee is between them */
	uint64_t slice; /* positions of a slice */
	uint64_t reach; /* positions that were compared on either side */
	bool rises; /* the cost does */
	const struct index_step *steps;
	size_t step_count;
	uint64_t journal; /* bytes */
	uint64_t memory, memory_limit; /* bytes */
};

/* Its stable name: "index-depth", ... */
const char *cause_name(enum cause_kind kind);

/* Find all; at most CAUSE_KINDS. Returns how many. */
size_t cause_find(const struct cause_scene *s, struct cause *found);

/* A figure's growth for each operation before and after the knee. False where
 * it is not known, or there are no samples to tell. */
bool cause_per_operation(const struct cause_scene *s, enum evidence_figure f,
			 double *before, double *after);

#endif
