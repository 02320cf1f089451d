/* XXH3 of a number, and back. */
#include <endian.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "bijection.h"
#include "permute.h"
#include "unit.h"

static void check(uint64_t n)
{
	uint64_t le = htole64(n), h = bijection_hash(n);

	assert_true(h == XXH3_64bits(&le, sizeof(le)));
	assert_true(bijection_unhash(h) == n);
	/* every 64-bit number is a hash of some other */
	assert_true(bijection_hash(bijection_unhash(n)) == n);
}

static void is_xxh3_and_goes_back(void **state)
{
	struct permutation p;

	(void)state;
	for (uint64_t n = 0; n < 100000; n++) {
		check(n);
		check(UINT64_MAX - n);
	}
	for (unsigned int bit = 0; bit < 64; bit++)
		for (unsigned int other = 0; other < 64; other++)
			check(UINT64_C(1) << bit ^ UINT64_C(1) << other);
	permute_init(&p, INT64_MAX, 1);
	for (uint64_t i = 0; i < 100000; i++)
		check(permute_at(&p, i) << 1 | (i & 1));
}

static void is_the_same_on_every_machine(void **state)
{
	static const struct {
		uint64_t number, hash;
	} golden[] = {
		{ 0, UINT64_C(0xc77b3abb6f87acd9) },
		{ 1000003, UINT64_C(0xaa57401fb1d41e16) },
		{ 2000006, UINT64_C(0xb83d3ae9cd0aaceb) },
		{ 4000012, UINT64_C(0xc18dbe8d455d6723) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(golden); i++) {
		assert_true(bijection_hash(golden[i].number) == golden[i].hash);
		assert_true(bijection_unhash(golden[i].hash) ==
			    golden[i].number);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_xxh3_and_goes_back),
		cmocka_unit_test(is_the_same_on_every_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
