/*
 * disk: a device whose objects are files in a directory.
 *
 * As caches do it: a lookup is an open (or a stat); an object that is missing
 * is created in a temporary directory and renamed into place.
 */
#ifndef BIGDIR_DISK_H
#define BIGDIR_DISK_H

#include "device.h"
#include "op.h"
#include "parent.h"

struct disk {
	struct device device;
	const struct operation *lookup;
	struct place place; /* of lookups, evictions, and creation if direct */
	struct place stage; /* from the temporary directory to the place */
	struct parents *parents; /* of a layout; NULL: flat */
	uint64_t cleaned; /* created, but could not be renamed: removed */
};

/* How close to its time a wait comes by sleeping, before it turns to looking
 * at the clock; ns. */
#define DISK_WAKE_EARLY 60000

/* Set up the device's functions; `direct`: without a temporary directory. The
 * other fields are the caller's. */
void disk_init(struct disk *d, bool direct);

#endif
