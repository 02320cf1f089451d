/* Forecasts for ext2, ext3 and ext4. */
#include "forecast_fs.h"

#include "dirblock.h"
#include "dirhash.h"
#include "extfs.h"
#include "htree.h"
#include "htree_load.h"
#include "htree_mean.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Links that a directory or a file may have. */
#define EXT_LINK_MAX 65000
/* Bytes of a symbolic link's target that the inode itself holds. */
#define EXT_FAST_SYMLINK 59

struct ext {
	struct extfs_facts facts;
	struct htree_geometry geometry;
	uint64_t blocks_each; /* that a new name takes besides its entry */
	uint64_t blocks_now; /* of the directory */
};

/* What is assumed of a file system whose super block may not be read: the
 * defaults of mke2fs -t ext4. */
static void assume(const struct forecast_job *job, struct extfs_facts *x)
{
	*x = (struct extfs_facts){
		.block_size = (unsigned int)job->vfs.f_bsize,
		.inode_size = 256,
		.extra_isize = 32,
		.dir_index = true,
		.metadata_csum = true,
		.extents = true,
		.dir_nlink = true,
	};
}

static bool read_reserved(const char *device, unsigned long long *clusters)
{
	char path[PATH_MAX + 64];
	bool read;
	FILE *in;

	snprintf(path, sizeof(path), "/sys/fs/ext4/%s/reserved_clusters",
		 device);
	in = fopen(path, "re");
	if (!in)
		return false;
	read = fscanf(in, "%llu", clusters) == 1;
	fclose(in);
	return read;
}

/*
 * Blocks that the kernel keeps back even from root, in case it cannot split
 * an extent: sysfs says how many; by default 2 %, at most 4096 clusters.
 */
static uint64_t kept_back(const struct forecast_job *job)
{
	uint64_t usual = job->vfs.f_blocks / 50;
	char device[PATH_MAX];
	unsigned long long n;

	if (extfs_device(job->request->dirfd, device, sizeof(device)) == 0 &&
	    read_reserved(device + strlen("/dev/"), &n))
		return n;
	return usual < 4096 ? usual : 4096;
}

static uint64_t blocks_available(const struct forecast_job *job)
{
	uint64_t kept;

	if (geteuid() != 0)
		return job->vfs.f_bavail;
	kept = kept_back(job);
	return job->vfs.f_bfree > kept ? job->vfs.f_bfree - kept : 0;
}

/* Blocks of the contents of one new file. */
static uint64_t blocks_each(const struct forecast_request *r,
			    const struct ext *x)
{
	unsigned int inside = 0;

	if (x->facts.inline_data)
		inside = 60 + x->geometry.inline_extra;
	if (r->links)
		return 0;
	if (S_ISDIR(r->type))
		return x->facts.inline_data ? 0 : 1;
	if (S_ISLNK(r->type) && inside == 0)
		inside = EXT_FAST_SYMLINK;
	if ((!S_ISREG(r->type) && !S_ISLNK(r->type)) || r->file_bytes <= inside)
		return 0;
	return (r->file_bytes + x->facts.block_size - 1) / x->facts.block_size;
}

/*
 * Blocks that map a directory of that many blocks.  Indirect blocks follow
 * from the format.  Extents follow from how free space lies: a directory that
 * grows alone needs few, one between other blocks an extent for each block.
 */
static uint64_t map_blocks(const struct ext *x, uint64_t blocks)
{
	uint64_t addresses = x->facts.block_size / 4, extents;

	if (!x->facts.extents) {
		if (blocks <= 12)
			return 0;
		if (blocks <= 12 + addresses)
			return 1;
		blocks -= 12 + addresses;
		return 2 + (blocks + addresses - 1) / addresses;
	}
	extents = x->blocks_each ? blocks : blocks / 8192 + 1;
	if (extents <= 4)
		return 0;
	addresses = (x->facts.block_size - 12) / 12;
	return (extents + addresses - 1) / addresses;
}

/* Blocks that so many new names take, the directory's growth included. */
static uint64_t blocks_needed(const struct ext *x, uint64_t names,
			      uint64_t directory_blocks)
{
	uint64_t grown = 0;

	if (directory_blocks > x->blocks_now)
		grown = directory_blocks + map_blocks(x, directory_blocks) -
			x->blocks_now - map_blocks(x, x->blocks_now);
	return names * x->blocks_each + grown;
}

static unsigned int entry_bytes(unsigned int len)
{
	return 4 * dirblock_need(len);
}

static int mean_of(const struct forecast_job *job, const struct ext *x,
		   uint64_t names, struct htree_mean *m)
{
	return htree_mean(&x->geometry,
			  forecast_mean_all(job, names, entry_bytes),
			  job->present.total + names, m);
}

/* By formula: how many of at most names new names the blocks suffice for. */
static int fit_blocks(const struct forecast_job *job, const struct ext *x,
		      uint64_t available, uint64_t names, uint64_t *fits)
{
	uint64_t low = 0, high = names, middle = names;
	struct htree_mean m;
	int err;

	while (low < high) {
		err = mean_of(job, x, middle, &m);
		if (err)
			return err;
		if (blocks_needed(x, middle, m.bytes / x->facts.block_size) <=
		    available)
			low = middle;
		else
			high = middle - 1;
		middle = low + (high - low + 1) / 2;
	}
	*fits = low;
	return 0;
}

static uint64_t less_present(const struct forecast_job *job, uint64_t names)
{
	return names > job->present.total ? names - job->present.total : 0;
}

