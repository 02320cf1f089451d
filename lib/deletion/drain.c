#include "drain.h"

#include <errno.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "clock.h"
#include "interrupt.h"

#define LOOK_EVERY 5000 /* us */

struct watch {
	uint64_t used; /* inodes */
	uint64_t free; /* blocks */
};

static bool owes(int dir)
{
	struct statfs s;

	return fstatfs(dir, &s) == 0 &&
	       (s.f_type == XFS_SUPER_MAGIC || s.f_type == BTRFS_SUPER_MAGIC);
}

static uint64_t used_inodes(const struct space *s)
{
	return s->inodes_counted ? s->inodes - s->inodes_free : 0;
}

static int look(int dir, struct watch *w)
{
	struct space s;
	int err = space_read(dir, &s);

	w->used = used_inodes(&s);
	w->free = s.free;
	return err;
}

/* Inodes that are free again; others may have taken some meanwhile. */
static uint64_t freed_since(const struct space *before, const struct watch *w)
{
	uint64_t used = used_inodes(before);

	return used > w->used ? used - w->used : 0;
}

/* Until nothing changes, or all that was deleted is known to be free. Returns
 * the time of the last change. */
static uint64_t watch(int dir, const struct space *before, uint64_t deleted,
		      uint64_t limit, struct drain *d)
{
	uint64_t began = clock_now(), changed = began, now = began;
	struct watch w, last;

	d->end = DRAIN_SETTLED;
	d->err = -look(dir, &last);
	while (!d->err && now - changed < DRAIN_QUIET) {
		if (before->inodes_counted &&
		    freed_since(before, &last) >= deleted)
			break;
		if (interrupt_pending() || now - began >= limit) {
			d->end = interrupt_pending() ? DRAIN_SIGNAL
						     : DRAIN_LIMIT;
			changed = now;
			break;
		}
		usleep(LOOK_EVERY);
		now = clock_now();
		d->err = -look(dir, &w);
		if (w.used != last.used || w.free != last.free)
			changed = now;
		last = w;
	}
	return changed;
}

void drain_wait(int dir, const struct space *before, uint64_t deleted,
		uint64_t limit, struct drain *d)
{
	uint64_t began = clock_now();
	struct watch now = { 0 };

	memset(d, 0, sizeof(*d));
	d->asked = true;
	if (owes(dir)) {
		d->ns = watch(dir, before, deleted, limit, d) - began;
		if (d->ns > 0 && d->end == DRAIN_SETTLED) {
			uint64_t start = clock_now();

			/* the freeing itself is in the log now, and not yet
			 * on the device */
			if (syncfs(dir) < 0)
				d->err = errno;
			d->ns += clock_now() - start;
		}
	}
	if (!d->err)
		d->err = -look(dir, &now);
	d->counted = before->inodes_counted;
	d->freed = freed_since(before, &now);
}

const char *drain_end_name(enum drain_end end)
{
	static const char *const names[] = { "nothing", "settled", "limit",
					     "signal" };

	return names[end];
}
