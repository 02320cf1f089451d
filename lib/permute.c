#include "permute.h"

#include <endian.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static uint64_t hash(uint64_t value, uint64_t seed)
{
	uint64_t le = htole64(value);

	return XXH3_64bits_withSeed(&le, sizeof(le), seed);
}

static unsigned int bits_for(uint64_t n)
{
	unsigned int bits = 1;

	while (bits < 63 && UINT64_C(1) << bits < n)
		bits++;
	return bits;
}

void permute_init(struct permutation *p, uint64_t n, uint64_t seed)
{
	unsigned int bits = bits_for(n);

	p->n = n;
	p->mask = (UINT64_C(1) << bits) - 1;
	p->shift = (bits + 1) / 2;
	p->rounds = bits <= PERMUTE_SMALL_BITS ? PERMUTE_SMALL_ROUNDS
					       : PERMUTE_ROUNDS;
	for (unsigned int r = 0; r < p->rounds; r++) {
		/* the upper bits of a hash are its best */
		p->round[r].factor = hash(2 * r, seed) >> (64 - bits) | 1;
		p->round[r].summand = hash(2 * r + 1, seed) >> (64 - bits);
	}
}

static inline uint64_t scramble(const struct permutation *p, uint64_t x)
{
	for (unsigned int r = 0; r < p->rounds; r++) {
		x = (x * p->round[r].factor + p->round[r].summand) & p->mask;
		x ^= x >> p->shift;
	}
	return x;
}

uint64_t permute_at(const struct permutation *p, uint64_t i)
{
	do {
		i = scramble(p, i);
	} while (i >= p->n);
	return i;
}
