/*
 * churn: a cache at steady state.
 *
 * A request asks for a key: its object is looked up, and if it is not there,
 * created and, if the cache is full, another one evicted. Which one the
 * request is for, and which one must go, does not depend on how long anything
 * takes; so both are worked out ahead for a block of requests, and between the
 * readings of the clock there is nothing but the operation.
 *
 * One worker answers all requests, one after the other: with several, which of
 * two came first would not be known, and "least recently used" would not be
 * true. It is a queue with one server.
 */
#ifndef BIGDIR_CHURN_H
#define BIGDIR_CHURN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "arrivals.h"
#include "device.h"
#include "layout.h"
#include "meter.h"
#include "name.h"
#include "policy.h"
#include "popularity.h"
#include "run.h"

/* What is timed. Of a request that is a hit, the lookup is all. */
enum churn_kind {
	CHURN_REQUEST, /* any, from its beginning to its end */
	CHURN_HIT, /* lookup of an object that is there */
	CHURN_MISS, /* lookup of one that is not */
	CHURN_CREATE,
	CHURN_RENAME,
	CHURN_EVICT,
	CHURN_FETCH, /* a request that is a miss, all of the above together */
	/* Open loop only, from when the request was due: */
	CHURN_RESPONSE,
	CHURN_RESPONSE_HIT,
	CHURN_RESPONSE_MISS,
	CHURN_KINDS
};

/* Requests that are worked out ahead, in one go. */
#define CHURN_BLOCK 256
#define CHURN_OPEN_BLOCK 16

/* What has been counted, whatever became of the latencies. */
struct churn_counts {
	uint64_t requests; /* answered */
	uint64_t hits, misses; /* lookups */
	uint64_t created, evicted; /* objects, in place */
	uint64_t found, lost; /* objects that were there, or not, against what
			       * we know: others have been at work */
};

struct churn_figures {
	struct meter meter[CHURN_KINDS];
	struct churn_counts counts;
	uint64_t began; /* by the device's clock */
	uint64_t real; /* ns to the end of the last request */
	double rate; /* of requests that was asked for; 0: closed loop */
	uint64_t due; /* of the last request that was begun, ns since began */
	uint64_t behind; /* how late that one was begun, ns */
};

struct churn_plan {
	struct device *device;
	struct popularity *law;
	struct policy *policy;
	const struct name_scheme *scheme; /* of ranks */
	const struct layout *layout; /* NULL: flat */
	struct arrivals arrivals; /* rate 0: closed loop */
	uint64_t seed;
	uint64_t objects; /* there at the beginning; the policy knows them */
	struct run_counters *counters; /* for the progress line, or NULL */
	FILE *trace; /* each operation is printed here, or NULL */
};

/* How far a part of the run goes; 0 is no limit. */
struct churn_phase {
	uint64_t requests, time_limit; /* ns */
	bool until_full; /* until no further object can get in */
	double rate; /* per second; 0: closed loop */
};

struct request;
struct churn {
	const struct churn_plan *plan;
	struct request *request;
	char *text; /* their names and paths */
	struct meter_batch batch[CHURN_KINDS];
	unsigned int count, at; /* requests worked out; the next of them */
	unsigned int told; /* those whose figures have been kept */
	uint64_t first; /* number in the phase of the block's first request */
	struct arrivals arrivals;
	struct churn_figures figures; /* of the phase */
	struct churn_counts total; /* of all phases */
	uint64_t objects; /* there now */
	enum run_end end; /* why the last phase ended */
	struct run_failure failure; /* the first; its place is not filled in */
};

/* 0 or -ENOMEM; churn_free() in both cases. */
int churn_init(struct churn *c, const struct churn_plan *plan);
void churn_free(struct churn *c);

/* Carry out a part of the run; its figures are in c->figures, which begin
 * anew. 0, whatever became of the operations, or -ENOMEM. */
int churn_run(struct churn *c, const struct churn_phase *phase);

/* Requests per second that were answered. */
double churn_rate(const struct churn_figures *f);

/* By what part (0 to 1) the requests were begun too late, at the end, of the
 * time since the first: what the rate lacks of that which was asked for. A
 * queue that can be served is now long, now short, and this goes to 0; one
 * that cannot grows with the time. */
double churn_shortfall(const struct churn_figures *f);

/* Whether the rate was held: the shortfall is at most CHURN_HELD, or the last
 * request was begun no later than CHURN_GRACE ns, or than `slo` ns if that is
 * more: a short run may end with a queue that is none. */
#define CHURN_HELD 0.01
#define CHURN_GRACE UINT64_C(10000000)
bool churn_held(const struct churn_figures *f, uint64_t slo);

/* Whether there was too little to say: nothing was answered, or all was over
 * within CHURN_GRACE and only therefore held. */
bool churn_too_short(const struct churn_figures *f);

/* Requests that a percentile (0 to 1) takes, so that one at least is to be
 * above it. */
double churn_least(double part);

/* hits / lookups; 0 if there are none. */
double churn_hit_ratio(const struct churn_counts *counts);

/* "request", "hit", ... as in records. Static. */
const char *churn_kind_name(enum churn_kind kind);

#endif
