#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dirents.h"
#include "dirhash.h"
#include "entries.h"
#include "layout_walk.h"

struct source {
	struct source_options o;
	atomic_uint_least64_t next; /* position to be handed out */

	/* observed orders only, under the lock */
	pthread_mutex_t lock;
	int fd; /* of our own: it has the read position */
	struct layout_walk *walk; /* through the directories of a layout */
	const char *path; /* of the one that is read now */
	struct dirents dirents;
	bool at_end; /* the directory is read to its end */
	struct entries window;
	size_t window_next; /* entry of the window that comes next */
	struct dirhash hash;
	bool hash_is_offset; /* the kernel's d_off tells the hash */
};

/* --- opening ------------------------------------------------------------- */

/*
 * How to know the hash of a name. Without the right to read the super block's
 * seed, an ext4 directory still tells the order: the offsets that it returns
 * are the hashes.
 */
static int learn_hash(struct source *s)
{
	int err = dirhash_of(s->o.dir, &s->hash);

	if (err == -EACCES || err == -EPERM) {
		s->hash_is_offset = true;
		return s->o.names_made ? err : 0;
	}
	return err;
}

/* Open the directory that is read now: the descriptor is our own, as it has
 * the read position. */
static int open_directory(struct source *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = openat(s->o.dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return s->fd < 0 ? -errno : 0;
}

/* Go on to the next directory of the layout: 1, 0 after the last, -errno. */
static int next_directory(struct source *s)
{
	int got = layout_walk_next(s->walk, &s->dirents.fd, &s->path), err;

	if (got <= 0)
		return got;
	err = dirents_rewind(&s->dirents);
	return err ? err : 1;
}

static int open_walk(struct source *s)
{
	const struct layout_walk_options o = { .layout = s->o.layout,
					       .base = s->o.dir };
	int err;

	layout_walk_close(s->walk);
	s->walk = NULL;
	err = layout_walk_open(&s->walk, &o);
	if (!err)
		err = next_directory(s);
	s->at_end = err == 0;
	return err > 0 ? 0 : err;
}

/* Stand before the first entry. */
static int open_first(struct source *s)
{
	int err;

	if (s->o.layout)
		return open_walk(s);
	err = open_directory(s);
	if (err)
		return err;
	s->dirents.fd = s->fd;
	return dirents_rewind(&s->dirents);
}

static int open_observed(struct source *s)
{
	int err = dirents_open(&s->dirents, -1);

	if (!err)
		err = open_first(s);
	if (!err && s->o.order->kind == ORDER_HASH)
		err = learn_hash(s);
	return err;
}

int source_open(struct source **out, const struct source_options *o)
{
	struct source *s = calloc(1, sizeof(*s));
	int err = 0;

	if (!s)
		return -ENOMEM;
	s->o = *o;
	s->fd = -1;
	pthread_mutex_init(&s->lock, NULL);
	if (order_is_observed(o->order))
		err = open_observed(s);
	if (err) {
		source_close(s);
		return err;
	}
	*out = s;
	return 0;
}

void source_close(struct source *s)
{
	if (!s)
		return;
	entries_free(&s->window);
	dirents_close(&s->dirents);
	layout_walk_close(s->walk);
	if (s->fd >= 0)
		close(s->fd);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

int source_again(struct source *s, bool swap)
{
	if (swap) {
		const struct name_scheme *scheme = s->o.scheme;
		const struct layout *layout = s->o.layout;
		int dir = s->o.dir;

		s->o.layout = s->o.to_layout;
		s->o.to_layout = layout;

		s->o.scheme = s->o.to;
		s->o.to = scheme;
		s->o.dir = s->o.to_dir;
		s->o.to_dir = dir;
	}
	atomic_store(&s->next, 0);
	s->at_end = false;
	s->window_next = 0;
	entries_clear(&s->window);
	return order_is_observed(s->o.order) ? open_first(s) : 0;
}

size_t source_longest(const struct source *s)
{
	uint64_t last = s->o.start + s->o.count - 1;
	size_t a, b;

	if (s->o.mix)
		last += s->o.mix->beyond;

	if (!s->o.scheme)
		return NAME_MAX;
	a = name_longest(s->o.scheme, last);
	b = s->o.to ? name_longest(s->o.to, last) : 0;
	return a > b ? a : b;
}

uint64_t source_given(const struct source *s)
{
	return atomic_load(&s->next);
}

uint64_t source_memory(const struct source *s)
{
	return s->window.peak;
}

/* --- putting entries into a block ---------------------------------------- */

static void put_index(struct block *b, uint64_t index)
{
	b->index[b->count] = index;
	b->type[b->count++] = 0;
}

/* The names of all entries that are in the block by index. */
static void make_names(const struct source *s, struct block *b)
{
	for (unsigned int i = 0; i < b->count; i++)
		if (b->index[i] != NO_INDEX)
			name_make(s->o.scheme, b->index[i], block_name(b, i));
	for (unsigned int i = 0; b->to_names && i < b->count; i++)
		name_make(s->o.to, b->index[i], block_to(b, i));
}

static void put_name(struct block *b, const char *name, unsigned char type)
{
	b->index[b->count] = NO_INDEX;
	b->type[b->count] = type;
	strlcpy(block_name(b, b->count), name, b->stride);
	b->count++;
}

/* Ask for a name that does not exist in place of some that do. */
static void mix_in(const struct mix *m, struct block *b)
{
	for (unsigned int i = 0; i < b->count; i++)
		if (permute_at(&m->permutation, b->position + i) >= m->hits)
			b->index[i] += m->beyond;
}

/* --- computed orders ----------------------------------------------------- */

static int fill_computed(struct source *s, struct block *b)
{
	uint64_t from = atomic_load_explicit(&s->next, memory_order_relaxed);
	uint64_t to;

	do {
		if (from >= s->o.count)
			return 0;
		to = s->o.count - from > b->room ? from + b->room : s->o.count;
	} while (!atomic_compare_exchange_weak(&s->next, &from, to));

	b->position = from;
	b->count = (unsigned int)(to - from);
	order_fill(s->o.order, from, s->o.start, b->count, b->index);
	if (s->o.mix)
		mix_in(s->o.mix, b);
	make_names(s, b);
	return 1;
}

/* --- observed orders ----------------------------------------------------- */

/* Whether an entry lives in the directory of the layout that is read now. */
static bool is_placed(const struct source *s, const char *name, uint64_t index)
{
	char path[LAYOUT_PATH];

	return layout_path(s->o.layout, index, name, strlen(name), path,
			   sizeof(path)) >= 0 &&
	       strcmp(path, s->path) == 0;
}

/* Whether a name read from the directory is one of this run's. */
static bool is_ours(const struct source *s, const char *name, uint64_t *index)
{
	*index = NO_INDEX;
	if (!s->o.scheme)
		return true;
	return name_index(s->o.scheme, name, index) && *index >= s->o.start &&
	       *index - s->o.start < s->o.count &&
	       (!s->o.layout || is_placed(s, name, *index));
}

/* The next entry of this run in the directory: 1, 0 at its end, -errno. */
static int next_ours(struct source *s, struct dirent_entry *e, uint64_t *index)
{
	int got = 0;

	*index = NO_INDEX;
	while (!s->at_end) {
		got = dirents_next(&s->dirents, e);
		if (got > 0 && is_ours(s, e->name, index))
			return 1;
		if (got == 0 && s->walk)
			got = next_directory(s);
		if (got <= 0)
			s->at_end = true;
	}
	return got < 0 ? got : 0;
}

static int fill_streamed(struct source *s, struct block *b)
{
	struct dirent_entry e;
	uint64_t index;
	int got = 1;

	while (b->count < b->room) {
		got = next_ours(s, &e, &index);
		if (got <= 0)
			break;
		if (index == NO_INDEX)
			put_name(b, e.name, e.type);
		else
			put_index(b, index);
	}
	return got < 0 ? got : b->count > 0;
}

static uint64_t sort_key(const struct source *s, const struct dirent_entry *e)
{
	if (s->o.order->kind == ORDER_INODE)
		return e->inode;
	if (s->hash_is_offset)
		return (uint64_t)e->offset;
	return dirhash(&s->hash, e->name, strlen(e->name));
}

/* Names that do not exist yet, to be made in the order of their hashes. */
static int collect_made(struct source *s, uint64_t want)
{
	char name[NAME_BUFFER];

	for (uint64_t i = 0; i < want; i++) {
		uint64_t index = s->o.start + i;
		size_t length = name_make(s->o.scheme, index, name);
		int err = entries_add_index(
			&s->window, dirhash(&s->hash, name, length), index);

		if (err)
			return err;
	}
	s->at_end = true;
	return 0;
}

static int collect_read(struct source *s)
{
	struct dirent_entry e;
	uint64_t index;
	int got = 1, err = 0;

	while (!err && (!s->o.window || s->window.count < s->o.window)) {
		uint64_t key;

		got = next_ours(s, &e, &index);
		if (got <= 0)
			break;
		key = sort_key(s, &e);
		if (index == NO_INDEX)
			err = entries_add_name(&s->window, key, e.name, e.type);
		else
			err = entries_add_index(&s->window, key, index);
	}
	return err ? err : got < 0 ? got : 0;
}

static int next_window(struct source *s)
{
	int err;

	entries_clear(&s->window);
	s->window_next = 0;
	if (s->o.names_made)
		err = s->at_end ? 0 : collect_made(s, s->o.count);
	else
		err = collect_read(s);
	if (!err)
		entries_sort(&s->window);
	return err;
}

static int fill_sorted(struct source *s, struct block *b)
{
	if (s->window_next == s->window.count) {
		int err = next_window(s);

		if (err)
			return err;
	}
	while (b->count < b->room && s->window_next < s->window.count) {
		const struct entry *e = &s->window.list[s->window_next++];
		unsigned char type;

		if (s->o.scheme) {
			put_index(b, e->reference);
		} else {
			const char *name = entries_name(&s->window, e, &type);

			put_name(b, name, type);
		}
	}
	return b->count > 0;
}

int source_fill(struct source *s, struct block *b)
{
	int got;

	if (!order_is_observed(s->o.order))
		return fill_computed(s, b);
	pthread_mutex_lock(&s->lock);
	b->position = atomic_load(&s->next);
	b->count = 0;
	if (s->o.order->kind == ORDER_READDIR)
		got = fill_streamed(s, b);
	else
		got = fill_sorted(s, b);
	atomic_fetch_add(&s->next, b->count);
	pthread_mutex_unlock(&s->lock);
	if (got > 0)
		make_names(s, b);
	return got;
}
