/*
 * scratch: a directory of a test's own under $TMPDIR or /tmp.
 */
#ifndef BIGDIR_SCRATCH_H
#define BIGDIR_SCRATCH_H

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

struct scratch {
	char path[4096];
	int fd;
};

static inline int scratch_setup(void **state)
{
	const char *top = getenv("TMPDIR");
	struct scratch *s = calloc(1, sizeof(*s));

	if (!s)
		return -1;
	snprintf(s->path, sizeof(s->path), "%s/bigdir-unit.XXXXXX",
		 top ? top : "/tmp");
	if (!mkdtemp(s->path))
		return -1;
	s->fd = open(s->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	*state = s;
	return s->fd < 0 ? -1 : 0;
}

static inline int scratch_remove_one(const char *path, const struct stat *st,
				     int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline int scratch_teardown(void **state)
{
	struct scratch *s = *state;
	int err = nftw(s->path, scratch_remove_one, 32, FTW_DEPTH | FTW_PHYS);

	close(s->fd);
	free(s);
	return err;
}

static inline void scratch_touch(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			0600);

	assert_true(fd >= 0);
	close(fd);
}

static inline void scratch_mkdir(int dir, const char *name)
{
	assert_int_equal(mkdirat(dir, name, 0700), 0);
}

static inline int scratch_has(int dir, const char *name)
{
	return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

#endif