static int by_formula(const struct forecast_job *job, const struct ext *x,
		      struct forecast *f)
{
	struct htree_mean m;
	uint64_t fits = 0;
	int err = mean_of(job, x, f->count, &m);

	if (err)
		return err;
	f->blocks.needed =
		blocks_needed(x, f->count, m.bytes / x->facts.block_size);
	if (m.full_at != UINT64_MAX)
		forecast_limit(f, FORECAST_INDEX, less_present(job, m.full_at),
			       less_present(job, m.full_low),
			       less_present(job, m.full_high));
	err = fit_blocks(job, x, f->blocks.available, f->at, &fits);
	if (err)
		return err;
	forecast_limit(f, forecast_blocks_cause(), fits, fits - fits / 20,
		       fits + fits / 20);
	err = mean_of(job, x, f->at, &m);
	if (err)
		return err;
	f->directory = m.bytes > f->directory_now ? m.bytes : f->directory_now;
	f->levels = m.levels;
	f->leaves = m.leaves;
	return 0;
}

/* Play all names through, until one is refused or the blocks are gone. */
static int play(const struct forecast_job *job, const struct ext *x,
		struct htree *t, const struct dirhash *h, struct forecast *f)
{
	const struct forecast_request *r = job->request;
	uint64_t before = htree_bytes(t), i, limit = f->at;
	char name[256];
	size_t len;
	int err;

	for (i = 0; i < limit; i++) {
		len = r->name(r->arg, i, name);
		err = htree_add(t, len, dirhash(h, name, len));
		if (err == -ENOSPC) {
			forecast_limit(f, FORECAST_INDEX, i, i, i);
			break;
		}
		if (err)
			return err;
		f->blocks.needed = blocks_needed(
			x, i + 1, htree_bytes(t) / x->facts.block_size);
		if (f->blocks.needed > f->blocks.available) {
			/* The refused name has grown the model already. */
			forecast_limit(f, forecast_blocks_cause(), i, i, i);
			f->all_exact = false;
			break;
		}
		before = htree_bytes(t);
	}
	f->directory = before;
	return 0;
}

/* What all names would need, though some are refused. */
static int need_of_all(const struct forecast_job *job, const struct ext *x,
		       struct forecast *f)
{
	struct htree_mean m;
	int err = mean_of(job, x, f->count, &m);

	if (!err)
		f->blocks.needed = blocks_needed(x, f->count,
						 m.bytes / x->facts.block_size);
	return err;
}

static int by_simulation(const struct forecast_job *job, struct ext *x,
			 struct forecast *f)
{
	struct htree_figures figures;
	struct dirhash h;
	struct htree *t;
	int err = htree_load(job->request->dirfd, &t, &h);

	if (err)
		return err;
	f->exact = f->all_exact = true;
	htree_figures(t, &figures);
	x->blocks_now = figures.bytes / x->facts.block_size;
	err = play(job, x, t, &h, f);
	htree_figures(t, &figures);
	f->levels = figures.levels;
	f->leaves = figures.leaves;
	htree_free(t);
	if (!err && f->at < f->count)
		err = need_of_all(job, x, f);
	return err;
}

/* A parent's link count, unless dir_nlink lets it stop counting; and that of
 * the one file which all hard links lead to. */
static void limit_links(const struct forecast_job *job, const struct ext *x,
			struct forecast *f)
{
	const struct forecast_request *r = job->request;
	struct stat st;
	uint64_t left;

	if (r->links) {
		forecast_limit(f, FORECAST_HARD_LINKS, EXT_LINK_MAX,
			       EXT_LINK_MAX, EXT_LINK_MAX);
		return;
	}
	if (!S_ISDIR(r->type) || (x->facts.dir_nlink && x->facts.dir_index) ||
	    fstat(r->dirfd, &st))
		return;
	left = st.st_nlink < EXT_LINK_MAX ? EXT_LINK_MAX - st.st_nlink : 0;
	forecast_limit(f, FORECAST_LINKS, left, left, left);
}

static void take_facts(const struct forecast_job *job, struct ext *x,
		       struct forecast *f)
{
	int err = extfs_read(job->request->dirfd, &x->facts);

	f->superblock = err == 0;
	f->superblock_error = err;
	if (err)
		assume(job, &x->facts);
	x->geometry = htree_geometry_of(&x->facts);
	x->blocks_now = f->directory_now / x->facts.block_size;
	x->blocks_each = blocks_each(job->request, x);
	f->inode_size = x->facts.inode_size;
	f->max_levels = x->geometry.max_levels;
	if (!err && !x->facts.journal_external)
		f->journal = x->facts.journal_bytes;
	if (!err && !x->facts.extents)
		snprintf(f->fs_name, sizeof(f->fs_name), "%s",
			 x->facts.has_journal ? "ext3" : "ext2");
}

int forecast_ext(const struct forecast_job *job, struct forecast *f)
{
	uint64_t inodes;
	struct ext x;
	int err = -ENOTSUP;

	take_facts(job, &x, f);
	f->blocks.available = blocks_available(job);
	inodes = f->inodes.available;
	if (!job->request->links)
		forecast_limit(f, FORECAST_INODES, inodes, inodes, inodes);
	limit_links(job, &x, f);
	if (job->request->exact && f->superblock)
		err = by_simulation(job, &x, f);
	/* Another hash, or a device that may not be read after all. */
	if (err == -ENOTSUP || err == -EACCES || err == -EPERM)
		err = by_formula(job, &x, f);
	return err;
}
