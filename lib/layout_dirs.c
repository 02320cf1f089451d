#include "layout_dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "interrupt.h"

/* How often, in names, to look whether we shall stop. */
#define PATIENCE 256

#define DIRECTORY_MODE 0700

static void begin(struct layout_dirs *d)
{
	d->done = true;
	d->err = -meter_init(&d->meter, 1);
	d->real = clock_now();
}

/* --- made ---------------------------------------------------------------- */

/* One directory of the layout after the other, by the names in a block. */
static void make_block(struct layout_dirs *d, struct placing *p,
		       struct block *b)
{
	for (unsigned int i = 0; i < b->count; i++) {
		b->index[i] = d->start + b->position + i;
		name_make(d->scheme, b->index[i], block_name(b, i));
	}
	placing_block(p, b, d->real);
	for (unsigned int i = 0; i < b->count && !d->err; i++) {
		if (p->at[PLACING_FROM][i].fd >= 0)
			continue;
		d->err = -p->at[PLACING_FROM][i].fd;
		strlcpy(d->at, block_name(b, i), sizeof(d->at));
	}
}

static void make_all(struct layout_dirs *d, struct placing *p, unsigned int n)
{
	struct block b;

	d->err = -block_init(
		&b, n, name_longest(d->scheme, d->start + d->count - 1), 0);
	for (uint64_t at = 0; at < d->count && !d->err; at += b.count) {
		uint64_t left = d->count - at;

		if (interrupt_pending())
			break;
		b.position = at;
		b.count = left < n ? (unsigned int)left : n;
		make_block(d, p, &b);
	}
	block_free(&b);
}

void layout_dirs_make(struct layout_dirs *d)
{
	struct placing_plan plan = {
		.room = d->room,
		.mode = DIRECTORY_MODE,
		.sync = d->sync,
		.absent_from = UINT64_MAX,
	};
	unsigned int n = d->room < PATIENCE ? d->room : PATIENCE;
	struct placing p;

	begin(d);
	plan.side[PLACING_FROM].layout = d->layout;
	plan.side[PLACING_FROM].base = d->base;
	plan.side[PLACING_FROM].make = true;
	if (!d->err)
		d->err = -placing_init(&p, &plan, n);
	if (!d->err) {
		make_all(d, &p, n);
		meter_merge(&d->meter, &p.figures.made);
		placing_free(&p);
	}
	d->real = clock_now() - d->real;
}

/* --- removed ------------------------------------------------------------- */

static void remove_one(struct layout_dirs *d, int parent, const char *path,
		       const char *name)
{
	struct sample s = {
		.position = d->meter.latency.count + d->meter.failed,
		.index = NO_INDEX,
		.name = path,
	};
	int err;

	s.start = clock_now();
	err = unlinkat(parent, name, AT_REMOVEDIR) < 0 ? errno : 0;
	s.end = clock_now() - d->real;
	s.start -= d->real;
	if (!err) {
		meter_add_one(&d->meter, &s);
	} else if (err == ENOTEMPTY || err == EEXIST || err == EBUSY ||
		   err == ENOTDIR) {
		d->left = true;
		strlcpy(d->at, path, sizeof(d->at));
	} else if (err != ENOENT) {
		/* ENOENT: another name has led to it before, or none was made
		 */
		meter_fail(&d->meter, err, s.position, s.end);
		d->err = err;
		strlcpy(d->at, path, sizeof(d->at));
	}
}

/* Cut a path to its first `levels` levels; returns its length then. */
static size_t cut(char *path, unsigned int levels)
{
	char *at = path;

	while (levels-- > 0) {
		at += strcspn(at, "/");
		if (levels > 0 && *at)
			at++;
	}
	*at = '\0';
	return (size_t)(at - path);
}

/* The directories of one level, 1 being the one below the base. */
static void remove_level(struct layout_dirs *d, struct parents *table,
			 unsigned int level)
{
	char name[NAME_BUFFER], path[LAYOUT_PATH], before[LAYOUT_PATH] = "";

	for (uint64_t i = 0; i < d->count && !d->err; i++) {
		size_t length = name_make(d->scheme, d->start + i, name);
		const char *slash;
		size_t above;
		int fd;

		if (i % PATIENCE == 0 && interrupt_pending())
			return;
		if (layout_path(d->layout, d->start + i, name, length, path,
				sizeof(path)) < 0)
			continue;
		cut(path, level);
		if (strcmp(path, before) == 0)
			continue;
		strlcpy(before, path, sizeof(before));
		slash = strrchr(path, '/');
		above = slash ? (size_t)(slash - path) : 0;
		fd = parent_find(table, path, above, parent_hash(path, above));
		if (fd >= 0)
			remove_one(d, fd, path, slash ? slash + 1 : path);
	}
}

void layout_dirs_remove(struct layout_dirs *d)
{
	const struct parents_options o = {
		.base = d->base,
		.room = d->room,
		.longest = layout_longest(d->layout),
	};

	begin(d);
	for (unsigned int level = d->layout->depth; level > 0 && !d->err;
	     level--) {
		/* a new one for each level: it would hold what is removed */
		struct parents *table;

		d->err = -parents_open(&table, &o);
		if (d->err)
			break;
		remove_level(d, table, level);
		parents_close(table);
	}
	d->real = clock_now() - d->real;
}

void layout_dirs_free(struct layout_dirs *d)
{
	meter_free(&d->meter);
}
