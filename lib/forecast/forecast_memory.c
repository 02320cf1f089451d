/* What the kernel keeps in memory for each name and inode it has cached. */
#include "forecast_fs.h"

#include <sys/stat.h>
#include <unistd.h>

/* Names up to this length lie inside the dentry (64-bit kernels). */
#define DENTRY_INLINE 39
#define DENTRY_USUAL 192

struct cache {
	enum forecast_fs fs;
	const char *name; /* in /sys/kernel/slab */
	unsigned int usual; /* bytes, of a 64-bit kernel without debugging */
};

static const struct cache caches[] = {
	{ FORECAST_FS_EXT, "ext4_inode_cache", 1170 },
	{ FORECAST_FS_XFS, "xfs_inode", 1024 },
	{ FORECAST_FS_BTRFS, "btrfs_inode", 1024 },
	{ FORECAST_FS_TMPFS, "shmem_inode_cache", 780 },
	{ FORECAST_FS_OTHER, "inode_cache", 630 },
};

static bool read_number(const char *cache, const char *what, unsigned int *n)
{
	char path[128];
	bool found;
	FILE *in;

	snprintf(path, sizeof(path), "/sys/kernel/slab/%s/%s", cache, what);
	in = fopen(path, "re");
	if (!in)
		return false;
	found = fscanf(in, "%u", n) == 1;
	fclose(in);
	return found;
}

/* Whole pages, shared by the objects in them. */
static bool object_bytes(const char *cache, unsigned int *bytes)
{
	unsigned int order, objects;

	if (!read_number(cache, "order", &order) ||
	    !read_number(cache, "objs_per_slab", &objects) || objects == 0 ||
	    order > 10)
		return false;
	*bytes = ((unsigned int)sysconf(_SC_PAGESIZE) << order) / objects;
	return true;
}

/* A name that does not fit is allocated with 16 bytes of header and its zero,
 * from the general caches: powers of two, with 96 and 192 between. */
static unsigned int outside_bytes(unsigned int len)
{
	static const unsigned int sizes[] = { 64, 96, 128, 192, 256, 512 };
	unsigned int i = 0;

	if (len <= DENTRY_INLINE)
		return 0;
	while (sizes[i] < len + 1 + 16)
		i++;
	return sizes[i];
}

void forecast_memory(const struct forecast_job *job, struct forecast *f)
{
	const struct cache *c = caches;
	bool dentry, inode;

	while (c->fs != f->fs)
		c++;
	f->dentry_bytes = DENTRY_USUAL;
	f->inode_bytes = c->usual;
	dentry = object_bytes("dentry", &f->dentry_bytes);
	inode = object_bytes(c->name, &f->inode_bytes);
	f->slab_read = dentry && inode;
	f->dentry_bytes +=
		(unsigned int)forecast_mean(&job->sample, outside_bytes);
	if (job->request->links)
		f->inode_bytes = 0;
}
