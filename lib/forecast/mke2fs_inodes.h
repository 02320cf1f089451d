/*
 * mke2fs_inodes: how many inodes mke2fs would make.  What one asks for with
 * -N, -i or -T is rounded so that every group has as many, in full blocks of
 * the inode table and in eights; so one gets more, or with -b 1024 fewer.
 */
#ifndef BIGDIR_MKE2FS_INODES_H
#define BIGDIR_MKE2FS_INODES_H

#include <stdbool.h>
#include <stdint.h>

/* What to ask mke2fs for.  A zero means what its manual names as default. */
struct mke2fs_request {
	uint64_t bytes; /* of the device */
	unsigned int block_size; /* -b; 0: by usage type and size */
	unsigned int inode_size; /* -I; 0: 256 */
	uint32_t inodes; /* -N; 0: by the ratio */
	uint32_t bytes_per_inode; /* -i; 0: by usage type and size */
	const char *usage; /* -T: news, largefile, largefile4, small, big …;
			    * NULL: by size */
	bool no_resize; /* -O ^resize_inode: no reserved descriptor blocks */
	bool narrow; /* -O ^64bit: descriptors of 32 bytes, not 64 */
};

struct mke2fs_result {
	uint32_t inodes; /* in all; 10 of them are reserved, and lost+found
			  * takes one more */
	uint32_t inodes_per_group;
	uint32_t groups;
	uint64_t blocks;
	unsigned int block_size;
};

/*
 * mke2fs_inodes: compute the result of a request without bigalloc.
 *
 * 0; -EINVAL for a block or inode size, or a usage type, that is not known;
 * -ENOSPC if the device is too small, or the inodes are too many for it.
 */
int mke2fs_inodes(const struct mke2fs_request *request,
		  struct mke2fs_result *result);

/*
 * mke2fs_inodes_wanted: the -N to give so that at least wanted files fit
 * beside what a new file system takes itself, in a new directory.
 *
 * 0 with *n set; or mke2fs_inodes' errors.
 */
int mke2fs_inodes_wanted(const struct mke2fs_request *request, uint64_t wanted,
			 uint32_t *n);

#endif
