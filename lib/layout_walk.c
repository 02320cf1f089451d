#include "layout_walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dirents.h"
#include "entries.h"

/* A directory on the way, with those below it that are still to come. */
struct stop {
	int fd;
	size_t path_length;
	struct entries below;
	size_t below_next;
};

struct layout_walk {
	struct layout_walk_options o;
	dev_t device;
	struct dirents dirents;
	struct stop *stops; /* of each level, the base's first */
	unsigned int depth; /* stops that are open */
	char path[LAYOUT_PATH];
};

static bool is_directory(int fd, const struct dirent_entry *e)
{
	struct stat st;

	if (e->type != DT_UNKNOWN)
		return e->type == DT_DIR;
	return fstatat(fd, e->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode);
}

static void tell_foreign(const struct layout_walk *w, const char *name)
{
	if (w->o.foreign)
		w->o.foreign(w->o.argument, w->path, name);
}

/* Read the names of the directories below a stop. */
static int read_below(struct layout_walk *w, struct stop *s, unsigned int level)
{
	struct dirent_entry e;
	int got = 0, err = 0;

	w->dirents.fd = s->fd;
	err = dirents_rewind(&w->dirents);
	while (!err && (got = dirents_next(&w->dirents, &e)) > 0) {
		if (!is_directory(s->fd, &e) ||
		    !layout_is_level(w->o.layout, level, e.name))
			tell_foreign(w, e.name);
		else
			err = entries_add_name(&s->below, 0, e.name, e.type);
	}
	return err ? err : got < 0 ? got : 0;
}

/* Go down into a directory that is open; it becomes the walk's. */
static int push(struct layout_walk *w, int fd)
{
	struct stop *s = &w->stops[w->depth];

	memset(s, 0, sizeof(*s));
	s->fd = fd;
	s->path_length = strlen(w->path);
	w->depth++;
	if (w->depth > w->o.layout->depth)
		return 0; /* it holds entries, which are the caller's */
	return read_below(w, s, w->depth - 1);
}

static void pop(struct layout_walk *w)
{
	struct stop *s = &w->stops[--w->depth];

	close(s->fd);
	entries_free(&s->below);
	if (w->depth > 0)
		w->path[w->stops[w->depth - 1].path_length] = '\0';
}

int layout_walk_open(struct layout_walk **out,
		     const struct layout_walk_options *o)
{
	struct layout_walk *w = calloc(1, sizeof(*w));
	int fd = -1, err = -ENOMEM;
	struct stat st = { 0 };

	if (!w)
		return -ENOMEM;
	w->o = *o;
	w->stops = calloc(o->layout->depth + 1, sizeof(*w->stops));
	if (w->stops) {
		fd = openat(o->base, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		err = fd < 0 || fstat(fd, &st) < 0
			      ? -errno
			      : dirents_open(&w->dirents, fd);
	}
	if (!err) {
		w->device = st.st_dev;
		err = push(w, fd);
	} else if (fd >= 0) {
		close(fd);
	}
	if (err) {
		layout_walk_close(w);
		return err;
	}
	*out = w;
	return 0;
}

void layout_walk_close(struct layout_walk *w)
{
	if (!w)
		return;
	while (w->stops && w->depth > 0)
		pop(w);
	dirents_close(&w->dirents);
	free(w->stops);
	free(w);
}

/* Enter a directory below the deepest stop, unless it is none of ours. */
static int enter(struct layout_walk *w, const char *name)
{
	const struct stop *s = &w->stops[w->depth - 1];
	size_t slash = s->path_length > 0;
	struct stat st;
	int fd = openat(s->fd, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(fd, &st) < 0 || st.st_dev != w->device) {
		tell_foreign(w, name);
		close(fd);
		return 0;
	}
	if (slash)
		w->path[s->path_length] = '/';
	strlcpy(w->path + s->path_length + slash, name,
		sizeof(w->path) - s->path_length - slash);
	return push(w, fd);
}

int layout_walk_next(struct layout_walk *w, int *fd, const char **path)
{
	const unsigned int leaf = w->o.layout->depth + 1;
	unsigned char type;
	int err = 0;

	/* the one handed out before is done with */
	if (w->depth == leaf && w->stops[leaf - 1].below_next > 0)
		pop(w);
	while (!err && w->depth > 0 && w->depth < leaf) {
		struct stop *s = &w->stops[w->depth - 1];

		if (s->below_next == s->below.count)
			pop(w);
		else
			err = enter(
				w, entries_name(&s->below,
						&s->below.list[s->below_next++],
						&type));
	}
	if (err || w->depth == 0)
		return err;
	w->stops[leaf - 1].below_next = 1;
	*fd = w->stops[leaf - 1].fd;
	*path = w->path;
	return 1;
}
