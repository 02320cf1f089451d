/*
 * job: one run from its plan to its report and exit code.
 *
 * What all tools do alike around their operations: look at the environment,
 * show progress, run, wait until all is durable, read back, report.
 */
#ifndef BIGDIR_JOB_H
#define BIGDIR_JOB_H

#include "deletion.h"
#include "options.h"
#include "record.h"
#include "run.h"
#include "stage.h"

/* What a directory must hold when the work is done. */
enum check_kind {
	CHECK_PRESENT, /* the names that went through are there */
	CHECK_ABSENT, /* they are gone; those that did not are still there */
	CHECK_ALL, /* all names are there, whatever the run did */
	CHECK_OBJECTS, /* as many objects of a cache as its books say */
};

struct job_check {
	enum check_kind kind;
	int dir;
	const char *directory;
	const struct name_scheme *scheme;
	const struct layout *layout; /* NULL, or flat: in `dir` itself */
	bool others_allowed;
	bool elsewhere_allowed; /* see verify.h */
};

struct job {
	const struct options *options;
	const char *directory; /* as the user gave it; "." for none */
	int dir; /* open, not owned */
	int json_fd; /* of --json, or -1; closed when it is carried out */
	const char *to; /* another directory of the second names, or NULL */
	const char *to_name, *to_prefix; /* as given, for the record */
	const char *to_layout_text; /* likewise; NULL: there are no renames */
	const char *plural; /* "files" */
	const char *size_is; /* see record.h */

	uint64_t count; /* 0: not known before */
	const struct name_scheme *scheme; /* NULL: any name */
	const struct name_scheme *to_scheme;
	bool names_made; /* see source.h */

	struct run_step step[RUN_MAX_STEPS];
	unsigned int steps, passes;
	bool steps_apart; /* an entry need not go through all of them */
	struct placing_plan placing; /* of steps that say they are placed */
	bool prune; /* remove the directories of the layout at the end */
	const struct mix *mix; /* see source.h; second_from: see run.h */
	double hit; /* share of names that exist, where there is a mix */
	uint64_t second_from;
	struct stage *stage; /* closed when the run is over, or NULL */
	FILE *echo;

	struct job_check check[RECORD_MAX_CHECKS];
	unsigned int checks;

	enum until until;
	bool open_ended; /* count is no more than a bound */
	bool free_check; /* see until_full.h */
	struct tree *tree; /* emptied, in place of names of a scheme; or NULL */
	struct deletion *deletion; /* of a run that deletes, or NULL */

	struct command *command; /* what `work` runs, or NULL */

	unsigned int aging; /* see aging.h; passes after the run, if all went
			     * through; 0: none */
	bool look_at_age; /* at the end: see age.h */
	struct churn_result *churn; /* what `work` makes of a cache, or NULL */

	/* Does the work in place of run(), and fills in the result likewise;
	 * or NULL. */
	int (*work)(const struct job *j, struct run_result *r);
	const void *work_argument; /* for that */
};

/* Open the record's file, before anything is touched (usage_error() if that
 * is not possible), and fill in what most tools have in common; the rest is
 * zero. */
void job_init(struct job *j, const struct options *o, const char *directory,
	      int dir, uint64_t count);

/* For `work`: start the progress line, if there is to be one, of as many
 * counters as there are workers. NULL is no line. */
struct progress *job_show_progress(const struct job *j,
				   const struct run_counters *counters);

/* Carry it out and report. Returns the exit code. */
int job_carry_out(struct job *j);

#endif
