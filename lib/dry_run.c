#include "dry_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "escape.h"
#include "number.h"
#include "output.h"

#define ENDS_SHOWN 3

/* A name, after the directory of the layout that it lives in. */
static void show_name(const struct layout *l, const struct name_scheme *scheme,
		      uint64_t index)
{
	char name[NAME_BUFFER], path[LAYOUT_PATH], escaped[ESCAPE_BUFFER];
	size_t length = name_make(scheme, index, name);

	if (layout_path(l, index, name, length, path, sizeof(path)) > 0) {
		char *shown = escape_path(path);

		printf("%s/", shown ? shown : "?");
		free(shown);
	}
	printf("%s", escape_name(escaped, name));
}

static void show(const struct options *o, uint64_t position,
		 const struct dry_run_target *to)
{
	uint64_t index = o->start + (order_is_observed(&o->order)
					     ? position
					     : order_at(&o->order, position));

	printf("  %20" PRIu64 "  ", position);
	show_name(&o->layout, &o->scheme, index);
	if (to) {
		printf(" -> ");
		show_name(to->layout, to->scheme, index);
	}
	printf("\n");
}

int dry_run(const struct options *o, const char *verb, const char *plural,
	    uint64_t count, const char *path, const struct dry_run_target *to)
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
	return output_written() ? EXIT_DONE : EXIT_FAILED;
}
