#include "comparison.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record_hist.h"

struct work {
	struct comparison *c;
	const struct grouping *g;
	size_t phase; /* that is looked at */
	uint64_t seed;
};

/* --- values -------------------------------------------------------------- */

/* The record, if it is a run of this phase and variant that counts. */
static const json_t *run_of(const struct work *w, size_t variant, size_t n)
{
	const struct place_of *p = &w->g->place[n];

	if (p->left_out || p->phase != w->phase || p->variant != variant)
		return NULL;
	return w->g->set->record[n].json;
}

static const json_t *operation_of(const json_t *record, size_t n)
{
	return json_array_get(record_at(record, "operations"), n);
}

static void collect(const struct work *w, const struct comparison_row *row,
		    size_t variant)
{
	struct cell *c = &row->cell[variant];

	for (size_t i = 0; i < w->g->set->count; i++) {
		const json_t *record = run_of(w, variant, i);
		const json_t *o = operation_of(record, row->operation);
		double value;

		if (o && row->metric->value(record, o, row->metric, &value))
			c->sorted[c->n++] = value;
	}
}

/* All runs as one, where none is long enough. */
static int merge(const struct work *w, const struct comparison_row *row,
		 size_t variant)
{
	struct hist *h = malloc(sizeof(*h));
	struct cell *c = &row->cell[variant];

	if (!h)
		return -ENOMEM;
	hist_reset(h);
	for (size_t i = 0; i < w->g->set->count; i++) {
		const json_t *record = run_of(w, variant, i);
		const json_t *o = operation_of(record, row->operation);

		if (o)
			record_hist_add(h, o);
	}
	if ((double)h->count * (1 - row->metric->part) >= 1 - 1e-9) {
		c->sorted[0] = (double)hist_quantile(h, row->metric->part);
		c->n = 1;
		c->merged = true;
	}
	free(h);
	return 0;
}

static int fill_cell(const struct work *w, const struct comparison_row *row,
		     size_t variant)
{
	struct cell *c = &row->cell[variant];
	int err = 0;

	collect(w, row, variant);
	if (c->n == 0 && row->metric->part > 0)
		err = merge(w, row, variant);
	if (err || c->n == 0)
		return err;
	stats_sort(c->sorted, c->n);
	c->median = stats_median(c->sorted, c->n);
	c->mean = stats_mean(c->sorted, c->n);
	c->sd = stats_sd(c->sorted, c->n);
	if (c->n > 1)
		err = stats_median_interval(c->sorted, c->n, w->seed,
					    &c->interval);
	return err;
}

/* --- differences --------------------------------------------------------- */

/* What two cells say about each other. */
static int test(const struct cell *a, const struct cell *b,
		enum difference_kind *kind, struct mann_whitney *m)
{
	int err;

	*kind = DIFFERENCE_NONE;
	if (a->n == 0 || b->n == 0 || a->merged || b->merged)
		return 0;
	err = stats_mann_whitney(a->sorted, a->n, b->sorted, b->n, m);
	if (err)
		return err;
	if (a->sorted[0] == b->sorted[b->n - 1] &&
	    b->sorted[0] == a->sorted[a->n - 1])
		*kind = DIFFERENCE_SAME;
	else if (stats_least_p(a->n, b->n) >= STATS_LEVEL)
		*kind = DIFFERENCE_FEW;
	else
		*kind = m->p < STATS_LEVEL ? DIFFERENCE_REAL : DIFFERENCE_NOISE;
	return 0;
}

static bool of_one_sign(const struct cell *a, const struct cell *b)
{
	if (a->n == 0 || b->n == 0)
		return false;
	return (a->sorted[0] > 0 && b->sorted[0] > 0) ||
	       (a->sorted[a->n - 1] < 0 && b->sorted[b->n - 1] < 0);
}

static int compare_with_first(struct work *w, struct cell *cell, size_t n)
{
	const struct cell *a = &cell[0];
	struct cell *b = &cell[n];
	int err = test(a, b, &b->difference, &b->test);

	if (err)
		return err;
	w->c->tests += b->difference == DIFFERENCE_NOISE ||
		       b->difference == DIFFERENCE_REAL;
	b->has_ratio = of_one_sign(a, b);
	if (!b->has_ratio)
		return 0;
	b->ratio = b->median / a->median;
	if (a->n > 1 && b->n > 1)
		err = stats_ratio_interval(a->sorted, a->n, b->sorted, b->n,
					   w->seed, &b->ratio_interval);
	return err;
}

/* Best are the one with the best median and those that cannot be told from
 * it, if there are others that can: nobody is best among equals. */
