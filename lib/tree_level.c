#include "tree_level.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_LEVELS 64

int level_push(struct level **here, int fd, const char *name)
{
	struct level *l = calloc(1, sizeof(*l));
	struct stat st;

	if (!l)
		return -ENOMEM;
	if (fstat(fd, &st) < 0) {
		free(l);
		return -errno;
	}
	l->fd = fd;
	l->device = st.st_dev;
	l->inode = st.st_ino;
	l->above = *here;
	strlcpy(l->name, name, sizeof(l->name));
	*here = l;
	return 0;
}

void level_free(struct level *l)
{
	if (l->fd >= 0)
		close(l->fd);
	entries_free(&l->window);
	entries_free(&l->below);
	free(l);
}

struct level *level_far_above(struct level *here)
{
	struct level *l = here;

	for (unsigned int i = 0; l && i < OPEN_LEVELS; i++)
		l = l->above;
	return l && l->fd >= 0 && l->above ? l : NULL;
}

int level_reopen_above(struct level *l)
{
	struct level *above = l->above;
	struct stat st;
	int fd;

	if (above->fd >= 0)
		return 0;
	fd = openat(l->fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0 || st.st_dev != above->device ||
	    st.st_ino != above->inode) {
		close(fd);
		return -ESTALE;
	}
	above->fd = fd;
	return 0;
}
