/*
 * pacer: makes the workers of a run keep a pace together (see pace.h).
 */
#ifndef BIGDIR_PACER_H
#define BIGDIR_PACER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "pace.h"

struct pacer {
	pthread_mutex_t lock;
	struct pace pace;
	bool measuring; /* a worker watches the rest that goes on */
	int pressure; /* descriptor, or -errno where it is not told */
	uint64_t waited; /* ns that workers have waited, all together */
};

/* Never fails: where the pressure cannot be read, latencies alone decide. */
void pacer_init(struct pacer *p, uint64_t interval, uint64_t latency);
void pacer_destroy(struct pacer *p);

/* Wait until the next block may begin, a signal has come, or the clock has
 * reached `deadline`. */
void pacer_wait(struct pacer *p, uint64_t deadline);

/* See pace_worked(). */
void pacer_note(struct pacer *p, uint64_t began, uint64_t ended,
		unsigned int count, uint64_t worst);

#endif
