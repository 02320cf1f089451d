#include "directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void cannot_open(const struct tool *tool, const char *path, int err)
	__attribute__((noreturn));

static void cannot_open(const struct tool *tool, const char *path, int err)
{
	struct stat st;

	if (err == ENOENT && path[0])
		usage_error(tool,
			    "%s: no such directory; make it first, "
			    "with mkdir",
			    path);
	if ((err == ENOTDIR || err == ELOOP) && lstat(path, &st) == 0) {
		if (S_ISLNK(st.st_mode))
			usage_error(tool,
				    "%s is a symbolic link; name the "
				    "directory that it leads to",
				    path);
		if (!S_ISDIR(st.st_mode))
			usage_error(tool, "%s is not a directory", path);
	}
	usage_error(tool, "cannot open the directory '%s': %s", path,
		    strerror(err));
}

/* "link/" would be followed all the same. */
static char *without_slashes(const char *path)
{
	char *copy = strdup(path);
	size_t length = copy ? strlen(copy) : 0;

	while (length > 1 && copy[length - 1] == '/')
		copy[--length] = '\0';
	return copy;
}

int directory_open(const struct tool *tool, const char *path,
		   enum directory_use use)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	char *plain = without_slashes(path);
	int fd;

	if (!plain)
		usage_error(tool, "not enough memory");
	if (use == DIRECTORY_DELETE)
		flags |= O_NOFOLLOW;
	fd = open(use == DIRECTORY_DELETE ? plain : path, flags);
	if (fd < 0)
		cannot_open(tool, plain, errno);
	free(plain);
	/* other reasons than permissions are for the run to meet and explain */
	if (use != DIRECTORY_READ &&
	    faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0 && errno == EACCES)
		usage_error(tool, "%s cannot be written to: %s", path,
			    strerror(errno));
	return fd;
}
