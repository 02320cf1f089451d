/*
 * xfs_geometry: what mkfs.xfs fixed, as the mounted file system tells anyone.
 */
#ifndef BIGDIR_XFS_GEOMETRY_H
#define BIGDIR_XFS_GEOMETRY_H

#include <stdint.h>

/*
 * What XFS_IOC_FSGEOMETRY_V1 answers: the kernel's ABI, whose header
 * (xfsprogs) is not everywhere.
 */
struct xfs_geometry {
	uint32_t block_size;
	uint32_t rt_extent_size;
	uint32_t ag_blocks;
	uint32_t ag_count;
	uint32_t log_blocks;
	uint32_t sector_size;
	uint32_t inode_size;
	uint32_t imaxpct;
	uint64_t data_blocks;
	uint64_t rt_blocks;
	uint64_t rt_extents;
	uint64_t log_start;
	uint8_t uuid[16];
	uint32_t stripe_unit;
	uint32_t stripe_width;
	int32_t version;
	uint32_t flags;
	uint32_t log_sector_size;
	uint32_t rt_sector_size;
	uint32_t dir_block_size;
	uint32_t padding;
};

/*
 * xfs_geometry_read: of the file system that fd is on.  0; -ENOTTY or another
 * errno of ioctl for a file system of another kind; -EUCLEAN if a size is 0.
 */
int xfs_geometry_read(int fd, struct xfs_geometry *g);

#endif
