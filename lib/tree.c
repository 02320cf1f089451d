#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dirents.h"
#include "entries.h"
#include "extent.h"
#include "tree_level.h"

#define MAX_READINGS 16

/* Entries from one estimate of how many there are to the next. */
#define EXPECT_EVERY 256

struct tree {
	struct tree_options o;
	uint64_t mount;
	bool mount_known;
	pthread_mutex_t lock;
	pthread_cond_t released;
	bool busy; /* a worker is walking */
	struct level *here; /* the deepest level */
	struct dirents dirents; /* of `here`, while it is read */
	uint64_t seen; /* entries read, of all kinds */
	uint64_t told_reads,
		told_seen; /* calls of dirents, and `seen`, when
			    * the look-ahead was told of a buffer */
	uint64_t given;
	uint64_t memory; /* peak bytes of a window */
	struct tree_left left;
	struct extent extent; /* of the top */
	uint64_t matched; /* entries of it that are to be handed out */
	atomic_uint_least64_t expected;
	int broken; /* negative errno that has ended the walk */
};

/* --- levels -------------------------------------------------------------- */

static uint64_t mount_of(int fd, bool *known)
{
	struct statx st;

	*known = statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &st) == 0 &&
		 (st.stx_mask & STATX_MNT_ID);
	return *known ? st.stx_mnt_id : 0;
}

static int push(struct tree *t, int fd, const char *name)
{
	int err = level_push(&t->here, fd, name);

	if (err)
		return err;
	t->dirents.fd = fd;
	return dirents_rewind(&t->dirents);
}

static void wait_for_level(struct tree *t, const struct level *l)
{
	while (l->held > 0)
		pthread_cond_wait(&t->released, &t->lock);
}

/* Close what is too far above to be needed soon. */
static void close_far_above(struct tree *t)
{
	struct level *l = level_far_above(t->here);

	if (!l)
		return;
	wait_for_level(t, l);
	close(l->fd);
	l->fd = -1;
}

int tree_open(struct tree **out, const struct tree_options *o)
{
	struct tree *t = calloc(1, sizeof(*t));
	int fd, err;

	if (!t)
		return -ENOMEM;
	t->o = *o;
	if (t->o.window == 0)
		t->o.window = TREE_WINDOW;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->released, NULL);
	fd = openat(o->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	err = fd < 0 ? -errno : dirents_open(&t->dirents, fd);
	if (!err)
		err = push(t, fd, ".");
	if (!err)
		err = extent_begin(&t->extent, fd);
	if (err) {
		if (fd >= 0 && !t->here)
			close(fd);
		tree_close(t);
		return err;
	}
	dirents_prime(&t->dirents);
	t->mount = mount_of(fd, &t->mount_known);
	*out = t;
	return 0;
}

