/*
 * grouping: which records are repeats of one another, and what stands beside
 * what.
 *
 * A phase is a step of a workload; a variant is what is compared, such as a
 * file system. Records of one phase and one variant are repeats.
 */
#ifndef BIGDIR_GROUPING_H
#define BIGDIR_GROUPING_H

#include <stdbool.h>
#include <stddef.h>

#include "record_read.h"

struct variant {
	char letter[8]; /* "A" */
	char *name; /* what makes it: "journal=64" */
	const struct read_record *first; /* of its records; borrowed */
	size_t runs, left_out; /* used; ended early or failed */
};

struct phase {
	char *name;
	size_t operations; /* kinds, most of any record */
};

/* Where a record belongs. */
struct place_of {
	size_t variant, phase;
	bool left_out; /* it ended early or failed: no figure of it is used */
};

struct grouping {
	const struct record_set *set; /* borrowed */
	const char *const *by; /* keys, ends with NULL; or NULL */
	struct variant *variant;
	size_t variants;
	struct phase *phase;
	size_t phases;
	struct place_of *place; /* one for each record of the set */
};

/*
 * Group the records of `set`, which must outlive the result.
 *
 * Variants are told apart by the values of the keys in `by` (see
 * record_key()); without any, by the label "variant", or, of records without
 * it, by the file system's type, mount options, source (unless a loop device,
 * which may be another each time) and what the superblock says. They come in
 * the order in which they are met first.
 *
 * Phases are told apart by the label "phase", or, of records without it, by
 * tool, operations, count, order and whatever else of the plan is not the
 * default; but never by what is in `by`.
 *
 * 0 or -ENOMEM; grouping_free() in both cases.
 */
int grouping_make(struct grouping *g, const struct record_set *set,
		  const char *const *by);
void grouping_free(struct grouping *g);

/*
 * Make the variant whose records have `value` at `key` the first one. 0;
 * -ENOENT when there is none, -EEXIST when several variants have it, -EINVAL
 * when records of that variant have other values too, or -ENOMEM.
 */
int grouping_baseline(struct grouping *g, const char *key, const char *value);

/* Why a record is left out: "ended early: time-limit", "exit code 1". Static
 * or within the record. */
const char *grouping_why(const struct read_record *r, char *buf, size_t room);

#endif
