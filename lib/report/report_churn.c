#include "report_churn.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "number.h"

/* --- the cache ----------------------------------------------------------- */

static void print_cache(FILE *f, const struct record *r)
{
	const struct churn_options *o = r->churn->options;
	char n[NUMBER_TEXT], k[NUMBER_TEXT], b[NUMBER_TEXT];

	fprintf(f, "  cache        %s objects at most, %s, %s layout\n",
		number_grouped(n, o->capacity), policy_name(o->policy),
		r->options->layout_text);
	fprintf(f, "               %.1f bytes of memory an object, %s in all\n",
		(double)r->churn->policy_bytes / (double)o->capacity,
		number_bytes(b, r->churn->policy_bytes));
	fprintf(f, "  requests     for %s keys, %s, seed %" PRIu64 "\n",
		number_grouped(k, o->keys), o->popularity, r->options->seed);
	fprintf(f, "  work         1 worker, lookups by %s, files of 0 bytes\n",
		o->lookup_open ? "open" : "stat");
	fprintf(f, "               created %s\n",
		o->direct ? "in place"
			  : "in a temporary directory, renamed into place");
}

/* What independent requests scatter by, as the theory takes them to be. */
static double chance(const struct churn_counts *n, double ratio)
{
	double lookups = (double)(n->hits + n->misses);

	return lookups > 0 ? sqrt(ratio * (1 - ratio) / lookups) : 0;
}

static void print_hits(FILE *f, const struct churn_result *c)
{
	const struct churn_counts *n = &c->figures.counts;
	const struct hit_theory *t = &c->theory;
	double ratio = churn_hit_ratio(n);

	if (n->hits + n->misses == 0)
		return;
	fprintf(f, "  hit ratio    %.4f%s\n", ratio,
		c->warm ? "" : ", of the warm-up");
	if (!c->warm)
		return;
	fprintf(f, "               %.4f by theory (%s):\n", t->hit_ratio,
		t->by);
	fprintf(f,
		"               %+.4f off; chance alone makes %.4f (one sd)\n",
		ratio - t->hit_ratio, chance(n, t->hit_ratio));
}

static void print_warm_up(FILE *f, const struct churn_result *c)
{
	char n[NUMBER_TEXT], t[NUMBER_TEXT];

	if (!c->warm || c->warm_up.requests == 0) {
		fprintf(f, "  warm-up      none%s\n",
			c->warm ? ": the figures may not be of a steady state"
				: " was finished");
		return;
	}
	fprintf(f, "  warm-up      %s requests in %s%s, apart\n",
		number_grouped(n, c->warm_up.requests),
		number_time(t, (double)c->warm_up_real),
		c->options->warm_up_full ? ", until the cache was full" : "");
}

static void print_books(FILE *f, const struct churn_result *c)
{
	const struct churn_counts *n = &c->total;
	char a[NUMBER_TEXT], b[NUMBER_TEXT], d[NUMBER_TEXT], e[NUMBER_TEXT];

	fprintf(f, "  books        %s: %s objects = %s taken up\n",
		churn_books_agree(c) ? "they agree" : "THEY DO NOT AGREE",
		number_grouped(a, c->objects), number_grouped(b, c->resumed));
	fprintf(f, "               + %s created - %s evicted\n",
		number_grouped(d, n->created), number_grouped(e, n->evicted));
	if (n->found || n->lost)
		fprintf(f,
			"               + %s that were there, - %s that were "
			"gone: others are at work\n",
			number_grouped(a, n->found),
			number_grouped(b, n->lost));
	fprintf(f,
		"               of %s requests, %s were hits and %s "
		"misses\n",
		number_grouped(a, n->requests), number_grouped(b, n->hits),
		number_grouped(d, n->misses));
	if (c->resumed)
		fprintf(f,
			"               (taken up in order of creation, those "
			"of equal times by key%s)\n",
			c->options->policy == POLICY_LRU
				? ";\n               that of use is not known"
				: "");
}

/* What --resume found but what it took up. */
static void print_held(FILE *f, const struct churn_result *c)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT];

	if (c->held.surplus)
		fprintf(f,
			"               (%s more than the capacity were "
			"evicted "
			"first)\n",
			number_grouped(a, c->held.surplus));
	if (c->held.others)
		fprintf(f,
			"               (%s names here are no objects of this "
			"run)\n",
			number_grouped(a, c->held.others));
	if (c->stages.removed)
		fprintf(f,
			"               (%s staging directories of killed runs "
			"removed, with %s files)\n",
			number_grouped(a, c->stages.removed),
			number_grouped(b, c->stages.files));
}

static void print_directories(FILE *f, const struct churn_result *c)
{
	const struct parents_counts *p = &c->directories;
	char a[NUMBER_TEXT], b[NUMBER_TEXT], d[NUMBER_TEXT];

	if (!c->directories_known)
		return;
	fprintf(f, "  directories  %s made, %s opened, %s found open\n",
		number_grouped(a, p->made), number_grouped(b, p->opened),
		number_grouped(d, p->hits));
	fprintf(f, "               (their making is in the latencies)\n");
}

/* --- open loop ----------------------------------------------------------- */