void tree_close(struct tree *t)
{
	if (!t)
		return;
	while (t->here) {
		struct level *above = t->here->above;

		level_free(t->here);
		t->here = above;
	}
	dirents_close(&t->dirents);
	pthread_cond_destroy(&t->released);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

/* --- reading one directory ----------------------------------------------- */

/* Some file systems do not tell an entry's type with its name. */
static bool is_directory(const struct level *l, const struct dirent_entry *e)
{
	struct stat st;

	if (e->type != DT_UNKNOWN)
		return e->type == DT_DIR;
	return fstatat(l->fd, e->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode);
}

static void note_left(uint64_t *count, char *first, const char *name)
{
	if ((*count)++ == 0)
		strlcpy(first, name, NAME_BUFFER);
}

static int note_directory(struct tree *t, const struct dirent_entry *e)
{
	struct level *l = t->here;

	if (l->readings > 0) /* known from the first reading */
		return 0;
	if (!t->o.recursive) {
		if (t->o.selection) /* nobody asked for everything */
			return 0;
		note_left(&t->left.directories, t->left.directory_name,
			  e->name);
		return 0;
	}
	return entries_add_name(&l->below, e->inode, e->name, DT_DIR);
}

/* What the top shows of how many entries it has; not when it is read again,
 * as most are gone by then. */
static void see(struct tree *t, const struct dirent_entry *e)
{
	if (!t->o.recursive && t->here->readings == 0)
		extent_see(&t->extent, e->name, e->offset);
}

/* Reckon again: at the end, and now and then before. */
static void expect(struct tree *t, bool more)
{
	uint64_t entries;

	if (t->o.recursive || t->here->readings > 0)
		return;
	t->extent.at_end = !more;
	t->matched += more;
	if (more && t->matched % EXPECT_EVERY != 0)
		return;
	entries = extent_entries(&t->extent);
	if (t->matched == 0 || entries == 0)
		return;
	atomic_store(&t->expected,
		     (uint64_t)((double)entries * (double)t->matched /
				(double)t->extent.entries));
}

static void note_unmatched(struct tree *t)
{
	t->here->unmatched++;
	t->left.unmatched++;
}

/* The next entry that is no directory, and whose name is not left out: 1, 0
 * at the end, or -errno. */
static int next_plain(struct tree *t, struct dirent_entry *e)
{
	int got;

	while ((got = dirents_next(&t->dirents, e)) > 0) {
		int err = 0;

		t->seen++;
		see(t, e);
		if (is_directory(t->here, e))
			err = note_directory(t, e);
		else if (!t->o.selection ||
			 selection_name(t->o.selection, e->name))
			break;
		else
			note_unmatched(t);
		if (err)
			return err;
	}
	if (got >= 0)
		expect(t, got > 0);
	return got;
}

static void put(struct block *b, const char *name)
{
	b->index[b->count] = NO_INDEX;
	strlcpy(block_name(b, b->count++), name, b->stride);
}

/* Whether the inode of an entry will be needed, as far as its name tells. */
static bool is_wanted(const struct tree *t, const struct dirent_entry *e)
{
	return e->type != DT_DIR &&
	       (!t->o.selection || selection_name(t->o.selection, e->name));
}

/* What is in the buffer of the directory comes next. */
static void tell_buffer(struct tree *t)
{
	struct dirents rest = t->dirents;
	struct dirent_entry e;

	if (!t->o.lookahead)
		return;
	if (t->told_reads != t->dirents.calls) {
		t->told_reads = t->dirents.calls;
		t->told_seen = t->seen;
		lookahead_begin(t->o.lookahead);
		while (dirents_buffered(&rest, &e))
			lookahead_tell(t->o.lookahead,
				       is_wanted(t, &e) ? e.inode : 0);
	}
	lookahead_handed_out(t->o.lookahead, t->seen - t->told_seen);
}

static int fill_as_read(struct tree *t, struct block *b)
{
	struct dirent_entry e;
	int got = 1;

	while (b->count < b->room && (got = next_plain(t, &e)) > 0)
		put(b, e.name);
	tell_buffer(t);
	return got < 0 ? got : 0;
}

static int read_window(struct tree *t)
{
	struct level *l = t->here;
	struct dirent_entry e;
	int got = 1, err = 0;

	entries_clear(&l->window);
	l->window_next = l->window_told = 0;
	while (!err && l->window.count < t->o.window &&
	       (got = next_plain(t, &e)) > 0)
		err = entries_add_name(&l->window, e.inode, e.name, e.type);
	entries_sort(&l->window);
	if (l->window.peak > t->memory)
		t->memory = l->window.peak;
	return err ? err : got < 0 ? got : 0;
}

/* What comes next in the window, so far ahead. */
static void tell_window(struct tree *t)
{
	struct level *l = t->here;

	if (!t->o.lookahead)
		return;
	if (l->window_told == 0)
		lookahead_begin(t->o.lookahead);
	while (l->window_told < l->window.count &&
	       l->window_told < l->window_next + LOOKAHEAD_DISTANCE)
		lookahead_tell(t->o.lookahead,
			       l->window.list[l->window_told++].key);
	lookahead_handed_out(t->o.lookahead, l->window_next);
}

static int fill_by_inode(struct tree *t, struct block *b)
{
	struct level *l = t->here;
	unsigned char type;

	if (l->window_next == l->window.count) {
		int err = read_window(t);

		if (err)
			return err;
	}
	while (b->count < b->room && l->window_next < l->window.count)
		put(b, entries_name(&l->window,
				    &l->window.list[l->window_next++], &type));
	tell_window(t);
	return 0;
}

/*
 * Some file systems (NFS above all) skip entries when others are deleted
 * while they are read; so a directory from which something was deleted is
 * read again until nothing is found. Not if something could not be deleted:
 * that would be found for ever. What is kept must be looked at each time, which
 * may be far more than what was deleted, so that it is not done in vain.
 */
static int read_again(struct tree *t, bool *again)
{
	struct level *l = t->here;

	wait_for_level(t, l);
	*again = l->given > l->kept && l->failed == 0 &&
		 l->readings < MAX_READINGS && !(l->kept && t->o.steady);
	if (!*again)
		return 0;
	/* they will be found again */
	t->left.unmatched -= l->unmatched;
	t->left.kept -= l->kept;
	l->readings++;
	l->given = l->unmatched = l->kept = 0;
	return dirents_rewind(&t->dirents);
}

/* --- walking ------------------------------------------------------------- */

/* Enter a subdirectory; one that must be left alone is noted instead. */
static int enter(struct tree *t, const char *name)
{
	struct tree_left *left = &t->left;
	struct stat st;
	bool known;
	uint64_t mount;
	int fd = openat(t->here->fd, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0) {
		if (left->unreadable == 0)
			left->unreadable_errno = errno;
		note_left(&left->unreadable, left->unreadable_name, name);
		if (fd >= 0)
			close(fd);
		return 0;
	}
	mount = mount_of(fd, &known);
	if (st.st_dev != t->here->device ||
	    (known && t->mount_known && mount != t->mount)) {
		note_left(&left->mounts, left->mount_name, name);
		close(fd);
		return 0;
	}
	close_far_above(t);
	return push(t, fd, name);
}

/* Everything in `here` has been dealt with: go up, and hand out the directory
 * itself. At the top, there is nothing above to go to. */
static int leave(struct tree *t, struct block *b)
{
	struct level *l = t->here;
	int err = level_reopen_above(l);

	if (err)
		return err;
	t->here = l->above;
	t->dirents.fd = t->here->fd;
	if (!t->o.selection) {
		b->step = TREE_RMDIR;
		put(b, l->name);
	}
	level_free(l);
	return 0;
}

/* One step of the walk; the block may still be empty after it. */
static int walk_on(struct tree *t, struct block *b, bool *end)
{
	struct level *l = t->here;
	bool again = false;
	unsigned char type;
	int err;

	b->step = TREE_UNLINK;
	if (!l->read) {
		err = t->o.by_inode ? fill_by_inode(t, b) : fill_as_read(t, b);
		if (err || b->count > 0)
			return err;
		err = read_again(t, &again);
		l->read = !again;
		return err;
	}
	if (l->below_next < l->below.count)
		return enter(t, entries_name(&l->below,
					     &l->below.list[l->below_next++],
					     &type));
	wait_for_level(t, l);
	if (l->above)
		return leave(t, b);
	*end = true;
	return 0;
}

static void hand_out(struct tree *t, struct block *b)
{
	struct level *l = t->here;

	b->dir = l->fd;
	b->owner = l;
	b->again = l->readings > 0;
	b->position = t->given;
	l->held++;
	l->given += b->count;
	t->given += b->count;
}

int tree_fill(struct tree *t, struct block *b)
{
	bool end = false;
	int err = 0;

	pthread_mutex_lock(&t->lock);
	while (t->busy)
		pthread_cond_wait(&t->released, &t->lock);
	t->busy = true;
	b->count = 0;
	while (!t->broken && !end && b->count == 0) {
		err = walk_on(t, b, &end);
		if (err)
			t->broken = err;
	}
	if (b->count > 0)
		hand_out(t, b);
	err = b->count > 0 ? 1 : t->broken;
	t->busy = false;
	pthread_cond_broadcast(&t->released);
	pthread_mutex_unlock(&t->lock);
	return err;
}

void tree_release(struct tree *t, const struct block *b, uint64_t failed,
		  uint64_t kept)
{
	struct level *l = b->owner;

	pthread_mutex_lock(&t->lock);
	l->held--;
	l->failed += failed;
	l->kept += kept;
	t->left.kept += kept;
	pthread_cond_broadcast(&t->released);
	pthread_mutex_unlock(&t->lock);
}

uint64_t tree_expected(const struct tree *t)
{
	return atomic_load(&t->expected);
}

uint64_t tree_memory(const struct tree *t)
{
	return t->memory;
}

uint64_t tree_given(const struct tree *t)
{
	return t->given;
}

const struct tree_left *tree_left(const struct tree *t)
{
	return &t->left;
}
