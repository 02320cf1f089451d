#include "dirents.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Entries of each read: Linux wants more than eight. */
#define LOOKED_UP 16

int dirents_open(struct dirents *d, int fd)
{
	memset(d, 0, sizeof(*d));
	d->fd = fd;
	d->buffer = malloc(DIRENTS_BUFFER);
	if (!d->buffer)
		return -ENOMEM;
	return fd < 0 ? 0 : dirents_rewind(d);
}

void dirents_close(struct dirents *d)
{
	free(d->buffer);
	d->buffer = NULL;
}

int dirents_rewind(struct dirents *d)
{
	d->filled = d->at = 0;
	return lseek(d->fd, 0, SEEK_SET) < 0 ? -errno : 0;
}

/* What cannot be looked up is told by whoever works on it. */
static void look_up_some(struct dirents *d)
{
	struct dirent_entry e;
	struct stat st;

	for (int i = 0; i < LOOKED_UP && dirents_buffered(d, &e); i++)
		(void)fstatat(d->fd, e.name, &st,
			      AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT);
	d->at = 0;
}

long dirents_read(struct dirents *d)
{
	ssize_t got = getdents64(d->fd, d->buffer, DIRENTS_BUFFER);

	d->at = 0;
	d->filled = got > 0 ? (size_t)got : 0;
	if (got < 0)
		/* a directory that was removed has no entries left */
		return errno == ENOENT ? 0 : -errno;
	if (got > 0) {
		d->calls++;
		if (d->prime)
			look_up_some(d);
	}
	return got;
}

int dirents_buffered(struct dirents *d, struct dirent_entry *e)
{
	while (d->at < d->filled) {
		const struct dirent64 *raw =
			(const struct dirent64 *)(const void *)(d->buffer +
								d->at);

		d->at += raw->d_reclen;
		if (strcmp(raw->d_name, ".") == 0 ||
		    strcmp(raw->d_name, "..") == 0)
			continue;
		e->inode = raw->d_ino;
		e->offset = raw->d_off;
		e->type = raw->d_type;
		e->name = raw->d_name;
		return 1;
	}
	return 0;
}

int dirents_next(struct dirents *d, struct dirent_entry *e)
{
	while (!dirents_buffered(d, e)) {
		long got = dirents_read(d);

		if (got <= 0)
			return (int)got;
	}
	return 1;
}

void dirents_prime(struct dirents *d)
{
	struct statfs fs;

	d->prime = fstatfs(d->fd, &fs) == 0 && fs.f_type == NFS_SUPER_MAGIC;
}

bool dirents_steady(int fd)
{
	static const unsigned long steady[] = {
		TMPFS_MAGIC,	   EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC,
		BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC,
	};
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return false;
	for (size_t i = 0; i < sizeof(steady) / sizeof(steady[0]); i++)
		if ((unsigned long)fs.f_type == steady[i])
			return true;
	return false;
}
