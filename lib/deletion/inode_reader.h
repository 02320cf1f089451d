/*
 * inode_reader: have a file system bring inodes into memory, by number.
 *
 * Looking a name up would do it, too; but that holds the lock of the directory
 * while the disk is waited for, and so keeps off those who delete. Here the
 * file system is asked for inodes by number, in ways that take no lock of a
 * directory, and change nothing. Both take CAP_SYS_ADMIN.
 *
 *   xfs    XFS_IOC_BULKSTAT (ioctl_xfs_bulkstat(2), Linux 5.5) of one inode:
 *          reads the 64 inodes of its chunk, and reads ahead the next chunk
 *   btrfs  BTRFS_IOC_TREE_SEARCH for the item of one inode: reads the leaf
 *          that it is in
 *
 * ext4 reads 32 blocks of inodes at a time by itself (inode_readahead_blks), so
 * that those who go through them in order seldom wait: nothing was gained
 * there. tmpfs has nothing to read.
 */
#ifndef BIGDIR_INODE_READER_H
#define BIGDIR_INODE_READER_H

#include <stdint.h>

struct inode_reader {
	int dir; /* not owned */
	int (*read)(int dir, uint64_t inode);
	unsigned int together; /* inodes that one call brings in, about */
};

/* Get ready for the file system of the open directory, and try it on the inode
 * of the directory itself. 0; -EOPNOTSUPP where no way is known; -EPERM
 * without the right; or another -errno. */
int inode_reader_init(struct inode_reader *r, int dir);

/* Inodes of the same block are brought in by one call. */
uint64_t inode_reader_block(const struct inode_reader *r, uint64_t inode);

/* Bring in the block of that inode, which need not exist any longer. 0 or
 * -errno. */
int inode_reader_read(const struct inode_reader *r, uint64_t inode);

#endif
