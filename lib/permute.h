/*
 * permute: a keyed permutation of [0, n), computed point by point.
 *
 * The random order of every tool is permute_at(0), permute_at(1), ... : no
 * table, no state, so memory is constant, workers can share the order by
 * position, and the same seed gives the same order on every machine.
 *
 * A Feistel network over the smallest even or odd number of bits that holds n
 * permutes [0, 2^bits); results of n and more are fed back in until one falls
 * below n ("cycle walking"; Black and Rogaway, 2002). As 2^bits < 2n for
 * n > 2, that takes fewer than two turns on average.
 */
#ifndef BIGDIR_PERMUTE_H
#define BIGDIR_PERMUTE_H

#include <stdint.h>

#define PERMUTE_ROUNDS 6

struct permutation {
	uint64_t n;
	uint64_t key[PERMUTE_ROUNDS];
	unsigned int left_bits, right_bits;
};

/* Set up the permutation of [0, n) that `seed` names. n is 1 to 2^63 - 1. */
void permute_init(struct permutation *p, uint64_t n, uint64_t seed);

/* The value at position i, for i in [0, n). */
uint64_t permute_at(const struct permutation *p, uint64_t i);

#endif
