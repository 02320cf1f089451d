/*
 * ENOSPC on ext2, ext3 and ext4. The kernel takes the inode first, then
 * room in the directory, so the causes are tried in that order.
 */
#include <inttypes.h>
#include <linux/fs.h>
#include <string.h>
#include <unistd.h>

#include "exhaust_ext_disk.h"
#include "exhaust_family.h"
#include "exhaust_verdict.h"

#define MIB (UINT64_C(1) << 20)

struct ext_case {
	const struct refusal *r;
	const struct place *p;
	struct ext_disk disk;
	struct ext_index index;
	bool disk_known;
	uint64_t cluster_reserve; /* blocks that no name may take */
	uint64_t user_reserve; /* blocks for resuid, resgid and root */
	uint64_t cluster_blocks;
	bool privileged; /* may use user_reserve */
};

/* Blocks that one new name may need: leaf, index nodes, extent block. */
enum {
	NAME_CLUSTERS = 4,
	DIR_INDEXED = FS_INDEX_FL,
};

/*
 * Who may use the reserve: the mount's resuid (else the superblock's), a
 * member of resgid unless that is 0, and CAP_SYS_RESOURCE.
 */
static bool may_use_reserve(const struct ext_case *c)
{
	uint64_t uid = c->disk.reserved_uid, gid = c->disk.reserved_gid;

	place_option_number(c->p, "resuid", &uid);
	place_option_number(c->p, "resgid", &gid);
	return c->p->resource_capable || geteuid() == uid ||
	       (gid != 0 && exhaust_in_group((uint32_t)gid));
}

static void gather(struct ext_case *c)
{
	const struct statfs *fs = &c->p->fs;
	uint64_t clusters = 0, gap = fs->f_bfree - fs->f_bavail;

	c->disk_known = ext_disk_read(c->p, &c->disk) == 0;
	c->cluster_blocks = c->disk_known ? c->disk.cluster_blocks : 1;
	place_sysfs_number(c->p, "/sys/fs/ext4/%s/reserved_clusters",
			   &clusters);
	c->cluster_reserve = clusters * c->cluster_blocks;
	if (c->disk_known)
		c->user_reserve = c->disk.facts.reserved_blocks;
	else if (gap > c->cluster_reserve)
		c->user_reserve = gap - c->cluster_reserve;
	c->privileged = may_use_reserve(c);
	ext_index_read(c->p, c->r->name, &c->index);
}

static void show(const struct ext_case *c, struct verdict *v)
{
	exhaust_statfs_evidence(c->p, v);
	if (c->user_reserve)
		verdict_number(v, "reserved for root", c->user_reserve,
			       "blocks");
	if (c->cluster_reserve)
		verdict_number(v, "reserved by the kernel", c->cluster_reserve,
			       "blocks");
	if (c->cluster_blocks > 1)
		verdict_number(v, "cluster", c->cluster_blocks, "blocks");
	if (c->index.known) {
		verdict_part(v, "index levels", c->index.levels,
			     c->index.levels_max, "possible");
		verdict_part(v, "index root entries", c->index.root_entries,
			     c->index.root_limit, "");
	}
	if (c->index.path_known && c->index.levels > 1)
		verdict_part(v, "index node entries", c->index.node_entries,
			     c->index.node_limit, "");
	if (c->r->name)
		verdict_number(v, "name length", strlen(c->r->name), "bytes");
}

static const char *family_type(const struct ext_case *c)
{
	if (c->disk.facts.extents)
		return "ext4";
	return c->disk.facts.has_journal ? "ext3" : "ext2";
}

/* Whole groups more: half a group brings its inodes as well as a whole. */
static void remedy_inodes(const struct ext_case *c, struct verdict *v)
{
	uint64_t enough = exhaust_enough(c->p->fs.f_files, c->r->wanted);
	const struct ext_disk *d = &c->disk;
	uint64_t bytes, fs_bytes, groups, most;

	if (!c->disk_known) {
		fs_bytes = c->p->fs.f_blocks * (uint64_t)c->p->fs.f_bsize;
		exhaust_grow(c->p, v, fs_bytes,
			     (fs_bytes > 256 * MIB ? fs_bytes : 256 * MIB) * 2);
		return;
	}
	fs_bytes = d->facts.blocks * d->facts.block_size;
	groups = (enough + d->facts.inodes_per_group - 1) /
		 d->facts.inodes_per_group;
	bytes = (groups * d->facts.blocks_per_group + d->first_data_block) *
		d->facts.block_size;
	exhaust_grow(c->p, v, fs_bytes, bytes);
	most = fs_bytes / d->facts.inode_size / 2;
	if (enough > most)
		enough = most;
	if (enough > d->facts.inodes) {
		char steps[160];

		snprintf(steps, sizeof(steps),
			 "mke2fs -q -F -t %s -b %u -I %u -N %" PRIu64 " @",
			 family_type(c), d->facts.block_size,
			 d->facts.inode_size, enough);
		exhaust_offline(c->p, v, REMEDY_ANEW, steps);
	}
}

