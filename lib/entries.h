/*
 * entries: names read from a directory and sorted by a number.
 *
 * An entry whose name a scheme has made is kept as key and index, 16 bytes;
 * one of another name as key and offset into an arena of names. Sorting takes
 * as many bytes again for the time it lasts.
 */
#ifndef BIGDIR_ENTRIES_H
#define BIGDIR_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

struct entry {
	uint64_t key;
	uint64_t reference; /* index, or where its name is in the arena */
};

struct entries {
	struct entry *list;
	size_t count, room;
	char *arena; /* a type byte and a name with its NUL, one by one */
	size_t arena_used, arena_room;
	size_t peak; /* bytes, sorting included */
};

/* Add an entry known by its index, or by its name and type. 0 or -ENOMEM. */
int entries_add_index(struct entries *e, uint64_t key, uint64_t index);
int entries_add_name(struct entries *e, uint64_t key, const char *name,
		     unsigned char type);

/* Sort by key, equal keys in the order in which they were added. */
void entries_sort(struct entries *e);

/* Name and type of an entry added by name. */
const char *entries_name(const struct entries *e, const struct entry *entry,
			 unsigned char *type);

/* Forget all entries but keep the memory; give the memory back. */
void entries_clear(struct entries *e);
void entries_free(struct entries *e);

#endif
