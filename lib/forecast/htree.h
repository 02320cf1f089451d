/*
 * htree: an ext2/3/4 directory played through in memory.  Names go in one by
 * one and go where the kernel would put them, so that the directory's size,
 * the shape of its index and the first name that the full index refuses are
 * known before a file exists.
 *
 *	struct htree_geometry g = htree_geometry_of(&facts);
 *	struct htree *t = htree_new(&g);
 *	while (i < count && htree_add(t, len, dirhash(&h, name, len)) == 0)
 *		i++;
 *	htree_figures(t, &figures);
 *	htree_free(t);
 *
 * A directory is, one after the other as it grows: entries inside the inode
 * (feature inline_data); one block of entries; an index over leaf blocks
 * (feature dir_index), or without it a row of blocks, searched from the first.
 * The index is a tree of at most 2 levels, 3 with large_dir, and each level
 * is filled by splits in half, so it refuses long before every block is full.
 *
 * Memory: 8 bytes for an entry, with growth 8 to 14.
 */
#ifndef BIGDIR_HTREE_H
#define BIGDIR_HTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HTREE_MAX_LEVELS 3

struct extfs_facts;
struct htree;

struct htree_geometry {
	unsigned int block_size; /* bytes, 1024 to 65536 */
	unsigned int max_levels; /* of the index; 0: no index */
	bool csum; /* leaf and index blocks end in a checksum */
	bool is_inline; /* begins inside the inode */
	unsigned int inline_extra; /* bytes that the xattr space of the inode
				    * offers beyond the 60 of i_block */
};

struct htree_figures {
	uint64_t entries; /* without "." and ".." */
	uint64_t bytes; /* st_size of the directory */
	uint64_t blocks; /* of directory data: leaves and index */
	uint64_t leaves; /* blocks that hold entries */
	unsigned int levels; /* of the index; 0: none yet */
	/* Level 0 is the root.  nodes are how many blocks the level has, used
	 * the entries in all of them, limit what one block can hold. */
	struct {
		uint64_t nodes;
		uint64_t used;
		unsigned int limit;
	} level[HTREE_MAX_LEVELS];
	uint64_t full_nodes; /* of the lowest level: those that cannot take
			      * one more leaf */
};

/*
 * htree_geometry_of: the geometry of a new directory on that file system.
 */
struct htree_geometry htree_geometry_of(const struct extfs_facts *facts);

/*
 * htree_root_limit, htree_node_limit: index entries of 8 bytes that fit into
 * the root (behind ".", ".." and 8 bytes of header) and into another index
 * block (behind a fake entry of 8 bytes); a checksum costs one entry.
 */
unsigned int htree_root_limit(const struct htree_geometry *g);
unsigned int htree_node_limit(const struct htree_geometry *g);

/*
 * htree_leaf_room: bytes of a leaf that entries can use.
 */
unsigned int htree_leaf_room(const struct htree_geometry *g);

/*
 * htree_new: an empty directory.  NULL if memory is short.
 */
struct htree *htree_new(const struct htree_geometry *g);
void htree_free(struct htree *t);

/*
 * htree_add: one name of len bytes (1 to 255) with its hash.
 *
 * 0; -ENOSPC if the index is full for this name: nothing has changed then, and
 * another name may still fit; -ENOMEM, after which t is good only for
 * htree_free.
 */
int htree_add(struct htree *t, size_t len, uint32_t hash);

/*
 * htree_figures: where the directory stands.
 */
void htree_figures(const struct htree *t, struct htree_figures *figures);

/*
 * htree_bytes: the same as htree_figures' bytes, at no cost.
 */
uint64_t htree_bytes(const struct htree *t);

#endif
