#include "policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bijection.h"

#define NONE UINT32_MAX

const char *policy_name(enum policy_kind kind)
{
	static const char *const names[] = { "lru", "fifo", "random" };

	return names[kind];
}

/* Of the index; one at least stays free, where a search ends. */
static uint64_t places_for(uint32_t capacity)
{
	return (uint64_t)capacity + capacity / 2 + 1;
}

int policy_init(struct policy *p, enum policy_kind kind, uint32_t capacity,
		uint64_t seed)
{
	memset(p, 0, sizeof(*p));
	p->kind = kind;
	p->capacity = capacity;
	p->oldest = kind == POLICY_FIFO ? 0 : NONE;
	p->newest = NONE;
	p->places = places_for(capacity);
	draw_init(&p->draw, seed, DRAW_POLICY);
	p->rank = malloc(capacity * sizeof(*p->rank));
	p->index = malloc(p->places * sizeof(*p->index));
	if (kind == POLICY_LRU)
		p->link = malloc(capacity * sizeof(*p->link));
	if (!p->rank || !p->index || (kind == POLICY_LRU && !p->link))
		return -ENOMEM;
	memset(p->index, 0xFF, p->places * sizeof(*p->index));
	return 0;
}

void policy_free(struct policy *p)
{
	free(p->rank);
	free(p->index);
	free(p->link);
	memset(p, 0, sizeof(*p));
}

uint64_t policy_bytes(enum policy_kind kind, uint32_t capacity)
{
	const struct policy *p = NULL; /* for the sizes alone */
	uint64_t each = sizeof(*p->rank);

	if (kind == POLICY_LRU)
		each += sizeof(*p->link);
	return capacity * each + places_for(capacity) * sizeof(*p->index);
}

/* --- the index: linear probing ------------------------------------------- */

static uint64_t home(const struct policy *p, uint32_t rank)
{
	return (uint64_t)((unsigned __int128)bijection_hash(rank) * p->places >>
			  64);
}

static uint64_t after(const struct policy *p, uint64_t place)
{
	return place + 1 == p->places ? 0 : place + 1;
}

/* Where the rank is, or the free place where it would go. */
static uint64_t find(const struct policy *p, uint32_t rank)
{
	uint64_t at = home(p, rank);

	while (p->index[at] != NONE && p->rank[p->index[at]] != rank)
		at = after(p, at);
	return at;
}

/* Steps from one place on to another. */
static uint64_t distance(const struct policy *p, uint64_t from, uint64_t to)
{
	return to >= from ? to - from : to + p->places - from;
}

/* Free a place, and let those that were pushed beyond it move up, so that no
 * search ends too early. */
static void take_out(struct policy *p, uint64_t hole)
{
	uint64_t at = hole;

	for (;;) {
		uint64_t wanted;

		at = after(p, at);
		if (p->index[at] == NONE)
			break;
		wanted = home(p, p->rank[p->index[at]]);
		if (distance(p, wanted, at) < distance(p, hole, at))
			continue;
		p->index[hole] = p->index[at];
		hole = at;
	}
	p->index[hole] = NONE;
}

/* --- the order of use ---------------------------------------------------- */

static void unlink_slot(struct policy *p, uint32_t slot)
{
	const struct policy_link *l = &p->link[slot];

	if (l->older == NONE)
		p->oldest = l->newer;
	else
		p->link[l->older].newer = l->newer;
	if (l->newer == NONE)
		p->newest = l->older;
	else
		p->link[l->newer].older = l->older;
}

static void link_newest(struct policy *p, uint32_t slot)
{
	p->link[slot] = (struct policy_link){ p->newest, NONE };
	if (p->newest == NONE)
		p->oldest = slot;
	else
		p->link[p->newest].newer = slot;
	p->newest = slot;
}

bool policy_use(struct policy *p, uint32_t rank)
{
	uint32_t slot = p->index[find(p, rank)];

	if (slot == NONE)
		return false;
	if (p->kind == POLICY_LRU && slot != p->newest) {
		unlink_slot(p, slot);
		link_newest(p, slot);
	}
	return true;
}

/* The slot of the object that must go. Those of fifo are filled in turn, and
 * so become free in turn. */
static uint32_t choose_victim(struct policy *p)
{
	uint32_t slot;

	if (p->kind == POLICY_RANDOM)
		return (uint32_t)draw_below(&p->draw, p->count);
	slot = p->oldest;
	if (p->kind == POLICY_LRU)
		unlink_slot(p, slot);
	else
		p->oldest = slot + 1 == p->capacity ? 0 : slot + 1;
	return slot;
}

bool policy_add(struct policy *p, uint32_t rank, uint32_t *victim)
{
	bool full = p->count == p->capacity;
	uint32_t slot = full ? choose_victim(p) : p->count++;

	if (full) {
		*victim = p->rank[slot];
		take_out(p, find(p, *victim));
	}
	p->rank[slot] = rank;
	p->index[find(p, rank)] = slot;
	if (p->kind == POLICY_LRU)
		link_newest(p, slot);
	return full;
}