static int mark_best(struct cell *cell, size_t variants, enum metric_better how)
{
	size_t best = variants, worse = 0;

	for (size_t i = 0; i < variants; i++) {
		if (cell[i].n == 0)
			continue;
		if (best == variants ||
		    (how == BETTER_LOWER ? cell[i].median < cell[best].median
					 : cell[i].median > cell[best].median))
			best = i;
	}
	for (size_t i = 0; i < variants; i++) {
		enum difference_kind kind;
		struct mann_whitney m;
		int err = test(&cell[best % variants], &cell[i], &kind, &m);

		if (err)
			return err;
		cell[i].best = cell[i].n > 0 && !cell[i].merged &&
			       kind != DIFFERENCE_REAL;
		worse += cell[i].n > 0 && kind == DIFFERENCE_REAL;
	}
	for (size_t i = 0; i < variants; i++)
		cell[i].best = cell[i].best && worse > 0;
	return 0;
}

/* --- rows ---------------------------------------------------------------- */

static const char *operation_name(const struct work *w, size_t operation)
{
	if (w->g->phase[w->phase].operations < 2)
		return NULL;
	for (size_t i = 0; i < w->g->set->count; i++) {
		const json_t *o =
			operation_of(w->g->set->record[i].json, operation);

		if (w->g->place[i].phase == w->phase && o)
			return record_string_at(o, "operation");
	}
	return NULL;
}

static int fill_row(struct work *w, struct comparison_row *row)
{
	size_t variants = w->g->variants;
	int err = 0;

	for (size_t v = 0; v < variants && !err; v++)
		err = fill_cell(w, row, v);
	for (size_t v = 1; v < variants && !err; v++)
		err = compare_with_first(w, row->cell, v);
	if (!err && row->metric->better != BETTER_NEITHER)
		err = mark_best(row->cell, variants, row->metric->better);
	return err;
}

static bool is_empty(const struct comparison_row *row, size_t variants)
{
	for (size_t v = 0; v < variants; v++)
		if (row->cell[v].n > 0)
			return false;
	return true;
}

/* Where the values and cells of the next row go: room for a value of each run
 * that counts. A row that stays empty leaves its place to the next one. */
static void place_row(const struct work *w, const struct comparison_phase *p,
		      struct comparison_row *row)
{
	double *values = p->values + p->rows * w->g->set->count;

	row->cell = p->cells + p->rows * w->g->variants;
	memset(row->cell, 0, w->g->variants * sizeof(*row->cell));
	for (size_t v = 0; v < w->g->variants; v++) {
		row->cell[v].sorted = values;
		values += p->runs[v];
	}
}

static int add_row(struct work *w, struct comparison_phase *p,
		   const struct metric *m, size_t operation)
{
	struct comparison_row *row = &p->row[p->rows];
	int err;

	*row = (struct comparison_row){ .metric = m, .operation = operation };
	if (m->per_operation)
		row->operation_name = operation_name(w, operation);
	place_row(w, p, row);
	err = fill_row(w, row);
	if (!err && !is_empty(row, w->g->variants))
		p->rows++;
	return err;
}

static size_t kinds_of(const struct metric *m, const struct phase *p)
{
	return m->per_operation ? p->operations : 1;
}

static int make_room(const struct work *w, struct comparison_phase *p,
		     const struct metric *const *metric)
{
	size_t most = 1;

	for (; *metric; metric++)
		most += kinds_of(*metric, p->phase);
	p->runs = calloc(w->g->variants, sizeof(*p->runs));
	p->row = calloc(most, sizeof(*p->row));
	p->cells = calloc(most * w->g->variants, sizeof(*p->cells));
	p->values = calloc(most * w->g->set->count, sizeof(*p->values));
	return p->runs && p->row && p->cells && p->values ? 0 : -ENOMEM;
}

static int fill_phase(struct work *w, const struct metric *const *metric)
{
	struct comparison_phase *p = &w->c->phase[w->phase];
	int err;

	p->phase = &w->g->phase[w->phase];
	err = make_room(w, p, metric);
	if (err)
		return err;
	for (size_t i = 0; i < w->g->set->count; i++)
		if (run_of(w, w->g->place[i].variant, i))
			p->runs[w->g->place[i].variant]++;
	for (; *metric && !err; metric++)
		for (size_t o = 0; o < kinds_of(*metric, p->phase) && !err; o++)
			err = add_row(w, p, *metric, o);
	return err;
}

int comparison_make(struct comparison *c, const struct grouping *g,
		    const struct metric *const *metric, uint64_t seed)
{
	struct work w = { .c = c, .g = g, .seed = seed };
	int err = 0;

	memset(c, 0, sizeof(*c));
	c->grouping = g;
	c->phase = calloc(g->phases ? g->phases : 1, sizeof(*c->phase));
	if (!c->phase)
		return -ENOMEM;
	for (; w.phase < g->phases && !err; w.phase++)
		err = fill_phase(&w, metric);
	return err;
}

void comparison_free(struct comparison *c)
{
	for (size_t i = 0; c->phase && i < c->grouping->phases; i++) {
		struct comparison_phase *p = &c->phase[i];

		free(p->cells);
		free(p->values);
		free(p->row);
		free(p->runs);
	}
	free(c->phase);
	c->phase = NULL;
}
