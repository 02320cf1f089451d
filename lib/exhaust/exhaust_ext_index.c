/*
 * A directory's hash tree, followed for one name. On disk: the root shares
 * its block with "." and ".." (24 bytes), an 8-byte description follows with
 * the number of levels in its seventh byte, then entries of 8 bytes (hash,
 * block), the first of which holds limit and count in place of the hash. A
 * lower node has 8 bytes of empty entry before the same array.
 */
#include <errno.h>
#include <ext2fs/ext2fs.h>
#include <string.h>

#include "exhaust_ext_disk.h"

enum {
	ROOT_INFO = 24,
	NODE_ENTRIES = 8,
	LEVELS_SMALL = 2, /* without large_dir */
	LEVELS_LARGE = 3,
};

struct walk {
	ext2_filsys fs;
	ext2_ino_t ino;
	uint32_t hash;
	char *block;
};

static uint32_t le32(const char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return ext2fs_le32_to_cpu(value);
}

static unsigned int le16(const char *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return ext2fs_le16_to_cpu(value);
}

static int read_block(const struct walk *walk, blk64_t logical)
{
	blk64_t physical = 0;

	if (ext2fs_bmap2(walk->fs, walk->ino, NULL, NULL, 0, logical, NULL,
			 &physical) ||
	    physical == 0)
		return -EIO;
	return io_channel_read_blk64(walk->fs->io, physical, 1, walk->block)
		       ? -EIO
		       : 0;
}

/* Reads limit and count; false if they cannot be those of an index node. */
static bool node_fill(const struct walk *walk, unsigned int at,
		      unsigned int *entries, unsigned int *limit)
{
	unsigned int most = (walk->fs->blocksize - at) / 8;

	*limit = le16(walk->block + at);
	*entries = le16(walk->block + at + 2);
	return *limit >= 2 && *limit <= most && *entries >= 1 &&
	       *entries <= *limit;
}

/* The child that covers the hash: the last entry whose hash is not above. */
static blk64_t child(const struct walk *walk, unsigned int at,
		     unsigned int entries)
{
	const char *entry = walk->block + at;
	unsigned int low = 1, high = entries;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (le32(entry + middle * 8) > walk->hash)
			high = middle;
		else
			low = middle + 1;
	}
	return le32(entry + (low - 1) * 8 + 4) & 0x0fffffff;
}

static int hash_name(const struct walk *walk, const char *name)
{
	struct ext2_super_block *super = walk->fs->super;
	unsigned char version = (unsigned char)walk->block[ROOT_INFO + 4];
	uint32_t hash = 0, seed[4];

	if (!name || ext2fs_has_feature_encrypt(super) ||
	    ext2fs_has_feature_casefold(super))
		return -EOPNOTSUPP;
	if (version <= EXT2_HASH_TEA &&
	    super->s_flags & EXT2_FLAGS_UNSIGNED_HASH)
		version = (unsigned char)(version + 3);
	memcpy(seed, super->s_hash_seed, sizeof(seed));
	if (ext2fs_dirhash2(version, name, (int)strlen(name), NULL, 0, seed,
			    &hash, NULL))
		return -EOPNOTSUPP;
	return (int)(hash >> 1); /* the lowest bit marks a collision */
}

static int follow(struct walk *walk, const char *name, struct ext_index *x)
{
	unsigned int at = ROOT_INFO + (unsigned char)walk->block[ROOT_INFO + 5];
	unsigned int entries, limit;
	int hash = hash_name(walk, name);

	x->levels = (unsigned char)walk->block[ROOT_INFO + 6] + 1u;
	if (x->levels > LEVELS_LARGE || at > 64 ||
	    !node_fill(walk, at, &x->root_entries, &x->root_limit))
		return -EINVAL;
	x->known = true;
	if (hash < 0)
		return 0;
	walk->hash = (uint32_t)hash << 1;
	x->path_full = x->root_entries == x->root_limit;
	entries = x->root_entries;
	for (unsigned int level = 1; level < x->levels; level++) {
		if (read_block(walk, child(walk, at, entries)) < 0)
			return -EIO;
		at = NODE_ENTRIES;
		if (!node_fill(walk, at, &entries, &limit))
			return -EINVAL;
		x->path_full = x->path_full && entries == limit;
		x->node_entries = entries;
		x->node_limit = limit;
	}
	x->path_known = true;
	return 0;
}

int ext_index_read(const struct place *place, const char *name,
		   struct ext_index *index)
{
	struct walk walk = { .ino = (ext2_ino_t)place->st.st_ino };
	struct ext2_inode inode;
	errcode_t err;
	int result = -EIO;

	memset(index, 0, sizeof(*index));
	if (!place->device_known)
		return -ENODEV;
	err = ext2fs_open(place->device,
			  EXT2_FLAG_64BITS | EXT2_FLAG_IGNORE_CSUM_ERRORS |
				  EXT2_FLAG_SKIP_MMP | EXT2_FLAG_FORCE,
			  0, 0, unix_io_manager, &walk.fs);
	if (err)
		return err < 4096 ? -(int)err : -EINVAL;
	index->levels_max = ext2fs_has_feature_largedir(walk.fs->super)
				    ? LEVELS_LARGE
				    : LEVELS_SMALL;
	if (ext2fs_get_mem(walk.fs->blocksize, &walk.block) == 0) {
		if (ext2fs_read_inode(walk.fs, walk.ino, &inode) == 0) {
			result = 0;
			if (inode.i_flags & EXT2_INDEX_FL)
				result = read_block(&walk, 0);
			if (result == 0 && inode.i_flags & EXT2_INDEX_FL)
				result = follow(&walk, name, index);
		}
		ext2fs_free_mem(&walk.block);
	}
	ext2fs_free(walk.fs);
	return result;
}
