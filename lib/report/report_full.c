#include "report_full.h"

#include <inttypes.h>
#include <string.h>

#include "escape.h"
#include "number.h"

/* Lines of the table of refusals at most. */
#define ROWS 12

static void print_nominal(FILE *f, const struct record *r)
{
	uint64_t made = record_done(r), nominal = r->before.inodes_free;
	char n[NUMBER_TEXT], d[NUMBER_TEXT];

	if (!r->before.inodes_counted) {
		fprintf(f, "               (inodes are not counted here, so "
			   "there is no nominal number)\n");
		return;
	}
	fprintf(f, "               %s inodes were said to be free: ",
		number_grouped(n, nominal));
	if (made == nominal)
		fprintf(f, "as many went in\n");
	else if (made > nominal)
		fprintf(f, "%s more went in\n",
			number_grouped(d, made - nominal));
	else
		fprintf(f, "%s fewer went in\n",
			number_grouped(d, nominal - made));
}

/* The number of names in the directory when the slice began: what had gone
 * in before it. */
static void print_row(FILE *f, uint64_t before, uint64_t tried, uint64_t failed)
{
	char n[NUMBER_TEXT], t[NUMBER_TEXT];

	fprintf(f, "    %15s %15s  %9.3f %%\n", number_grouped(n, before),
		number_grouped(t, tried), 100 * (double)failed / (double)tried);
}

static size_t first_with_refusals(const struct timeline *t)
{
	size_t i = 0;

	while (i < t->used && t->slices[i].failed == 0)
		i++;
	return i;
}

static void print_refusals(FILE *f, const struct timeline *t)
{
	size_t first = first_with_refusals(t), slices = t->used - first;
	size_t rows = slices < ROWS ? slices : ROWS;
	uint64_t before = 0;

	for (size_t i = 0; i < first; i++)
		before += t->slices[i].count;
	fprintf(f, "  refusals     directory size      tried     refused\n");
	for (size_t row = 0; row < rows; row++) {
		uint64_t went_in = 0, failed = 0;

		for (size_t i = first + row * slices / rows;
		     i < first + (row + 1) * slices / rows; i++) {
			went_in += t->slices[i].count;
			failed += t->slices[i].failed;
		}
		if (went_in + failed)
			print_row(f, before, went_in + failed, failed);
		before += went_in;
	}
}

static void print_outcome(FILE *f, int err, uint64_t waited)
{
	char t[NUMBER_TEXT];

	fprintf(f, "%s, after %s\n", err ? strerror(err) : "it went in",
		number_time(t, (double)waited));
}

static void print_free_check(FILE *f, const struct record *r)
{
	const struct free_check *c = &r->free_check;
	char name[ESCAPE_BUFFER];

	if (!c->done)
		return;
	fprintf(f, "  free check   %s was deleted: %s\n",
		escape_short(name, c->deleted),
		c->delete_errno ? strerror(c->delete_errno) : "it is gone");
	if (c->delete_errno)
		return;
	fprintf(f,
		"               then %s, refused before:\n"
		"                 ",
		escape_short(name, r->run.first.name));
	print_outcome(f, c->refused_errno, c->refused_wait);
	fprintf(f, "               and %s again%s:\n                 ",
		escape_short(name, c->deleted),
		c->refused_errno ? "" : ", the other gone");
	print_outcome(f, c->deleted_errno, c->deleted_wait);
}

void report_full(FILE *f, const struct record *r)
{
	char name[ESCAPE_BUFFER];

	if (r->until == UNTIL_COUNT)
		return;
	if (r->run.end == RUN_COMPLETE) {
		fprintf(f, "  not full     all of COUNT went in\n");
		return;
	}
	if (r->run.end != RUN_FULL)
		return;
	fprintf(f, "  full         first refusal: %s, no: %" PRIu64 "%s%s\n",
		escape_short(name, r->run.first.name), r->run.first.index,
		r->explained ? ", cause " : "",
		r->explained ? r->verdict.cause_id : "");
	print_nominal(f, r);
	if (r->until == UNTIL_REFUSED) {
		fprintf(f,
			"               then on, until %d refusals came in a "
			"row: fewer than 1 %% of\n"
			"               further names would go in (at 99 %% "
			"confidence)\n",
			UNTIL_REFUSALS);
		print_refusals(f, &r->run.meter[0].by_position);
	}
	print_free_check(f, r);
	if (r->explained)
		verdict_print(f, &r->verdict);
}
