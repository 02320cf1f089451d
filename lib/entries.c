#include "entries.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 4096

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)
#define DIGIT(key, shift) (((key) >> (shift)) & (DIGITS - 1))

/* Fewer entries than this are sorted faster by comparing them. */
#define FEW DIGITS

/* Doubling: realloc() of large blocks moves pages and not bytes, and pages
 * that are not used yet take no memory. */
static int grow(void **memory, size_t *room, size_t need, size_t each)
{
	size_t more = *room ? *room : FIRST_ROOM;
	void *grown;

	if (need <= *room)
		return 0;
	while (more < need)
		more *= 2;
	grown = reallocarray(*memory, more, each);
	if (!grown)
		return -ENOMEM;
	*memory = grown;
	*room = more;
	return 0;
}

static int add(struct entries *e, uint64_t key, uint64_t reference)
{
	int err = grow((void **)&e->list, &e->room, e->count + 1,
		       sizeof(*e->list));

	if (err)
		return err;
	e->list[e->count].key = key;
	e->list[e->count++].reference = reference;
	return 0;
}

int entries_add_index(struct entries *e, uint64_t key, uint64_t index)
{
	return add(e, key, index);
}

int entries_add_name(struct entries *e, uint64_t key, const char *name,
		     unsigned char type)
{
	size_t length = strlen(name) + 1, at = e->arena_used;
	int err = grow((void **)&e->arena, &e->arena_room, at + 1 + length, 1);

	if (err)
		return err;
	e->arena[at] = (char)type;
	memcpy(e->arena + at + 1, name, length);
	e->arena_used += 1 + length;
	return add(e, key, at);
}

static int compare_keys(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->reference > y->reference) - (x->reference < y->reference);
}

/* One pass of a radix sort: by DIGIT_BITS of the keys, less `least`, from
 * `shift` on. Equal digits stay in their order. */
static void scatter(const struct entry *from, struct entry *to, size_t count,
		    uint64_t least, unsigned int shift)
{
	size_t start[DIGITS] = { 0 }, at = 0;

	for (size_t i = 0; i < count; i++)
		start[DIGIT(from[i].key - least, shift)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		size_t here = start[d];

		start[d] = at;
		at += here;
	}
	for (size_t i = 0; i < count; i++)
		to[start[DIGIT(from[i].key - least, shift)]++] = from[i];
}

/*
 * Inode numbers of one directory lie close together: two passes sort a
 * million of them, in less than half the time that comparing takes. False:
 * there is no memory for the copy.
 */
static bool sort_by_digits(struct entries *e, uint64_t least, uint64_t most)
{
	struct entry *copy = reallocarray(NULL, e->count, sizeof(*copy));
	struct entry *from = e->list, *to = copy;

	if (!copy)
		return false;
	for (unsigned int shift = 0; shift < 64 && (most - least) >> shift > 0;
	     shift += DIGIT_BITS) {
		struct entry *sorted = to;

		scatter(from, to, e->count, least, shift);
		to = from;
		from = sorted;
	}
	if (from != e->list)
		memcpy(e->list, from, e->count * sizeof(*from));
	free(copy);
	return true;
}

void entries_sort(struct entries *e)
{
	/* both ways of sorting go through a copy of the list */
	size_t peak = e->count * sizeof(*e->list) * 2 + e->arena_used;
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t i = 0; i < e->count; i++) {
		if (e->list[i].key < least)
			least = e->list[i].key;
		if (e->list[i].key > most)
			most = e->list[i].key;
	}
	if (e->count < FEW || !sort_by_digits(e, least, most))
		qsort(e->list, e->count, sizeof(*e->list), compare_keys);
	if (peak > e->peak)
		e->peak = peak;
}

const char *entries_name(const struct entries *e, const struct entry *entry,
			 unsigned char *type)
{
	*type = (unsigned char)e->arena[entry->reference];
	return e->arena + entry->reference + 1;
}

void entries_clear(struct entries *e)
{
	e->count = 0;
	e->arena_used = 0;
}

void entries_free(struct entries *e)
{
	free(e->list);
	free(e->arena);
	memset(e, 0, sizeof(*e));
}
