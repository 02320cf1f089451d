#include "htree_mean.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Leaves, by how many entries they hold. */
struct fringe {
	double *leaves; /* [1 … limit] */
	unsigned int limit;
	unsigned int kept; /* by the lower half of a split */
	double total; /* leaves in all */
};

/*
 * A split moves as many entries as fill at most half of the block, the last
 * by more than half of itself.
 */
static unsigned int entries_kept(unsigned int block, unsigned int limit,
				 double need)
{
	unsigned int moved = (unsigned int)(block / need / 2 + 0.5);

	if (moved >= limit)
		moved = limit / 2;
	return limit - (moved ? moved : 1);
}

/* One full leaf. */
static int fringe_init(struct fringe *f, const struct htree_geometry *g,
		       double need)
{
	f->limit = (unsigned int)(htree_leaf_room(g) / need);
	f->kept = entries_kept(g->block_size, f->limit, need);
	f->leaves = calloc((size_t)f->limit + 2, sizeof(*f->leaves));
	if (!f->leaves)
		return -ENOMEM;
	f->leaves[f->limit] = 1;
	f->total = 1;
	return 0;
}

/* Names grow by the factor 1 + h, h far below 1 / limit. */
static void fringe_step(struct fringe *f, double h)
{
	double *x = f->leaves;
	unsigned int c = f->limit, a = f->kept, b = c - a;
	double split = h * c * x[c], in_lower = (double)a / c;

	for (unsigned int j = c; j > 1; j--)
		x[j] += h * ((j - 1) * x[j - 1] - j * x[j]);
	x[1] -= h * x[1];
	x[a] += split * (1 - in_lower);
	x[b + 1] += split * (1 - in_lower);
	x[a + 1] += split * in_lower;
	x[b] += split * in_lower;
	f->total += split;
}

/*
 * By how much, relative to the middle, two index blocks of the same
 * generation differ per generation: the share of names that a half gets is
 * random as the square root of its names, and its leaves are unevenly full.
 * Both constants are fitted to simulations (1 to 4 KiB, 3 to 72 entries to a
 * leaf, 2,600 directories); 0.06 is for index blocks over index blocks, whose
 * children are many names each.
 */
static double scatter(unsigned int node_limit, unsigned int leaf_limit)
{
	double names = leaf_limit ? 1.23 / leaf_limit : 0.06;

	return sqrt((names + 0.061) / node_limit);
}

/*
 * Index blocks over that many children: a block of generation k covers
 * 2^-k of all, but for the scatter, and is split, which makes one more, when
 * its share reaches the limit.
 */
static double index_blocks(double children, unsigned int limit, double spread)
{
	double blocks = 1, done, distance;

	for (int k = 0; k < 40; k++) {
		distance = log(children / limit) - k * M_LN2;
		if (k == 0)
			done = distance > 0;
		else
			done = erfc(-distance / spread / sqrt(2.0 * k)) / 2;
		blocks += ldexp(done, k);
	}
	return blocks;
}

struct index {
	unsigned int levels;
	double blocks; /* the root included */
	bool full;
};

/* The index over that many leaves. */
static struct index index_over(const struct htree_geometry *g, double leaves,
			       unsigned int leaf_limit)
{
	unsigned int root = htree_root_limit(g), node = htree_node_limit(g);
	struct index x = { .levels = 1, .blocks = 1 };
	double top = leaves;

	while (top >= root + 1.0) {
		if (x.levels == g->max_levels) {
			x.full = true;
			break;
		}
		top = index_blocks(top, node, scatter(node, leaf_limit));
		x.blocks += top;
		x.levels++;
		leaf_limit = 0;
	}
	return x;
}

/* Blocks of entries in a row, or a single one. */
static void linear_mean(const struct htree_geometry *g, double need,
			uint64_t count, struct htree_mean *m)
{
	uint64_t room = htree_leaf_room(g);
	uint64_t first = (uint64_t)((double)(room - 24) / need);
	uint64_t each = (uint64_t)((double)room / need);

	m->leaves = 1;
	if (count > first)
		m->leaves += (count - first + each - 1) / each;
	m->bytes = m->leaves * g->block_size;
	if (g->is_inline && (double)count * need <= 56)
		m->bytes = 60;
	else if (g->is_inline && (double)count * need <= 56 + g->inline_extra)
		m->bytes = 60 + g->inline_extra;
}

/* Grow from one full leaf to count names or to the full index. */
static void grow(const struct htree_geometry *g, struct fringe *f,
		 uint64_t count, struct htree_mean *m)
{
	double step = 1.0 / (f->limit > 1000 ? 4 : 16) / f->limit;
	double names = f->limit, end = (double)count, by;
	struct index x = index_over(g, f->total, f->limit);

	while (!x.full && names < end) {
		by = fmin(step, end / names - 1);
		fringe_step(f, by);
		names = by < step ? end : names * (1 + by);
		x = index_over(g, f->total, f->limit);
	}
	m->leaves = (uint64_t)llround(fmax(f->total, 2));
	m->bytes = (m->leaves + (uint64_t)llround(x.blocks)) * g->block_size;
	m->levels = x.levels;
	if (!x.full)
		return;
	by = scatter(htree_node_limit(g), f->limit);
	m->full_at = (uint64_t)names;
	m->full_low = (uint64_t)(names * (1 - 1.8 * by));
	m->full_high = (uint64_t)(names * (1 + 3.5 * by));
}

int htree_mean(const struct htree_geometry *g, double need, uint64_t count,
	       struct htree_mean *mean)
{
	struct fringe f;
	int err;

	if (need < 12 || need > htree_leaf_room(g) / 2.0)
		return -EINVAL;
	*mean = (struct htree_mean){ .full_at = UINT64_MAX,
				     .full_low = UINT64_MAX,
				     .full_high = UINT64_MAX };
	if (g->max_levels == 0 ||
	    (double)count <= floor((htree_leaf_room(g) - 24) / need)) {
		linear_mean(g, need, count, mean);
		return 0;
	}
	err = fringe_init(&f, g, need);
	if (err)
		return err;
	grow(g, &f, count, mean);
	free(f.leaves);
	return 0;
}
