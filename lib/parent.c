#include "parent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Descriptors for all else: standard ones, the base, records, /proc, a stage,
 * the directory on the way to one that is being opened. */
#define OTHER_DESCRIPTORS 64

#define NONE UINT32_MAX

/* A directory held open; in a ring from the one used last to the one that was
 * not used for longest. */
struct parent {
	uint64_t hash;
	uint32_t newer, older;
	int fd;
	uint32_t length; /* of its path */
};

struct parents {
	struct parents_options o;
	dev_t device; /* of the base */
	struct parent *list;
	uint32_t used;
	uint32_t newest, oldest;
	char *paths; /* of the list, `stride` bytes each */
	size_t stride;
	uint32_t *slots; /* open addressing, linear: place in the list */
	uint32_t mask;
	struct parents_counts counts;
};

uint64_t parent_hash(const char *path, size_t length)
{
	return XXH3_64bits(path, length);
}

int parents_open(struct parents **out, const struct parents_options *o)
{
	struct parents *p = calloc(1, sizeof(*p));
	uint32_t slots = 2;
	struct stat st;

	if (!p)
		return -ENOMEM;
	p->o = *o;
	p->newest = p->oldest = NONE;
	/* at most half full: a search ends soon */
	while (slots < 2 * o->room)
		slots *= 2;
	p->mask = slots - 1;
	p->stride = o->longest + 1;
	p->list = calloc(o->room, sizeof(*p->list));
	p->paths = malloc(o->room * p->stride);
	p->slots = malloc(slots * sizeof(*p->slots));
	if (!p->list || !p->paths || !p->slots) {
		parents_close(p);
		return -ENOMEM;
	}
	memset(p->slots, 0xff, slots * sizeof(*p->slots));
	if (fstat(o->base, &st) == 0)
		p->device = st.st_dev;
	*out = p;
	return 0;
}

void parents_close(struct parents *p)
{
	if (!p)
		return;
	for (uint32_t i = p->newest; i != NONE; i = p->list[i].older)
		close(p->list[i].fd);
	free(p->list);
	free(p->paths);
	free(p->slots);
	free(p);
}

/* --- the table ----------------------------------------------------------- */

/* The slot that the path is in, or the free one where it would go. */
static uint32_t find_slot(const struct parents *p, const char *path,
			  size_t length, uint64_t hash)
{
	uint32_t slot = (uint32_t)hash & p->mask;

	for (; p->slots[slot] != NONE; slot = (slot + 1) & p->mask) {
		const struct parent *e = &p->list[p->slots[slot]];

		if (e->hash == hash && e->length == length &&
		    memcmp(p->paths + p->slots[slot] * p->stride, path,
			   length) == 0)
			break;
	}
	return slot;
}

/* Empty a slot, and move back those behind it that would not be found across
 * the gap: an entry may stand anywhere from its own slot on. */
static void free_slot(struct parents *p, uint32_t gap)
{
	for (uint32_t i = (gap + 1) & p->mask; p->slots[i] != NONE;
	     i = (i + 1) & p->mask) {
		uint32_t own = (uint32_t)p->list[p->slots[i]].hash & p->mask;

		if (((i - own) & p->mask) >= ((i - gap) & p->mask)) {
			p->slots[gap] = p->slots[i];
			gap = i;
		}
	}
	p->slots[gap] = NONE;
}

static void unlink_entry(struct parents *p, uint32_t i)
{
	struct parent *e = &p->list[i];

	*(e->newer == NONE ? &p->newest : &p->list[e->newer].older) = e->older;
	*(e->older == NONE ? &p->oldest : &p->list[e->older].newer) = e->newer;
}

static void link_newest(struct parents *p, uint32_t i)
{
	p->list[i].newer = NONE;
	p->list[i].older = p->newest;
	*(p->newest == NONE ? &p->oldest : &p->list[p->newest].newer) = i;
	p->newest = i;
}

/* A place in the list for one more; the oldest must go where there is none. */
static uint32_t take_place(struct parents *p)
{
	uint32_t i = p->oldest;
	struct parent *e;

	if (p->used < p->o.room)
		return p->used++;
	e = &p->list[i];
	free_slot(p,
		  find_slot(p, p->paths + i * p->stride, e->length, e->hash));
	unlink_entry(p, i);
	close(e->fd);
	p->counts.evicted++;
	return i;
}

static void keep(struct parents *p, const char *path, size_t length,
		 uint64_t hash, int fd)
{
	uint32_t i = take_place(p);
	struct parent *e = &p->list[i];

	e->hash = hash;
	e->length = (uint32_t)length;
	e->fd = fd;
	memcpy(p->paths + i * p->stride, path, length);
	p->slots[find_slot(p, path, length, hash)] = i;
	link_newest(p, i);
}

/* --- opening ------------------------------------------------------------- */

static void tell(const struct parents *p, enum parent_call call, int err)
{
	if (p->o.called)
		p->o.called(p->o.argument, call, err);
}

