#include "inode_reader.h"

#include <errno.h>
#include <linux/btrfs.h>
#include <linux/btrfs_tree.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

/* XFS gives out inodes, and reads them ahead, in chunks of so many. */
#define XFS_CHUNK 64

/* A leaf of 16 KiB holds the items of some 70 empty files: 185 bytes for the
 * inode, 35 and the name for where it is linked from. Half of that, as leaves
 * are not full, and their bounds not known. */
#define BTRFS_TOGETHER 32

/* As ioctl_xfs_bulkstat(2) has them; the kernel's headers for programs do not.
 */
struct bulk_request {
	uint64_t inode; /* from here on; afterwards the next one */
	uint32_t flags;
	uint32_t room, given; /* inodes */
	uint32_t group;
	uint64_t reserved[5];
};

struct bulk_one {
	struct bulk_request request;
	uint64_t answer[24];
};

#define BULKSTAT _IOR('X', 127, struct bulk_request)

static int read_xfs(int dir, uint64_t inode)
{
	struct bulk_one one = { .request = { .inode = inode, .room = 1 } };

	return ioctl(dir, BULKSTAT, &one) < 0 ? -errno : 0;
}

static int read_btrfs(int dir, uint64_t inode)
{
	struct btrfs_ioctl_search_args search = { 0 };

	/* tree 0: that of the directory */
	search.key.min_objectid = search.key.max_objectid = inode;
	search.key.max_type = BTRFS_INODE_ITEM_KEY;
	search.key.max_offset = search.key.max_transid = UINT64_MAX;
	search.key.nr_items = 1;
	return ioctl(dir, BTRFS_IOC_TREE_SEARCH, &search) < 0 ? -errno : 0;
}

int inode_reader_init(struct inode_reader *r, int dir)
{
	struct statfs fs;
	struct stat st;

	if (fstatfs(dir, &fs) < 0 || fstat(dir, &st) < 0)
		return -errno;
	r->dir = dir;
	switch ((unsigned long)fs.f_type) {
	case XFS_SUPER_MAGIC:
		r->read = read_xfs;
		r->together = XFS_CHUNK;
		break;
	case BTRFS_SUPER_MAGIC:
		r->read = read_btrfs;
		r->together = BTRFS_TOGETHER;
		break;
	default:
		return -EOPNOTSUPP;
	}
	return inode_reader_read(r, st.st_ino);
}

uint64_t inode_reader_block(const struct inode_reader *r, uint64_t inode)
{
	return inode / r->together;
}

int inode_reader_read(const struct inode_reader *r, uint64_t inode)
{
	return r->read(r->dir, inode);
}