static bool no_inodes(const struct ext_case *c, struct verdict *v)
{
	if (!exhaust_makes_inode(c->r) || !c->p->fs.f_files || c->p->fs.f_ffree)
		return false;
	verdict_set(v, EXHAUST_INODES,
		    "every inode of %.100s is in use; their number was fixed "
		    "when it was made",
		    c->p->mount);
	show(c, v);
	remedy_inodes(c, v);
	verdict_advise(v, "Or remove files that are no longer needed.");
	return true;
}

static bool dir_too_big(const struct ext_case *c, struct verdict *v)
{
	uint64_t kib;

	if (!place_option_number(c->p, "max_dir_size_kb", &kib) || kib == 0 ||
	    (uint64_t)c->p->st.st_size / 1024 < kib)
		return false;
	verdict_set(v, EXHAUST_DIR_SIZE,
		    "the directory has reached the mount option "
		    "max_dir_size_kb=%" PRIu64,
		    kib);
	show(c, v);
	verdict_number(v, "max_dir_size_kb", kib, "KiB");
	verdict_remedy(v, REMEDY_ONLINE,
		       "mount -o remount,max_dir_size_kb=0 %s", c->p->q_mount);
	return true;
}

/*
 * Index full for this name: every node from the root down to its leaf is
 * full, and no level may be added. Other names may still go in.
 */
static bool index_full(const struct ext_case *c, struct verdict *v)
{
	const struct ext_index *x = &c->index;

	if (!x->path_known || !x->path_full || x->levels < x->levels_max)
		return false;
	verdict_set(v, EXHAUST_DIR_INDEX,
		    "the directory's index is full where this name belongs: "
		    "%u levels are all it may have, inodes and blocks are not "
		    "the matter",
		    x->levels_max);
	return true;
}

/*
 * Without a look at the index: it holds at least a third of root entries x
 * node entries leaf blocks before it refuses (0.40 was measured).
 */
static bool index_looks_full(const struct ext_case *c, struct verdict *v)
{
	uint64_t block = (uint64_t)c->p->fs.f_bsize;
	uint64_t full = (block / 8 - 5) * (block / 8 - 2) * block;

	if (c->index.path_known || !c->p->flags_known ||
	    !(c->p->inode_flags & DIR_INDEXED) ||
	    (uint64_t)c->p->st.st_size < full / 3)
		return false;
	verdict_set(v, EXHAUST_DIR_INDEX,
		    "the directory's index is full, though inodes and blocks "
		    "are free");
	verdict_doubt(v, EXHAUST_LIKELY,
		      "the device cannot be read here; judged from the size of "
		      "the directory and the free inodes and blocks");
	return true;
}

static void remedy_index(const struct ext_case *c, struct verdict *v)
{
	if (c->disk_known ? !c->disk.facts.large_dir : true) {
		verdict_remedy(v, REMEDY_ONLINE, "tune2fs -O large_dir %s",
			       c->p->q_device);
		exhaust_offline(c->p, v, REMEDY_OFFLINE,
				"tune2fs -O large_dir @");
	}
	exhaust_offline(c->p, v, REMEDY_OFFLINE, EXHAUST_E2FSCK("-fyD"));
	verdict_advise(v, "Or spread the names over several directories.");
}

static uint64_t whole_bytes(const struct ext_case *c)
{
	if (c->disk_known)
		return c->disk.facts.blocks * c->disk.facts.block_size;
	return c->p->fs.f_blocks * (uint64_t)c->p->fs.f_bsize;
}

/* What the kernel keeps for itself is quick to free, but soon gone too. */
static void remedy_kept(const struct ext_case *c, struct verdict *v)
{
	if (c->cluster_reserve >= 64 * c->cluster_blocks)
		verdict_remedy(v, REMEDY_ONLINE,
			       "echo 0 > /sys/fs/ext4/%s/reserved_clusters",
			       strrchr(c->p->device, '/') + 1);
}

static void remedy_blocks(const struct ext_case *c, struct verdict *v)
{
	uint64_t bytes = whole_bytes(c);
	uint64_t more = bytes > 32 * MIB ? bytes : 32 * MIB;

	if (v->cause == EXHAUST_BLOCKS && !c->p->resource_possible)
		remedy_kept(c, v);
	exhaust_grow(c->p, v, bytes, bytes + more);
	if (v->cause == EXHAUST_BLOCKS && c->p->resource_possible)
		remedy_kept(c, v);
}

