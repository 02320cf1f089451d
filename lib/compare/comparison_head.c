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

/* The different names that records have. */
struct names {
	char **name;
	size_t count;
};

static void free_names(struct names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->name[i]);
	free(n->name);
}

/* Add a name, or free it if it is there already. */
static void add_name(struct names *n, char *name)
{
	for (size_t i = 0; i < n->count; i++) {
		if (strcmp(n->name[i], name) == 0) {
			free(name);
			return;
		}
	}
	n->name[n->count++] = name;
}

/* Of all records, or those of one variant; SIZE_MAX: all. 0 or -ENOMEM;
 * free_names() in both cases. */
static int find_names(const struct grouping *g, size_t variant,
		      name_function *name, struct names *n)
{
	n->count = 0;
	n->name = calloc(g->set->count, sizeof(*n->name));
	if (!n->name)
		return -ENOMEM;
	for (size_t i = 0; i < g->set->count; i++) {
		char *text;

		if (variant != SIZE_MAX && g->place[i].variant != variant)
			continue;
		text = name(&g->set->record[i]);
		if (!text)
			return -ENOMEM;
		add_name(n, text);
	}
	return 0;
}

/* --- machines ------------------------------------------------------------ */

static void show_machines(const struct document *d, const struct names *n)
{
	char line[LINE];

	document_heading(d, n->count > 1 ? "Machines" : "Machine");
	document_list_begin(d);
	for (size_t i = 0; i < n->count; i++)
		document_item(d, "", n->name[i]);
	document_list_end(d);
	if (n->count < 2)
		return;
	snprintf(line, sizeof(line),
		 "Warning: the records come from %zu different machines, "
		 "kernels or memory limits. What differs between variants may "
		 "be these.",
		 n->count);
	document_paragraph(d, line);
}

static int print_machines(const struct document *d, const struct grouping *g)
{
	struct names n;
	int err = find_names(g, SIZE_MAX, record_machine, &n);

	if (!err)
		show_machines(d, &n);
	free_names(&n);
	return err;
}

/* --- variants ------------------------------------------------------------ */

/* The variant's name, how many runs, and the file system they were on. */
static int show_variant(const struct document *d, const struct variant *v,
			const struct names *n)
{
	char *line, more[64] = "";

	if (n->count > 1)
		snprintf(more, sizeof(more), " (and %zu more, which differ)",
			 n->count - 1);
	if (asprintf(&line, "%s: %zu run%s%s; %s%s", v->name, v->runs,
		     v->runs == 1 ? "" : "s",
		     v->left_out ? ", others left out" : "", n->name[0],
		     more) < 0)
		return -ENOMEM;
	document_item(d, v->letter, line);
	free(line);
	return 0;
}

static int print_variant(const struct document *d, const struct grouping *g,
			 size_t v)
{
	struct names n;
	int err = find_names(g, v, record_file_system, &n);

	if (!err)
		err = show_variant(d, &g->variant[v], &n);
	free_names(&n);
	return err;
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
