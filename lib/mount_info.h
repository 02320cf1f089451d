/*
 * mount_info: what is mounted where a descriptor points.
 */
#ifndef BIGDIR_MOUNT_INFO_H
#define BIGDIR_MOUNT_INFO_H

#include <limits.h>

struct mount_info {
	char type[64]; /* "ext4" */
	char point[PATH_MAX]; /* where it is mounted */
	char source[PATH_MAX]; /* "/dev/loop0", "tmpfs" ... */
	char options[512]; /* of the mount and of the file system */
	char device[32]; /* its st_dev as major:minor */
};

/* Fill it in from /proc/self/mountinfo for the file or directory open at fd.
 * 0; -ENOENT when the mount is not listed; or another -errno. Texts longer
 * than their field are cut. */
int mount_info_read(int fd, struct mount_info *m);

#endif
