/* The directory model: block filling, splitting, and the full index. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "dirblock.h"
#include "extfs.h"
#include "htree.h"

static const struct htree_geometry small = { .block_size = 1024,
					     .max_levels = 2,
					     .csum = true };

/* Even numbers that look random, the same on every machine. */
static uint32_t hash_of(uint64_t i)
{
	i = (i + 1) * 0x9e3779b97f4a7c15ULL;
	i ^= i >> 29;
	i *= 0xbf58476d1ce4e5b9ULL;
	i ^= i >> 32;
	return (uint32_t)i & ~1U;
}

static void needs(void **state)
{
	(void)state;
	assert_int_equal(dirblock_need(1), 3);
	assert_int_equal(dirblock_need(4), 3);
	assert_int_equal(dirblock_need(5), 4);
	assert_int_equal(dirblock_need(255), 66);
}

static void first_hole_is_used(void **state)
{
	struct dirblock b = { 0 };

	(void)state;
	/* An entry with slack, a hole, an entry. */
	assert_int_equal(dirblock_append(&b, (struct dirslot){ 1, 4, 7 }), 0);
	assert_int_equal(dirblock_append(&b, (struct dirslot){ 2, 0, 6 }), 0);
	assert_int_equal(dirblock_append(&b, (struct dirslot){ 3, 4, 4 }), 0);
	assert_int_equal(dirblock_add(&b, 3, 10), 0);
	assert_int_equal(b.count, 4);
	assert_int_equal(b.slot[1].hash, 10);
	assert_int_equal(b.slot[0].room, 4);
	assert_int_equal(b.slot[1].room, 3);
	assert_int_equal(dirblock_add(&b, 5, 11), 0);
	assert_int_equal(b.count, 4);
	assert_int_equal(b.slot[2].hash, 11);
	assert_int_equal(b.slot[2].room, 6);
	assert_int_equal(dirblock_add(&b, 3, 12), -ENOSPC);
	dirblock_free(&b);
}

static struct dirblock filled(unsigned int room, unsigned int need,
			      uint32_t step)
{
	struct dirblock b;
	uint32_t hash = 0;

	assert_int_equal(dirblock_init(&b, room), 0);
	while (dirblock_add(&b, need, hash) == 0)
		hash += step;
	return b;
}

static void split_in_half(void **state)
{
	struct dirblock b = filled(256, 16, 2), upper;
	uint32_t boundary;
	bool continued;

	(void)state;
	assert_int_equal(b.count, 16);
	assert_int_equal(
		dirblock_split(&b, 256, 256, &upper, &boundary, &continued), 0);
	assert_int_equal(b.count, 8);
	assert_int_equal(upper.count, 8);
	assert_int_equal(boundary, 16);
	assert_false(continued);
	assert_int_equal(upper.slot[0].hash, 16);
	/* The last entry of either reaches to the end. */
	assert_int_equal(b.slot[7].room, 256 - 7 * 16);
	assert_int_equal(upper.slot[7].room, 256 - 7 * 16);
	dirblock_free(&b);
	dirblock_free(&upper);
}

static void split_of_equal_hashes(void **state)
{
	struct dirblock b = filled(256, 16, 0), upper;
	uint32_t boundary;
	bool continued;

	(void)state;
	assert_int_equal(
		dirblock_split(&b, 256, 256, &upper, &boundary, &continued), 0);
	assert_int_equal(b.count + upper.count, 16);
	assert_int_equal(boundary, 0);
	assert_true(continued);
	dirblock_free(&b);
	dirblock_free(&upper);
}

static void limits(void **state)
{
	struct htree_geometry plain = { .block_size = 4096, .max_levels = 2 };
	struct htree_geometry csum = plain;

	(void)state;
	csum.csum = true;
	assert_int_equal(htree_root_limit(&plain), 508);
	assert_int_equal(htree_node_limit(&plain), 511);
	assert_int_equal(htree_root_limit(&csum), 507);
	assert_int_equal(htree_node_limit(&csum), 510);
	assert_int_equal(htree_leaf_room(&plain), 4096);
	assert_int_equal(htree_leaf_room(&csum), 4084);
}

