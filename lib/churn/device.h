/*
 * device: what a cache keeps its objects on, and the clock that goes with it.
 *
 * There is one on a file system (disk.h); a test may put another in its place,
 * whose operations take a known time by a clock of its own.
 */
#ifndef BIGDIR_DEVICE_H
#define BIGDIR_DEVICE_H

#include <stdint.h>

struct object {
	uint32_t rank;
	const char *name;
	/* Of the directory that it is in, as parent_find() wants it; none of
	 * it for a flat layout. */
	const char *path;
	unsigned int path_length;
	uint64_t path_hash;
};

struct device {
	/* Each returns 0 or a positive errno. */
	int (*look_up)(struct device *d, const struct object *o);
	int (*create)(struct device *d, const struct object *o);
	int (*rename)(struct device *d, const struct object *o); /* into place;
		NULL where it is created there */
	int (*evict)(struct device *d, const struct object *o);

	uint64_t (*now)(struct device *d); /* ns */
	/* Return at that time, or earlier for a signal; at once if it is
	 * past. */
	void (*wait)(struct device *d, uint64_t until);
};

#endif
