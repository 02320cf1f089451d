/* Forecasts for tmpfs, where a name takes an inode of nr_inodes and no page,
 * and for file systems of which only statvfs is known. */
#include "forecast_fs.h"

#include <sys/stat.h>
#include <unistd.h>

/* What tmpfs adds to a directory's size for each entry. */
#define BYTES_ENTRY 20
/* A target from this length on lies in a page of its own. */
#define LONG_SYMLINK 128

static uint64_t pages_each(const struct forecast_job *job)
{
	const struct forecast_request *r = job->request;
	uint64_t page = job->vfs.f_bsize;

	if (r->links)
		return 0;
	if (S_ISLNK(r->type))
		return r->file_bytes >= LONG_SYMLINK ? 1 : 0;
	return S_ISREG(r->type) ? (r->file_bytes + page - 1) / page : 0;
}

int forecast_tmpfs(const struct forecast_job *job, struct forecast *f)
{
	uint64_t pages = pages_each(job), left = f->inodes.available;

	/* A hard link takes one of nr_inodes as well. */
	f->inodes.needed = f->count;
	if (left != FORECAST_UNKNOWN)
		forecast_limit(f, FORECAST_TMPFS_INODES, left, left, left);
	f->blocks.needed = f->count * pages;
	/* Without size= no total is reported and memory is the bound. */
	if (f->blocks.total == 0)
		f->blocks.available = f->blocks.total = FORECAST_UNKNOWN;
	else if (pages)
		forecast_limit(f, FORECAST_BLOCKS, f->blocks.available / pages,
			       f->blocks.available / pages,
			       f->blocks.available / pages);
	f->directory = f->directory_now + BYTES_ENTRY * f->at;
	f->all_exact = true;
	return 0;
}

int forecast_other(const struct forecast_job *job, struct forecast *f)
{
	uint64_t left = f->inodes.available, each;
	const struct forecast_request *r = job->request;

	if (left != FORECAST_UNKNOWN && !r->links)
		forecast_limit(f, FORECAST_INODES, left, left, left);
	if (!S_ISREG(r->type) || r->file_bytes == 0 || f->block_size == 0)
		return 0;
	each = (r->file_bytes + f->block_size - 1) / f->block_size;
	f->blocks.needed = f->count * each;
	each = f->blocks.available / each;
	forecast_limit(f, forecast_blocks_cause(), each, each - each / 20,
		       each);
	return 0;
}
