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
	deletion_end_look_ahead(d);
	pacer_destroy(&d->pacer);
}

void deletion_look_ahead(struct deletion *d, int dir)
{
	d->looked_ahead = d->look_ahead_wish == LOOK_AHEAD_YES ||
			  (d->look_ahead_wish == LOOK_AHEAD_AUTO && d->chosen &&
			   d->choice.look_ahead);
	if (d->looked_ahead)
		d->look_ahead_errno = -lookahead_start(&d->lookahead, dir);
}

void deletion_end_look_ahead(struct deletion *d)
{
	lookahead_stop(d->lookahead, &d->looked);
	d->lookahead = NULL;
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