static void geometry_from_facts(void **state)
{
	struct extfs_facts f = { .block_size = 4096,
				 .inode_size = 256,
				 .extra_isize = 32,
				 .dir_index = true,
				 .metadata_csum = true };
	struct htree_geometry g = htree_geometry_of(&f);

	(void)state;
	assert_int_equal(g.max_levels, 2);
	assert_false(g.is_inline);
	f.large_dir = f.inline_data = true;
	g = htree_geometry_of(&f);
	assert_int_equal(g.max_levels, 3);
	assert_true(g.is_inline);
	/* A directory of 256-byte inodes grows from 60 to 128 bytes inside. */
	assert_int_equal(g.inline_extra, 68);
	f.dir_index = false;
	assert_int_equal(htree_geometry_of(&f).max_levels, 0);
}

static uint64_t bytes_with(const struct htree_geometry *g, size_t len,
			   uint64_t count)
{
	struct htree *t = htree_new(g);
	uint64_t bytes;

	assert_non_null(t);
	for (uint64_t i = 0; i < count; i++)
		assert_int_equal(htree_add(t, len, hash_of(i)), 0);
	bytes = htree_bytes(t);
	htree_free(t);
	return bytes;
}

/* 1012 bytes less 24 hold 61 entries of 16; the next makes a root, two
 * leaves. */
static void from_block_to_index(void **state)
{
	(void)state;
	assert_int_equal(bytes_with(&small, 8, 0), 1024);
	assert_int_equal(bytes_with(&small, 8, 61), 1024);
	assert_int_equal(bytes_with(&small, 8, 62), 3 * 1024);
}

static void without_index(void **state)
{
	struct htree_geometry g = { .block_size = 1024 };

	(void)state;
	assert_int_equal(bytes_with(&g, 255, 3), 1024);
	assert_int_equal(bytes_with(&g, 255, 4), 2 * 1024);
	assert_int_equal(bytes_with(&g, 255, 300), 100 * 1024);
}

static void inside_the_inode(void **state)
{
	struct htree_geometry g = small;

	(void)state;
	g.is_inline = true;
	g.inline_extra = 68;
	/* 56 bytes take 3 entries of 16, 68 another 4. */
	assert_int_equal(bytes_with(&g, 8, 3), 60);
	assert_int_equal(bytes_with(&g, 8, 4), 128);
	assert_int_equal(bytes_with(&g, 8, 7), 128);
	assert_int_equal(bytes_with(&g, 8, 8), 1024);
}

/* Fill until refused; the figures must then say that root and node are full,
 * and a refusal must change nothing. */
static void refused_when_full(void **state)
{
	struct htree_figures f, again;
	struct htree *t = htree_new(&small);
	uint64_t i = 0;
	int err;

	(void)state;
	while ((err = htree_add(t, 255, hash_of(i))) == 0)
		i++;
	assert_int_equal(err, -ENOSPC);
	htree_figures(t, &f);
	assert_int_equal(f.entries, i);
	assert_int_equal(f.levels, 2);
	assert_int_equal(f.level[0].used, f.level[0].limit);
	assert_int_equal(f.level[0].limit, 123);
	assert_int_equal(f.level[1].limit, 126);
	assert_int_equal(f.level[1].nodes, 123);
	assert_int_equal(f.level[1].used, f.leaves);
	assert_true(f.full_nodes >= 1);
	assert_int_equal(f.bytes, (f.leaves + 124) * 1024);
	assert_in_range(i, 17000, 25000);
	assert_int_equal(htree_add(t, 255, hash_of(i)), -ENOSPC);
	htree_figures(t, &again);
	assert_memory_equal(&f, &again, sizeof(f));
	htree_free(t);
}

/* large_dir takes what two levels refuse, and grows a third. */
static void third_level(void **state)
{
	struct htree_geometry g = small;
	struct htree_figures f;
	struct htree *t;

	(void)state;
	g.max_levels = 3;
	t = htree_new(&g);
	for (uint64_t i = 0; i < 40000; i++)
		assert_int_equal(htree_add(t, 255, hash_of(i)), 0);
	htree_figures(t, &f);
	assert_int_equal(f.levels, 3);
	assert_int_equal(f.level[2].used, f.leaves);
	assert_int_equal(f.level[1].used, f.level[2].nodes);
	assert_int_equal(f.level[0].used, f.level[1].nodes);
	htree_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(needs),
		cmocka_unit_test(first_hole_is_used),
		cmocka_unit_test(split_in_half),
		cmocka_unit_test(split_of_equal_hashes),
		cmocka_unit_test(limits),
		cmocka_unit_test(geometry_from_facts),
		cmocka_unit_test(from_block_to_index),
		cmocka_unit_test(without_index),
		cmocka_unit_test(inside_the_inode),
		cmocka_unit_test(refused_when_full),
		cmocka_unit_test(third_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
