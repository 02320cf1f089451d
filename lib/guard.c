#include "guard.h"

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

/* Whether `dir` is the directory open at fd or any above it. Takes the
 * descriptor over. An error counts as yes. */
static bool is_at_or_above(const struct stat *dir, int fd)
{
	struct stat at, last = { 0 };
	bool found = false;

	for (;;) {
		int up;

		if (fd < 0 || fstat(fd, &at) < 0) {
			found = true;
			break;
		}
		if (same(&at, dir)) {
			found = true;
			break;
		}
		if (same(&at, &last)) /* the parent of / is / */
			break;
		last = at;
		up = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = up;
	}
	if (fd >= 0)
		close(fd);
	return found;
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

const char *guard_refuses(int dir)
{
	struct stat st, root;

	if (fstat(dir, &st) < 0 || stat("/", &root) < 0)
		return "cannot be looked at";
	if (same(&st, &root))
		return "is the root directory";
	if (is_mount_point(dir, &st))
		return "is a mount point: make the file system anew instead, "
		       "or empty the directories in it";
	if (is_home(&st))
		return "is, or holds, your home directory ($HOME)";
	if (is_at_or_above(&st, open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)))
		return "is, or holds, the current directory";
	return NULL;
}
