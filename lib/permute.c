#include "permute.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static unsigned int bits_for(uint64_t n)
{
	unsigned int bits = 2;

	while (bits < 63 && (UINT64_C(1) << bits) < n)
		bits++;
	return bits;
}

void permute_init(struct permutation *p, uint64_t n, uint64_t seed)
{
	unsigned int bits = bits_for(n);

	p->n = n;
	p->left_bits = bits / 2;
	p->right_bits = bits - bits / 2;
	for (uint64_t r = 0; r < PERMUTE_ROUNDS; r++) {
		uint64_t le = htole64(r);

		p->key[r] = XXH3_64bits_withSeed(&le, sizeof(le), seed);
	}
}

static inline uint64_t round_value(uint64_t half, uint64_t key)
{
	uint64_t le = htole64(half);

	return XXH3_64bits_withSeed(&le, sizeof(le), key);
}

/* One pass of the network: a bijection of [0, 2^bits). */
static inline uint64_t scramble(const struct permutation *p, uint64_t x)
{
	uint64_t left_mask = (UINT64_C(1) << p->left_bits) - 1;
	uint64_t right_mask = (UINT64_C(1) << p->right_bits) - 1;
	uint64_t left = x >> p->right_bits;
	uint64_t right = x & right_mask;

	for (int r = 0; r < PERMUTE_ROUNDS; r += 2) {
		left ^= round_value(right, p->key[r]) & left_mask;
		right ^= round_value(left, p->key[r + 1]) & right_mask;
	}
	return left << p->right_bits | right;
}

uint64_t permute_at(const struct permutation *p, uint64_t i)
{
	do {
		i = scramble(p, i);
	} while (i >= p->n);
	return i;
}
