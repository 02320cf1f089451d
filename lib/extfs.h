/*
 * extfs: what the super block of an ext2, ext3 or ext4 file system says, and
 * the device it lies on.  Read with libext2fs, read-only, beside the mounted
 * file system: what mkfs fixed (sizes, features, hash seed) is right at any
 * time, but free counts go stale, so they are not offered here (statvfs(3)
 * has them).
 */
#ifndef BIGDIR_EXTFS_H
#define BIGDIR_EXTFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct extfs_facts {
	unsigned int block_size; /* bytes */
	unsigned int cluster_size; /* bytes; block_size unless bigalloc */
	unsigned int inode_size; /* bytes */
	unsigned int extra_isize; /* bytes of it that are no room for xattrs,
				   * beyond the first 128 */
	uint32_t inodes; /* all there are, free or not */
	uint32_t reserved_inodes; /* of these, kept for the file system */
	uint32_t inodes_per_group;
	uint64_t blocks;
	uint64_t reserved_blocks; /* kept for root */
	uint32_t blocks_per_group;
	uint32_t groups;

	uint64_t journal_bytes; /* 0: none, or not known (see next) */
	bool journal_external; /* journal on a device of its own */

	bool has_journal;
	bool dir_index;
	bool large_dir;
	bool filetype;
	bool metadata_csum;
	bool inline_data;
	bool extents;
	bool wide_blocks; /* feature 64bit */
	bool bigalloc;
	bool dir_nlink; /* more than 65,000 subdirectories */
	bool casefold;
	bool encrypt;

	uint8_t hash_version; /* default for new directories, EXT2_HASH_* with
			       * the signedness folded in */
	uint32_t hash_seed[4];

	bool errors; /* an error was recorded and not yet repaired */
	uint32_t error_count;
};

/*
 * extfs_device: path of the block device that holds the file dirfd refers to,
 * by st_dev and /sys/dev/block.  buf takes size bytes.
 *
 * 0; -ENODEV if no block device lies under it (tmpfs, overlay, btrfs, NFS);
 * -ENAMETOOLONG; or what fstat and readlink say.
 */
int extfs_device(int dirfd, char *buf, size_t size);

/*
 * extfs_read: the facts of the ext2/3/4 file system that dirfd is on.
 *
 * 0; -ENOTSUP if dirfd is on a file system of another kind; -EACCES or -EPERM
 * if the device may not be read (use statvfs then, and say so); -ENODEV;
 * -EUCLEAN if the super block makes no sense; or another negative errno.
 */
int extfs_read(int dirfd, struct extfs_facts *facts);

/*
 * extfs_read_device: the same by the path of a device or an image file.
 */
int extfs_read_device(const char *device, struct extfs_facts *facts);

/*
 * extfs_facts_of: the same of a file system that libext2fs has open (an
 * ext2_filsys).
 */
struct struct_ext2_filsys;
void extfs_facts_of(struct struct_ext2_filsys *fs, struct extfs_facts *facts);

/*
 * extfs_errno: a libext2fs or system error code as a negative errno.
 */
int extfs_errno(long code);

#endif
