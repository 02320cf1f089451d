/*
 * The index of an XFS directory, played through: sorted hashes of all names in
 * leaf blocks that are split in half, below one node that points to them.
 *
 * A block begins with a header of 64 bytes (metadata with checksums, which
 * mkfs.xfs makes since 2014), and each hash takes 8 bytes in a leaf, as each
 * pointer does in a node. A single leaf also lists the free space of each data
 * block, in 2 bytes, and ends in 4 more. (XFS Algorithms & Data Structures,
 * "Leaf Directories", "Node Directories".)
 */
#include "index_steps.h"

#include <stdlib.h>
#include <string.h>

#include "dirhash.h"
#include "xfs_geometry.h"

#define HEADER 64
#define ITEM 8
#define MOST_NAMES                                                             \
	2000000 /* played through; with blocks of 4 KiB, the first             \
		 * node is full long before */
/* Several workers do not quite keep the order: 1/256 of the names. */
#define UNSURE 256

struct leaf {
	uint32_t *hash; /* sorted */
	unsigned int count;
};

struct leaves {
	struct leaf *leaf; /* sorted */
	uint32_t *room; /* for the hashes of all */
	unsigned int count, most; /* that a node can point to, and one more */
	unsigned int limit; /* hashes in each */
};

/* The leaf that has a hash, or where it belongs. */
static unsigned int find_leaf(const struct leaves *l, uint32_t hash)
{
	unsigned int low = 0, high = l->count - 1;

	while (low < high) {
		unsigned int middle = (low + high) / 2;
		const struct leaf *leaf = &l->leaf[middle];

		if (leaf->hash[leaf->count - 1] < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_leaf(struct leaves *l, unsigned int at)
{
	uint32_t *room = l->room + (size_t)l->count * l->limit;

	memmove(&l->leaf[at + 1], &l->leaf[at],
		(l->count - at) * sizeof(*l->leaf));
	l->leaf[at] = (struct leaf){ .hash = room };
	l->count++;
}

static void split(struct leaves *l, unsigned int at)
{
	struct leaf *lower, *upper;

	add_leaf(l, at + 1);
	lower = &l->leaf[at];
	upper = &l->leaf[at + 1];
	upper->count = lower->count / 2;
	lower->count -= upper->count;
	memcpy(upper->hash, lower->hash + lower->count,
	       upper->count * sizeof(*upper->hash));
}

static void add_hash(struct leaves *l, uint32_t hash)
{
	unsigned int at = find_leaf(l, hash), low = 0, high;
	struct leaf *leaf;

	if (l->leaf[at].count == l->limit) {
		split(l, at);
		at = find_leaf(l, hash);
	}
	leaf = &l->leaf[at];
	high = leaf->count;
	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (leaf->hash[middle] < hash)
			low = middle + 1;
		else
			high = middle;
	}
	memmove(&leaf->hash[low + 1], &leaf->hash[low],
		(leaf->count - low) * sizeof(*leaf->hash));
	leaf->hash[low] = hash;
	leaf->count++;
}

static struct index_step make_step(unsigned int from, uint64_t at)
{
	return (struct index_step){ .from = from,
				    .to = from + 1,
				    .at = at,
				    .low = at - at / UNSURE,
				    .high = at + at / UNSURE };
}

static size_t play(const struct index_growth *g, struct leaves *l,
		   const struct xfs_geometry *x, struct index_step *steps)
{
	struct dirhash h = { .kind = DIRHASH_XFS };
	char name[NAME_BUFFER];
	double bytes = 0; /* of the data blocks */
	size_t count = 0;

	for (uint64_t i = 0; i < g->count && i < MOST_NAMES; i++) {
		size_t length = g->name(g->arg, i, name);

		add_hash(l, dirhash(&h, name, length));
		bytes += (double)((8 + 1 + length + 1 + 2 + 7) / 8 * 8);
		if (count == 0 &&
		    HEADER + ITEM * ((double)i + 3) + 4 +
				    2 * bytes / x->dir_block_size >
			    x->dir_block_size)
			steps[count++] = make_step(0, i + 1);
		if (l->count < l->most)
			continue;
		steps[count++] = make_step(1, i + 1);
		break;
	}
	return count;
}

size_t index_steps_xfs(const struct index_growth *g, struct index_step *steps)
{
	struct xfs_geometry x;
	struct leaves l = { 0 };
	size_t count = 0;

	if (xfs_geometry_read(g->dir, &x) || x.dir_block_size < 2 * HEADER)
		return 0;
	l.limit = (x.dir_block_size - HEADER) / ITEM;
	l.most = l.limit + 1;
	l.leaf = calloc(l.most, sizeof(*l.leaf));
	l.room = calloc((size_t)l.most * l.limit, sizeof(*l.room));
	if (l.leaf && l.room) {
		add_leaf(&l, 0);
		count = play(g, &l, &x, steps);
	}
	free(l.leaf);
	free(l.room);
	return count;
}
