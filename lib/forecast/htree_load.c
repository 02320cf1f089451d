#include "htree_load.h"

#include "htree_tree.h"

#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <ext2fs/ext2_fs.h>
#include <ext2fs/ext2fs.h>

struct loader {
	ext2_filsys fs;
	ext2_ino_t ino;
	struct ext2_inode *inode; /* inode_size bytes */
	unsigned int inode_size;
	struct dirhash hash;
	struct htree *t;
	uint64_t blocks; /* of the directory, by its size */
};

/* Offsets in a block of an index. */
enum {
	ROOT_INFO = 24, /* behind "." and ".." */
	ROOT_HASH_VERSION = ROOT_INFO + 4,
	ROOT_INFO_LENGTH = ROOT_INFO + 5,
	ROOT_INDIRECT_LEVELS = ROOT_INFO + 6,
	NODE_ENTRIES = 8, /* behind a fake entry */
};

/* The high four bits of a child's block number are not part of it. */
#define CHILD_MASK 0x0fffffffU

static unsigned int get16(const uint8_t *p)
{
	return (unsigned int)(p[0] | p[1] << 8);
}

static uint32_t get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

/* Entries from a run of size bytes, in the order in which they lie. */
static int load_slots(struct loader *l, const uint8_t *p, unsigned int size,
		      struct dirblock *b)
{
	unsigned int at = 0, room, len;
	int err = 0;

	while (at < size && !err) {
		struct dirslot s = { 0 };

		if (size - at < 8)
			return -EUCLEAN;
		room = get16(p + at + 4);
		len = p[at + 6];
		/* In a block of 64 KiB a length of 0 or 65535 is all of it. */
		if (room == 0 || room == 65535)
			room = 65536;
		if (room < 8 || room % 4 || room > size - at || len + 8 > room)
			return -EUCLEAN;
		s.room = (uint16_t)(room / 4);
		if (get32(p + at) != 0 && len > 0) {
			s.need = (uint16_t)dirblock_need(len);
			s.hash = dirhash(&l->hash, (const char *)p + at + 8,
					 len);
			l->t->entries++;
		}
		err = dirblock_append(b, s);
		at += room;
	}
	return err;
}

static int read_block(struct loader *l, uint64_t logical, void *buf)
{
	blk64_t physical;
	errcode_t err;

	/* An index with a loop in it has more blocks than the directory. */
	if ((uint64_t)l->t->leaves + l->t->nodes > l->blocks)
		return -EUCLEAN;
	err = ext2fs_bmap2(l->fs, l->ino, l->inode, NULL, 0, logical, NULL,
			   &physical);
	if (!err && physical == 0)
		return -EUCLEAN;
	if (!err)
		err = io_channel_read_blk64(l->fs->io, physical, 1, buf);
	return extfs_errno(err);
}

static int load_leaf(struct loader *l, uint64_t logical, uint32_t *index)
{
	uint8_t *buf = calloc(1, l->fs->blocksize);
	int err = buf ? htree_push_leaf(l->t, index) : -ENOMEM;

	if (!err)
		err = read_block(l, logical, buf);
	if (!err)
		err = load_slots(l, buf, htree_leaf_room(&l->t->geometry),
				 &l->t->leaf[*index]);
	free(buf);
	return err;
}

static int load_node(struct loader *l, uint64_t logical, unsigned int level,
		     uint32_t *index);

/* The children of a node, whose entries are at p. */
static int load_children(struct loader *l, const uint8_t *p, unsigned int level,
			 uint32_t index)
{
	unsigned int count = get16(p + 2);
	int err = 0;

	for (unsigned int i = 0; i < count && !err; i++) {
		uint64_t block = get32(p + i * 8 + 4) & CHILD_MASK;
		struct htree_pointer to = { .hash = i ? get32(p + i * 8) : 0 };

		if (level + 1 < l->t->levels)
			err = load_node(l, block, level + 1, &to.child);
		else
			err = load_leaf(l, block, &to.child);
		htree_entries(l->t, index)[i] = to;
		l->t->used[index] = i + 1;
	}
	return err;
}

