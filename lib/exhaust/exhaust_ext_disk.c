/* Superblock and groups through libext2fs; see exhaust_ext_disk.h. */
#include "exhaust_ext_disk.h"

#include <errno.h>
#include <ext2fs/ext2fs.h>
#include <string.h>

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
		return extfs_errno(err);
	super = fs->super;
	extfs_facts_of(fs, &disk->facts);
	disk->journal_blocks =
		disk->facts.journal_bytes / disk->facts.block_size;
	disk->first_data_block = super->s_first_data_block;
	disk->cluster_blocks = EXT2FS_CLUSTER_RATIO(fs);
	disk->sparse_super2 = ext2fs_has_feature_sparse_super2(super);
	disk->reserved_uid = super->s_def_resuid;
	disk->reserved_gid = super->s_def_resgid;
	for (dgrp_t group = 0; group < fs->group_desc_count; group++) {
		disk->free_inodes += ext2fs_bg_free_inodes_count(fs, group);
		disk->free_blocks += ext2fs_bg_free_blocks_count(fs, group);
	}
	disk->free_blocks *= disk->cluster_blocks;
	ext2fs_free(fs);
	return 0;
}
