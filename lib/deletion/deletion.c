#include "deletion.h"

#include <string.h>

#include "block.h"

void deletion_init(struct deletion *d)
{
	memset(d, 0, sizeof(*d));
	pacer_init(&d->pacer, 0, 0);
}

void deletion_destroy(struct deletion *d)
{
	pacer_destroy(&d->pacer);
}

unsigned int deletion_block(const struct deletion *d)
{
	return pace_block(&d->pacer.pace,
			  d->chosen ? d->choice.block : BLOCK_ENTRIES);
}

struct pacer *deletion_pacer(struct deletion *d)
{
	return pace_is_wished(&d->pacer.pace) ? &d->pacer : NULL;
}
