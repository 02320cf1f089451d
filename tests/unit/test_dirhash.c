/* Directory hashes against values that the file systems themselves made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <ext2fs/ext2_fs.h>

#include "dirhash.h"
#include "extfs.h"

static uint32_t of(const struct dirhash *h, const char *name)
{
	return dirhash(h, name, strlen(name));
}

/* Rotating and exclusive-or done by hand. */
static void xfs_by_hand(void **state)
{
	struct dirhash h = { .kind = DIRHASH_XFS };

	(void)state;
	assert_int_equal(of(&h, "."), 0x2e);
	assert_int_equal(of(&h, ".."), 0x172e);
	assert_int_equal(of(&h, "a"), 0x61);
	assert_int_equal(of(&h, "ab"), 0x61 << 7 ^ 0x62);
	/* The fifth byte turns the first one's high bits over the top. */
	assert_int_equal(of(&h, "aaaaa"), (0x61U << 28 | 0x61U >> 4) ^
						  0x61U << 21 ^ 0x61U << 14 ^
						  0x61U << 7 ^ 0x61U);
}

/* CRC-32C of "123456789" is e3069283 with the usual first and last inversion;
 * the file system's begins at ~1 and is not inverted, so it is checked by the
 * value that a mounted one shows for "default". */
static void btrfs_known(void **state)
{
	struct dirhash h = { .kind = DIRHASH_BTRFS };

	(void)state;
	assert_int_equal(of(&h, "default"), 2378154706U);
}

static void ext_is_even_and_seeded(void **state)
{
	struct dirhash a = { .kind = DIRHASH_EXT,
			     .version = EXT2_HASH_HALF_MD4,
			     .seed = { 1, 2, 3, 4 } };
	struct dirhash b = a;
	char name[] = "00000000";

	(void)state;
	b.seed[3]++;
	assert_int_not_equal(of(&a, name), of(&b, name));
	for (char c = '0'; c <= 'z'; c++) {
		name[7] = c;
		assert_int_equal(of(&a, name) & 1, 0);
	}
}

/* Only bytes above 127 tell the signed hash from the unsigned one. */
static void ext_signedness(void **state)
{
	struct dirhash s = { .kind = DIRHASH_EXT, .version = EXT2_HASH_TEA };
	struct dirhash u = { .kind = DIRHASH_EXT,
			     .version = EXT2_HASH_TEA_UNSIGNED };

	(void)state;
	assert_int_equal(of(&s, "plain"), of(&u, "plain"));
	assert_int_not_equal(of(&s, "h\xc3\xa4user"), of(&u, "h\xc3\xa4user"));
}

static void ext_takes_facts(void **state)
{
	struct extfs_facts facts = { .hash_version = EXT2_HASH_TEA,
				     .hash_seed = { 5, 6, 7, 8 } };
	struct dirhash h = dirhash_ext(&facts);

	(void)state;
	assert_int_equal(h.kind, DIRHASH_EXT);
	assert_int_equal(h.version, EXT2_HASH_TEA);
	assert_memory_equal(h.seed, facts.hash_seed, sizeof(h.seed));
}

static void none_is_zero(void **state)
{
	struct dirhash h = { .kind = DIRHASH_NONE };

	(void)state;
	assert_int_equal(of(&h, "anything"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(xfs_by_hand),
		cmocka_unit_test(btrfs_known),
		cmocka_unit_test(ext_is_even_and_seeded),
		cmocka_unit_test(ext_signedness),
		cmocka_unit_test(ext_takes_facts),
		cmocka_unit_test(none_is_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
