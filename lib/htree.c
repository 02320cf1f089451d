#include "htree.h"

#include "extfs.h"
#include "htree_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A path from the root to a leaf: which node, and which entry of it. */
struct step {
	struct htree_node *node;
	unsigned int at;
};

/* Inside an inode: i_block without the parent's number, in units. */
#define INLINE_FIRST_ROOM ((60 - 4) / 4)
#define INLINE_BASE 60

struct htree_geometry htree_geometry_of(const struct extfs_facts *f)
{
	struct htree_geometry g = { .block_size = f->block_size,
				    .csum = f->metadata_csum };
	/* After the inode's fixed part the xattr header takes 4 bytes, the
	 * entry system.data 20, the gap before the values 4. */
	unsigned int taken = 128 + f->extra_isize + 4 + 20 + 4;

	if (f->dir_index)
		g.max_levels = f->large_dir ? 3 : 2;
	g.is_inline = f->inline_data;
	if (f->inline_data && f->inode_size > taken)
		g.inline_extra = (f->inode_size - taken) / 4 * 4;
	return g;
}

unsigned int htree_root_limit(const struct htree_geometry *g)
{
	return (g->block_size - 12 - 12 - 8) / 8 - (g->csum ? 1 : 0);
}

unsigned int htree_node_limit(const struct htree_geometry *g)
{
	return (g->block_size - 8) / 8 - (g->csum ? 1 : 0);
}

unsigned int htree_leaf_room(const struct htree_geometry *g)
{
	return g->block_size - (g->csum ? 12 : 0);
}

static unsigned int leaf_units(const struct htree *t)
{
	return htree_leaf_room(&t->geometry) / 4;
}

static unsigned int limit_at(const struct htree *t, unsigned int level)
{
	return level == 0 ? htree_root_limit(&t->geometry)
			  : htree_node_limit(&t->geometry);
}

int htree_push_leaf(struct htree *t, uint32_t *index)
{
	if (t->leaves == t->leaves_allocated) {
		uint32_t want = t->leaves + t->leaves / 2 + 4;
		struct dirblock *leaf =
			reallocarray(t->leaf, want, sizeof(*leaf));

		if (!leaf)
			return -ENOMEM;
		t->leaf = leaf;
		t->leaves_allocated = want;
	}
	t->leaf[t->leaves] = (struct dirblock){ 0 };
	*index = t->leaves++;
	return 0;
}

int htree_push_node(struct htree *t, unsigned int limit, uint32_t *index)
{
	struct htree_node *n;

	if (t->nodes == t->nodes_allocated) {
		uint32_t want = t->nodes + t->nodes / 2 + 4;

		n = reallocarray(t->node, want, sizeof(*n));
		if (!n)
			return -ENOMEM;
		t->node = n;
		t->nodes_allocated = want;
	}
	n = &t->node[t->nodes];
	n->count = 0;
	n->entry = reallocarray(NULL, limit, sizeof(*n->entry));
	if (!n->entry)
		return -ENOMEM;
	*index = t->nodes++;
	return 0;
}

/* The first block, with "." and "..". */
static int begin_linear(struct htree *t)
{
	struct dirblock *b;
	uint32_t index;
	int err = htree_push_leaf(t, &index);

	if (err)
		return err;
	t->form = HTREE_LINEAR;
	b = &t->leaf[index];
	err = dirblock_append(b, (struct dirslot){ .need = 3, .room = 3 });
	if (!err)
		err = dirblock_append(b, (struct dirslot){ .need = 3 });
	if (!err)
		dirblock_fill(b, leaf_units(t));
	return err;
}

static int begin_inline(struct htree *t)
{
	t->form = HTREE_INLINE;
	return dirblock_init(&t->region[0], INLINE_FIRST_ROOM);
}

struct htree *htree_new(const struct htree_geometry *g)
{
	struct htree *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->geometry = *g;
	if (g->is_inline ? begin_inline(t) : begin_linear(t)) {
		htree_free(t);
		return NULL;
	}
	return t;
}

void htree_free(struct htree *t)
{
	if (!t)
		return;
	dirblock_free(&t->region[0]);
	dirblock_free(&t->region[1]);
	for (uint32_t i = 0; i < t->leaves; i++)
		dirblock_free(&t->leaf[i]);
	for (uint32_t i = 0; i < t->nodes; i++)
		free(t->node[i].entry);
	free(t->leaf);
	free(t->node);
	free(t);
}

/*
 * From the inode into a first block: what each region holds is copied as it
 * is, holes too.
 */
