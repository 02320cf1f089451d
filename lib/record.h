/*
 * record: everything that is known of one run; reports are made from it.
 */
#ifndef BIGDIR_RECORD_H
#define BIGDIR_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "age.h"
#include "aging.h"
#include "churn_result.h"
#include "command.h"
#include "deletion.h"
#include "env.h"
#include "evidence.h"
#include "exhaust.h"
#include "knees.h"
#include "layout_dirs.h"
#include "options.h"
#include "run.h"
#include "space.h"
#include "until_full.h"
#include "verify.h"

#define RECORD_MAX_CHECKS 2

/* How long until all was on the device. */
struct durable {
	bool asked;
	int err; /* positive errno of syncfs(), or 0 */
	uint64_t ns; /* after the last operation */
};

/* One verification: of which directory, against what. */
struct check {
	const char *directory;
	struct expectation expected;
	struct verification found;
};

struct record {
	const struct options *options;
	const char *directory; /* as the user gave it */
	const char *path; /* its absolute path, or NULL */
	const char *to_path; /* directory that renames lead to, or NULL if it
			      * is the same */
	const char *to_name, *to_prefix; /* of renames, as given; or NULL */
	const char *to_layout; /* likewise */
	const char *plural; /* "files" */
	const char *size_is; /* "growing", "shrinking" or "constant": how
			      * positions tell the directory's size */
	uint64_t count; /* entries the run is about; 0: not known */
	unsigned int passes, steps, batch;
	bool mixed; /* names that exist and others, ... */
	double hit; /* ... of which this is the share that should exist */
	bool laid_out; /* entries live in directories of a layout */
	unsigned int parents; /* of these that a worker held open at most */
	struct layout_dirs prepared, pruned; /* directories made before the
					      * run, removed after it */
	bool steps_apart; /* each entry goes through one of the steps only */
	const struct operation *operation[RUN_MAX_STEPS];
	const struct command *command; /* in place of operations; or NULL */
	const struct churn_result *churn; /* of a cache, which has operations
					   * of its own; or NULL */

	struct timespec started; /* CLOCK_REALTIME */
	struct environment env;
	struct space before, after;
	struct run_result run;
	struct run_evidence
		evidence; /* gathered during it; used is 0 if none */
	struct knees knees[RUN_MAX_STEPS]; /* in the cost of each step */
	bool explained; /* why the first failure happened: */
	struct verdict verdict;
	enum until until;
	struct free_check free_check;
	const struct deletion *deletion; /* what only deleting has, or NULL */
	struct tree_left left; /* what a walk has left alone */
	uint64_t given; /* entries handed out to workers */
	uint64_t missing; /* entries that an observed order did not find */
	uint64_t sort_memory; /* bytes that sorting took at most */
	bool stage_left; /* the stage could not be removed */
	struct aging aging; /* done after the run, if at all */
	bool age_known; /* how old the directory is at the end: */
	struct age age;
	struct durable durable;
	unsigned int checks; /* 0: nothing was verified */
	struct check check[RECORD_MAX_CHECKS];
	const char *not_verified; /* why not, though it was asked for */
	uint64_t peak_memory; /* max RSS, bytes */
	int exit_code;
};

/* Entries that went through, and operations that did not. */
uint64_t record_done(const struct record *r);
uint64_t record_failed(const struct record *r);

/* Operations of a step that went through. A command that succeeded counts as
 * the entries it works on, or as one where these are not known. */
uint64_t record_step_done(const struct record *r, unsigned int step);

/* The kinds of operations that were measured, the steps or those of a cache;
 * and the name and the figures of each. */
unsigned int record_kinds(const struct record *r);
const char *record_kind_name(const struct record *r, unsigned int n);
const struct meter *record_meter(const struct record *r, unsigned int n);

/* The meter whose timelines tell when operations of kind n were at work, and
 * so their rate: its own, but for responses, which begin when a request is
 * due. Those have the slices of the service that they waited for. */
const struct meter *record_work(const struct record *r, unsigned int n);

/* Successful operations of a step per second of real time, or of the time that
 * a command says its work took; 0 if none. */
double record_rate(const struct record *r, unsigned int step);

/* Whether a walk has left anything alone. */
bool record_left(const struct record *r);

/* What the first failure was a failure of. */
const char *record_first_operation(const struct record *r);

/* Why the run ended, as a stable word for records: "complete", "time-limit",
 * "signal", "error", "full", "unreadable". */
const char *record_end(const struct record *r);

#endif
