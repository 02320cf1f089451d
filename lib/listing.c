#include "listing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "directory.h"
#include "dirents.h"
#include "entries.h"
#include "interrupt.h"
#include "job.h"
#include "layout_walk.h"

/* Entries looked up between two times of keeping figures. */
#define BATCH 256

static const struct operation op_getdents = { .name = "getdents",
					      .did = "read" };

/* One listing, and where it is. */
struct lister {
	const struct listing *listing;
	const struct options *o;
	struct run_result *r;
	uint64_t began;
	struct dirents dirents; /* its descriptor is the directory's */
	struct meter_batch batch; /* of lookups */
	const char *name[BATCH];
	struct entries window; /* to be looked up, sorted by inode number */
	uint64_t looked_up;
};

/* --- looking up what was listed ------------------------------------------ */

static void fail(struct lister *l, int err, uint64_t position, uint64_t end,
		 const char *name)
{
	struct run_failure *first = &l->r->first;

	meter_fail(&l->r->meter[1], err, position, end);
	if (first->err)
		return;
	first->err = err;
	first->step = 1;
	first->time = end;
	first->position = position;
	first->index = NO_INDEX;
	first->op = l->listing->lookup;
	first->place.dir = l->dirents.fd;
	strlcpy(first->name, name, sizeof(first->name));
	if (l->o->stop_on_error)
		l->r->end = RUN_FAILED;
}

static void keep_slow(struct lister *l)
{
	struct meter *m = &l->r->meter[1];
	const struct meter_batch *b = &l->batch;

	for (unsigned int i = 0; i < b->count; i++) {
		struct sample s = {
			.start = b->end[i] - b->latency[i],
			.end = b->end[i],
			.position = b->position[i],
			.index = NO_INDEX,
			.name = l->name[b->item[i]],
		};

		if (meter_is_slow(m, b->latency[i]))
			meter_add_slow(m, &s);
	}
}

/* Look up the names that have been gathered, one clock reading apart. */
static void look_up(struct lister *l, unsigned int count)
{
	const struct place place = { .dir = l->dirents.fd };
	struct meter_batch *b = &l->batch;
	uint64_t start = clock_now() - l->began;

	b->count = 0;
	for (unsigned int i = 0; i < count && l->r->end == RUN_COMPLETE; i++) {
		int err = l->listing->lookup->run(&place, l->name[i], NULL);
		uint64_t end = clock_now() - l->began;

		if (err) {
			fail(l, err, l->looked_up, end, l->name[i]);
		} else {
			b->position[b->count] = l->looked_up;
			b->end[b->count] = end;
			b->latency[b->count] = end - start;
			b->item[b->count++] = i;
		}
		l->looked_up++;
		l->r->real = start = end;
	}
	if (meter_add(&l->r->meter[1], b))
		keep_slow(l);
}

/* Whether the listing must end, for one reason or another. */
static bool must_end(struct lister *l)
{
	struct run_result *r = l->r;

	if (l->o->time_limit && r->real >= l->o->time_limit)
		r->end = RUN_TIME_LIMIT;
	if (interrupt_pending())
		r->end = RUN_SIGNAL;
	return r->end != RUN_COMPLETE;
}

static void look_up_sorted(struct lister *l)
{
	struct entries *w = &l->window;
	unsigned char type;

	entries_sort(w);
	for (size_t i = 0; i < w->count && !must_end(l);) {
		unsigned int n = 0;

		for (; n < BATCH && i < w->count; i++)
			l->name[n++] = entries_name(w, &w->list[i], &type);
		look_up(l, n);
	}
	if (w->peak > l->r->sort_memory)
		l->r->sort_memory = w->peak;
	entries_clear(w);
}

/* Whether an entry is to be looked up, given what the directory told. */
static bool wants_lookup(const struct lister *l, const struct dirent_entry *e)
{
	return l->listing->what == LIST_STAT ||
	       (l->listing->what == LIST_TYPES && e->type == DT_UNKNOWN);
}

/* The entries of a buffer: counted, and looked up, or kept to be sorted. */
static int take_buffer(struct lister *l)
{
	const bool sorted = l->o->order.kind == ORDER_INODE;
	struct dirent_entry e;
	unsigned int n = 0;
	int err = 0;

	while (!err && l->r->end == RUN_COMPLETE &&
	       dirents_buffered(&l->dirents, &e)) {
		l->r->listed++;
		l->r->listed_types[e.type % RUN_TYPES]++;
		if (!wants_lookup(l, &e))
			continue;
		if (sorted) {
			err = entries_add_name(&l->window, e.inode, e.name,
					       e.type);
			if (l->o->window && l->window.count >= l->o->window)
				look_up_sorted(l);
			continue;
		}
		l->name[n++] = e.name;
		if (n == BATCH && !must_end(l)) {
			look_up(l, n);
			n = 0;
		}
	}
	if (n > 0 && !must_end(l))
		look_up(l, n);
	return err;
}

