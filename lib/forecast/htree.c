#include "htree.h"

#include "htree_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A path from the root to a leaf: which node, and which entry of it. */
struct step {
	uint32_t node;
	unsigned int at;
};

/* Inside an inode: i_block without the parent's number, in units. */
#define INLINE_FIRST_ROOM ((60 - 4) / 4)
#define INLINE_BASE 60

static unsigned int leaf_units(const struct htree *t)
{
	return htree_leaf_room(&t->geometry) / 4;
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

/* Room for more nodes, of which no one has more entries than this limit. */
static int reserve_nodes(struct htree *t, uint32_t want)
{
	size_t limit = htree_node_limit(&t->geometry);
	struct htree_pointer *pointer;
	unsigned int *used;

	if (want <= t->nodes_allocated)
		return 0;
	want += want / 2;
	used = reallocarray(t->used, want, sizeof(*used));
	if (!used)
		return -ENOMEM;
	t->used = used;
	pointer = reallocarray(t->pointer, want, limit * sizeof(*pointer));
	if (!pointer)
		return -ENOMEM;
	t->pointer = pointer;
	t->nodes_allocated = want;
	return 0;
}

int htree_push_node(struct htree *t, uint32_t *index)
{
	int err = reserve_nodes(t, t->nodes + 1);

	if (err)
		return err;
	t->used[t->nodes] = 0;
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
	free(t->leaf);
	free(t->used);
	free(t->pointer);
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

/* Into the node of s, behind the entry of s. */
static void insert_pointer(struct htree *t, const struct step *s, uint32_t hash,
			   uint32_t child)
{
	struct htree_pointer *p = htree_entries(t, s->node) + s->at + 1;
	unsigned int above = t->used[s->node]++ - s->at - 1;

	memmove(p + 1, p, above * sizeof(*p));
	*p = (struct htree_pointer){ .hash = hash, .child = child };
}

static uint32_t child_of(const struct htree *t, const struct step *s)
{
	return htree_entries(t, s->node)[s->at].child;
}

/* Split the leaf that s points to, then add the entry to its half. */
static int split_leaf(struct htree *t, const struct step *s, unsigned int need,
		      uint32_t hash)
{
	uint32_t lower = child_of(t, s), upper, boundary;
	bool continued;
	int err = htree_push_leaf(t, &upper);

	if (err)
		return err;
	err = dirblock_split(&t->leaf[lower], t->geometry.block_size / 4,
			     leaf_units(t), &t->leaf[upper], &boundary,
			     &continued);
	if (err)
		return err;
	insert_pointer(t, s, boundary + (continued ? 1 : 0), upper);
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
	struct step root = { 0 };
	int err = htree_push_node(t, &root.node);

	if (err)
		return err;
	b->count -= 2;
	memmove(b->slot, b->slot + 2, b->count * sizeof(*b->slot));
	dirblock_fill(b, leaf_units(t));
	*htree_entries(t, root.node) = (struct htree_pointer){ 0 };
	t->used[root.node] = 1;
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
static unsigned int find_entry(const struct htree *t, uint32_t node,
			       uint32_t hash)
{
	const struct htree_pointer *entry = htree_entries(t, node);
	unsigned int low = 1, high = t->used[node];

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (entry[middle].hash > hash)
			high = middle;
		else
			low = middle + 1;
	}
	return low - 1;
}

/* The path to the leaf for that hash; its last step. */
static struct step *descend(const struct htree *t, uint32_t hash,
			    struct step *path)
{
	struct step *s = path;
	uint32_t node = 0;

	for (;; s++) {
		s->node = node;
		s->at = find_entry(t, node, hash);
		if (s == &path[t->levels - 1])
			return s;
		node = child_of(t, s);
	}
}

/* One level more: the root's entries move into a new node below it. */
static int add_level(struct htree *t)
{
	struct htree_pointer *root;
	uint32_t node;
	int err = htree_push_node(t, &node);

	if (err)
		return err;
	root = htree_entries(t, 0);
	memcpy(htree_entries(t, node), root, t->used[0] * sizeof(*root));
	t->used[node] = t->used[0];
	*root = (struct htree_pointer){ .child = node };
	t->used[0] = 1;
	t->levels++;
	return 0;
}

/* The upper half, by number, of a full node goes to a new one beside it. */
static int split_node(struct htree *t, const struct step *path,
		      unsigned int level)
{
	uint32_t lower = path[level].node, upper;
	unsigned int kept = t->used[lower] / 2;
	struct htree_pointer *moved;
	int err = htree_push_node(t, &upper);

	if (err)
		return err;
	moved = htree_entries(t, upper);
	t->used[upper] = t->used[lower] - kept;
	memcpy(moved, htree_entries(t, lower) + kept,
	       t->used[upper] * sizeof(*moved));
	t->used[lower] = kept;
	insert_pointer(t, &path[level - 1], moved->hash, upper);
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
	       t->used[path[level - 1].node] == htree_limit_at(t, level - 1))
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
		last = descend(t, hash, path);
		err = dirblock_add(&t->leaf[child_of(t, last)], need, hash);
		if (err != -ENOSPC)
			return err;
		if (t->used[last->node] < htree_limit_at(t, t->levels - 1))
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