/* Fewer free blocks than this, and the next name may not get one. */
static uint64_t floor_blocks(const struct ext_case *c)
{
	return c->cluster_reserve + NAME_CLUSTERS * c->cluster_blocks;
}

static bool no_blocks(const struct ext_case *c, struct verdict *v)
{
	uint64_t floor = floor_blocks(c), left = c->p->fs.f_bfree;

	if (left > floor + (c->privileged ? 0 : c->user_reserve))
		return false;
	if (left > floor) {
		verdict_set(v, EXHAUST_RESERVED,
			    "the blocks that are free on %.80s are reserved "
			    "for root, and this process is not",
			    c->p->mount);
		show(c, v);
		verdict_remedy(v, REMEDY_ONLINE, "tune2fs -r 0 %s",
			       c->p->q_device);
	} else {
		verdict_set(v, EXHAUST_BLOCKS,
			    "no block is left on %.80s for the directory to "
			    "grow",
			    c->p->mount);
		show(c, v);
	}
	remedy_blocks(c, v);
	verdict_advise(v, "Or remove files that hold blocks.");
	return true;
}

static uint64_t errors_recorded(const struct ext_case *c)
{
	uint64_t errors = 0;

	place_sysfs_number(c->p, "/sys/fs/ext4/%s/errors_count", &errors);
	return errors;
}

static void set_damaged(const struct ext_case *c, struct verdict *v)
{
	verdict_set(v, EXHAUST_CORRUPT,
		    "%.80s has errors, and the kernel no longer allocates in "
		    "groups that it found damaged",
		    c->p->mount);
	show(c, v);
	verdict_number(v, "errors recorded", errors_recorded(c), "");
	if (c->disk_known) {
		verdict_number(v, "free inodes by the groups",
			       c->disk.free_inodes, "");
		verdict_number(v, "free blocks by the groups",
			       c->disk.free_blocks, "");
	}
	exhaust_offline(c->p, v, REMEDY_OFFLINE, EXHAUST_E2FSCK("-fy"));
}

/*
 * What is free in a damaged group is taken off the totals, so that statfs
 * shows nothing free where the groups' own counts still do.
 */
static bool damaged(const struct ext_case *c, struct verdict *v)
{
	const struct statfs *fs = &c->p->fs;
	bool inodes, blocks;

	if (!c->disk_known || errors_recorded(c) == 0)
		return false;
	inodes = exhaust_makes_inode(c->r) && fs->f_ffree == 0 &&
		 c->disk.free_inodes > 0;
	blocks = fs->f_bfree <= floor_blocks(c) &&
		 c->disk.free_blocks > 2 * floor_blocks(c) + 1024;
	if (!inodes && !blocks)
		return false;
	set_damaged(c, v);
	return true;
}

/* Nothing is short, but there have been errors. */
static bool maybe_damaged(const struct ext_case *c, struct verdict *v)
{
	if (errors_recorded(c) == 0)
		return false;
	set_damaged(c, v);
	verdict_doubt(v, EXHAUST_LIKELY,
		      "inodes and blocks are free and the index is not full");
	return true;
}

/* One transaction may take a quarter of the journal. */
static bool small_journal(const struct ext_case *c, struct verdict *v)
{
	if (!c->disk_known || !c->disk.facts.has_journal ||
	    c->disk.journal_blocks == 0 || c->disk.journal_blocks > 2048)
		return false;
	verdict_set(v, EXHAUST_JOURNAL,
		    "the journal of %.80s may be too small for one operation",
		    c->p->mount);
	show(c, v);
	verdict_number(v, "journal", c->disk.journal_blocks, "blocks");
	verdict_doubt(v, EXHAUST_GUESS,
		      "inodes, blocks and index have room; the kernel log "
		      "would speak of credits");
	exhaust_offline(c->p, v, REMEDY_OFFLINE,
			"tune2fs -O ^has_journal @ && tune2fs -J size=16 @");
	return true;
}

bool exhaust_ext(const struct refusal *r, const struct place *p,
		 struct verdict *v)
{
	struct ext_case c = { .r = r, .p = p };

	gather(&c);
	if (damaged(&c, v) || no_inodes(&c, v) || dir_too_big(&c, v))
		return true;
	if (index_full(&c, v)) {
		show(&c, v);
		remedy_index(&c, v);
		return true;
	}
	if (no_blocks(&c, v))
		return true;
	if (index_looks_full(&c, v)) {
		show(&c, v);
		remedy_index(&c, v);
		return true;
	}
	return maybe_damaged(&c, v) || small_journal(&c, v);
}
