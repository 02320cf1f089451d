#include "comparison_print.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comparison_head.h"
#include "escape.h"

/* What the tables have shown, so that no mark is explained that is not
 * there. */
struct shown {
	bool percentile, best, same, noise, few, merged, absolute, normal;
};

#define RATIO 16

/* Three digits or more after the point of small ratios. */
static char *ratio_text(char buf[RATIO], double ratio)
{
	int digits = ratio < 0.1 ? 4 : ratio < 10 ? 3 : ratio < 100 ? 1 : 0;

	if (ratio >= 1e9)
		snprintf(buf, RATIO, "%.1e", ratio);
	else
		snprintf(buf, RATIO, "%.*f", digits, ratio);
	return buf;
}

/* The unit once: "1.20..1.26 s" when both ends have the same. */
static void join_interval(char *buf, size_t room, const char *low,
			  const char *high)
{
	const char *a = strrchr(low, ' '), *b = strrchr(high, ' ');

	if (a && b && strcmp(a, b) == 0)
		snprintf(buf, room, "%.*s..%s", (int)(a - low), low, high);
	else
		snprintf(buf, room, "%s..%s", low, high);
}

static void interval_text(char *buf, size_t room,
			  const struct comparison_row *row, size_t v)
{
	const struct cell *c = &row->cell[v];
	char low[METRIC_TEXT], high[METRIC_TEXT];

	if (c->n < 2 || (c->has_ratio && row->cell[0].n < 2)) {
		snprintf(buf, room, "-");
		return;
	}
	if (v > 0 && c->has_ratio)
		join_interval(buf, room, ratio_text(low, c->ratio_interval.low),
			      ratio_text(high, c->ratio_interval.high));
	else
		join_interval(buf, room,
			      metric_text(low, row->metric, c->interval.low),
			      metric_text(high, row->metric, c->interval.high));
}

/* Marks take the same room in every cell, so that figures stand in line. */
static void marks(char buf[3], const struct cell *c, size_t v,
		  struct shown *shown)
{
	char difference = ' ';

	if (c->merged)
		difference = 'm';
	else if (v > 0 && c->difference == DIFFERENCE_SAME)
		difference = '=';
	else if (v > 0 && c->difference == DIFFERENCE_NOISE)
		difference = '~';
	else if (v > 0 && c->difference == DIFFERENCE_FEW)
		difference = '?';
	shown->merged |= c->merged;
	shown->same |= difference == '=';
	shown->noise |= difference == '~';
	shown->few |= difference == '?';
	shown->best |= c->best;
	snprintf(buf, 3, "%c%c", c->best ? '*' : ' ', difference);
}

/* Standard deviation in percent of the mean, and p. */
static void spread_text(char *buf, size_t room, const struct cell *c, size_t v)
{
	int used;

	if (c->n < 2 || c->mean == 0)
		used = snprintf(buf, room, "-");
	else
		used = snprintf(buf, room, "%.1f %%",
				100 * c->sd /
					(c->mean < 0 ? -c->mean : c->mean));
	if (v > 0 && c->difference > DIFFERENCE_SAME)
		snprintf(buf + used, room - (size_t)used,
			 c->test.p < 0.0001 ? ", <.0001" : ", %.2g", c->test.p);
}

static int fill_cell(struct table *t, size_t at,
		     const struct comparison_row *row, size_t v,
		     struct shown *shown)
{
	const struct cell *c = &row->cell[v];
	char value[METRIC_TEXT], mark[3], interval[2 * METRIC_TEXT + 2];
	char spread[40];

	if (c->n == 0)
		return table_set(t, at, v + 1, "-  \n-  \n-  ");
	if (v > 0 && c->has_ratio) {
		ratio_text(value, c->ratio);
	} else {
		metric_text(value, row->metric, c->median);
		shown->absolute |= v > 0;
	}
	shown->percentile |= row->metric->part > 0;
	shown->normal |= c->difference != DIFFERENCE_NONE && !c->test.exact;
	marks(mark, c, v, shown);
	interval_text(interval, sizeof(interval), row, v);
	spread_text(spread, sizeof(spread), c, v);
	return table_set(t, at, v + 1, "%s %s\n%s   \n%s   ", value, mark,
			 interval, spread);
}

static int fill_row(struct table *t, size_t at,
		    const struct comparison_row *row, size_t variants,
		    struct shown *shown)
{
	char name[ESCAPE_BUFFER];
	int err;

