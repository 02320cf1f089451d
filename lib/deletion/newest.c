#include "newest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64

void newest_init(struct newest *n, uint64_t keep)
{
	memset(n, 0, sizeof(*n));
	n->keep = keep;
}

void newest_free(struct newest *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->heap[i].name);
	free(n->heap);
	memset(n, 0, sizeof(*n));
}

bool dated_older(const struct dated *a, const struct dated *b)
{
	if (a->modified.tv_sec != b->modified.tv_sec)
		return a->modified.tv_sec < b->modified.tv_sec;
	if (a->modified.tv_nsec != b->modified.tv_nsec)
		return a->modified.tv_nsec < b->modified.tv_nsec;
	return strcmp(a->name, b->name) < 0;
}

static void swap(struct newest *n, size_t a, size_t b)
{
	struct dated t = n->heap[a];

	n->heap[a] = n->heap[b];
	n->heap[b] = t;
}

static void rise(struct newest *n, size_t at)
{
	while (at > 0 && dated_older(&n->heap[at], &n->heap[(at - 1) / 2])) {
		swap(n, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
}

static void sink(struct newest *n)
{
	size_t at = 0, oldest = 0;

	for (;;) {
		for (size_t i = 2 * at + 1; i <= 2 * at + 2; i++)
			if (i < n->count &&
			    dated_older(&n->heap[i], &n->heap[oldest]))
				oldest = i;
		if (oldest == at)
			return;
		swap(n, at, oldest);
		at = oldest;
	}
}

static int make_room(struct newest *n)
{
	size_t room = n->room ? n->room * 2 : FIRST_ROOM;
	struct dated *grown;

	if (n->count < n->room)
		return 0;
	grown = reallocarray(n->heap, room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	n->heap = grown;
	n->room = room;
	return 0;
}

static void note_memory(struct newest *n)
{
	uint64_t bytes = n->room * sizeof(*n->heap) + n->name_bytes;

	if (bytes > n->peak)
		n->peak = bytes;
}

static void replace_oldest(struct newest *n, const struct dated *d)
{
	char *gone = n->heap[0].name;

	n->name_bytes -= strlen(gone) + 1;
	n->heap[0] = *d;
	sink(n);
	free(gone);
}

int newest_offer(struct newest *n, const char *name,
		 const struct timespec *modified)
{
	struct dated d = { *modified, (char *)(uintptr_t)name };
	bool full = n->count == n->keep;
	int err;

	if (full && !dated_older(&n->heap[0], &d))
		return 0;
	err = full ? 0 : make_room(n);
	if (err)
		return err;
	d.name = strdup(name);
	if (!d.name)
		return -ENOMEM;
	n->name_bytes += strlen(name) + 1;
	if (full) {
		replace_oldest(n, &d);
	} else {
		n->heap[n->count] = d;
		rise(n, n->count++);
	}
	note_memory(n);
	return 0;
}

const struct dated *newest_oldest(const struct newest *n)
{
	return n->count == n->keep ? &n->heap[0] : NULL;
}
