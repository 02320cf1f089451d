#include <string.h>

#include "comparison_print.h"

static void put_text(FILE *f, const char *s)
{
	fputc('"', f);
	for (; *s; s++) {
		if (*s == '"')
			fputc('"', f);
		fputc(*s, f);
	}
	fputs("\",", f);
}

static void put_number(FILE *f, bool known, double value)
{
	if (known)
		fprintf(f, "%.9g", value);
	fputc(',', f);
}

const char *comparison_difference(const struct cell *c, size_t variant)
{
	static const char *const words[] = {
		[DIFFERENCE_NONE] = "not tested",  [DIFFERENCE_SAME] = "same",
		[DIFFERENCE_NOISE] = "noise",	   [DIFFERENCE_FEW] = "too few",
		[DIFFERENCE_REAL] = "significant",
	};

	return variant == 0 ? "baseline" : words[c->difference];
}

static void print_cell(FILE *f, const struct comparison_row *row, size_t v,
		       const struct cell *a)
{
	const struct cell *c = &row->cell[v];
	bool tested = c->difference != DIFFERENCE_NONE;
	bool spread = c->has_ratio && a->n > 1 && c->n > 1;

	fprintf(f, "%zu,", c->n);
	put_number(f, c->n > 0, c->median);
	put_number(f, c->n > 1, c->interval.low);
	put_number(f, c->n > 1, c->interval.high);
	put_number(f, c->n > 0, c->mean);
	put_number(f, c->n > 1, c->sd);
	put_number(f, c->has_ratio, c->ratio);
	put_number(f, spread, c->ratio_interval.low);
	put_number(f, spread, c->ratio_interval.high);
	put_number(f, tested, c->test.p);
	fprintf(f, "%s,%s,%s,%s\n", comparison_difference(c, v),
		!tested		? ""
		: c->test.exact ? "yes"
				: "no",
		c->best ? "yes" : "no", c->merged ? "yes" : "no");
}

static void print_row(FILE *f, const struct comparison *c,
		      const struct comparison_phase *p,
		      const struct comparison_row *row)
{
	for (size_t v = 0; v < c->grouping->variants; v++) {
		put_text(f, p->phase->name);
		put_text(f, row->operation_name ? row->operation_name : "");
		put_text(f, row->metric->name);
		put_text(f, metric_unit_name(row->metric));
		put_text(f, c->grouping->variant[v].letter);
		put_text(f, c->grouping->variant[v].name);
		print_cell(f, row, v, &row->cell[0]);
	}
}

void comparison_csv(FILE *f, const struct comparison *c)
{
	fprintf(f, "phase,operation,metric,unit,variant,description,n,median,"
		   "low,high,mean,sd,ratio,ratio_low,ratio_high,p,difference,"
		   "exact,best,merged\n");
	for (size_t i = 0; i < c->grouping->phases; i++)
		for (size_t r = 0; r < c->phase[i].rows; r++)
			print_row(f, c, &c->phase[i], &c->phase[i].row[r]);
}
