#include "report_knees.h"

#include <string.h>

#include "number.h"

/* A directory that shrinks goes from its size at the beginning down. */
static uint64_t size_at(const struct record *r, uint64_t position)
{
	if (strcmp(r->size_is, "shrinking") != 0 || !r->count)
		return position;
	return r->count > position ? r->count - position : 0;
}

static void print_change(FILE *f, const char *what, double from, double to)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT];

	fprintf(f, "%s%s -> %s", what, number_time(a, from),
		number_time(b, to));
}

static void print_knee(FILE *f, const struct record *r, const struct knee *k)
{
	char low[NUMBER_TEXT], high[NUMBER_TEXT];

	fprintf(f, "    %s to %s: ", number_grouped(low, size_at(r, k->low)),
		number_grouped(high, size_at(r, k->high)));
	print_change(f, k->mean ? "mean " : "p50 ", k->from, k->to);
	fprintf(f, " (%+.0f %%)\n      ", (k->to / k->from - 1) * 100);
	print_change(f, "p99 ", k->p99_from, k->p99_to);
	if (k->processor_known)
		print_change(f, ", processor ", k->processor_from,
			     k->processor_to);
	fprintf(f, "\n");
	for (size_t i = 0; i < k->causes; i++)
		fprintf(f, "      %s: %s\n", cause_name(k->cause[i].kind),
			k->cause[i].text);
	if (k->causes == 0)
		fprintf(f, "      no evidence found here for a cause\n");
}

void report_knees(FILE *f, const struct record *r, unsigned int step)
{
	const struct knees *k = &r->knees[step];
	bool sized = strcmp(r->size_is, "constant") != 0;

	if (r->churn || r->command || k->count == 0)
		return;
	fprintf(f, "  knees        where the cost changes, by %s\n",
		sized ? "directory size (entries of this run)" : "position");
	for (size_t i = 0; i < k->count; i++)
		print_knee(f, r, &k->knee[i]);
}
