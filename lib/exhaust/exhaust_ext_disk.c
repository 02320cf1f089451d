/* Superblock and groups through libext2fs; see exhaust_ext_disk.h. */
#include "exhaust_ext_disk.h"

#include <errno.h>
#include <ext2fs/ext2fs.h>
#include <string.h>

static void copy_features(struct ext2_super_block *super, struct ext_disk *disk)
{
	disk->extents = ext2fs_has_feature_extents(super);
	disk->dir_index = ext2fs_has_feature_dir_index(super);
	disk->dir_nlink = ext2fs_has_feature_dir_nlink(super);
	disk->large_dir = ext2fs_has_feature_largedir(super);
	disk->sparse_super2 = ext2fs_has_feature_sparse_super2(super);
	disk->journal = ext2fs_has_feature_journal(super);
	if (disk->journal)
		/* i_blocks, i_size of the journal inode: 15 pointers first */
		disk->journal_blocks =
			(((uint64_t)super->s_jnl_blocks[15] << 32) |
			 super->s_jnl_blocks[16]) /
			disk->block_size;
}

bool ext_driver_is_ext4(const struct place *place)
{
	char line[16];

	return place_sysfs(place, "/sys/fs/ext4/%s/errors_count", line,
			   sizeof(line));
}

int ext_disk_read(const struct place *place, struct ext_disk *disk)
{
	struct ext2_super_block *super;
	ext2_filsys fs;
	errcode_t err;

	memset(disk, 0, sizeof(*disk));
	if (!place->device_known)
		return -ENODEV;
	err = ext2fs_open(place->device,
			  EXT2_FLAG_64BITS | EXT2_FLAG_IGNORE_CSUM_ERRORS |
				  EXT2_FLAG_SKIP_MMP | EXT2_FLAG_FORCE,
			  0, 0, unix_io_manager, &fs);
	if (err)
		return err < 4096 ? -(int)err : -EINVAL;
	super = fs->super;
	disk->blocks = ext2fs_blocks_count(super);
	disk->reserved_blocks = ext2fs_r_blocks_count(super);
	disk->inodes = super->s_inodes_count;
	disk->inodes_per_group = super->s_inodes_per_group;
	disk->blocks_per_group = super->s_blocks_per_group;
	disk->first_data_block = super->s_first_data_block;
	disk->block_size = fs->blocksize;
	disk->inode_size = EXT2_INODE_SIZE(super);
	disk->cluster_blocks = EXT2FS_CLUSTER_RATIO(fs);
	disk->error_count = super->s_error_count;
	disk->error_state = super->s_state & EXT2_ERROR_FS;
	disk->reserved_uid = super->s_def_resuid;
	disk->reserved_gid = super->s_def_resgid;
	copy_features(super, disk);
	for (dgrp_t group = 0; group < fs->group_desc_count; group++) {
		disk->free_inodes += ext2fs_bg_free_inodes_count(fs, group);
		disk->free_blocks += ext2fs_bg_free_blocks_count(fs, group);
	}
	disk->free_blocks *= disk->cluster_blocks;
	ext2fs_free(fs);
	return 0;
}
