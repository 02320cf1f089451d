/* Geometry and free space of XFS; see exhaust_xfs_facts.h. */
#include "exhaust_xfs_facts.h"

#include <errno.h>
#include <linux/fsmap.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

/* The kernel's interface, here so that no XFS headers need be installed. */
struct xfs_geometry {
	uint32_t block_size, rt_extent_size, ag_blocks, ag_count, log_blocks,
		sector_size, inode_size, imaxpct;
	uint64_t data_blocks, rt_blocks, rt_extents, log_start;
	unsigned char uuid[16];
	uint32_t sunit, swidth;
	int32_t version;
	uint32_t flags, log_sector_size, rt_sector_size, dir_block_size;
};

struct xfs_kept_blocks {
	uint64_t blocks, available;
};

#define XFS_GEOMETRY _IOR('X', 100, struct xfs_geometry)
#define XFS_KEPT_BLOCKS _IOR('X', 115, struct xfs_kept_blocks)

enum {
	SPARSE_INODES = 1 << 18,
	CHUNK_INODES = 64,
	CLUSTER_INODES = 32, /* 8 KiB of 256-byte inodes; it scales */
	RECORDS = 1024,
	CALLS_MAX = 1024,
};

int xfs_facts_read(int fd, struct xfs_facts *facts)
{
	struct xfs_kept_blocks kept = { 0 };
	struct xfs_geometry g = { 0 };

	memset(facts, 0, sizeof(*facts));
	if (ioctl(fd, XFS_GEOMETRY, &g) < 0)
		return -errno;
	if (g.block_size == 0 || g.inode_size == 0 || g.ag_blocks == 0)
		return -EINVAL;
	facts->block_size = g.block_size;
	facts->inode_size = g.inode_size;
	facts->imaxpct = g.imaxpct;
	facts->ag_blocks = g.ag_blocks;
	facts->dir_block_size = g.dir_block_size;
	facts->blocks = g.data_blocks;
	facts->sparse_inodes = g.flags & SPARSE_INODES;
	/* Only root may ask for this one; 0 will do for others. */
	if (ioctl(fd, XFS_KEPT_BLOCKS, &kept) == 0)
		facts->kept_blocks = kept.available;
	return 0;
}

struct xfs_chunk xfs_chunk_of(const struct xfs_facts *facts)
{
	uint64_t inode = facts->inode_size, block = facts->block_size;
	struct xfs_chunk chunk = {
		.whole = CHUNK_INODES * inode / block,
		.align = CLUSTER_INODES * inode / block,
	};

	if (chunk.whole == 0)
		chunk.whole = 1;
	if (chunk.align == 0)
		chunk.align = 1;
	chunk.least = facts->sparse_inodes ? chunk.align : chunk.whole;
	return chunk;
}

uint64_t xfs_inodes_max(const struct xfs_facts *facts)
{
	uint64_t blocks = facts->blocks / 100 * facts->imaxpct +
			  facts->blocks % 100 * facts->imaxpct / 100;
	struct xfs_chunk chunk = xfs_chunk_of(facts);

	return blocks / chunk.whole * chunk.whole *
	       (facts->block_size / facts->inode_size);
}

bool xfs_chunk_fits(const struct xfs_chunk *chunk, uint64_t start,
		    uint64_t length)
{
	uint64_t skip = (chunk->align - start % chunk->align) % chunk->align;

	return length >= skip && length - skip >= chunk->least;
}

static void count_extent(const struct xfs_facts *facts,
			 const struct xfs_chunk *chunk, const struct fsmap *map,
			 struct xfs_free *space)
{
	uint64_t start = map->fmr_physical / facts->block_size;
	uint64_t length = map->fmr_length / facts->block_size;

	space->extents++;
	space->blocks += length;
	if (length > space->longest)
		space->longest = length;
	if (xfs_chunk_fits(chunk, start % facts->ag_blocks, length))
		space->usable++;
}

static bool is_free(const struct fsmap *map)
{
	return map->fmr_flags & FMR_OF_SPECIAL_OWNER &&
	       map->fmr_owner == FMR_OWN_FREE;
}

/* One batch. 1 if there is more, 0 at the end, -errno. */
static int read_batch(int fd, struct fsmap_head *head,
		      const struct xfs_facts *facts, struct xfs_free *space)
{
	struct xfs_chunk chunk = xfs_chunk_of(facts);
	const struct fsmap *last;

	if (ioctl(fd, FS_IOC_GETFSMAP, head) < 0)
		return -errno;
	if (head->fmh_entries == 0)
		return 0;
	for (unsigned int i = 0; i < head->fmh_entries; i++) {
		if (is_free(&head->fmh_recs[i]))
			count_extent(facts, &chunk, &head->fmh_recs[i], space);
	}
	last = &head->fmh_recs[head->fmh_entries - 1];
	if (last->fmr_flags & FMR_OF_LAST)
		return 0;
	head->fmh_keys[0] = *last;
	return 1;
}

int xfs_free_read(int fd, const struct xfs_facts *facts, struct xfs_free *space)
{
	struct fsmap_head *head = calloc(1, fsmap_sizeof(RECORDS));
	int more = 1;

	memset(space, 0, sizeof(*space));
	if (!head)
		return -ENOMEM;
	head->fmh_count = RECORDS;
	head->fmh_keys[1].fmr_device = UINT32_MAX;
	head->fmh_keys[1].fmr_flags = UINT32_MAX;
	head->fmh_keys[1].fmr_physical = UINT64_MAX;
	head->fmh_keys[1].fmr_owner = UINT64_MAX;
	head->fmh_keys[1].fmr_offset = UINT64_MAX;
	for (int i = 0; i < CALLS_MAX && more > 0; i++)
		more = read_batch(fd, head, facts, space);
	space->complete = more == 0;
	free(head);
	return more < 0 ? more : 0;
}
