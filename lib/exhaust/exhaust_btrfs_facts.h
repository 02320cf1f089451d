/* What btrfs tells about its chunks and quota groups. */
#ifndef BIGDIR_EXHAUST_BTRFS_FACTS_H
#define BIGDIR_EXHAUST_BTRFS_FACTS_H

#include <stdbool.h>
#include <stdint.h>

struct btrfs_facts {
	uint64_t data_total, data_used; /* bytes, before replication */
	uint64_t metadata_total, metadata_used;
	uint64_t metadata_flags; /* profile of the newest kind seen */
	uint64_t global_reserve;
	uint64_t device_bytes; /* of all devices */
	uint64_t unallocated; /* of these, in no chunk */
	uint64_t devices;
	uint64_t roomy_devices; /* of these, with room for another chunk */
	bool mixed; /* data and metadata in the same chunks */
};

/* One quota group that limits the subvolume. Limits of 0: none. */
struct btrfs_qgroup {
	uint64_t id; /* level << 48 | number */
	uint64_t referenced, exclusive;
	uint64_t max_referenced, max_exclusive;
};

/* Reads chunk and device totals of the file system fd is on. 0 or -errno. */
int btrfs_facts_read(int fd, struct btrfs_facts *facts);

/* The number of the subvolume that fd is in. 0 or -errno. */
int btrfs_subvolume(int fd, uint64_t *id);

/*
 * Finds the quota group nearest to its limit among the subvolume's own and
 * those it belongs to, level by level. Takes CAP_SYS_ADMIN.
 * Returns 0, -ENOENT if none has a limit, or -errno.
 */
int btrfs_qgroup_nearest(int fd, uint64_t subvolume,
			 struct btrfs_qgroup *nearest);

#endif
