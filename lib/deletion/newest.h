/*
 * newest: the N entries of many that were modified last, in a heap whose top
 * is the oldest of them.
 *
 * Of entries with the same time, those count as newer whose names come later
 * in byte order, so that it is N exactly, and always the same.
 *
 * Memory: 24 bytes and the name for each that is kept.
 */
#ifndef BIGDIR_NEWEST_H
#define BIGDIR_NEWEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct dated {
	struct timespec modified;
	char *name;
};

struct newest {
	struct dated *heap;
	size_t count, room;
	uint64_t keep;
	uint64_t name_bytes, peak; /* now, and of all at most */
};

/* Whether a is older than b. */
bool dated_older(const struct dated *a, const struct dated *b);

/* The `keep` latest, at least 1, are wanted. */
void newest_init(struct newest *n, uint64_t keep);
void newest_free(struct newest *n);

/* One more entry; its name is copied if it is kept. 0 or -ENOMEM. */
int newest_offer(struct newest *n, const char *name,
		 const struct timespec *modified);

/* The oldest of those kept, as long as the heap is as it is; NULL when fewer
 * than wanted were offered. */
const struct dated *newest_oldest(const struct newest *n);

#endif
