#include "listing.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "directory.h"
#include "dirents.h"
#include "interrupt.h"
#include "job.h"

static const struct operation op_getdents = { .name = "getdents",
					      .did = "read" };

static uint64_t count_entries(struct dirents *d)
{
	struct dirent_entry e;
	uint64_t n = 0;

	while (dirents_buffered(d, &e))
		n++;
	return n;
}

/* Time each call; the last one, which finds the end, is one too. */
static void read_through(struct dirents *d, struct run_result *r,
			 uint64_t time_limit)
{
	struct sample s = { .index = NO_INDEX, .name = "." };
	uint64_t began = clock_now();
	long got;

	do {
		s.start = clock_now() - began;
		got = dirents_read(d);
		s.end = clock_now() - began;
		if (got < 0) {
			meter_fail(&r->meter[0], (int)-got, s.position, s.end);
			r->first.err = (int)-got;
			r->end = RUN_UNREADABLE;
			break;
		}
		meter_add_one(&r->meter[0], &s);
		s.position += count_entries(d);
		r->real = s.end;
		if (time_limit && s.end >= time_limit)
			r->end = RUN_TIME_LIMIT;
		if (interrupt_pending())
			r->end = RUN_SIGNAL;
	} while (got > 0 && r->end == RUN_COMPLETE);
	r->listed = s.position;
}

static int read_listing(const struct job *j, struct run_result *r)
{
	struct rusage before, after;
	struct dirents d;
	int fd = openat(j->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err;

	memset(r, 0, sizeof(*r));
	if (fd < 0)
		return -errno;
	err = meter_init(&r->meter[0], 1024);
	if (!err)
		err = dirents_open(&d, fd);
	if (!err) {
		getrusage(RUSAGE_SELF, &before);
		read_through(&d, r, j->options->time_limit);
		getrusage(RUSAGE_SELF, &after);
		r->user = run_timeval_ns(&before.ru_utime, &after.ru_utime);
		r->sys = run_timeval_ns(&before.ru_stime, &after.ru_stime);
		dirents_close(&d);
	}
	close(fd);
	return err;
}

static void refuse_others(const struct options *o)
{
	if (o->order_given || o->via_given || o->workers > 1 || o->verify ||
	    o->dry_run || o->name_given || o->prefix || o->start || o->window)
		usage_error(o->tool,
			    "--list reads the directory as it is: --order, "
			    "--name, --prefix, --start, --window, --via, "
			    "--jobs, --verify and --dry-run have no meaning "
			    "with it");
}

int list_directory(struct options *o)
{
	const char *path;
	struct job j;
	int dir, code;

	options_expect(o, 0, 1);
	path = o->argument_count ? o->arguments[0] : ".";
	refuse_others(o);
	o->order_text = "readdir";
	dir = directory_open(o->tool, path, DIRECTORY_READ);
	job_init(&j, o, path, dir, 0);
	j.plural = "buffers";
	j.step[0].op = &op_getdents;
	j.work = read_listing;
	code = job_carry_out(&j);
	close(dir);
	return code;
}