static int open_one(struct parents *p, int dir, const char *name)
{
	int fd = openat(dir, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int err = fd < 0 ? errno : 0;

	tell(p, err == ENOENT && p->o.make ? PARENT_ABSENT : PARENT_OPEN, err);
	if (fd < 0)
		return -err;
	p->counts.opened++;
	return fd;
}

static int make_one(const struct parents *p, int dir, const char *name)
{
	if (mkdirat(dir, name, p->o.mode) < 0 || (p->o.sync && fsync(dir) < 0))
		return errno;
	return 0;
}

/* Open a directory of the layout in its parent, made if need be. */
static int open_level(struct parents *p, int dir, const char *name)
{
	int fd = open_one(p, dir, name), err;
	struct stat st;

	if (fd == -ENOENT && p->o.make) {
		err = make_one(p, dir, name);
		tell(p, PARENT_MKDIR, err);
		if (err && err != EEXIST)
			return -err;
		p->counts.made += !err;
		fd = open_one(p, dir, name);
	}
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0 || st.st_dev != p->device) {
		close(fd);
		return -EXDEV;
	}
	return fd;
}

/* One level after the other, for a symbolic link on the way would otherwise
 * be followed. */
static int open_path(struct parents *p, const char *path, size_t length)
{
	char name[NAME_MAX + 1];
	const char *end = path + length;
	int dir = p->o.base;

	for (const char *at = path; at < end;) {
		const char *slash = memchr(at, '/', (size_t)(end - at));
		size_t bytes = (size_t)((slash ? slash : end) - at);
		int fd = -ENAMETOOLONG;

		if (bytes <= NAME_MAX) {
			memcpy(name, at, bytes);
			name[bytes] = '\0';
			fd = open_level(p, dir, name);
		}
		if (dir != p->o.base)
			close(dir);
		if (fd < 0)
			return fd;
		dir = fd;
		at += bytes + 1;
	}
	return dir;
}

int parent_known(struct parents *p, const char *path, size_t length,
		 uint64_t hash)
{
	uint32_t i;

	if (length == 0)
		return p->o.base;
	i = p->slots[find_slot(p, path, length, hash)];
	if (i == NONE)
		return -1;
	p->counts.hits++;
	if (i != p->newest) {
		unlink_entry(p, i);
		link_newest(p, i);
	}
	return p->list[i].fd;
}

int parent_open(struct parents *p, const char *path, size_t length,
		uint64_t hash)
{
	int fd;

	p->counts.misses++;
	if (length > p->o.longest)
		return -ENAMETOOLONG;
	fd = open_path(p, path, length);
	if (fd >= 0)
		keep(p, path, length, hash, fd);
	return fd;
}

int parent_find(struct parents *p, const char *path, size_t length,
		uint64_t hash)
{
	int fd = parent_known(p, path, length, hash);

	return fd >= 0 ? fd : parent_open(p, path, length, hash);
}

int parent_nearest(struct parents *p, const char *path, size_t length,
		   size_t *known)
{
	int fd;

	for (*known = length;; --*known) {
		fd = parent_find(p, path, *known, parent_hash(path, *known));
		if (fd != -ENOENT)
			return fd;
		while (path[*known - 1] != '/' && *known > 1)
			--*known;
	}
}

void parent_forget(struct parents *p, const char *path, size_t length,
		   uint64_t hash)
{
	uint32_t slot = find_slot(p, path, length, hash), i = p->slots[slot];
	uint32_t last = p->used - 1;

	if (i == NONE)
		return;
	free_slot(p, slot);
	unlink_entry(p, i);
	close(p->list[i].fd);
	/* the last of the list takes its place, so that there is no gap */
	if (i != last) {
		const struct parent *e = &p->list[last];
		const char *moved = p->paths + last * p->stride;

		p->slots[find_slot(p, moved, e->length, e->hash)] = i;
		*(e->newer == NONE ? &p->newest : &p->list[e->newer].older) = i;
		*(e->older == NONE ? &p->oldest : &p->list[e->older].newer) = i;
		memcpy(p->paths + i * p->stride, moved, e->length);
		p->list[i] = *e;
	}
	p->used--;
}

const struct parents_counts *parents_counts(const struct parents *p)
{
	return &p->counts;
}

size_t parents_memory(const struct parents *p)
{
	return sizeof(*p) + p->o.room * (sizeof(*p->list) + p->stride) +
	       (p->mask + (size_t)1) * sizeof(*p->slots);
}

unsigned int parents_allowed(unsigned int room, unsigned int tables)
{
	rlim_t want = (rlim_t)room * tables + OTHER_DESCRIPTORS, each;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 0;
	if (limit.rlim_cur < want && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = want < limit.rlim_max ? want : limit.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &limit) < 0 ||
		    getrlimit(RLIMIT_NOFILE, &limit) < 0)
			return 0;
	}
	if (limit.rlim_cur >= want)
		return room;
	if (limit.rlim_cur <= OTHER_DESCRIPTORS)
		return 0;
	each = (limit.rlim_cur - OTHER_DESCRIPTORS) / tables;
	return (unsigned int)each;
}

uint64_t parents_least(unsigned int tables, uint64_t *limit)
{
	struct rlimit now;

	*limit = getrlimit(RLIMIT_NOFILE, &now) < 0 ? 0 : now.rlim_max;
	return OTHER_DESCRIPTORS + (uint64_t)tables;
}
