/* Inode counts against what libext2fs, on which mke2fs rests, lays out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <ext2fs/ext2_fs.h>
#include <ext2fs/ext2fs.h>

#include "mke2fs_inodes.h"

#define GIB (1024ULL * 1024 * 1024)

static uint32_t inodes(struct mke2fs_request r)
{
	struct mke2fs_result result;

	assert_int_equal(mke2fs_inodes(&r, &result), 0);
	return result.inodes;
}

/* Counts that mke2fs 1.47 printed. */
static void as_mke2fs_printed(void **state)
{
	(void)state;
	assert_int_equal(inodes((struct mke2fs_request){ .bytes = 2 * GIB,
							 .inodes = 1000 }),
			 1024);
	assert_int_equal(inodes((struct mke2fs_request){ .bytes = 2 * GIB,
							 .inodes = 12345 }),
			 12544);
	assert_int_equal(inodes((struct mke2fs_request){ .bytes = 2 * GIB,
							 .inodes = 100000 }),
			 100096);
	assert_int_equal(inodes((struct mke2fs_request){ .bytes = 2 * GIB,
							 .inodes = 1200000 }),
			 1200576);
	assert_int_equal(inodes((struct mke2fs_request){ .bytes = 2 * GIB }),
			 131072);
	assert_int_equal(inodes((struct mke2fs_request){ .bytes = 2 * GIB,
							 .usage = "news" }),
			 524288);
	assert_int_equal(inodes((struct mke2fs_request){
				 .bytes = 2 * GIB, .usage = "largefile4" }),
			 512);
}

/* The same through libext2fs, on a sparse file that is never written. */
static uint32_t by_library(const char *path, uint64_t blocks,
			   unsigned int block_size, unsigned int inode_size,
			   uint32_t count)
{
	struct ext2_super_block p = { 0 };
	ext2_filsys fs;
	uint32_t made;

	ext2fs_blocks_count_set(&p, blocks);
	p.s_rev_level = EXT2_DYNAMIC_REV;
	p.s_log_block_size = (uint32_t)__builtin_ctz(block_size / 1024);
	p.s_log_cluster_size = p.s_log_block_size;
	p.s_inode_size = (uint16_t)inode_size;
	p.s_inodes_count = count;
	ext2fs_set_feature_sparse_super(&p);
	ext2fs_set_feature_64bit(&p);
	ext2fs_set_feature_resize_inode(&p);
	p.s_desc_size = 64;
	if (ext2fs_initialize(path, EXT2_FLAG_64BITS, &p, unix_io_manager, &fs))
		return 0;
	made = fs->super->s_inodes_count;
	ext2fs_free(fs);
	return made;
}

static uint64_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 24;
}

static void as_the_library(void **state)
{
	char path[] = "/tmp/mke2fs_inodes.XXXXXX";
	uint64_t s = 1;
	int fd = mkstemp(path), compared = 0;

	(void)state;
	assert_true(fd >= 0);
	for (int i = 0; i < 2000; i++) {
		unsigned int block_size = 1024U << next(&s) % 3;
		unsigned int inode_size = 128U << next(&s) % 3;
		uint64_t bytes = (2ULL << 20 << next(&s) % 16);
		struct mke2fs_request r = { .block_size = block_size,
					    .inode_size = inode_size };
		struct mke2fs_result result;
		uint32_t library;

		bytes += next(&s) % bytes / 4096 * 4096;
		r.bytes = bytes;
		r.inodes = (uint32_t)(1 + next(&s) % (bytes / 2048));
		assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
		library = by_library(path, bytes / block_size, block_size,
				     inode_size, r.inodes);
		if (mke2fs_inodes(&r, &result)) {
			assert_int_equal(library, 0);
			continue;
		}
		assert_int_equal(result.inodes, library);
		compared++;
	}
	close(fd);
	unlink(path);
	assert_true(compared > 1500);
}

static void wanted_is_enough(void **state)
{
	struct mke2fs_request r = { .bytes = 2 * GIB };
	uint32_t n;

	(void)state;
	for (uint64_t want = 1; want < 2000000; want = want * 3 + 7) {
		assert_int_equal(mke2fs_inodes_wanted(&r, want, &n), 0);
		r.inodes = n;
		assert_true(inodes(r) >= want + 12);
		r.inodes = 0;
	}
	assert_int_equal(mke2fs_inodes_wanted(&r, 20000000, &n), -ENOSPC);
}

static void refuses_nonsense(void **state)
{
	struct mke2fs_result result;

	(void)state;
	assert_int_equal(
		mke2fs_inodes(&(struct mke2fs_request){ .bytes = GIB,
							.usage = "olds" },
			      &result),
		-EINVAL);
	assert_int_equal(
		mke2fs_inodes(&(struct mke2fs_request){ .bytes = GIB,
							.block_size = 3000 },
			      &result),
		-EINVAL);
	assert_int_equal(
		mke2fs_inodes(&(struct mke2fs_request){ .bytes = 3000 },
			      &result),
		-ENOSPC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_mke2fs_printed),
		cmocka_unit_test(as_the_library),
		cmocka_unit_test(wanted_is_enough),
		cmocka_unit_test(refuses_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
