/*
 * churn_options: what churn is asked to do.
 */
#ifndef BIGDIR_CHURN_OPTIONS_H
#define BIGDIR_CHURN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "arrivals.h"
#include "options.h"
#include "policy.h"
#include "popularity.h"
#include "ramp.h"

/* Options of its own as the user gave them; NULL or 0 where not. */
struct churn_texts {
	char *capacity, *keys, *popularity, *policy, *lookup;
	char *warm_up, *rate, *ramp, *slo, *step_time, *trace;
	int direct, resume;
};

struct churn_options {
	const char *path; /* of the directory */
	uint64_t requests; /* of the measured part; 0: no limit */
	uint64_t capacity, keys;
	const char *popularity; /* as given */
	struct popularity law;
	enum policy_kind policy;
	bool lookup_open; /* otherwise stat */
	bool direct, resume;
	bool warm_up_full; /* until the capacity is reached */
	uint64_t warm_up; /* or so many requests */
	struct arrivals arrivals; /* rate 0: closed loop */
	bool ramped;
	struct ramp ramp;
	uint64_t step_time; /* ns */
	const char *slo_text; /* NULL: none */
	double slo_part; /* the percentile, 0 to 1 ... */
	uint64_t slo_limit; /* ... that is to be no longer than this, ns */
	const char *trace; /* path, or NULL */
};

/* churn's own table for popt; ends with POPT_TABLEEND, 16 entries at most. */
#define CHURN_TABLE 16
void churn_options_table(struct poptOption table[CHURN_TABLE],
			 struct churn_texts *t);

/* Read them, and the positional arguments; ends with usage_error() when they
 * are not what can be done. Fills in what has a default in `o`, too. */
void churn_options_read(struct churn_options *c, struct options *o,
			const struct churn_texts *t);

#endif
