/*
 * htree_tree: the inside of an htree, for the parts that grow it (htree.c)
 * and that fill it from a directory that exists (htree_load.c).
 */
#ifndef BIGDIR_HTREE_TREE_H
#define BIGDIR_HTREE_TREE_H

#include "dirblock.h"
#include "htree.h"

enum htree_form { HTREE_INLINE, HTREE_LINEAR, HTREE_INDEXED };

/* The largest need, of a name of 255 bytes, and one more. */
#define HTREE_NEEDS 67

struct htree_pointer {
	uint32_t hash; /* lowest hash of the child; bit 0: continued */
	uint32_t child; /* a node, or at the lowest level a leaf */
};

struct htree {
	struct htree_geometry geometry;
	enum htree_form form;
	unsigned int levels;
	uint64_t entries;
	struct dirblock region[2]; /* inline: i_block, xattr space */
	bool extended; /* inline: the second region is in use */
	struct dirblock *leaf;
	uint32_t leaves, leaves_allocated;
	/* Index blocks, 0 is the root: how many entries each has, and the
	 * entries of all, see htree_entries. */
	unsigned int *used;
	struct htree_pointer *pointer;
	uint32_t nodes, nodes_allocated;
	uint32_t unused; /* blocks that belong to no leaf and no node */
	/* Linear: no block before this one has room for an entry of this
	 * many units. */
	uint32_t first_fit[HTREE_NEEDS];
};

/*
 * htree_entries: the entries of a node; valid until a node is added.
 */
static inline struct htree_pointer *htree_entries(const struct htree *t,
						  uint32_t node)
{
	return t->pointer + (size_t)node * htree_node_limit(&t->geometry);
}

/*
 * htree_limit_at: entries that a node of that level can hold; 0 is the root.
 */
unsigned int htree_limit_at(const struct htree *t, unsigned int level);

/*
 * htree_push_leaf, htree_push_node: append an empty leaf that is yet without
 * room, or a node with no entry; *index is its number.  0 or -ENOMEM.
 */
int htree_push_leaf(struct htree *t, uint32_t *index);
int htree_push_node(struct htree *t, uint32_t *index);

#endif
