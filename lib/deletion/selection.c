#include "selection.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "dirents.h"
#include "interrupt.h"
#include "newest.h"

#define NS_PER_S 1000000000

bool selection_name(const struct selection *s, const char *name)
{
	if (!s->match)
		return true;
	for (const char *const *glob = s->match; *glob; glob++)
		if (fnmatch(*glob, name, FNM_PERIOD) == 0)
			return true;
	return false;
}

static bool is_earlier(const struct timespec *a, const struct timespec *b)
{
	if (a->tv_sec != b->tv_sec)
		return a->tv_sec < b->tv_sec;
	return a->tv_nsec < b->tv_nsec;
}

/* Older than all that are kept. */
static bool has_no_place(const struct selection *s, const char *name,
			 const struct timespec *modified)
{
	const struct dated d = { *modified, (char *)(uintptr_t)name };
	const struct dated oldest = { s->oldest,
				      (char *)(uintptr_t)s->oldest_name };

	return !s->keep_all && dated_older(&d, &oldest);
}

bool selection_time(const struct selection *s, const char *name,
		    const struct timespec *modified)
{
	if (s->by_age && !is_earlier(modified, &s->before))
		return false;
	return !s->by_place || has_no_place(s, name, modified);
}

void selection_older(struct selection *s, const struct timespec *now,
		     uint64_t age)
{
	s->by_age = true;
	s->before.tv_sec = now->tv_sec - (time_t)(age / NS_PER_S);
	s->before.tv_nsec = now->tv_nsec - (long)(age % NS_PER_S);
	if (s->before.tv_nsec < 0) {
		s->before.tv_nsec += NS_PER_S;
		s->before.tv_sec--;
	}
}

/* Offer the entry to the newest, if it may be deleted at all. 0 or -errno. */
static int offer(const struct selection *s, int fd,
		 const struct dirent_entry *e, struct newest *n)
{
	struct stat st;

	if (e->type == DT_DIR || !selection_name(s, e->name))
		return 0;
	if (fstatat(fd, e->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	return S_ISDIR(st.st_mode) ? 0 : newest_offer(n, e->name, &st.st_mtim);
}

static int offer_all(const struct selection *s, int fd, struct newest *n)
{
	struct dirents d;
	struct dirent_entry e;
	int err = dirents_open(&d, fd), got = 0;

	while (!err && (got = dirents_next(&d, &e)) > 0) {
		err = offer(s, fd, &e, n);
		if (interrupt_pending())
			err = -EINTR;
	}
	dirents_close(&d);
	return err ? err : got;
}

static void bound(struct selection *s, const struct dated *oldest)
{
	s->by_place = true;
	s->keep_all = !oldest;
	if (!oldest)
		return;
	s->oldest = oldest->modified;
	strlcpy(s->oldest_name, oldest->name, sizeof(s->oldest_name));
}

int selection_keep(struct selection *s, int dir, uint64_t keep,
		   uint64_t *memory)
{
	struct newest n;
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	newest_init(&n, keep);
	err = offer_all(s, fd, &n);
	close(fd);
	if (!err)
		bound(s, newest_oldest(&n));
	*memory = n.peak;
	newest_free(&n);
	return err;
}