static void print_rate(FILE *f, const struct churn_result *c)
{
	const struct churn_figures *g = &c->figures;
	double shortfall = churn_shortfall(g);
	char a[NUMBER_TEXT], b[NUMBER_TEXT], d[NUMBER_TEXT];

	fprintf(f, "  open loop    %s per s were due, %s: %s\n",
		number_rate(a, g->rate),
		c->options->arrivals.poisson ? "poisson" : "constant",
		churn_too_short(g)		       ? "too short to say"
		: churn_held(g, c->options->slo_limit) ? "held"
						       : "NOT HELD");
	fprintf(f,
		"               %s per s answered; %.1f %% short, and %s "
		"behind "
		"at the end\n",
		number_rate(b, churn_rate(g)), 100 * shortfall,
		number_time(d, (double)g->behind));
}

static void print_slo(FILE *f, const struct churn_result *c)
{
	const struct churn_options *o = c->options;
	uint64_t requests = c->figures.counts.requests;
	char a[NUMBER_TEXT];

	if (!o->slo_text)
		return;
	fprintf(f, "  SLO          %s: ", o->slo_text);
	if (c->quantile <= o->slo_limit &&
	    (double)requests < churn_least(o->slo_part))
		fprintf(f, "too few requests to say\n");
	else
		fprintf(f, "%s, p%.12g is %s\n",
			c->quantile <= o->slo_limit ? "kept" : "NOT KEPT",
			100 * o->slo_part, number_time(a, (double)c->quantile));
}

static void print_ramp(FILE *f, const struct churn_result *c)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT], d[NUMBER_TEXT];

	if (!c->options->ramped)
		return;
	fprintf(f,
		"  ramp         due per s    answered     short     p%.12g\n",
		100 * c->options->slo_part);
	for (unsigned int i = 0; i < c->steps; i++) {
		const struct churn_step *s = &c->step[i];

		fprintf(f, "               %9s %11s %7.1f %%  %8s  %s\n",
			number_rate(a, s->rate), number_rate(b, s->answered),
			100 * s->shortfall, number_time(d, (double)s->quantile),
			s->good ? "good" : "bad");
	}
	if (c->highest > 0)
		fprintf(f, "  highest      %s per s keeps %s%s\n",
			number_rate(a, c->highest), c->options->slo_text,
			c->highest >= c->options->ramp.to
				? "; no higher one was tried"
				: "");
	else
		fprintf(f,
			"  highest      none: not even the first rate is held "
			"within %s\n",
			c->options->slo_text);
}

void report_churn(FILE *f, const struct record *r)
{
	const struct churn_result *c = r->churn;

	print_ramp(f, c);
	if (c->figures.rate > 0) {
		print_rate(f, c);
		print_slo(f, c);
	}
	print_cache(f, r);
	print_hits(f, c);
	print_warm_up(f, c);
	print_books(f, c);
	print_held(f, c);
	print_directories(f, c);
}

/* --- operations ---------------------------------------------------------- */

static void print_operation(FILE *f, const char *name, const struct hist *h)
{
	char n[NUMBER_TEXT], a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT];
	char d[NUMBER_TEXT], e[NUMBER_TEXT];

	if (h->count == 0) {
		fprintf(f, "  %-14s%13s\n", name, "0");
		return;
	}
	fprintf(f, "  %-14s%13s%10s%10s%10s%10s%10s\n", name,
		number_grouped(n, h->count),
		number_time(a, (double)hist_quantile(h, 0.5)),
		number_time(b, (double)hist_quantile(h, 0.99)),
		number_time(c, (double)hist_quantile(h, 0.999)),
		number_time(d, (double)h->max), number_time(e, hist_mean(h)));
}

unsigned int report_churn_operations(FILE *f, const struct record *r)
{
	bool open = r->churn->figures.rate > 0;
	unsigned int of = 0;

	fprintf(f, "  %-14s%13s%10s%10s%10s%10s%10s\n", "operation", "done",
		"p50", "p99", "p99.9", "max", "mean");
	for (unsigned int n = 0; n < record_kinds(r); n++) {
		const struct meter *m = record_meter(r, n);

		if (m == &r->churn->figures.meter[CHURN_RESPONSE])
			of = n;
		print_operation(f, record_kind_name(r, n), &m->latency);
	}
	fprintf(f, "  of requests, %s:\n",
		open ? "from when they were due"
		     : "one after the other, each from its beginning");
	return of;
}

void report_churn_trouble(FILE *f, const struct record *r)
{
	const struct churn_result *c = r->churn;
	const char *tool = r->options->tool->name;
	double shortfall = churn_shortfall(&c->figures);
	char a[NUMBER_TEXT];

	if (!churn_books_agree(c))
		fprintf(f,
			"%s: the books do not agree: this is a fault of "
			"churn, please report it\n",
			tool);
	if (c->rate_met || r->run.end == RUN_SIGNAL)
		return;
	if (c->options->ramped)
		fprintf(f,
			"%s: not even the first rate of --ramp is held within "
			"%s\n",
			tool, c->options->slo_text);
	else if (churn_too_short(&c->figures))
		fprintf(f,
			"%s: too short to say whether the rate is held: take "
			"more REQUESTS, or a longer --time\n",
			tool);
	else if (!churn_held(&c->figures, c->options->slo_limit))
		fprintf(f, "%s: the rate was not held: %.1f %% short\n", tool,
			100 * shortfall);
	else
		fprintf(f, "%s: --slo %s was not kept: it is %s\n", tool,
			c->options->slo_text,
			number_time(a, (double)c->quantile));
}