static int leave_inode(struct htree *t)
{
	struct dirblock *b;
	int err = begin_linear(t);

	if (err)
		return err;
	b = &t->leaf[0];
	b->slot[1].room = 3;
	for (int r = 0; r < 2; r++) {
		struct dirblock *from = &t->region[r];

		for (unsigned int i = 0; i < from->count && !err; i++)
			err = dirblock_append(b, from->slot[i]);
		dirblock_free(from);
	}
	if (!err)
		dirblock_fill(b, leaf_units(t));
	return err;
}

/* -ENOSPC, once the entries have moved into a block. */
static int add_inline(struct htree *t, unsigned int need, uint32_t hash)
{
	unsigned int extra = t->geometry.inline_extra;
	int err = dirblock_add(&t->region[0], need, hash);

	if (err != -ENOSPC)
		return err;
	/* The kernel takes the xattr space if a name of 1 byte would fit. */
	if (!t->extended && extra > 12) {
		err = dirblock_init(&t->region[1], extra / 4);
		if (err)
			return err;
		t->extended = true;
	}
	if (t->extended) {
		err = dirblock_add(&t->region[1], need, hash);
		if (err != -ENOSPC)
			return err;
	}
	err = leave_inode(t);
	return err ? err : -ENOSPC;
}

static void insert_pointer(struct step *s, uint32_t hash, uint32_t child)
{
	struct htree_pointer *p = &s->node->entry[s->at + 1];

	memmove(p + 1, p, (s->node->count - s->at - 1) * sizeof(*p));
	*p = (struct htree_pointer){ .hash = hash, .child = child };
	s->node->count++;
}

/* Split the leaf that s points to, then add the entry to its half. */
static int split_leaf(struct htree *t, struct step *s, unsigned int need,
		      uint32_t hash)
{
	uint32_t lower = s->node->entry[s->at].child, upper, boundary;
	bool continued;
	int err = htree_push_leaf(t, &upper);

	if (err)
		return err;
	err = dirblock_split(&t->leaf[lower], t->geometry.block_size / 4,
			     leaf_units(t), &t->leaf[upper], &boundary,
			     &continued);
	if (err)
		return err;
	insert_pointer(s, boundary + (continued ? 1 : 0), upper);
	return dirblock_add(&t->leaf[hash >= boundary ? upper : lower], need,
			    hash);
}

/*
 * From one block to an index: block 0 becomes the root, its entries without
 * "." and ".." become the first leaf, which is split at once.
 */
static int begin_index(struct htree *t, unsigned int need, uint32_t hash)
{
	struct dirblock *b = &t->leaf[0];
	struct step root;
	uint32_t index;
	int err = htree_push_node(t, limit_at(t, 0), &index);

	if (err)
		return err;
	b->count -= 2;
	memmove(b->slot, b->slot + 2, b->count * sizeof(*b->slot));
	dirblock_fill(b, leaf_units(t));
	root = (struct step){ .node = &t->node[index] };
	root.node->entry[0] = (struct htree_pointer){ 0 };
	root.node->count = 1;
	t->levels = 1;
	t->form = HTREE_INDEXED;
	return split_leaf(t, &root, need, hash);
}

static int add_linear(struct htree *t, unsigned int need, uint32_t hash)
{
	uint32_t *at = &t->first_fit[need];
	int err;

	for (; *at < t->leaves; ++*at) {
		err = dirblock_add(&t->leaf[*at], need, hash);
		if (err != -ENOSPC)
			return err;
	}
	if (t->leaves == 1 && t->geometry.max_levels > 0)
		return begin_index(t, need, hash);
	err = htree_push_leaf(t, at);
	if (!err)
		err = dirblock_init(&t->leaf[*at], leaf_units(t));
	if (!err)
		err = dirblock_add(&t->leaf[*at], need, hash);
	return err;
}

/* The last entry whose hash is not above; the first one's does not count. */
static unsigned int find_entry(const struct htree_node *n, uint32_t hash)
{
	unsigned int low = 1, high = n->count;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (n->entry[middle].hash > hash)
			high = middle;
		else
			low = middle + 1;
	}
	return low - 1;
}

static void descend(struct htree *t, uint32_t hash, struct step *path)
{
	uint32_t index = 0;

	for (unsigned int level = 0; level < t->levels; level++) {
		path[level].node = &t->node[index];
		path[level].at = find_entry(path[level].node, hash);
		index = path[level].node->entry[path[level].at].child;
	}
}

