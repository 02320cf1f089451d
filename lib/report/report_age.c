#include "report_age.h"

#include <inttypes.h>
#include <string.h>

#include "escape.h"
#include "number.h"

static void print_aging(FILE *f, const struct aging *a)
{
	const char *plural = a->passes == 1 ? "" : "s";
	char n[NUMBER_TEXT], m[NUMBER_TEXT], t[NUMBER_TEXT];

	if (a->created < a->passes * a->count)
		fprintf(f,
			"  aging        ended early, in pass %" PRIu64 " of "
			"%u: %s deleted and %s created\n",
			a->created / a->count + 1, a->passes,
			number_grouped(n, a->deleted),
			number_grouped(m, a->created));
	else
		fprintf(f,
			"  aging        each file replaced %u time%s: %s "
			"deleted and %s created\n",
			a->passes, plural, number_grouped(n, a->deleted),
			number_grouped(m, a->created));
	fprintf(f,
		"               in %s, apart, after all else that was timed\n",
		number_time(t, (double)a->real));
}

static void print_age(FILE *f, const struct age *a)
{
	char b[NUMBER_TEXT], n[NUMBER_TEXT];

	fprintf(f, "  age          %s", age_verdict_name(a->verdict));
	if (a->err) {
		fprintf(f, ": %s\n", strerror(a->err));
		return;
	}
	fprintf(f, ": %s for %s entries", number_bytes(b, a->bytes),
		number_grouped(n, a->entries));
	if (a->fresh_bytes)
		fprintf(f, ", %.2f times a fresh one's\n",
			(double)a->bytes / (double)a->fresh_bytes);
	else
		fprintf(f, "\n               (what a fresh one takes here is "
			   "not known)\n");
	if (a->emptied)
		fprintf(f, "               it was empty, but not new, when the "
			   "run began\n");
	if (a->sampled)
		fprintf(f,
			"               order of inodes %.2f (1: as they were "
			"created; %s sampled)\n",
			a->inode_order, number_grouped(n, a->sampled));
}

void report_age(FILE *f, const struct record *r)
{
	if (r->aging.done)
		print_aging(f, &r->aging);
	if (r->age_known)
		print_age(f, &r->age);
}

void report_age_trouble(FILE *f, const struct record *r)
{
	const struct aging *a = &r->aging;
	char name[ESCAPE_BUFFER];

	if (a->err)
		fprintf(f,
			"%s: --age: %s: %s; the directory holds names of "
			"both kinds now\n",
			r->options->tool->name, escape_short(name, a->at),
			strerror(a->err));
}
