/* Forecasts for XFS: inodes are allocated in chunks as long as there is space
 * and imaxpct allows. */
#include "forecast_fs.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "xfs_geometry.h"

#define CHUNK 64 /* inodes that are allocated together */
/* The count of inodes is kept per CPU and lags by up to this on each. */
#define COUNT_BATCH 128
#define DIR_HEADER 64 /* of a directory's data, leaf and free blocks */

/* Inode number, length, name, type and tag, in eights. */
static unsigned int data_entry(unsigned int len)
{
	return (8 + 1 + len + 1 + 2 + 7) / 8 * 8;
}

/* Of a directory inside its inode: length, offset, name, type, number. */
static unsigned int short_entry(unsigned int len)
{
	return 1 + 2 + len + 1 + 4;
}

/* Data blocks for names of that mean size; "." and ".." lie in the first. */
static double data_blocks(const struct xfs_geometry *g, double names,
			  double entry)
{
	double room = g->dir_block_size - DIR_HEADER;
	double first = floor((room - 2 * 16) / entry);

	if (names <= first)
		return 1;
	return 1 + ceil((names - first) / floor(room / entry));
}

/* Bytes that stat reports: the data blocks, or what the inode holds. */
static uint64_t directory_bytes(const struct forecast_job *job,
				const struct xfs_geometry *g, uint64_t names)
{
	double all = (double)(job->present.total + names);
	double inside = 6 + all * forecast_mean_all(job, names, short_entry);

	/* The rest of the inode, less the half that attributes may claim. */
	if (inside <= (g->inode_size - 176) / 2.0)
		return (uint64_t)inside;
	return (uint64_t)(data_blocks(g, all,
				      forecast_mean_all(job, names,
							data_entry)) *
			  g->dir_block_size);
}

/* File-system blocks of the directory, with its index: hash and address take
 * 8 bytes in blocks that are 70 % full, and each data block 2 bytes in a list
 * of free space. */
static double directory_blocks(const struct forecast_job *job,
			       const struct xfs_geometry *g, uint64_t names)
{
	double all = (double)(job->present.total + names);
	double data =
		data_blocks(g, all, forecast_mean_all(job, names, data_entry));
	double room = g->dir_block_size - DIR_HEADER;
	double blocks =
		data + ceil(all * 8 / room / 0.70) + ceil(data * 2 / room);

	return blocks * g->dir_block_size / g->block_size;
}

/* Blocks that so many new names need, inode chunks and contents included. */
static double blocks_needed(const struct forecast_job *job,
			    const struct xfs_geometry *g,
			    const struct forecast *f, uint64_t names)
{
	const struct forecast_request *r = job->request;
	uint64_t used = f->inodes.total - f->inodes.available;
	double grown =
		directory_blocks(job, g, names) - directory_blocks(job, g, 0);
	/* A chunk that is begun serves the first names. */
	double chunks =
		r->links ? 0
			 : ceil((double)names / CHUNK) - (used % CHUNK ? 1 : 0);
	double each = 0;

	if ((S_ISREG(r->type) && r->file_bytes > 0) ||
	    (S_ISLNK(r->type) && r->file_bytes > g->inode_size - 176))
		each = ceil((double)r->file_bytes / g->block_size);
	return fmax(grown, 0) + (double)names * each +
	       fmax(chunks, 0) * CHUNK * g->inode_size / g->block_size;
}

static uint64_t fit_blocks(const struct forecast_job *job,
			   const struct xfs_geometry *g,
			   const struct forecast *f, uint64_t names)
{
	uint64_t low = 0, high = names, middle;

	while (low < high) {
		middle = low + (high - low + 1) / 2;
		if (blocks_needed(job, g, f, middle) <=
		    (double)f->blocks.available)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/*
 * imaxpct allows this many inodes in all.  The kernel compares with a count
 * that lags per CPU, so some chunks more are made: usually one.
 */
static void limit_inodes(const struct xfs_geometry *g, struct forecast *f)
{
	uint64_t per_chunk = (uint64_t)CHUNK * g->inode_size / g->block_size;
	uint64_t blocks = g->data_blocks * g->imaxpct / 100;
	uint64_t most, used = f->inodes.total - f->inodes.available;
	uint64_t left, lag;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (g->imaxpct == 0)
		return;
	if (per_chunk == 0)
		per_chunk = 1;
	most = blocks / per_chunk * per_chunk * (g->block_size / g->inode_size);
	f->inodes.total = most;
	left = most > used ? most - used : 0;
	f->inodes.available = left;
	lag = COUNT_BATCH * (uint64_t)(cpus > 0 ? cpus : 1);
	forecast_limit(f, FORECAST_XFS_IMAXPCT, left + CHUNK,
		       left > CHUNK ? left - CHUNK : 0, left + lag);
}

int forecast_xfs(const struct forecast_job *job, struct forecast *f)
{
	struct xfs_geometry g;
	uint64_t fits;
	int err = xfs_geometry_read(job->request->dirfd, &g);

	if (err == -EUCLEAN)
		return err;
	if (err) {
		f->superblock_error = err;
		return forecast_other(job, f);
	}
	f->superblock = true;
	f->inode_size = g.inode_size;
	f->block_size = g.block_size;
	f->journal = (uint64_t)g.log_blocks * g.block_size;
	if (!job->request->links)
		limit_inodes(&g, f);
	f->blocks.needed = (uint64_t)ceil(blocks_needed(job, &g, f, f->count));
	fits = fit_blocks(job, &g, f, f->at);
	forecast_limit(f, FORECAST_BLOCKS, fits, fits - fits / 20,
		       fits + fits / 20);
	f->directory = directory_bytes(job, &g, f->at);
	return 0;
}
