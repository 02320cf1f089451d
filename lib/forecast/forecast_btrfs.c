/* Forecasts for btrfs: names take metadata, which grows by chunks out of space
 * that is not yet allocated. */
#include "forecast_fs.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <linux/btrfs.h>
#include <linux/btrfs_tree.h>

/* btrfs never allocates the first MiB of a device. */
#define NEVER_USED (1024 * 1024)

/*
 * Measured on images of 120 MiB to 1 GiB, names of 8 to 255 bytes, to within
 * 4 %: a file takes 346 bytes and 3.62 for each byte of its name (an inode
 * item, a reference and two directory items, each in a leaf partly full); and
 * the kernel refuses while as much as the global reserve and 243 to 255 nodes
 * is free.
 */
#define BYTES_EACH 346
#define BYTES_NAME 3.62
#define HEADROOM_NODES 249

struct space {
	uint64_t metadata; /* bytes allocated to it, one copy */
	uint64_t used;
	uint64_t reserve; /* global reserve */
	uint64_t allocated; /* on the device, all copies, data too */
	unsigned int copies; /* of metadata */
};

static unsigned int copies_of(uint64_t flags)
{
	if (flags & BTRFS_BLOCK_GROUP_RAID1C4)
		return 4;
	if (flags & BTRFS_BLOCK_GROUP_RAID1C3)
		return 3;
	if (flags & (BTRFS_BLOCK_GROUP_DUP | BTRFS_BLOCK_GROUP_RAID1 |
		     BTRFS_BLOCK_GROUP_RAID10))
		return 2;
	return 1;
}

static void add_space(struct space *s, const struct btrfs_ioctl_space_info *i)
{
	if (i->flags & BTRFS_SPACE_INFO_GLOBAL_RSV) {
		s->reserve = i->total_bytes;
		return;
	}
	s->allocated += i->total_bytes * copies_of(i->flags);
	if (i->flags & BTRFS_BLOCK_GROUP_METADATA) {
		s->metadata += i->total_bytes;
		s->used += i->used_bytes;
		s->copies = copies_of(i->flags);
	}
}

static int read_space(int fd, struct space *s)
{
	struct btrfs_ioctl_space_args *a, ask = { 0 };
	int err = 0;

	*s = (struct space){ .copies = 1 };
	if (ioctl(fd, BTRFS_IOC_SPACE_INFO, &ask))
		return -errno;
	a = calloc(1, sizeof(*a) + ask.total_spaces * sizeof(*a->spaces));
	if (!a)
		return -ENOMEM;
	a->space_slots = ask.total_spaces;
	if (ioctl(fd, BTRFS_IOC_SPACE_INFO, a))
		err = -errno;
	for (uint64_t i = 0; !err && i < a->total_spaces && i < a->space_slots;
	     i++)
		add_space(s, &a->spaces[i]);
	free(a);
	return err;
}

static unsigned int twice(unsigned int len)
{
	return 2 * len;
}

/* The size of a directory is twice the bytes of its names. */
static uint64_t directory_bytes(const struct forecast_job *job, uint64_t new)
{
	double sum = (double)job->present.total *
			     forecast_mean(&job->present, twice) +
		     (double)new *forecast_mean(&job->sample, twice);

	return (uint64_t)(sum + 0.5);
}

double forecast_btrfs_bytes(double mean_name)
{
	return BYTES_EACH + BYTES_NAME * mean_name;
}

static double bytes_each(const struct forecast_job *job,
			 const struct forecast *f)
{
	const struct forecast_request *r = job->request;
	double bytes = forecast_btrfs_bytes(f->mean_name);

	/* A link is one reference and two directory items: no inode. */
	if (r->links)
		bytes -= 185;
	/* Small files and all link targets lie beside the inode. */
	else if (S_ISLNK(r->type) || (S_ISREG(r->type) && r->file_bytes > 0 &&
				      r->file_bytes <= 2048))
		bytes += 46 + (double)r->file_bytes;
	return bytes;
}

int forecast_btrfs(const struct forecast_job *job, struct forecast *f)
{
	struct btrfs_ioctl_fs_info_args info = { 0 };
	uint64_t device = job->vfs.f_blocks * job->vfs.f_frsize;
	uint64_t held, total, at;
	struct space s;
	double each = bytes_each(job, f);
	int err = read_space(job->request->dirfd, &s);

	if (!err && ioctl(job->request->dirfd, BTRFS_IOC_FS_INFO, &info))
		err = -errno;
	if (err == -ENOMEM)
		return err;
	f->superblock_error = err;
	f->superblock = err == 0;
	if (err)
		return forecast_other(job, f);
	total = s.metadata;
	if (device > s.allocated + NEVER_USED)
		total += (device - s.allocated - NEVER_USED) / s.copies;
	held = s.used + s.reserve + (uint64_t)HEADROOM_NODES * info.nodesize;
	total = total > held ? total - held : 0;
	at = (uint64_t)((double)total / each);
	forecast_limit(f, FORECAST_BTRFS_METADATA, at, at - at / 20,
		       at + at / 20);
	f->blocks.needed = (uint64_t)((double)f->count * each / f->block_size);
	f->blocks.available = total / f->block_size;
	f->directory = directory_bytes(job, f->at);
	return 0;
}
