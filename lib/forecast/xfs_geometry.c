#include "xfs_geometry.h"

#include <errno.h>
#include <sys/ioctl.h>

#define GET_GEOMETRY _IOR('X', 100, struct xfs_geometry)

int xfs_geometry_read(int fd, struct xfs_geometry *g)
{
	if (ioctl(fd, GET_GEOMETRY, g))
		return -errno;
	if (g->block_size == 0 || g->inode_size == 0 || g->dir_block_size == 0)
		return -EUCLEAN;
	return 0;
}
