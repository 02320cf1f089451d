#include "comparison_head.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "record_name.h"

#define MOST_LISTED 20 /* runs left out that are named */
#define LINE 512

typedef char *name_function(const struct read_record *r);

static void free_names(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

/* The different names that records have, allocated: how many, or -ENOMEM.
 * `variant`: of that one's records only, or SIZE_MAX. */
static ssize_t different(const struct grouping *g, size_t variant,
			 name_function *name, char ***names)
{
	size_t used = 0;

	*names = calloc(g->set->count + 1, sizeof(**names));
	for (size_t i = 0; *names && i < g->set->count; i++) {
		char *text;
		bool seen = false;

		if (variant != SIZE_MAX && g->place[i].variant != variant)
			continue;
		text = name(&g->set->record[i]);
		if (!text) {
			free_names(*names, used);
			return -ENOMEM;
		}
		for (size_t n = 0; n < used && !seen; n++)
			seen = strcmp((*names)[n], text) == 0;
		if (seen)
			free(text);
		else
			(*names)[used++] = text;
	}
	return *names ? (ssize_t)used : -ENOMEM;
}

/* --- machines ------------------------------------------------------------ */

static int print_machines(const struct document *d, const struct grouping *g)
{
	char **names, line[LINE];
	ssize_t count = different(g, SIZE_MAX, record_machine, &names);

	if (count < 0)
		return (int)count;
	document_heading(d, count > 1 ? "Machines" : "Machine");
	document_list_begin(d);
	for (ssize_t i = 0; i < count; i++)
		document_item(d, "", names[i]);
	document_list_end(d);
	if (count > 1) {
		snprintf(line, sizeof(line),
			 "Warning: the records come from %zd different "
			 "machines, kernels or memory limits. What differs "
			 "between variants may be these.",
			 count);
		document_paragraph(d, line);
	}
	free_names(names, (size_t)count);
	return 0;
}

/* --- variants ------------------------------------------------------------ */

/* The variant's name, how many runs, and the file system they were on. */
static int print_variant(const struct document *d, const struct grouping *g,
			 size_t v)
{
	const struct variant *variant = &g->variant[v];
	char **names, *line, more[64] = "";
	ssize_t count = different(g, v, record_file_system, &names);
	int length;

	if (count < 0)
		return (int)count;
	if (count > 1)
		snprintf(more, sizeof(more), " (and %zd more, which differ)",
			 count - 1);
	length = asprintf(&line, "%s: %zu run%s%s; %s%s", variant->name,
			  variant->runs, variant->runs == 1 ? "" : "s",
			  variant->left_out ? ", others left out" : "",
			  names[0], more);
	free_names(names, (size_t)count);
	if (length < 0)
		return -ENOMEM;
	document_item(d, variant->letter, line);
	free(line);
	return 0;
}

static int print_variants(const struct document *d, const struct grouping *g)
{
	int err = 0;

	document_heading(d, "Variants");
	document_list_begin(d);
	for (size_t v = 0; v < g->variants && !err; v++)
		err = print_variant(d, g, v);
	document_list_end(d);
	return err;
}

/* --- left out ------------------------------------------------------------ */

static char *left_out_line(const struct grouping *g, size_t n)
{
	const struct read_record *r = &g->set->record[n];
	char why[64], *line;

	if (asprintf(&line, "%s:%zu, variant %s, %s: %s", r->file, r->line,
		     g->variant[g->place[n].variant].letter,
		     g->phase[g->place[n].phase].name,
		     grouping_why(r, why, sizeof(why))) < 0)
		return NULL;
	return line;
}

static size_t count_left_out(const struct grouping *g)
{
	size_t count = 0;

	for (size_t v = 0; v < g->variants; v++)
		count += g->variant[v].left_out;
	return count;
}

static int print_left_out(const struct document *d, const struct grouping *g)
{
	size_t count = count_left_out(g), shown = 0;
	char more[64];

	if (count == 0)
		return 0;
	document_heading(d, "Left out: runs that ended early or failed");
	document_list_begin(d);
	for (size_t i = 0; i < g->set->count && shown < MOST_LISTED; i++) {
		char *line;

		if (!g->place[i].left_out)
			continue;
		line = left_out_line(g, i);
		if (!line)
			return -ENOMEM;
		document_item(d, "", line);
		free(line);
		shown++;
	}
	if (count > shown) {
		snprintf(more, sizeof(more), "and %zu more", count - shown);
		document_item(d, "", more);
	}
	document_list_end(d);
	return 0;
}

void comparison_left_out(FILE *f, const struct grouping *g)
{
	for (size_t i = 0; i < g->set->count; i++) {
		char *line, *clean;

		if (!g->place[i].left_out)
			continue;
		line = left_out_line(g, i);
		clean = line ? escape_path(line) : NULL;
		if (clean)
			fprintf(f, "compare: left out: %s\n", clean);
		free(clean);
		free(line);
	}
}

int comparison_head(const struct document *d, const struct grouping *g)
{
	int err = print_machines(d, g);

	if (!err)
		err = print_variants(d, g);
	if (!err)
		err = print_left_out(d, g);
	return err;
}
