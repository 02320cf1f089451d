/* What XFS tells about itself through its ioctls, to any user. */
#ifndef BIGDIR_EXHAUST_XFS_FACTS_H
#define BIGDIR_EXHAUST_XFS_FACTS_H

#include <stdbool.h>
#include <stdint.h>

struct xfs_facts {
	uint32_t block_size;
	uint32_t inode_size;
	uint32_t imaxpct; /* 0: no limit */
	uint32_t ag_blocks;
	uint32_t dir_block_size;
	uint64_t blocks;
	uint64_t kept_blocks; /* set aside by the kernel for emergencies */
	bool sparse_inodes;
};

/*
 * Inodes come in chunks of 64, contiguous and aligned; with sparse inodes a
 * part of one (an inode cluster) will do. In blocks:
 */
struct xfs_chunk {
	uint64_t whole;
	uint64_t least;
	uint64_t align;
};

/* The free space of the data device, counted extent by extent. */
struct xfs_free {
	uint64_t extents;
	uint64_t blocks;
	uint64_t longest; /* blocks */
	uint64_t usable; /* extents in which a chunk fits */
	bool complete; /* false: too many extents, counting was cut off */
};

/* Reads the geometry of the file system fd is on. 0 or -errno. */
int xfs_facts_read(int fd, struct xfs_facts *facts);

/* The most inodes imaxpct allows, as the kernel rounds it; 0: no limit. */
uint64_t xfs_inodes_max(const struct xfs_facts *facts);

/* What one inode chunk takes. */
struct xfs_chunk xfs_chunk_of(const struct xfs_facts *facts);

/*
 * True if a chunk fits into the free extent of `length` blocks at block
 * `start` of its allocation group.
 */
bool xfs_chunk_fits(const struct xfs_chunk *chunk, uint64_t start,
		    uint64_t length);

/* Walks the free space map of the file system fd is on. 0 or -errno. */
int xfs_free_read(int fd, const struct xfs_facts *facts,
		  struct xfs_free *space);

#endif