/* --- reading ------------------------------------------------------------- */

/* Time each call; the last one, which finds the end, is one too. */
static int read_directory(struct lister *l, int fd)
{
	struct run_result *r = l->r;
	struct sample s = { .index = NO_INDEX, .name = "." };
	long got;
	int err;

	l->dirents.fd = fd;
	err = dirents_rewind(&l->dirents);
	if (err)
		return err;
	do {
		s.position = r->listed;
		s.start = clock_now() - l->began;
		got = dirents_read(&l->dirents);
		s.end = clock_now() - l->began;
		if (got < 0) {
			meter_fail(&r->meter[0], (int)-got, s.position, s.end);
			r->first.err = (int)-got;
			r->end = RUN_UNREADABLE;
			return 0;
		}
		meter_add_one(&r->meter[0], &s);
		r->real = s.end;
		err = take_buffer(l);
	} while (!err && got > 0 && !must_end(l));
	if (!err && l->window.count > 0 && r->end == RUN_COMPLETE)
		look_up_sorted(l);
	return err;
}

static int read_all(struct lister *l, int dir)
{
	const struct layout_walk_options o = { .layout = &l->o->layout,
					       .base = dir };
	struct layout_walk *walk;
	const char *path;
	int fd, err = layout_walk_open(&walk, &o);

	if (err)
		return err;
	while (!err && l->r->end == RUN_COMPLETE) {
		int got = layout_walk_next(walk, &fd, &path);

		if (got <= 0) {
			err = got;
			break;
		}
		err = read_directory(l, fd);
	}
	layout_walk_close(walk);
	return err;
}

static int read_listing(const struct job *j, struct run_result *r)
{
	struct lister l = { .listing = j->work_argument,
			    .o = j->options,
			    .r = r };
	struct rusage before, after;
	int err;

	memset(r, 0, sizeof(*r));
	err = meter_batch_init(&l.batch, BATCH);
	if (!err)
		err = placing_figures_init(&r->directories);
	for (unsigned int n = 0; n < j->steps && !err; n++)
		err = meter_init(&r->meter[n], 1024);
	if (!err)
		err = dirents_open(&l.dirents, -1);
	if (!err) {
		getrusage(RUSAGE_SELF, &before);
		l.began = clock_now();
		err = read_all(&l, j->dir);
		getrusage(RUSAGE_SELF, &after);
		r->user = run_timeval_ns(&before.ru_utime, &after.ru_utime);
		r->sys = run_timeval_ns(&before.ru_stime, &after.ru_stime);
	}
	dirents_close(&l.dirents);
	meter_batch_free(&l.batch);
	entries_free(&l.window);
	return err;
}

/* --- what is asked for --------------------------------------------------- */

static void refuse_others(const struct options *o, const struct listing *l)
{
	if (o->workers > 1 || o->verify || o->dry_run || o->name_given ||
	    o->prefix || o->start)
		usage_error(o->tool,
			    "--list reads the directory as it is: --name, "
			    "--prefix, --start, --jobs, --verify and --dry-run "
			    "have no meaning with it");
	if (l->what != LIST_STAT && (o->order_given || o->window))
		usage_error(o->tool, "--order and --window are about entries "
				     "that are looked up: they go with "
				     "--list=stat");
	if (l->what != LIST_STAT && o->via_given)
		usage_error(o->tool, "--via looks entries up: it goes with "
				     "--list=stat");
	if (o->order_given && o->order.kind != ORDER_READDIR &&
	    o->order.kind != ORDER_INODE)
		usage_error(o->tool,
			    "--list=stat knows the names only as it reads "
			    "them: --order can be readdir or inode, not %s",
			    o->order_text);
}

int list_directory(struct options *o, const struct listing *l)
{
	const char *path;
	struct job j;
	int dir, code;

	options_expect(o, 0, 1);
	path = o->argument_count ? o->arguments[0] : ".";
	refuse_others(o, l);
	if (!o->order_given)
		options_set_order(o, "readdir");
	options_check_window(o);
	dir = directory_open(o->tool, path, DIRECTORY_READ);
	job_init(&j, o, path, dir, 0);
	j.plural = "buffers";
	j.step[0].op = &op_getdents;
	j.step[1].op = l->lookup;
	j.steps = l->what == LIST_NAMES ? 1 : 2;
	j.steps_apart = j.steps > 1;
	j.work = read_listing;
	j.work_argument = l;
	code = job_carry_out(&j);
	close(dir);
	return code;
}