	err = table_set(t, at, 0, "%s%s%s\n  95 %% interval\n  sd%s",
			row->metric->title, row->operation_name ? ", " : "",
			row->operation_name
				? escape_short(name, row->operation_name)
				: "",
			variants > 1 ? ", p" : "");
	for (size_t v = 0; v < variants && !err; v++)
		err = fill_cell(t, at, row, v, shown);
	return err;
}

static int fill_titles(struct table *t, const struct comparison *c,
		       const struct comparison_phase *p)
{
	const struct variant *variant = c->grouping->variant;
	int err = 0;

	for (size_t v = 0; v < c->grouping->variants && !err; v++)
		err = table_set(t, 0, v + 1, "%s%s%s   \nn = %zu   ",
				variant[v].letter, v ? "/" : "",
				v ? variant[0].letter : "", p->runs[v]);
	return err;
}

static int print_phase(const struct document *d, const struct comparison *c,
		       const struct comparison_phase *p, struct shown *shown)
{
	size_t variants = c->grouping->variants;
	struct table t;
	int err;

	document_heading(d, p->phase->name);
	if (p->rows == 0) {
		document_paragraph(d, "No run of this phase has any of these "
				      "figures.");
		return 0;
	}
	err = table_init(&t, p->rows + 1, variants + 1);
	if (!err)
		err = fill_titles(&t, c, p);
	for (size_t r = 0; r < p->rows && !err; r++)
		err = fill_row(&t, r + 1, &p->row[r], variants, shown);
	if (!err)
		document_table(d, &t);
	table_free(&t);
	return err;
}

/* --- how to read it ------------------------------------------------------ */

static void print_few(const struct document *d)
{
	char line[256];

	snprintf(line, sizeof(line),
		 "too few runs: with so many, no difference could ever be told "
		 "from noise (p < %.2g by Mann-Whitney). It takes %zu runs of "
		 "each variant, and more for small differences.",
		 STATS_LEVEL, stats_least_n());
	document_item(d, "?", line);
}

static void print_chance(const struct document *d, const struct comparison *c)
{
	char line[320];

	if (c->tests == 0)
		return;
	snprintf(line, sizeof(line),
		 "by Mann-Whitney U, two-sided, against %s. Of %zu such "
		 "tests, about %.1f would come out below %.2g by chance alone: "
		 "look "
		 "for differences that several figures show.",
		 c->grouping->variant[0].letter, c->tests,
		 STATS_LEVEL * (double)c->tests, STATS_LEVEL);
	document_item(d, "p", line);
}

static void print_legend(const struct document *d, const struct comparison *c,
			 const struct shown *s)
{
	document_heading(d, "How to read this");
	document_list_begin(d);
	document_item(
		d, "",
		c->grouping->variants > 1
			? "The first column is absolute, the others are "
			  "ratios of medians to it; each with a bootstrap "
			  "95 % interval, and the standard deviation in "
			  "percent of the mean."
			: "Medians of the runs, each with a bootstrap 95 % "
			  "interval, and the standard deviation in percent "
			  "of the mean.");
	if (s->percentile)
		document_item(d, "",
			      "Percentiles are medians of the "
			      "percentiles of the runs.");
	if (s->best)
		document_item(d, "*",
			      "the best, and what cannot be told "
			      "from it");
	if (s->same)
		document_item(d, "=", "the same in every run");
	if (s->noise)
		document_item(d, "~",
			      "noise: the difference is not larger "
			      "than chance would bring");
	if (s->few)
		print_few(d);
	if (s->merged)
		document_item(d, "m",
			      "of all runs' operations together, as "
			      "no run has enough of them for this "
			      "percentile; not tested");
	if (s->absolute)
		document_item(d, "",
			      "A figure with a unit in a column of "
			      "ratios is absolute: there is no ratio "
			      "to zero, or across it.");
	print_chance(d, c);
	if (s->normal)
		document_item(d, "",
			      "Of more than 40 runs, p is an "
			      "approximation.");
	document_list_end(d);
}

int comparison_print(const struct document *d, const struct comparison *c)
{
	struct shown shown = { 0 };
	char title[64];
	int err;

	snprintf(title, sizeof(title), "%zu runs, %zu variant%s, %zu phase%s",
		 c->grouping->set->count, c->grouping->variants,
		 c->grouping->variants == 1 ? "" : "s", c->grouping->phases,
		 c->grouping->phases == 1 ? "" : "s");
	document_begin(d, title);
	err = comparison_head(d, c->grouping);
	for (size_t i = 0; i < c->grouping->phases && !err; i++)
		err = print_phase(d, c, &c->phase[i], &shown);
	if (!err) {
		print_legend(d, c, &shown);
		document_end(d);
	}
	return err;
}
