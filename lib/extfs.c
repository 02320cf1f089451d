#include "extfs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <linux/magic.h>
#include <ext2fs/ext2_fs.h>
#include <ext2fs/ext2fs.h>

int extfs_errno(long code)
{
	if (code == 0)
		return 0;
	/* libext2fs passes plain errno values through; its own codes lie
	 * far above them. */
	if (code > 0 && code < 4096)
		return -(int)code;
	switch (code) {
	case EXT2_ET_NO_MEMORY:
		return -ENOMEM;
	case EXT2_ET_SHORT_READ:
		return -EIO;
	case EXT2_ET_UNSUPP_FEATURE:
	case EXT2_ET_RO_UNSUPP_FEATURE:
	case EXT2_ET_REV_TOO_HIGH:
		return -ENOTSUP;
	default:
		return -EUCLEAN;
	}
}

int extfs_device(int dirfd, char *buf, size_t size)
{
	char link[64], target[PATH_MAX];
	struct stat st;
	const char *base;
	ssize_t n;
	int len;

	if (fstat(dirfd, &st))
		return -errno;
	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(st.st_dev),
		 minor(st.st_dev));
	n = readlink(link, target, sizeof(target) - 1);
	if (n < 0)
		return errno == ENOENT ? -ENODEV : -errno;
	target[n] = '\0';
	base = strrchr(target, '/');
	base = base ? base + 1 : target;
	len = snprintf(buf, size, "/dev/%s", base);
	if (len < 0 || (size_t)len >= size)
		return -ENAMETOOLONG;
	/* In /sys a '!' stands for a '/' of the device's name. */
	for (char *c = buf; (c = strchr(c, '!'));)
		*c = '/';
	return 0;
}

/* The journal inode's size is kept in the super block for e2fsck's sake. */
static uint64_t journal_size(const struct ext2_super_block *sb)
{
	if (sb->s_jnl_backup_type != EXT3_JNL_BACKUP_BLOCKS)
		return 0;
	return ((uint64_t)sb->s_jnl_blocks[15] << 32) | sb->s_jnl_blocks[16];
}

/* The signed and the unsigned variant of a hash are 3 apart. */
static uint8_t hash_version(const struct ext2_super_block *sb)
{
	uint8_t version = sb->s_def_hash_version;

	if (version <= EXT2_HASH_TEA &&
	    (sb->s_flags & EXT2_FLAGS_UNSIGNED_HASH))
		version = (uint8_t)(version + EXT2_HASH_LEGACY_UNSIGNED);
	return version;
}

static void read_features(struct ext2_super_block *sb, struct extfs_facts *f)
{
	f->has_journal = ext2fs_has_feature_journal(sb);
	f->dir_index = ext2fs_has_feature_dir_index(sb);
	f->large_dir = ext2fs_has_feature_largedir(sb);
	f->filetype = ext2fs_has_feature_filetype(sb);
	f->metadata_csum = ext2fs_has_feature_metadata_csum(sb);
	f->inline_data = ext2fs_has_feature_inline_data(sb);
	f->extents = ext2fs_has_feature_extents(sb);
	f->wide_blocks = ext2fs_has_feature_64bit(sb);
	f->bigalloc = ext2fs_has_feature_bigalloc(sb);
	f->dir_nlink = ext2fs_has_feature_dir_nlink(sb);
	f->casefold = ext2fs_has_feature_casefold(sb);
	f->encrypt = ext2fs_has_feature_encrypt(sb);
}

void extfs_facts_of(ext2_filsys fs, struct extfs_facts *f)
{
	struct ext2_super_block *sb = fs->super;

	*f = (struct extfs_facts){
		.block_size = fs->blocksize,
		.cluster_size = (unsigned int)EXT2_CLUSTER_SIZE(sb),
		.inode_size = EXT2_INODE_SIZE(sb),
		.inodes = sb->s_inodes_count,
		.reserved_inodes = EXT2_FIRST_INODE(sb) - 1,
		.inodes_per_group = sb->s_inodes_per_group,
		.blocks = ext2fs_blocks_count(sb),
		.reserved_blocks = ext2fs_r_blocks_count(sb),
		.blocks_per_group = sb->s_blocks_per_group,
		.hash_version = hash_version(sb),
		.errors = (sb->s_state & EXT2_ERROR_FS) != 0,
		.error_count = sb->s_error_count,
	};
	f->groups = (uint32_t)((f->blocks - sb->s_first_data_block +
				f->blocks_per_group - 1) /
			       f->blocks_per_group);
	if (f->inode_size > EXT2_GOOD_OLD_INODE_SIZE)
		f->extra_isize =
			sb->s_want_extra_isize ? sb->s_want_extra_isize : 32;
	memcpy(f->hash_seed, sb->s_hash_seed, sizeof(f->hash_seed));
	read_features(sb, f);
	f->journal_external = f->has_journal && sb->s_journal_inum == 0;
	if (f->has_journal && !f->journal_external)
		f->journal_bytes = journal_size(sb);
}

int extfs_read_device(const char *device, struct extfs_facts *facts)
{
	ext2_filsys fs;
	errcode_t err;

	/* A mounted file system's checksums may be on their way. */
	err = ext2fs_open(device,
			  EXT2_FLAG_SUPER_ONLY | EXT2_FLAG_64BITS |
				  EXT2_FLAG_SOFTSUPP_FEATURES |
				  EXT2_FLAG_IGNORE_CSUM_ERRORS,
			  0, 0, unix_io_manager, &fs);
	if (err)
		return extfs_errno(err);
	extfs_facts_of(fs, facts);
	ext2fs_free(fs);
	return 0;
}

int extfs_read(int dirfd, struct extfs_facts *facts)
{
	char device[PATH_MAX];
	struct statfs sfs;
	int err;

	if (fstatfs(dirfd, &sfs))
		return -errno;
	if (sfs.f_type != EXT4_SUPER_MAGIC)
		return -ENOTSUP;
	err = extfs_device(dirfd, device, sizeof(device));
	if (err)
		return err;
	return extfs_read_device(device, facts);
}
