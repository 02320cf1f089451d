#include "report_layout.h"

#include <string.h>

#include "escape.h"
#include "number.h"

/* "44 made on demand in 1.2 ms", and how long each took. */
static void print_meter(FILE *f, const char *head, const char *what,
			const struct meter *m)
{
	char n[NUMBER_TEXT], sum[NUMBER_TEXT], a[NUMBER_TEXT], b[NUMBER_TEXT];
	char c[NUMBER_TEXT];

	fprintf(f, "  %-12s %s %s", head, number_grouped(n, m->latency.count),
		what);
	if (m->latency.count)
		fprintf(f, " in %s: p50 %s  p99 %s  max %s",
			number_time(sum, (double)m->latency.sum),
			number_time(a, (double)hist_quantile(&m->latency, 0.5)),
			number_time(b,
				    (double)hist_quantile(&m->latency, 0.99)),
			number_time(c, (double)m->latency.max));
	fprintf(f, "\n");
}

/* How often a directory was open already, and what holding them takes. */
static void print_parents(FILE *f, const struct record *r)
{
	const struct placing_figures *d = &r->run.directories;
	uint64_t asked = d->counts.hits + d->counts.misses;
	char n[NUMBER_TEXT], all[NUMBER_TEXT], room[NUMBER_TEXT];
	char memory[NUMBER_TEXT];

	fprintf(f,
		"  parents      %s of %s found open (%.2f %%); a worker holds "
		"%s, all %s\n",
		number_grouped(n, d->counts.hits), number_grouped(all, asked),
		asked ? 100.0 * (double)d->counts.hits / (double)asked : 0,
		number_grouped(room, r->parents),
		number_bytes(memory, d->memory));
}

void report_layout(FILE *f, const struct record *r)
{
	const struct options *o = r->options;
	char shown[ESCAPE_BUFFER];

	if (!r->laid_out)
		return;
	fprintf(f, "  layout       %s", o->layout_text);
	if (r->to_layout && strcmp(r->to_layout, o->layout_text) != 0)
		fprintf(f, " to %s", r->to_layout);
	fprintf(f, "\n");
	if (r->run.directories.memory == 0)
		return; /* a list reads them all, and holds none */
	if (r->prepared.done)
		print_meter(f, "directories", "made ahead", &r->prepared.meter);
	print_meter(f, r->prepared.done ? "" : "directories", "made on demand",
		    &r->run.directories.made);
	print_meter(f, "", "opened", &r->run.directories.opened);
	if (r->pruned.done)
		print_meter(f, "", "removed", &r->pruned.meter);
	if (r->pruned.left)
		fprintf(f,
			"  %-12s others are not empty and stay, such as %s\n",
			"", escape_short(shown, r->pruned.at));
	print_parents(f, r);
}

static void print_trouble(FILE *f, const struct record *r,
			  const struct layout_dirs *d, const char *what)
{
	char shown[ESCAPE_BUFFER];

	if (d->err)
		fprintf(f, "%s: cannot %s %s: %s\n", r->options->tool->name,
			what, escape_short(shown, d->at), strerror(d->err));
}

void report_layout_trouble(FILE *f, const struct record *r)
{
	print_trouble(f, r, &r->prepared, "make the directory ahead of");
	print_trouble(f, r, &r->pruned, "remove the directory");
}