/* One level more: the root's entries move into a new node below it. */
static int add_level(struct htree *t)
{
	struct htree_node *root, *node;
	uint32_t index;
	int err = htree_push_node(t, limit_at(t, 1), &index);

	if (err)
		return err;
	root = &t->node[0];
	node = &t->node[index];
	memcpy(node->entry, root->entry, root->count * sizeof(*root->entry));
	node->count = root->count;
	root->entry[0] = (struct htree_pointer){ .child = index };
	root->count = 1;
	t->levels++;
	return 0;
}

/* The upper half, by number, of a full node goes to a new one beside it. */
static int split_node(struct htree *t, const struct step *path,
		      unsigned int level)
{
	/* Nodes may move in memory as one is added. */
	uint32_t full = path[level - 1].node->entry[path[level - 1].at].child;
	struct htree_node *parent = path[level - 1].node;
	struct step above = { .at = path[level - 1].at };
	size_t parent_index = (size_t)(parent - t->node);
	struct htree_node *lower, *upper;
	unsigned int kept;
	uint32_t index;
	int err = htree_push_node(t, limit_at(t, level), &index);

	if (err)
		return err;
	above.node = &t->node[parent_index];
	lower = &t->node[full];
	upper = &t->node[index];
	kept = lower->count / 2;
	upper->count = lower->count - kept;
	memcpy(upper->entry, lower->entry + kept,
	       upper->count * sizeof(*upper->entry));
	lower->count = kept;
	insert_pointer(&above, upper->entry[0].hash, index);
	return 0;
}

/*
 * Make room for one more leaf in the lowest node of the path: split the
 * lowest full node whose parent is not full.  If the root is full as well,
 * the tree must grow by a level, and if it may not, the index is full.
 */
static int make_room(struct htree *t, const struct step *path)
{
	unsigned int level = t->levels - 1;

	while (level > 0 &&
	       path[level - 1].node->count == limit_at(t, level - 1))
		level--;
	if (level > 0)
		return split_node(t, path, level);
	if (t->levels >= t->geometry.max_levels)
		return -ENOSPC;
	return add_level(t);
}

static int add_indexed(struct htree *t, unsigned int need, uint32_t hash)
{
	struct step path[HTREE_MAX_LEVELS], *last;
	int err;

	for (;;) {
		descend(t, hash, path);
		last = &path[t->levels - 1];
		err = dirblock_add(&t->leaf[last->node->entry[last->at].child],
				   need, hash);
		if (err != -ENOSPC)
			return err;
		if (last->node->count < limit_at(t, t->levels - 1))
			return split_leaf(t, last, need, hash);
		err = make_room(t, path);
		if (err)
			return err;
	}
}

int htree_add(struct htree *t, size_t len, uint32_t hash)
{
	unsigned int need = dirblock_need(len);
	int err = -ENOSPC;

	if (t->form == HTREE_INLINE)
		err = add_inline(t, need, hash);
	if (t->form == HTREE_LINEAR && err == -ENOSPC)
		err = add_linear(t, need, hash);
	else if (t->form == HTREE_INDEXED)
		err = add_indexed(t, need, hash);
	if (!err)
		t->entries++;
	return err;
}

uint64_t htree_bytes(const struct htree *t)
{
	if (t->form == HTREE_INLINE)
		return INLINE_BASE +
		       (t->extended ? t->geometry.inline_extra : 0);
	return ((uint64_t)t->leaves + t->nodes + t->unused) *
	       t->geometry.block_size;
}

/* Add up a node's entries, and those of the nodes below it. */
static void count_nodes(const struct htree *t, uint32_t index,
			unsigned int level, struct htree_figures *f)
{
	const struct htree_node *n = &t->node[index];

	f->level[level].nodes++;
	f->level[level].used += n->count;
	if (level + 1 == t->levels) {
		f->full_nodes += n->count == limit_at(t, level);
		return;
	}
	for (unsigned int i = 0; i < n->count; i++)
		count_nodes(t, n->entry[i].child, level + 1, f);
}

void htree_figures(const struct htree *t, struct htree_figures *f)
{
	*f = (struct htree_figures){
		.entries = t->entries,
		.bytes = htree_bytes(t),
		.blocks = (uint64_t)t->leaves + t->nodes + t->unused,
		.leaves = t->leaves,
		.levels = t->form == HTREE_INDEXED ? t->levels : 0,
	};
	for (unsigned int level = 0; level < f->levels; level++)
		f->level[level].limit = limit_at(t, level);
	if (f->levels)
		count_nodes(t, 0, 0, f);
}
