#include "placing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

const struct operation op_layout_mkdir = { .name = "mkdir",
					   .did = "made",
					   .kind = "mkdir" };
const struct operation op_layout_opendir = { .name = "opendir",
					     .did = "opened",
					     .kind = "lookup" };

/* --- timing -------------------------------------------------------------- */

static void count(struct placing *p, struct meter *m, uint64_t end, int err)
{
	struct sample s = {
		.start = p->since - p->began,
		.end = end - p->began,
		.position = m->latency.count + m->failed,
		.index = NO_INDEX,
		.name = p->path,
	};

	if (err)
		meter_fail(m, err, s.position, s.end);
	else
		meter_add_one(m, &s);
}

static void called(void *argument, enum parent_call call, int err)
{
	struct placing *p = argument;
	uint64_t now = clock_now();

	p->failed = NULL;
	if (call == PARENT_MKDIR && err != EEXIST) {
		count(p, &p->figures.made, now, err);
		p->failed = &op_layout_mkdir;
	} else if (call == PARENT_OPEN) {
		count(p, &p->figures.opened, now, err);
		p->failed = &op_layout_opendir;
	}
	p->since = clock_now();
}

/* --- one worker's -------------------------------------------------------- */

static int open_table(struct placing *p, int side)
{
	const struct layout *layout = p->plan.side[side].layout;
	struct parents_options o = {
		.base = p->plan.side[side].base,
		.room = p->plan.room,
		.make = p->plan.side[side].make,
		.sync = p->plan.sync,
		.mode = p->plan.mode,
		.called = called,
		.argument = p,
	};

	if (!layout)
		return 0;
	o.longest = layout_longest(layout);
	return parents_open(&p->table[side], &o);
}

int placing_init(struct placing *p, const struct placing_plan *plan,
		 unsigned int room)
{
	memset(p, 0, sizeof(*p));
	p->plan = *plan;
	for (int side = 0; side < PLACING_SIDES; side++) {
		int err = open_table(p, side);

		if (err)
			return err;
		p->at[side] = calloc(room, sizeof(*p->at[side]));
		if (!p->at[side])
			return -ENOMEM;
	}
	return placing_figures_init(&p->figures);
}

void placing_free(struct placing *p)
{
	for (int side = 0; side < PLACING_SIDES; side++) {
		parents_close(p->table[side]);
		free(p->at[side]);
	}
	placing_figures_free(&p->figures);
}

/* --- a block ------------------------------------------------------------- */

/* The name of an entry that is not there becomes what is missing of the way to
 * it: all up to the next slash after what is known. */
static int look_where_it_ends(struct placing *p, int side, const char *path,
			      size_t length, char *name)
{
	size_t known;
	int fd = parent_nearest(p->table[side], path, length, &known);

	if (fd >= 0 && known < length) {
		const char *part = path + known + (known > 0);
		size_t bytes = strcspn(part, "/");

		memcpy(name, part, bytes);
		name[bytes] = '\0';
	}
	return fd;
}

static struct placed place(struct placing *p, int side, uint64_t index,
			   char *name)
{
	char path[LAYOUT_PATH];
	int length = layout_path(p->plan.side[side].layout, index, name,
				 strlen(name), path, sizeof(path));
	uint64_t hash;
	int fd;

	if (length < 0)
		return (struct placed){ .fd = length };
	hash = parent_hash(path, (size_t)length);
	fd = parent_known(p->table[side], path, (size_t)length, hash);
	if (fd >= 0)
		return (struct placed){ .fd = fd };
	p->path = path;
	p->failed = NULL;
	p->since = clock_now();
	if (index >= p->plan.absent_from)
		fd = look_where_it_ends(p, side, path, (size_t)length, name);
	else
		fd = parent_open(p->table[side], path, (size_t)length, hash);
	return (struct placed){ .fd = fd, .failed = fd < 0 ? p->failed : NULL };
}

void placing_block(struct placing *p, struct block *b, uint64_t began)
{
	p->began = began;
	for (int side = 0; side < PLACING_SIDES; side++) {
		if (!p->table[side])
			continue;
		for (unsigned int i = 0; i < b->count; i++)
			p->at[side][i] = place(p, side, b->index[i],
					       side == PLACING_TO && b->to_names
						       ? block_to(b, i)
						       : block_name(b, i));
	}
}

void placing_path(const struct placing *p, int side, uint64_t index,
		  const char *name, char *buf, size_t size)
{
	char path[LAYOUT_PATH];

	if (layout_path(p->plan.side[side].layout, index, name, strlen(name),
			path, sizeof(path)) < 0)
		path[0] = '\0';
	strlcpy(buf, path, size);
}

void placing_turn(struct placing *p)
{
	struct parents *table = p->table[PLACING_FROM];
	const struct layout *layout = p->plan.side[PLACING_FROM].layout;

	p->table[PLACING_FROM] = p->table[PLACING_TO];
	p->table[PLACING_TO] = table;
	p->plan.side[PLACING_FROM].layout = p->plan.side[PLACING_TO].layout;
	p->plan.side[PLACING_TO].layout = layout;
}

/* --- figures ------------------------------------------------------------- */

int placing_figures_init(struct placing_figures *f)
{
	int err = meter_init(&f->made, 1);

	return err ? err : meter_init(&f->opened, 1);
}

static void add_counts(struct parents_counts *to,
		       const struct parents_counts *from)
{
	to->hits += from->hits;
	to->misses += from->misses;
	to->opened += from->opened;
	to->made += from->made;
	to->evicted += from->evicted;
}

void placing_collect(struct placing *p, struct placing_figures *to)
{
	struct placing_figures *from = &p->figures;

	for (int side = 0; side < PLACING_SIDES; side++) {
		if (!p->table[side])
			continue;
		add_counts(&to->counts, parents_counts(p->table[side]));
		to->memory += parents_memory(p->table[side]);
	}
	if (to->made.by_position.slices) {
		meter_merge(&to->made, &from->made);
		meter_merge(&to->opened, &from->opened);
		return;
	}
	to->made = from->made;
	to->opened = from->opened;
	memset(&from->made, 0, sizeof(from->made));
	memset(&from->opened, 0, sizeof(from->opened));
}

void placing_figures_free(struct placing_figures *f)
{
	meter_free(&f->made);
	meter_free(&f->opened);
}

size_t placing_longest_part(const struct layout *l)
{
	return l->kind == LAYOUT_FANOUT ? 2 * sizeof(l->level[0]) : 0;
}
