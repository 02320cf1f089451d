#include "held.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dirents.h"
#include "interrupt.h"
#include "stage_left.h"

struct found {
	int64_t time; /* of last modification, ns */
	uint32_t rank;
};

struct walk {
	const struct held_request *request;
	struct held *held;
	bool one; /* end at the first object */
	bool keep; /* gather what is found */
	struct found *found;
	size_t room;
	char path[LAYOUT_PATH]; /* of the directory that is read */
};

static unsigned int depth_of(const struct walk *w)
{
	return w->request->layout ? w->request->layout->depth : 0;
}

/* An object of ours, in the directory where it belongs. */
static bool is_object(const struct walk *w, const char *name, uint64_t *rank)
{
	const struct held_request *r = w->request;
	char path[LAYOUT_PATH];

	if (!name_index(r->scheme, name, rank) || *rank >= r->keys)
		return false;
	return !r->layout || (layout_path(r->layout, *rank, name, strlen(name),
					  path, sizeof(path)) >= 0 &&
			      strcmp(path, w->path) == 0);
}

static int keep(struct walk *w, int dir, const char *name, uint64_t rank)
{
	size_t n = w->held->objects;
	struct stat st;

	if (n >= w->room) {
		size_t more = n ? n + n / 2 : 1024;
		struct found *grown =
			reallocarray(w->found, more, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		w->found = grown;
		w->room = more;
	}
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	w->found[n] = (struct found){ st.st_mtim.tv_sec * INT64_C(1000000000) +
					      st.st_mtim.tv_nsec,
				      (uint32_t)rank };
	return 0;
}

static int take_name(struct walk *w, int dir, const char *name)
{
	uint64_t rank;
	bool live;
	int err = 0;

	if (!w->path[0] && stage_is_name(name, &live))
		return 0;
	if (!is_object(w, name, &rank)) {
		w->held->others++;
		return 0;
	}
	if (w->keep)
		err = keep(w, dir, name, rank);
	if (!err)
		w->held->objects++;
	return err;
}

static int read_directory(struct walk *w, int fd, unsigned int level);

/* A directory on the way to objects, if it is one. */
static int go_down(struct walk *w, int dir, const char *name,
		   unsigned int level)
{
	size_t length = strlen(w->path), more = strlen(name);
	int fd, err;

	bool live;

	if (!length && stage_is_name(name, &live))
		return 0;
	if (length + more + 2 > sizeof(w->path))
		return 0;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP)) {
		w->held->others++;
		return 0;
	}
	if (fd < 0)
		return -errno;
	if (length)
		w->path[length++] = '/';
	memcpy(w->path + length, name, more + 1);
	err = read_directory(w, fd, level + 1);
	w->path[length ? length - 1 : 0] = '\0';
	close(fd);
	return err;
}

static int read_directory(struct walk *w, int fd, unsigned int level)
{
	struct dirent_entry e;
	struct dirents d;
	int err = dirents_open(&d, fd), got = 0;

	while (!err && (got = dirents_next(&d, &e)) > 0) {
		if (level == depth_of(w))
			err = take_name(w, fd, e.name);
		else if (e.type == DT_DIR || e.type == DT_UNKNOWN)
			err = go_down(w, fd, e.name, level);
		else
			w->held->others++;
		if (interrupt_pending())
			err = -EINTR;
		if (w->one && w->held->objects)
			break;
	}
	dirents_close(&d);
	return err ? err : got < 0 ? got : 0;
}

static int walk(struct walk *w)
{
	int fd = openat(w->request->dir, ".",
			O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err;

	memset(w->held, 0, sizeof(*w->held));
	if (fd < 0)
		return -errno;
	err = read_directory(w, fd, 0);
	close(fd);
	return err;
}

int held_count(const struct held_request *r, bool one, struct held *h)
{
	struct walk w = { .request = r, .held = h, .one = one };

	return walk(&w);
}

/* By rank where times are equal, which they often are: file systems look at a
 * clock that moves some hundred times a second. */
static int by_time(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* One that is gone by itself meanwhile has been evicted, too. 0 or -errno. */
static int add(const struct held_request *r, struct policy *p, uint32_t rank,
	       struct held *h)
{
	uint32_t victim;
	int err;

	if (!policy_add(p, rank, &victim))
		return 0;
	err = r->evict(r->argument, victim);
	if (err && err != ENOENT)
		return -err;
	h->surplus++;
	return interrupt_pending() ? -EINTR : 0;
}

int held_take_up(const struct held_request *r, struct policy *p, struct held *h)
{
	struct walk w = { .request = r, .held = h, .keep = true };
	int err = walk(&w);

	if (!err && h->objects > r->most)
		err = -EOVERFLOW;
	if (!err && h->objects)
		qsort(w.found, h->objects, sizeof(*w.found), by_time);
	for (uint64_t i = 0; i < h->objects && !err; i++)
		err = add(r, p, w.found[i].rank, h);
	h->objects -= h->surplus;
	free(w.found);
	return err;
}
