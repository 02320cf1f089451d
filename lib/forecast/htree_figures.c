/* Where a directory stands: its size and how full its index is. */
#include "htree.h"

#include "htree_tree.h"

/* Add up a node's entries, and those of the nodes below it. */
static void count_nodes(const struct htree *t, uint32_t node,
			unsigned int level, struct htree_figures *f)
{
	f->level[level].nodes++;
	f->level[level].used += t->used[node];
	if (level + 1 == t->levels) {
		f->full_nodes += t->used[node] == htree_limit_at(t, level);
		return;
	}
	for (unsigned int i = 0; i < t->used[node]; i++)
		count_nodes(t, htree_entries(t, node)[i].child, level + 1, f);
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
		f->level[level].limit = htree_limit_at(t, level);
	if (f->levels)
		count_nodes(t, 0, 0, f);
}
