/*
 * mke2fs_driver: the inodes that mke2fs would make, or "none".
 *
 *	mke2fs_driver BYTES BLOCK_SIZE INODE_SIZE INODES RATIO USAGE
 *
 * 0 or "" stands for what was not given.
 */
#include "mke2fs_inodes.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t number(const char *s)
{
	const char *error;
	long long n = strtonum(s, 0, INT64_MAX, &error);

	if (error)
		errx(2, "%s: %s", s, error);
	return (uint64_t)n;
}

int main(int argc, char **argv)
{
	struct mke2fs_request r = { 0 };
	struct mke2fs_result result;

	if (argc != 7)
		errx(2, "usage: BYTES BLOCK INODE_SIZE INODES RATIO USAGE");
	r.bytes = number(argv[1]);
	r.block_size = (unsigned int)number(argv[2]);
	r.inode_size = (unsigned int)number(argv[3]);
	r.inodes = (uint32_t)number(argv[4]);
	r.bytes_per_inode = (uint32_t)number(argv[5]);
	r.usage = *argv[6] ? argv[6] : NULL;
	if (mke2fs_inodes(&r, &result))
		puts("none");
	else
		printf("%u\n", result.inodes);
	return 0;
}
