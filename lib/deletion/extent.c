#include "extent.h"

#include <errno.h>
#include <linux/magic.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#define TMPFS_ENTRY_BYTES 20
#define XFS_OFFSET_BYTES 8

int extent_begin(struct extent *e, int dir)
{
	struct statfs fs;
	struct stat st;

	memset(e, 0, sizeof(*e));
	if (fstatfs(dir, &fs) < 0 || fstat(dir, &st) < 0)
		return -errno;
	e->file_system = (uint64_t)fs.f_type;
	e->bytes = (uint64_t)st.st_size;
	return 0;
}

void extent_see(struct extent *e, const char *name, int64_t offset)
{
	if (e->entries++ == 0)
		e->first_offset = (uint64_t)offset;
	e->last_offset = (uint64_t)offset;
	e->name_bytes += strlen(name);
}

static uint64_t from_part(const struct extent *e, double part)
{
	if (!(part >= EXTENT_LEAST) || part > 1)
		return 0;
	return (uint64_t)((double)e->entries / part);
}

static uint64_t from_xfs(const struct extent *e)
{
	double end = (double)e->bytes / XFS_OFFSET_BYTES;
	double first = (double)e->first_offset;

	return end > first ? from_part(e, ((double)e->last_offset - first) /
						  (end - first))
			   : 0;
}

uint64_t extent_entries(const struct extent *e)
{
	if (e->at_end)
		return e->entries;
	if (e->entries == 0)
		return 0;
	switch (e->file_system) {
	case TMPFS_MAGIC:
		return e->bytes / TMPFS_ENTRY_BYTES - 2;
	case BTRFS_SUPER_MAGIC:
		return (uint64_t)((double)e->bytes / 2 * (double)e->entries /
				  (double)e->name_bytes);
	case EXT4_SUPER_MAGIC:
		return from_part(e, ldexp((double)e->last_offset, -63));
	case XFS_SUPER_MAGIC:
		return from_xfs(e);
	default:
		return 0;
	}
}
