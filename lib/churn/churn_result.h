/*
 * churn_result: what came of a run of churn, for its report.
 */
#ifndef BIGDIR_CHURN_RESULT_H
#define BIGDIR_CHURN_RESULT_H

#include "churn.h"
#include "churn_options.h"
#include "held.h"
#include "hit_theory.h"
#include "parent.h"
#include "stage_left.h"

/* A ramp ends by itself; that it never takes more is for safety alone. */
#define CHURN_MAX_STEPS 128

/* One rate of a ramp. */
struct churn_step {
	double rate; /* that was tried, requests per second */
	double answered; /* per second */
	double shortfall; /* see churn_shortfall() */
	uint64_t requests;
	uint64_t quantile; /* of the SLO, ns; 0 if nothing was answered */
	bool good;
};

struct churn_result {
	const struct churn_options *options;
	struct churn_figures figures; /* of the measured part; of a ramp, of
				       * its best step, or its last if none
				       * was good; of the warm-up, if the run
				       * ended in it */
	bool warm; /* the measured part was reached */
	struct churn_counts warm_up; /* without requests if there was none */
	uint64_t warm_up_real; /* ns */
	struct churn_counts total; /* of the whole run */
	uint64_t resumed; /* objects that were taken up at the beginning */
	struct held held; /* what else was found then (--resume) */
	struct stages_left stages; /* of killed runs, likewise */
	uint64_t objects; /* there at the end, by the books */
	uint64_t policy_bytes;
	struct hit_theory theory;
	bool rate_met; /* the rate was held, and the SLO kept; or neither
			* was asked for */
	uint64_t quantile; /* of the SLO, in the measured part; ns */
	unsigned int steps; /* of a ramp */
	struct churn_step step[CHURN_MAX_STEPS];
	double highest; /* rate of the best step; 0: none was good */
	bool directories_known; /* there is a layout: */
	struct parents_counts directories;
};

/* The kinds of operation that the run had to do with. */
bool churn_has_kind(const struct churn_result *r, enum churn_kind kind);

/* Whether the counts agree: hits and misses are the requests, and what was
 * there, was created and evicted makes what is there. Of a run that has failed
 * in the midst of a request, too. */
bool churn_books_agree(const struct churn_result *r);

#endif
