/*
 * ENOSPC on XFS. Inodes are made as needed, in chunks, so that it can run
 * out in three ways: no blocks, no more inodes by imaxpct, or blocks enough
 * but nowhere a chunk's length in one piece.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "exhaust_family.h"
#include "exhaust_verdict.h"
#include "exhaust_xfs_facts.h"

#define MIB (UINT64_C(1) << 20)

struct xfs_case {
	const struct refusal *r;
	const struct place *p;
	struct xfs_facts facts;
	struct xfs_chunk chunk;
	struct xfs_free space;
	bool space_known;
};

/*
 * What the kernel asks for before it makes a name: a chunk and splits of the
 * inode trees, then seven directory blocks (two, and one on each of five
 * levels), for each of which the map may split on up to seven levels.
 */
static uint64_t blocks_needed(const struct xfs_case *c)
{
	uint64_t dir = c->facts.dir_block_size / c->facts.block_size;

	return c->chunk.whole + 16 + 7 * ((dir ? dir : 1) + 7);
}

static void show(const struct xfs_case *c, struct verdict *v)
{
	exhaust_statfs_evidence(c->p, v);
	verdict_number(v, "inode chunk", c->chunk.whole, "blocks");
	if (c->chunk.least < c->chunk.whole)
		verdict_number(v, "part of one that will do", c->chunk.least,
			       "blocks");
	if (c->facts.kept_blocks)
		verdict_number(v, "kept by the kernel", c->facts.kept_blocks,
			       "blocks");
	if (!c->space_known)
		return;
	verdict_number(v, "free extents", c->space.extents, "");
	verdict_number(v, "longest free extent", c->space.longest, "blocks");
	verdict_number(v, "extents a chunk fits in", c->space.usable, "");
}

static void remedy_grow(const struct xfs_case *c, struct verdict *v)
{
	uint64_t bytes = c->facts.blocks * c->facts.block_size;
	uint64_t more = bytes / 2 > 128 * MIB ? bytes / 2 : 128 * MIB;

	exhaust_grow(c->p, v, bytes, bytes + more);
}

static bool no_blocks(const struct xfs_case *c, struct verdict *v)
{
	if (c->p->fs.f_bfree > blocks_needed(c))
		return false;
	verdict_set(v, EXHAUST_BLOCKS, "no block is left on %.100s",
		    c->p->mount);
	show(c, v);
	remedy_grow(c, v);
	if (c->facts.kept_blocks > 256)
		verdict_remedy(v, REMEDY_ONLINE, "xfs_io -x -c 'resblks 16' %s",
			       c->p->q_mount);
	verdict_advise(v, "Or remove files that hold blocks.");
	return true;
}

static unsigned int percent_for(const struct xfs_case *c, uint64_t inodes)
{
	uint64_t bytes = c->facts.blocks * c->facts.block_size / 100;
	uint64_t percent =
		inodes * c->facts.inode_size / (bytes ? bytes : 1) + 1;

	if (percent <= c->facts.imaxpct)
		percent = c->facts.imaxpct + 1;
	return percent < 100 ? (unsigned int)percent : 100;
}

static bool too_many_inodes(const struct xfs_case *c, struct verdict *v)
{
	uint64_t used = c->p->fs.f_files - c->p->fs.f_ffree;
	uint64_t most = xfs_inodes_max(&c->facts);

	if (!exhaust_makes_inode(c->r) || c->facts.imaxpct == 0 ||
	    used + 64 <= most)
		return false;
	verdict_set(v, EXHAUST_XFS_IMAXPCT,
		    "inodes may take no more than %u %% of %.80s (imaxpct), "
		    "and they do",
		    c->facts.imaxpct, c->p->mount);
	show(c, v);
	verdict_part(v, "inodes in use", used, most, "allowed");
	verdict_number(v, "imaxpct", c->facts.imaxpct, "%");
	if (c->facts.imaxpct < 100)
		verdict_remedy(v, REMEDY_ONLINE, "xfs_growfs -m %u %s",
			       percent_for(c,
					   exhaust_enough(used, c->r->wanted)),
			       c->p->q_mount);
	remedy_grow(c, v);
	return true;
}

static bool no_chunk(const struct xfs_case *c, struct verdict *v)
{
	bool sure = c->space_known && c->space.complete && !c->space.usable;

	verdict_set(v, EXHAUST_XFS_CHUNK,
		    "the free space of %.60s is in pieces too small for a "
		    "chunk of inodes (%" PRIu64
		    " blocks in one piece, aligned)",
		    c->p->mount, c->chunk.least);
	show(c, v);
	if (!sure && c->space_known)
		verdict_doubt(v, EXHAUST_LIKELY,
			      "some free extents are long enough, but the "
			      "kernel may keep them for its own trees");
	else if (!sure)
		verdict_doubt(v, EXHAUST_LIKELY,
			      "the map of free space could not be read");
	remedy_grow(c, v);
	if (c->facts.sparse_inodes)
		verdict_advise(v, "Or remove some large or neighbouring files, "
				  "so that longer pieces come free.");
	else
		verdict_advise(v, "Or remove some large files; a file system "
				  "made with mkfs.xfs -i sparse=1 gets by with "
				  "shorter pieces.");
	return true;
}

bool exhaust_xfs(const struct refusal *r, const struct place *p,
		 struct verdict *v)
{
	struct xfs_case c = { .r = r, .p = p };
	int fd = openat(p->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return exhaust_statfs(r, p, v);
	if (xfs_facts_read(fd, &c.facts) < 0) {
		close(fd);
		return exhaust_statfs(r, p, v);
	}
	c.chunk = xfs_chunk_of(&c.facts);
	c.space_known = xfs_free_read(fd, &c.facts, &c.space) == 0;
	close(fd);
	/* imaxpct first: it is exact, and a full one refuses at any size */
	return too_many_inodes(&c, v) || no_blocks(&c, v) || no_chunk(&c, v);
}
