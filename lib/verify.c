#include "verify.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "dirents.h"
#include "interrupt.h"
#include "layout_walk.h"
#include "stage_left.h"

/* How often, in names, to look whether we shall stop. */
#define PATIENCE 4096

static void add_to_digest(uint64_t digest[2], const char *name)
{
	XXH128_hash_t h = XXH3_128bits(name, strlen(name));

	digest[1] += h.low64;
	digest[0] += h.high64 + (digest[1] < h.low64);
}

static void add_example(struct difference *d, const char *name)
{
	d->count++;
	if (d->examples < VERIFY_EXAMPLES)
		strlcpy(d->example[d->examples++], name, NAME_BUFFER);
}

static bool is_expected(const struct expectation *e, const char *name,
			uint64_t *offset)
{
	uint64_t index;

	if (!name_index(e->scheme, name, &index) || index < e->start ||
	    index - e->start >= e->count)
		return false;
	*offset = index - e->start;
	return true;
}

/* A signal that came before the verification has ended the run; one that
 * comes while it runs ends the verification. */
static bool interrupted(struct verification *v, int before)
{
	if (interrupt_pending() != before)
		v->interrupted = true;
	return v->interrupted;
}

/* One reading: a tally, or, with a bitmap, a search for differences. */
struct reading {
	const struct expectation *e;
	struct verification *v;
	unsigned char *seen;
	int before; /* the signal that had come before it */
	uint64_t names;
};

static bool is_in_place(const struct expectation *e, const char *path,
			const char *name, uint64_t offset)
{
	char own[LAYOUT_PATH];

	if (!e->layout)
		return true;
	return layout_path(e->layout, e->start + offset, name, strlen(name),
			   own, sizeof(own)) >= 0 &&
	       strcmp(own, path) == 0;
}

/* Where it is, as far as an example has room for it. */
static void add_at(struct difference *d, const char *path, const char *name)
{
	char where[LAYOUT_PATH + NAME_BUFFER];

	snprintf(where, sizeof(where), "%s%s%s", path, path[0] ? "/" : "",
		 name);
	add_example(d, where);
}

static void see_other(struct reading *r, const char *path, const char *name)
{
	bool live;

	if (!path[0] && stage_is_name(name, &live) && live)
		r->v->stages += !r->seen;
	else if (!r->seen)
		r->v->others++;
	else if (!r->e->others_allowed)
		add_at(&r->v->unexpected, path, name);
}

static void see_misplaced(struct reading *r, const char *path, const char *name)
{
	if (!r->seen && !r->e->elsewhere_allowed)
		add_at(&r->v->misplaced, path, name);
}

static void see(struct reading *r, const char *path, const char *name)
{
	const struct expectation *e = r->e;
	struct verification *v = r->v;
	uint64_t offset;

	if (!is_expected(e, name, &offset)) {
		see_other(r, path, name);
	} else if (!is_in_place(e, path, name, offset)) {
		see_misplaced(r, path, name);
	} else if (!r->seen) {
		v->present++;
		add_to_digest(v->digest, name);
	} else if (e->present == 0) {
		add_at(&v->unexpected, path, name);
	} else if (r->seen[offset / 8] & 1u << offset % 8) {
		add_at(&v->twice, path, name);
	} else {
		r->seen[offset / 8] |= (unsigned char)(1u << offset % 8);
	}
}

/* What stands where the layout has directories. */
static void see_foreign(void *argument, const char *path, const char *name)
{
	struct reading *r = argument;
	uint64_t offset;

	if (!is_expected(r->e, name, &offset))
		see_other(r, path, name);
	else
		see_misplaced(r, path, name);
}

/* Read the directory at `fd` through. */
static int read_one(struct reading *r, struct dirents *d, int fd,
		    const char *path)
{
	struct dirent_entry entry;
	int got;

	d->fd = fd;
	got = dirents_rewind(d);
	if (got < 0)
		return got;
	while ((got = dirents_next(d, &entry)) > 0) {
		if (++r->names % PATIENCE == 0 && interrupted(r->v, r->before))
			return 0;
		see(r, path, entry.name);
	}
	return got;
}

/* The directories in which the names can be, one after the other. */
static int read_all(struct reading *r, struct dirents *d, int dir)
{
	static const struct layout flat = { .kind = LAYOUT_FLAT };
	const struct layout_walk_options o = {
		.layout = r->e->layout ? r->e->layout : &flat,
		.base = dir,
		.foreign = see_foreign,
		.argument = r,
	};
	struct layout_walk *walk;
	const char *path;
	int fd, got = layout_walk_open(&walk, &o);

	if (got < 0)
		return got;
	while (!r->v->interrupted &&
	       (got = layout_walk_next(walk, &fd, &path)) > 0) {
		r->v->directories += !r->seen;
		got = read_one(r, d, fd, path);
		if (got < 0)
			break;
	}
	layout_walk_close(walk);
	return got;
}

/* Read the directory through: tally it, and mark in the bitmap (if any) the
 * names that are there. */
static int scan(int dir, const struct expectation *e, struct verification *v,
		unsigned char *seen)
{
	struct reading r = {
		.e = e,
		.v = v,
		.seen = seen,
		.before = interrupt_pending(),
	};
	struct dirents d;
	int err = dirents_open(&d, -1);

	if (!err)
		err = read_all(&r, &d, dir);
	dirents_close(&d);
	return err < 0 ? -err : 0;
}

static void digest_expected(const struct expectation *e, struct verification *v)
{
	int before = interrupt_pending();
	char name[NAME_BUFFER];

	for (uint64_t i = 0; i < e->count; i++) {
		if (i % PATIENCE == 0 && interrupted(v, before))
			return;
		name_make(e->scheme, e->start + i, name);
		add_to_digest(v->expected_digest, name);
	}
}

/* A second reading, for the names behind the difference. */
static void find_differences(int dir, const struct expectation *e,
			     struct verification *v)
{
	unsigned char *seen = calloc(e->count / 8 + 1, 1);
	char name[NAME_BUFFER];

	if (!seen) {
		v->err = ENOMEM;
		return;
	}
	v->err = scan(dir, e, v, seen);
	for (uint64_t i = 0; i < e->count && e->present == e->count; i++) {
		if (seen[i / 8] & 1u << i % 8)
			continue;
		name_make(e->scheme, e->start + i, name);
		add_example(&v->missing, name);
	}
	free(seen);
}

void verify(int dir, const struct expectation *e, struct verification *v)
{
	memset(v, 0, sizeof(*v));
	v->by_count_only = e->present != 0 && e->present != e->count;
	v->err = scan(dir, e, v, NULL);
	if (v->err || v->interrupted)
		return;
	if (e->present == e->count)
		digest_expected(e, v);
	if (v->interrupted)
		return;
	v->passed = v->present == e->present &&
		    (v->misplaced.count == 0 || e->elsewhere_allowed) &&
		    (v->others == 0 || e->others_allowed);
	if (e->present == e->count &&
	    memcmp(v->digest, v->expected_digest, sizeof(v->digest)) != 0)
		v->passed = false;
	if (!v->passed)
		find_differences(dir, e, v);
}
