#include "disk.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "clock.h"
#include "interrupt.h"

/* Sleep no longer than this without looking for a signal; ns. */
#define LONGEST_SLEEP 200000000

static struct disk *disk_of(struct device *d)
{
	return (struct disk *)((char *)d - offsetof(struct disk, device));
}

/* The directory of an object, or -errno. */
static int directory_of(const struct disk *d, const struct object *o)
{
	if (!d->parents)
		return d->place.dir;
	return parent_find(d->parents, o->path, o->path_length, o->path_hash);
}

static int operate(const struct disk *d, const struct operation *op,
		   const struct object *o)
{
	struct place place = d->place;

	place.dir = directory_of(d, o);
	if (place.dir < 0)
		return -place.dir;
	return op->run(&place, o->name, NULL);
}

static int look_up(struct device *device, const struct object *o)
{
	const struct disk *d = disk_of(device);

	return operate(d, d->lookup, o);
}

static int create_in_place(struct device *device, const struct object *o)
{
	return operate(disk_of(device), &op_create_open, o);
}

static int create_in_stage(struct device *device, const struct object *o)
{
	return op_create_open.run(&disk_of(device)->stage, o->name, NULL);
}

static int move_into_place(struct device *device, const struct object *o)
{
	struct disk *d = disk_of(device);
	struct place place = d->stage;
	int err;

	place.to_dir = directory_of(d, o);
	err = place.to_dir < 0 ? -place.to_dir
			       : op_rename.run(&place, o->name, o->name);
	/* nobody would find it in the temporary directory */
	if (err && unlinkat(d->stage.dir, o->name, 0) == 0)
		d->cleaned++;
	return err;
}

static int evict(struct device *device, const struct object *o)
{
	return operate(disk_of(device), &op_unlink, o);
}

static uint64_t now(struct device *d)
{
	(void)d;
	return clock_now();
}

static void sleep_for(uint64_t ns)
{
	struct timespec t = { .tv_sec = (time_t)(ns / 1000000000),
			      .tv_nsec = (long)(ns % 1000000000) };

	/* waking early for a signal is what we want */
	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

/* Sleep most of it, and spend the rest looking at the clock: a process that
 * sleeps wakes late, and the request would seem to have waited. */
static void wait_until(struct device *d, uint64_t until)
{
	uint64_t at = now(d);

	while (at < until && !interrupt_pending()) {
		uint64_t left = until - at;

		if (left > DISK_WAKE_EARLY) {
			left -= DISK_WAKE_EARLY;
			sleep_for(left < LONGEST_SLEEP ? left : LONGEST_SLEEP);
		}
		at = now(d);
	}
}

void disk_init(struct disk *d, bool direct)
{
	d->device = (struct device){
		.look_up = look_up,
		.create = direct ? create_in_place : create_in_stage,
		.rename = direct ? NULL : move_into_place,
		.evict = evict,
		.now = now,
		.wait = wait_until,
	};
}
