/*
 * draw: random numbers, the same for the same seed on every machine.
 *
 * SplitMix64 (Steele, Lea and Flood, 2014): a counter that is scrambled. A
 * seed has several streams, so that one consumer's draws do not move those of
 * another.
 */
#ifndef BIGDIR_DRAW_H
#define BIGDIR_DRAW_H

#include <stdint.h>

enum draw_stream {
	DRAW_POPULARITY,
	DRAW_POLICY,
	DRAW_ARRIVALS,
	DRAW_AGING,
};

struct draw {
	uint64_t state;
};

void draw_init(struct draw *d, uint64_t seed, enum draw_stream stream);

/* 64 random bits. */
uint64_t draw_bits(struct draw *d);

/* A multiple of 2^-53 in (0, 1]: its logarithm is always finite. */
double draw_unit(struct draw *d);

/* A number below n (1 and above), each as likely as the others. */
uint64_t draw_below(struct draw *d, uint64_t n);

#endif
