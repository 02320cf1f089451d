/*
 * popularity: which key is asked for next.
 *
 * A law says how often each of `keys` keys is asked for; they are known by
 * rank, 0 the most popular. zipf:S gives rank r (from 1) a part of all
 * requests that goes with 1 / r^S, each request independent of the others;
 * uniform is the same for all; scan goes through all keys in turn, over and
 * over.
 *
 * Zipf is drawn by rejection-inversion (Hoermann and Derflinger, ACM TOMACS
 * 6(3), 1996): exact to the resolution of a double for every S >= 0, 1
 * included, in constant time and without a table. The sequence of a seed is
 * the same on every machine with IEEE 754 doubles: see elementary.h.
 */
#ifndef BIGDIR_POPULARITY_H
#define BIGDIR_POPULARITY_H

#include <stdint.h>

#include "draw.h"

#define POPULARITY_CHOICES "zipf:S (such as zipf:0.9), uniform, scan"
#define POPULARITY_MAX_KEYS (UINT64_C(1) << 32)
#define POPULARITY_MAX_EXPONENT 10

enum popularity_kind {
	POPULARITY_ZIPF,
	POPULARITY_UNIFORM,
	POPULARITY_SCAN,
};

struct popularity {
	enum popularity_kind kind;
	double exponent;
	uint64_t keys;
	struct draw draw;
	uint64_t next; /* of scan */
	double low, high, sure; /* of zipf: see popularity.c */
};

/* Read the law from its name. 0 or -EINVAL. */
int popularity_parse(struct popularity *p, const char *text);

/* Make it ready to draw from `keys` keys, 1 to POPULARITY_MAX_KEYS. */
void popularity_bind(struct popularity *p, uint64_t keys, uint64_t seed);

/* The rank that is asked for next. */
uint32_t popularity_next(struct popularity *p);

/* How much more often than rank 0 the rank r is asked for; r need not be
 * whole, as sums over ranks are taken by integrals. */
double popularity_weight(const struct popularity *p, double rank);

#endif
