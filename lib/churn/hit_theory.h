/*
 * hit_theory: the hit ratio that a cache should have at steady state.
 *
 * Where each request is drawn independently (zipf, uniform):
 *  - lru: the approximation of Che, Tung and Wang (2002). An object is there
 *    if it was asked for within the last T requests, and T is such that as
 *    many objects as the capacity are there on average:
 *	sum (1 - e^(-p T)) = capacity,   hit ratio = sum p (1 - e^(-p T)).
 *    It takes T, which varies a little, for constant; for caches of more than
 *    some hundred objects its error is far below 1 %.
 *  - fifo and random: both have the same hit ratio (Gelenbe, 1973), here by
 *    the like approximation (Fricker, Robert and Roberts, 2012):
 *	sum p T / (1 + p T) = capacity,  hit ratio = sum p (p T / (1 + p T)).
 * A scan hits always if it is no wider than the cache. If it is wider, lru and
 * fifo never hit; with random, an object is there when the scan comes back to
 * it if it has survived the evictions of all misses meanwhile:
 *	hit ratio h = e^(-(keys / capacity) (1 - h)), the solution below 1.
 */
#ifndef BIGDIR_HIT_THEORY_H
#define BIGDIR_HIT_THEORY_H

#include <stdbool.h>
#include <stdint.h>

#include "policy.h"
#include "popularity.h"

struct hit_theory {
	double hit_ratio;
	/* Requests that an empty cache takes until it is full, about: the T
	 * of lru; of a scan, exact. Infinite if it never is. */
	double filling;
	const char *by; /* whose formula; static */
};

/* What theory says of the policy for a bound law. */
void hit_theory(const struct popularity *law, enum policy_kind policy,
		uint64_t capacity, struct hit_theory *t);

#endif
