#include "draw.h"

#include "bijection.h"

void draw_init(struct draw *d, uint64_t seed, enum draw_stream stream)
{
	/* far from each other, for neighbouring seeds and streams too */
	d->state = bijection_hash(bijection_hash(seed) + stream);
}

uint64_t draw_bits(struct draw *d)
{
	uint64_t z = d->state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

double draw_unit(struct draw *d)
{
	return (double)((draw_bits(d) >> 11) + 1) * 0x1p-53;
}

/* The upper half of the 128-bit product with n is the number; draws whose
 * lower half falls into the 2^64 mod n that would favour some are repeated
 * (Lemire, 2019). */
uint64_t draw_below(struct draw *d, uint64_t n)
{
	unsigned __int128 product = (unsigned __int128)draw_bits(d) * n;

	if ((uint64_t)product < n) {
		uint64_t excess = -n % n;

		while ((uint64_t)product < excess)
			product = (unsigned __int128)draw_bits(d) * n;
	}
	return (uint64_t)(product >> 64);
}
