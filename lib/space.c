#include "space.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

int space_read(int dir, struct space *s)
{
	struct statvfs v;
	struct stat st;

	memset(s, 0, sizeof(*s));
	if (fstatvfs(dir, &v) < 0)
		return -errno;
	s->block_size = v.f_frsize ? v.f_frsize : v.f_bsize;
	s->blocks = v.f_blocks;
	s->free = v.f_bfree;
	s->available = v.f_bavail;
	s->inodes_counted = v.f_files != 0;
	s->inodes = v.f_files;
	s->inodes_free = v.f_ffree;
	if (fstat(dir, &st) < 0)
		return -errno;
	s->directory_bytes = (uint64_t)st.st_size;
	s->directory_blocks = (uint64_t)st.st_blocks;
	return 0;
}
