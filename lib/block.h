/*
 * block: a few hundred names made ahead, so that the clock sees none of it.
 */
#ifndef BIGDIR_BLOCK_H
#define BIGDIR_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCK_ENTRIES 256

/* The index of a name that no scheme has made. */
#define NO_INDEX UINT64_MAX

struct block {
	uint64_t position; /* of the first entry */
	unsigned int count; /* entries in it now */
	unsigned int room; /* entries it can hold */
	size_t stride; /* bytes from one name to the next */
	uint64_t *index; /* of each, or NO_INDEX */
	unsigned char *type; /* DT_... of each, where a directory told it */
	char *names, *to_names;

	/* of a walk through a tree only */
	int dir; /* where the names are; -1: where the step says */
	unsigned int step; /* the one step that is done to them */
	void *owner; /* for the walk itself */
	bool again; /* the directory is read again: entries that are kept have
		     * been met before */
};

/* One for `room` entries with names of up to `longest` bytes, and as many
 * second names if `two`. 0 or -ENOMEM; block_free() in both cases. */
int block_init(struct block *b, unsigned int room, size_t longest, int two);
void block_free(struct block *b);

static inline char *block_name(const struct block *b, unsigned int i)
{
	return b->names + i * b->stride;
}

/* The second name, or NULL where there are none. */
static inline char *block_to(const struct block *b, unsigned int i)
{
	return b->to_names ? b->to_names + i * b->stride : NULL;
}

#endif
