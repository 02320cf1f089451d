/*
 * evidence: what the machine tells of itself while a run grows: counters of
 * the device, the memory and the journal, read at the borders of the slices
 * that the timeline by position has (timeline.h), outside every timed span.
 *
 * When the timeline joins its slices two by two, every second border is
 * dropped, so that there are never more samples than borders. A border is
 * passed over when less than EVIDENCE_SHARE times as long as a sample takes has
 * gone by since the last: the whole stays below that share of any run.
 */
#ifndef BIGDIR_EVIDENCE_H
#define BIGDIR_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "env.h"
#include "timeline.h"

#define EVIDENCE_SHARE 300
#define EVIDENCE_MOST                                                          \
	(TIMELINE_SLICES + 2) /* with the beginning and the end                \
			       */
#define EVIDENCE_UNKNOWN UINT64_MAX

enum evidence_figure {
	EVIDENCE_READS, /* of the device since it is there; requests */
	EVIDENCE_READ, /* bytes */
	EVIDENCE_WRITES,
	EVIDENCE_WRITTEN,
	EVIDENCE_DIRECTORY, /* st_size, bytes */
	EVIDENCE_AVAILABLE, /* memory, bytes: MemAvailable; ... */
	EVIDENCE_CACHED, /* ... Cached; ... */
	EVIDENCE_RECLAIMABLE, /* ... SReclaimable; ... */
	EVIDENCE_DIRTY, /* ... Dirty */
	EVIDENCE_GROUP, /* bytes that the control group is charged for */
	EVIDENCE_COMMITS, /* jbd2 transactions since the mount */
	EVIDENCE_PROCESSOR, /* ns that this process has had it, all workers */
	EVIDENCE_PREEMPTED, /* times that it was taken away from it */
	EVIDENCE_BUSY, /* ns that all processors of the machine were busy, with
			* whatever, or taken by the host */
	EVIDENCE_FIGURES
};

struct evidence_sample {
	uint64_t position; /* entries that were tried before it */
	uint64_t time; /* ns since the run began */
	uint64_t figure[EVIDENCE_FIGURES]; /* or EVIDENCE_UNKNOWN */
};

struct run_evidence {
	uint64_t width, next; /* of slices; the next border */
	uint64_t began, last, cost; /* clock of the run's beginning, of the last
				     * sample, and what the quickest took; ns */
	unsigned int used;
	struct evidence_sample sample[EVIDENCE_MOST];
	bool of_device; /* reads and writes are those of the device; else of
			 * this process (/proc/self/io) */
	uint64_t dirty_limit; /* bytes of dirty memory at which write-back
			       * begins in the background; 0: not known */
	int dir; /* not owned */
	int device, io, memory, group, journal,
		processors; /* open files, or -1 */
};

/* Open what there is to be read about the directory's file system. What there
 * is not is unknown in all samples. evidence_close() closes it. */
void evidence_open(struct run_evidence *e, int dir,
		   const struct environment *env);
void evidence_close(struct run_evidence *e);

/* The first sample, before the clock runs, of slices of `width`. */
void evidence_begin(struct run_evidence *e, uint64_t width);

/* The run's clock begins now. */
void evidence_started(struct run_evidence *e, uint64_t began);

/* One more sample, if it is time for one; by one thread of the run. */
static inline bool evidence_due(const struct run_evidence *e, uint64_t position)
{
	return position >= e->next;
}
void evidence_take(struct run_evidence *e, uint64_t position);

/* The last one, at the end. */
void evidence_end(struct run_evidence *e, uint64_t position);

/* The last sample at or before a position, and the first at or after it; the
 * first and the last of all where there is none. There must be samples. */
const struct evidence_sample *evidence_before(const struct run_evidence *e,
					      uint64_t position);
const struct evidence_sample *evidence_after(const struct run_evidence *e,
					     uint64_t position);

#endif
