/* What fits into the blocks of a directory. */
#include "htree.h"

#include "extfs.h"
#include "htree_tree.h"

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

unsigned int htree_limit_at(const struct htree *t, unsigned int level)
{
	return level == 0 ? htree_root_limit(&t->geometry)
			  : htree_node_limit(&t->geometry);
}
