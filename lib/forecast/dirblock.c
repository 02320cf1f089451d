#include "dirblock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int reserve(struct dirblock *b, unsigned int count)
{
	unsigned int want = b->allocated ? b->allocated : 4;
	struct dirslot *slot;

	if (count <= b->allocated)
		return 0;
	while (want < count)
		want += want / 2;
	slot = reallocarray(b->slot, want, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	b->slot = slot;
	b->allocated = want;
	return 0;
}

int dirblock_append(struct dirblock *b, struct dirslot slot)
{
	int err = reserve(b, b->count + 1);

	if (!err)
		b->slot[b->count++] = slot;
	return err;
}

int dirblock_init(struct dirblock *b, unsigned int room)
{
	*b = (struct dirblock){ 0 };
	return dirblock_append(b, (struct dirslot){ .room = (uint16_t)room });
}

void dirblock_free(struct dirblock *b)
{
	free(b->slot);
	*b = (struct dirblock){ 0 };
}

int dirblock_add(struct dirblock *b, unsigned int need, uint32_t hash)
{
	struct dirslot *s = b->slot, *end = s + b->count;
	struct dirslot added = { .hash = hash, .need = (uint16_t)need };
	size_t at;
	int err;

	while (s < end && s->room - s->need < (int)need)
		s++;
	if (s == end)
		return -ENOSPC;
	if (s->need == 0) {
		added.room = s->room;
		*s = added;
		return 0;
	}
	at = (size_t)(s - b->slot) + 1;
	err = reserve(b, b->count + 1);
	if (err)
		return err;
	s = &b->slot[at];
	memmove(s + 1, s, (b->count - at) * sizeof(*s));
	added.room = (uint16_t)(s[-1].room - s[-1].need);
	s[-1].room = s[-1].need;
	*s = added;
	b->count++;
	return 0;
}

void dirblock_fill(struct dirblock *b, unsigned int room)
{
	unsigned int before = 0;

	for (unsigned int i = 0; i + 1 < b->count; i++)
		before += b->slot[i].room;
	b->slot[b->count - 1].room = (uint16_t)(room - before);
}

/* What is sorted instead of the entries themselves. */
struct map_entry {
	uint32_t hash;
	uint16_t place; /* index of the slot */
	uint16_t room;
};

/* The entries of b, last first, which is how the kernel lists them. */
static unsigned int make_map(const struct dirblock *b, struct map_entry *map)
{
	unsigned int count = 0;

	for (unsigned int i = b->count; i-- > 0;) {
		const struct dirslot *s = &b->slot[i];

		if (s->need)
			map[count++] = (struct map_entry){ s->hash, (uint16_t)i,
							   s->room };
	}
	return count;
}

static bool swap_if_above(struct map_entry *low, struct map_entry *high)
{
	struct map_entry tmp = *low;

	if (low->hash <= high->hash)
		return false;
	*low = *high;
	*high = tmp;
	return true;
}

/*
 * Sort by hash exactly as the kernel does (a comb sort, its gap shrinking by
 * 10/13, then a bubble sort), since neither is stable and the order among
 * equal hashes decides which entries move.
 */
static void sort_by_hash(struct map_entry *map, unsigned int count)
{
	unsigned int gap = count;
	bool swapped;

	while (gap > 2) {
		gap = gap * 10 / 13;
		if (gap == 9 || gap == 10)
			gap = 11;
		for (unsigned int i = count; i-- > gap;)
			swap_if_above(&map[i - gap], &map[i]);
	}
	do {
		swapped = false;
		for (unsigned int i = count; i-- > 1;)
			swapped |= swap_if_above(&map[i - 1], &map[i]);
	} while (swapped);
}

/*
 * The position in the sorted map from which entries move: as many as do not
 * fill more than half a block, by the room they hold rather than what they
 * need.  If all together fill less, half of them by number.
 */
static unsigned int split_point(const struct map_entry *map, unsigned int count,
				unsigned int block)
{
	/* In bytes, to halve as the kernel does. */
	unsigned int size = 0, half = block * 4 / 2;

	for (unsigned int i = count; i-- > 0;) {
		unsigned int bytes = map[i].room * 4U;

		if (size + bytes / 2 > half)
			return i + 1;
		size += bytes;
	}
	return count / 2;
}

/* Drop holes, close up what is left, and let the last reach to the end. */
static void pack(struct dirblock *b, unsigned int room)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < b->count; i++) {
		if (b->slot[i].need == 0)
			continue;
		b->slot[kept] = b->slot[i];
		b->slot[kept].room = b->slot[kept].need;
		kept++;
	}
	b->count = kept;
	dirblock_fill(b, room);
}

/* Move the entries that map names out of b into upper, as new. */
static int move_entries(struct dirblock *b, const struct map_entry *map,
			unsigned int count, struct dirblock *upper)
{
	/* And one, as an entry is about to be added to either half. */
	*upper = (struct dirblock){ .allocated = count + 1 };
	upper->slot = calloc(upper->allocated, sizeof(*upper->slot));
	if (!upper->slot)
		return -ENOMEM;
	for (unsigned int i = 0; i < count; i++) {
		struct dirslot *s = &b->slot[map[i].place];

		upper->slot[i] = *s;
		s->need = 0;
	}
	upper->count = count;
	return 0;
}

int dirblock_split(struct dirblock *b, unsigned int block, unsigned int room,
		   struct dirblock *upper, uint32_t *boundary, bool *continued)
{
	struct map_entry *map = reallocarray(NULL, b->count, sizeof(*map));
	unsigned int count, split;
	int err;

	if (!map)
		return -ENOMEM;
	count = make_map(b, map);
	if (count < 2) {
		free(map);
		return -EUCLEAN;
	}
	sort_by_hash(map, count);
	split = split_point(map, count, block);
	*boundary = map[split].hash;
	*continued = map[split - 1].hash == map[split].hash;
	err = move_entries(b, map + split, count - split, upper);
	free(map);
	if (err)
		return err;
	pack(b, room);
	pack(upper, room);
	return 0;
}
