#include "dry_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "escape.h"
#include "number.h"

#define ENDS_SHOWN 3

static void show(const struct options *o, uint64_t position,
		 const struct name_scheme *to)
{
	uint64_t index = o->start + (order_is_observed(&o->order)
					     ? position
					     : order_at(&o->order, position));
	char name[NAME_BUFFER], shown[ESCAPE_BUFFER];

	name_make(&o->scheme, index, name);
	printf("  %20" PRIu64 "  %s", position, escape_name(shown, name));
	if (to) {
		name_make(to, index, name);
		printf(" -> %s", escape_name(shown, name));
	}
	printf("\n");
}

int dry_run(const struct options *o, const char *verb, const char *plural,
	    uint64_t count, const char *path, const struct name_scheme *to)
{
	uint64_t head = count < ENDS_SHOWN ? count : ENDS_SHOWN;
	uint64_t tail = count < 2 * ENDS_SHOWN ? head : count - ENDS_SHOWN;
	char *shown = escape_path(path), n[NUMBER_TEXT];

	printf("would %s %s %s in %s\n", verb, number_grouped(n, count), plural,
	       shown ? shown : path);
	printf("  order %s", o->order_text);
	if (o->order.kind == ORDER_RANDOM)
		printf(", seed %" PRIu64, o->seed);
	if (order_is_observed(&o->order))
		printf(" (known when the run begins; here by index)");
	if (o->staged)
		printf(", by way of a staging directory");
	printf("\n              position  name\n");
	for (uint64_t i = 0; i < head; i++)
		show(o, i, to);
	if (tail > head)
		printf("                   ...\n");
	for (uint64_t i = tail; i < count; i++)
		show(o, i, to);
	free(shown);
	return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}
