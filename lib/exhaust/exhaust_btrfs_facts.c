/* Chunk totals through btrfs's ioctls; see exhaust_btrfs_facts.h. */
#include "exhaust_btrfs_facts.h"

#include <errno.h>
#include <linux/btrfs.h>
#include <linux/btrfs_tree.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

enum {
	CHUNK_LEAST = 64 << 20, /* less is not made into a chunk (DUP: twice) */
	SPACES_MAX = 32,
	DEVICES_MAX = 1024,
};

static void add_space(const struct btrfs_ioctl_space_info *space,
		      struct btrfs_facts *facts)
{
	if (space->flags & BTRFS_SPACE_INFO_GLOBAL_RSV) {
		facts->global_reserve = space->total_bytes;
	} else if (space->flags & BTRFS_BLOCK_GROUP_METADATA) {
		facts->mixed = space->flags & BTRFS_BLOCK_GROUP_DATA;
		facts->metadata_total += space->total_bytes;
		facts->metadata_used += space->used_bytes;
		facts->metadata_flags = space->flags;
	} else if (space->flags & BTRFS_BLOCK_GROUP_DATA) {
		facts->data_total += space->total_bytes;
		facts->data_used += space->used_bytes;
	}
}

static int read_spaces(int fd, struct btrfs_facts *facts)
{
	struct btrfs_ioctl_space_args *args;
	int err = 0;

	args = calloc(1, sizeof(*args) + SPACES_MAX * sizeof(args->spaces[0]));
	if (!args)
		return -ENOMEM;
	args->space_slots = SPACES_MAX;
	if (ioctl(fd, BTRFS_IOC_SPACE_INFO, args) < 0)
		err = -errno;
	for (uint64_t i = 0; !err && i < args->total_spaces && i < SPACES_MAX;
	     i++)
		add_space(&args->spaces[i], facts);
	free(args);
	return err;
}

static int read_devices(int fd, struct btrfs_facts *facts)
{
	struct btrfs_ioctl_fs_info_args info = { 0 };

	if (ioctl(fd, BTRFS_IOC_FS_INFO, &info) < 0)
		return -errno;
	facts->devices = info.num_devices;
	for (uint64_t id = 0; id <= info.max_id && id < DEVICES_MAX; id++) {
		struct btrfs_ioctl_dev_info_args device = { .devid = id };

		if (ioctl(fd, BTRFS_IOC_DEV_INFO, &device) < 0)
			continue;
		facts->device_bytes += device.total_bytes;
		if (device.total_bytes <= device.bytes_used)
			continue;
		facts->unallocated += device.total_bytes - device.bytes_used;
		if (device.total_bytes - device.bytes_used >= CHUNK_LEAST)
			facts->roomy_devices++;
	}
	return 0;
}

int btrfs_facts_read(int fd, struct btrfs_facts *facts)
{
	int err;

	memset(facts, 0, sizeof(*facts));
	err = read_spaces(fd, facts);
	return err ? err : read_devices(fd, facts);
}

int btrfs_subvolume(int fd, uint64_t *id)
{
	struct btrfs_ioctl_ino_lookup_args args = {
		.objectid = BTRFS_FIRST_FREE_OBJECTID,
	};

	if (ioctl(fd, BTRFS_IOC_INO_LOOKUP, &args) < 0)
		return -errno;
	*id = args.treeid;
	return 0;
}
