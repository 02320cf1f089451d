#include "block.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int block_init(struct block *b, unsigned int room, size_t longest, int two)
{
	memset(b, 0, sizeof(*b));
	b->room = room;
	b->dir = -1;
	b->stride = (longest + 1 + 7) & ~(size_t)7;
	b->index = calloc(room, sizeof(*b->index));
	b->type = calloc(room, 1);
	b->names = malloc(room * b->stride);
	if (two)
		b->to_names = malloc(room * b->stride);
	if (!b->index || !b->type || !b->names || (two && !b->to_names))
		return -ENOMEM;
	return 0;
}

void block_free(struct block *b)
{
	free(b->index);
	free(b->type);
	free(b->names);
	free(b->to_names);
	memset(b, 0, sizeof(*b));
}
