/* What ext2, ext3 and ext4 keep on the device, read while mounted. */
#ifndef BIGDIR_EXHAUST_EXT_DISK_H
#define BIGDIR_EXHAUST_EXT_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "exhaust_place.h"
#include "extfs.h"

struct ext_disk {
	struct extfs_facts facts;
	uint64_t journal_blocks; /* 0: not known */
	uint64_t free_blocks; /* by the groups' own counts */
	uint64_t free_inodes;
	uint32_t first_data_block;
	uint32_t cluster_blocks;
	uint16_t reserved_uid;
	uint16_t reserved_gid;
	bool sparse_super2;
};

/* The index of one directory, and its path for one name. */
struct ext_index {
	bool known; /* the rest has been read */
	bool path_known; /* path_full has been found out */
	bool path_full; /* every index node on the name's path is full */
	unsigned int levels; /* index levels in use, 1 to 3 */
	unsigned int levels_max;
	unsigned int root_entries, root_limit;
	unsigned int node_entries, node_limit; /* lowest node on the path */
};

/*
 * Reads the superblock and group descriptors of the file system at place. The
 * kernel keeps ext's metadata in the device's own page cache, so that what is
 * read from a mounted device is what the kernel sees. Returns 0;
 * -EACCES for a process that may not read the device, -ENODEV for a place
 * without a device, or what else extfs_errno() makes of an error.
 */
int ext_disk_read(const struct place *place, struct ext_disk *disk);

/*
 * True if the ext4 driver has the file system at place mounted, be it of the
 * kind ext2; false for the small driver that knows ext2 alone.
 */
bool ext_driver_is_ext4(const struct place *place);

/*
 * Reads the index of the directory at place, and follows it for name. An
 * unindexed directory leaves index->known false.
 * Returns 0 or -errno.
 */
int ext_index_read(const struct place *place, const char *name,
		   struct ext_index *index);

#endif