/* The root says how deep the tree is and which hash it uses. */
static int load_root_info(struct loader *l, const uint8_t *buf)
{
	uint8_t version = buf[ROOT_HASH_VERSION];

	l->t->levels = buf[ROOT_INDIRECT_LEVELS] + 1U;
	if (l->t->levels > HTREE_MAX_LEVELS || buf[ROOT_INFO_LENGTH] != 8)
		return -EUCLEAN;
	if (version > EXT2_HASH_TEA)
		return -ENOTSUP;
	if (l->fs->super->s_flags & EXT2_FLAGS_UNSIGNED_HASH)
		version += EXT2_HASH_LEGACY_UNSIGNED;
	l->hash.version = version;
	return 0;
}

static int load_node(struct loader *l, uint64_t logical, unsigned int level,
		     uint32_t *index)
{
	uint8_t *buf = calloc(1, l->fs->blocksize);
	unsigned int at = level ? NODE_ENTRIES : ROOT_INFO + 8;
	int err = buf ? read_block(l, logical, buf) : -ENOMEM;

	if (!err && level == 0)
		err = load_root_info(l, buf);
	if (!err && (get16(buf + at) != htree_limit_at(l->t, level) ||
		     get16(buf + at + 2) > htree_limit_at(l->t, level) ||
		     get16(buf + at + 2) == 0))
		err = -EUCLEAN;
	if (!err)
		err = htree_push_node(l->t, index);
	if (!err)
		err = load_children(l, buf + at, level, *index);
	free(buf);
	return err;
}

static int load_linear(struct loader *l)
{
	int err = 0;

	l->t->form = HTREE_LINEAR;
	for (uint64_t i = 0; i < l->blocks && !err; i++) {
		uint32_t index;

		err = load_leaf(l, i, &index);
	}
	/* "." and ".." are always there. */
	if (!err && (l->t->leaves == 0 || l->t->leaf[0].count < 2))
		err = -EUCLEAN;
	return err;
}

/* The attributes inside an inode: where they begin and end, and system.data. */
struct attributes {
	uint8_t *first, *end;
	uint8_t *value; /* of system.data */
	unsigned int value_size;
	unsigned int free; /* bytes that this value could grow by */
};

/*
 * Walk the attribute entries: 16 bytes and the name, in fours, up to four
 * zero bytes; values lie from the end downwards.
 */
static int find_attributes(struct loader *l, struct attributes *a)
{
	uint8_t *raw = (uint8_t *)l->inode, *e;
	unsigned int extra, lowest;

	*a = (struct attributes){ 0 };
	if (l->inode_size <= EXT2_GOOD_OLD_INODE_SIZE + 4)
		return 0;
	extra = ((struct ext2_inode_large *)l->inode)->i_extra_isize;
	if (EXT2_GOOD_OLD_INODE_SIZE + extra + 8 > l->inode_size)
		return -EUCLEAN;
	a->first = raw + EXT2_GOOD_OLD_INODE_SIZE + extra + 4;
	a->end = raw + l->inode_size;
	lowest = (unsigned int)(a->end - a->first);
	for (e = a->first; e + 16 <= a->end && get32(e) != 0;
	     e += 16 + (e[0] + 3U) / 4 * 4) {
		unsigned int at = get16(e + 2), size = get32(e + 8);

		if (at > lowest + 65535U || size > l->inode_size)
			return -EUCLEAN;
		if (size && get32(e + 4) == 0 && at < lowest)
			lowest = at;
		if (e[0] != 4 || e[1] != 7 || memcmp(e + 16, "data", 4) != 0)
			continue;
		if (a->first + at + size > a->end)
			return -EUCLEAN;
		a->value = a->first + at;
		a->value_size = size;
	}
	if (lowest > (unsigned int)(e - a->first) + 4)
		a->free = lowest - (unsigned int)(e - a->first) - 4;
	return 0;
}

