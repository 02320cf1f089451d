/*
 * aging: make a directory old, in a way that can be described and done again.
 *
 * Each pass replaces every file: one after the other, in a random order, an
 * old name is deleted and a new one created, so the directory holds as many
 * names throughout. The first pass replaces the names of `count` indices by
 * those of the next `count`, and so on, and the last pass ends with the names
 * of the beginning. Of one pass alone, each name is replaced by itself.
 */
#ifndef BIGDIR_AGING_H
#define BIGDIR_AGING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "name.h"

#define AGING_MOST 1000

struct aging {
	unsigned int passes; /* replacements for each file; 0: none */
	int dir; /* not owned */
	const struct name_scheme *scheme;
	uint64_t start, count; /* of the names that are there */
	mode_t mode;
	uint64_t seed;

	/* results */
	bool done; /* it was begun */
	uint64_t deleted, created;
	uint64_t real; /* ns */
	int err; /* positive errno that has ended it, or 0 */
	char at[NAME_BUFFER]; /* that name */
	bool interrupted;
};

/* Carry it out. Ends at the first error, or at a signal: then some names of
 * the beginning are missing, and others are there. */
void aging_run(struct aging *a);

#endif
