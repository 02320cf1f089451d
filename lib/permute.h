/*
 * permute: a keyed permutation of [0, n), computed point by point.
 *
 * The random order of every tool is permute_at(0), permute_at(1), ... : no
 * table, no state, so memory is constant, workers can share the order by
 * position, and the same seed gives the same order on every machine.
 *
 * It is the avalanche of the xxHash family on as many bits as n needs: each
 * round multiplies by an odd number, adds another, and xors the upper half of
 * the bits onto the lower one. Every step can be undone, so together they
 * permute [0, 2^bits). The numbers are XXH3 hashes of the seed. Results of n
 * and more are fed back in until one falls below n ("cycle walking"; Black
 * and Rogaway, 2002): as 2^bits < 2n, that takes two turns at the most, on
 * average.
 */
#ifndef BIGDIR_PERMUTE_H
#define BIGDIR_PERMUTE_H

#include <stdint.h>

/* Few bits have few numbers to be mixed with: they take more rounds. */
#define PERMUTE_ROUNDS 4
#define PERMUTE_SMALL_ROUNDS 16
#define PERMUTE_SMALL_BITS 12

struct permutation {
	uint64_t n;
	uint64_t mask; /* of `bits` bits */
	unsigned int shift; /* half of them */
	unsigned int rounds;
	struct {
		uint64_t factor; /* odd */
		uint64_t summand;
	} round[PERMUTE_SMALL_ROUNDS];
};

/* Set up the permutation of [0, n) that `seed` names. n is 1 to 2^63 - 1. */
void permute_init(struct permutation *p, uint64_t n, uint64_t seed);

/* The value at position i, for i in [0, n). */
uint64_t permute_at(const struct permutation *p, uint64_t i);

#endif