static int load_inline(struct loader *l)
{
	struct htree *t = l->t;
	struct attributes a;
	int err = find_attributes(l, &a);

	t->form = HTREE_INLINE;
	t->geometry.inline_extra = 0;
	if (!err)
		err = load_slots(l, (uint8_t *)l->inode->i_block + 4, 56,
				 &t->region[0]);
	if (err || !a.value)
		return err;
	t->geometry.inline_extra = (a.value_size + a.free) / 4 * 4;
	if (a.value_size == 0)
		return 0;
	t->extended = true;
	t->geometry.inline_extra = a.value_size;
	return load_slots(l, a.value, a.value_size, &t->region[1]);
}

static int load_directory(struct loader *l)
{
	struct htree *t = l->t;
	uint32_t index;
	int err;

	if (!LINUX_S_ISDIR(l->inode->i_mode))
		return -ENOTDIR;
	if (l->inode->i_flags & (EXT4_CASEFOLD_FL | EXT4_ENCRYPT_FL))
		return -ENOTSUP;
	if (l->inode->i_flags & EXT4_INLINE_DATA_FL)
		return load_inline(l);
	l->blocks = EXT2_I_SIZE(l->inode) / l->fs->blocksize;
	if ((l->inode->i_flags & EXT2_INDEX_FL) && t->geometry.max_levels) {
		t->form = HTREE_INDEXED;
		err = load_node(l, 0, 0, &index);
	} else {
		err = load_linear(l);
		/* "." and ".." */
		t->entries -= t->entries < 2 ? t->entries : 2;
	}
	if (err)
		return err;
	if (l->blocks < (uint64_t)t->leaves + t->nodes)
		return -EUCLEAN;
	t->unused = (uint32_t)(l->blocks - t->leaves - t->nodes);
	return 0;
}

static int read_inode(struct loader *l)
{
	errcode_t err;

	l->inode_size = EXT2_INODE_SIZE(l->fs->super);
	if (l->inode_size < sizeof(struct ext2_inode_large))
		l->inode_size = sizeof(struct ext2_inode_large);
	l->inode = calloc(1, l->inode_size);
	if (!l->inode)
		return -ENOMEM;
	err = ext2fs_read_inode_full(l->fs, l->ino, l->inode,
				     (int)l->inode_size);
	l->inode_size = EXT2_INODE_SIZE(l->fs->super);
	return extfs_errno(err);
}

int htree_load_image(const char *device, uint64_t ino, struct htree **t,
		     struct dirhash *h)
{
	struct loader l = { .ino = (ext2_ino_t)ino };
	struct extfs_facts facts;
	int err = extfs_read_device(device, &facts);

	if (err)
		return err;
	/* A mounted file system's checksums may be on their way. */
	err = extfs_errno(ext2fs_open(device,
				      EXT2_FLAG_64BITS |
					      EXT2_FLAG_SOFTSUPP_FEATURES |
					      EXT2_FLAG_IGNORE_CSUM_ERRORS,
				      0, 0, unix_io_manager, &l.fs));
	if (err)
		return err;
	l.hash = dirhash_ext(&facts);
	l.t = calloc(1, sizeof(*l.t));
	if (l.t)
		l.t->geometry = htree_geometry_of(&facts);
	err = l.t ? read_inode(&l) : -ENOMEM;
	if (!err)
		err = load_directory(&l);
	free(l.inode);
	ext2fs_free(l.fs);
	if (err) {
		htree_free(l.t);
		return err;
	}
	*t = l.t;
	*h = l.hash;
	return 0;
}

int htree_load(int dirfd, struct htree **t, struct dirhash *h)
{
	char device[PATH_MAX];
	struct extfs_facts facts;
	struct stat st;
	int err;

	if (fstat(dirfd, &st))
		return -errno;
	err = extfs_read(dirfd, &facts); /* Is it ext at all? */
	if (!err)
		err = extfs_device(dirfd, device, sizeof(device));
	if (err)
		return err;
	return htree_load_image(device, st.st_ino, t, h);
}
