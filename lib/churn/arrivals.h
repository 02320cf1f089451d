/*
 * arrivals: when requests come in, whatever becomes of those before.
 *
 * At a constant rate, request n comes n / rate seconds after the first one, to
 * the nanosecond, without drift. As a Poisson process, the times between them
 * are drawn from the exponential law of that mean: as independent clients ask.
 */
#ifndef BIGDIR_ARRIVALS_H
#define BIGDIR_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "draw.h"

#define ARRIVALS_CHOICES "a rate such as 5000, 5000/s or 5000/s,poisson"
#define ARRIVALS_MAX_RATE 1e9

struct arrivals {
	double rate; /* per second; 0: each as soon as the last is done */
	bool poisson;
	double at; /* of the next one, in ns */
	uint64_t number; /* of the next one */
	struct draw draw;
};

/* Read "5000", "5k/s", "0.5/s,poisson". 0 or -EINVAL. */
int arrivals_parse(struct arrivals *a, const char *text);

/* Begin anew, at that rate. */
void arrivals_start(struct arrivals *a, double rate, uint64_t seed);

/* When the next request comes, in ns since the first could have. */
uint64_t arrivals_next(struct arrivals *a);

#endif
