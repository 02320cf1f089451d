#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether `dir` is the directory open at fd or any above it: 1, 0, or -errno.
 * Takes the descriptor over. */
static int is_at_or_above(const struct stat *dir, int fd)
{
	struct stat at, last = { 0 };

	for (;;) {
		int up, err;

		if (fd < 0 || fstat(fd, &at) < 0) {
			err = -errno;
			if (fd >= 0)
				close(fd);
			return err;
		}
		/* the parent of / is / */
		if (same(&at, dir) || same(&at, &last)) {
			close(fd);
			return same(&at, dir);
		}
		last = at;
		up = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		err = errno;
		close(fd);
		errno = err;
		fd = up;
	}
}

static bool is_mount_point(int dir, const struct stat *st)
{
	struct statx x;
	struct stat above;

	if (statx(dir, "", AT_EMPTY_PATH, STATX_TYPE, &x) == 0 &&
	    (x.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT))
		return x.stx_attributes & STATX_ATTR_MOUNT_ROOT;
	return fstatat(dir, "..", &above, 0) < 0 || above.st_dev != st->st_dev;
}

/* By the path and not by "..", which a home that may not be searched does not
 * have for us. One that does not exist is not in danger. */
static bool is_home(const struct stat *st)
{
	const char *home = getenv("HOME");
	char *path = home && home[0] ? realpath(home, NULL) : NULL;
	struct stat at;
	bool found = false;

	while (path && path[0] && !found) {
		found = stat(path, &at) < 0 || same(&at, st);
		*strrchr(path, '/') = '\0';
	}
	free(path);
	return found;
}

static const char *refuse_current(const struct stat *st, int *err)
{
	int found =
		is_at_or_above(st, open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));

	if (found < 0) {
		*err = -found;
		return "cannot be told from the current directory and those "
		       "above it";
	}
	return found ? "is, or holds, the current directory" : NULL;
}

const char *guard_refuses(int dir, int *err)
{
	struct stat st, root;

	*err = 0;
	if (fstat(dir, &st) < 0 || stat("/", &root) < 0) {
		*err = errno;
		return "cannot be looked at";
	}
	if (same(&st, &root))
		return "is the root directory";
	if (is_mount_point(dir, &st))
		return "is a mount point: make the file system anew instead, "
		       "or empty the directories in it";
	if (is_home(&st))
		return "is, or holds, your home directory ($HOME)";
	return refuse_current(&st, err);
}
