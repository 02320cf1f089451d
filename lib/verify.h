/*
 * verify: does a directory hold exactly the names that it should?
 *
 * The directory is read once. The names that belong are counted and their
 * 128-bit XXH3 hashes added up, modulo 2^128; so are the hashes of the names
 * that should be there. The sums do not depend on the order and need no list
 * in memory, yet a name that is missing, wrong or there twice changes them.
 * Only when they differ, a bitmap finds out which names it is. Of a layout, all
 * its directories are read; what is in none of them, or where its levels have
 * no place for it, counts as a name that is not of these.
 */
#ifndef BIGDIR_VERIFY_H
#define BIGDIR_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"
#include "name.h"

#define VERIFY_EXAMPLES 5

struct expectation {
	const struct name_scheme *scheme;
	const struct layout *layout; /* in whose directories the names are; or
				      * NULL: in the directory itself */
	uint64_t start, count; /* names of start to start + count - 1 ... */
	uint64_t present; /* ... of which so many are there: 0, count, or
			   * any other number, when only that is known */
	bool others_allowed; /* names that are not of these may be there */
	bool elsewhere_allowed; /* names of these may be out of place, too */
};

/* A kind of difference, and the first names of it. */
struct difference {
	uint64_t count;
	unsigned int examples;
	char example[VERIFY_EXAMPLES][NAME_BUFFER];
};

struct verification {
	bool passed;
	bool by_count_only; /* which names are there was not known */
	int err; /* positive errno: it could not be found out */
	bool interrupted;
	uint64_t present; /* expected names that were found */
	uint64_t others; /* names that are not of these */
	uint64_t stages; /* staging directories of other runs that go on, which
			  * are no others; see stage_left.h */
	uint64_t digest[2], expected_digest[2]; /* high, low 64 bits */
	uint64_t directories; /* of the layout that were read */
	struct difference missing, twice, unexpected;
	struct difference misplaced; /* names of these that are where the
				      * layout does not have them */
};

/* Read the open directory and compare. What became of it is in *v. */
void verify(int dir, const struct expectation *e, struct verification *v);

#endif
