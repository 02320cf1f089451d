/*
 * listing: time the reading of a directory, alone or with a lookup of each
 * entry.
 */
#ifndef BIGDIR_LISTING_H
#define BIGDIR_LISTING_H

#include "options.h"

enum list_what {
	LIST_NAMES, /* getdents64 alone */
	LIST_TYPES, /* and the type of each entry, looked up only where the
		     * directory does not tell it (d_type) */
	LIST_STAT, /* and each entry looked up */
};

struct listing {
	enum list_what what;
	const struct operation *lookup; /* how */
};

/*
 * Read the directory that the options name (default: the current one), or all
 * directories of its layout, from beginning to end; each getdents64 call is an
 * operation, and so is each lookup. Those follow each buffer that was read, or,
 * in inode order, each window of entries. Returns the exit code.
 */
int list_directory(struct options *o, const struct listing *l);

#endif
