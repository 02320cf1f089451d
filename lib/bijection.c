#include "bijection.h"

#include <endian.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/*
 * XXH3 for 4 to 8 bytes, seed 0 (its specification, "XXH3_len_4to8"): the two
 * 32-bit halves change places and are xored with a constant K, then
 *	h ^= rotl(h, 49) ^ rotl(h, 24);  h *= M;
 *	h ^= (h >> 35) + 8;  h *= M;  h ^= h >> 28.
 */
#define M UINT64_C(0x9FB21C651E98DF25)

uint64_t bijection_hash(uint64_t number)
{
	uint64_t le = htole64(number);

	return XXH3_64bits(&le, sizeof(le));
}

static uint64_t rotl(uint64_t x, unsigned int by)
{
	by &= 63;
	return by ? x << by | x >> (64 - by) : x;
}

/* 1/M modulo 2^64 by Newton's iteration; each step doubles the right bits. */
static uint64_t inverse_of_m(void)
{
	uint64_t inverse = M;

	for (int i = 0; i < 6; i++)
		inverse *= 2 - M * inverse;
	return inverse;
}

/*
 * As a polynomial over GF(2), f = 1 + r^49 + r^24 with r^64 = 1. Squaring
 * doubles the exponents, so f^64 = 1 + 1 + 1 = 1, and 1/f = f^63, the product
 * of f^1, f^2, f^4 ... f^32.
 */
static uint64_t undo_rotations(uint64_t h)
{
	for (unsigned int k = 0; k < 6; k++)
		h ^= rotl(h, 49u << k) ^ rotl(h, 24u << k);
	return h;
}

/* The halves, already xored with K, that a hash was mixed from. */
static uint64_t undo_mixing(uint64_t h)
{
	uint64_t inverse = inverse_of_m();

	h ^= h >> 28 ^ h >> 56;
	h *= inverse;
	h ^= (h >> 35) + 8;
	h *= inverse;
	return undo_rotations(h);
}

uint64_t bijection_unhash(uint64_t hash)
{
	/* zero has zero halves, so what its hash was mixed from is K */
	uint64_t k = undo_mixing(bijection_hash(0));
	uint64_t halves = undo_mixing(hash) ^ k;

	return halves << 32 | halves >> 32;
}
