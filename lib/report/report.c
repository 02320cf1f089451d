#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "figure.h"
#include "number.h"
#include "report_age.h"
#include "report_churn.h"
#include "report_command.h"
#include "report_deletion.h"
#include "report_full.h"
#include "report_knees.h"
#include "report_layout.h"
#include "report_listed.h"

/* Fewer operations than this make no picture. */
#define LEAST_PICTURED 1000

static void print_headline(FILE *f, const struct record *r)
{
	const struct operation *op =
		r->operation[r->steps_apart ? 0 : r->steps - 1];
	char n[NUMBER_TEXT], t[NUMBER_TEXT], rate[NUMBER_TEXT];

	fprintf(f, "%s %s %s in %s: %s per s\n", op->did,
		number_grouped(n, record_done(r)), r->plural,
		number_time(t, (double)r->run.real),
		number_rate(rate, r->run.real ? (double)record_done(r) * 1e9 /
							(double)r->run.real
					      : 0));
}

static void print_end(FILE *f, const struct record *r)
{
	char n[NUMBER_TEXT];

	switch (r->run.end) {
	case RUN_SIGNAL:
		fprintf(f, "  ended early  by SIG%s\n",
			sigabbrev_np(r->run.signal));
		break;
	case RUN_TIME_LIMIT:
		fprintf(f, "  ended early  the time was up\n");
		break;
	case RUN_FAILED:
		fprintf(f, "  ended early  at the first failure\n");
		break;
	case RUN_UNREADABLE:
		fprintf(f, "  ended early  the directory could not be read\n");
		break;
	case RUN_FULL: /* see report_full.h */
	case RUN_COMPLETE:
		break;
	}
	if (r->run.cleaned)
		fprintf(f, "  removed      %s from the staging directory\n",
			number_grouped(n, r->run.cleaned));
}

/* --- what was done, and where -------------------------------------------- */

static void print_what(FILE *f, const struct record *r)
{
	const struct options *o = r->options;
	char line[256];

	snprintf(line, sizeof(line), "%s order", o->order_text);
	if (o->order.kind == ORDER_RANDOM)
		snprintf(line, sizeof(line), "random order, seed %" PRIu64,
			 o->seed);
	fprintf(f, "  work         %s, %u worker%s%s\n", line, o->workers,
		o->workers == 1 ? "" : "s",
		strcmp(r->plural, "files") == 0 ? ", files of 0 bytes" : "");
}

static void print_where(FILE *f, const struct record *r)
{
	const struct environment *e = &r->env;
	const struct block_device *d = &e->device;
	char *shown = escape_path(r->path ? r->path : r->directory);

	fprintf(f, "  directory    %s\n", shown ? shown : r->directory);
	free(shown);
	fprintf(f, "  file system  %s on %s",
		e->mount.type[0] ? e->mount.type : "unknown",
		e->mount.source[0] ? e->mount.source : "an unknown source");
	if (d->backing_file[0])
		fprintf(f, ", a file on %s",
			d->backing_type[0] ? d->backing_type : "another");
	fprintf(f, "\n");
	if (d->known)
		fprintf(f, "  device       %s, %s, scheduler %s\n", d->name,
			d->write_cache[0] ? d->write_cache
					  : "write cache unknown",
			d->scheduler[0] ? d->scheduler : "unknown");
	fprintf(f, "  machine      %s, %ld CPUs", e->kernel, e->cpus);
	if (e->memory) {
		char memory[NUMBER_TEXT];

		fprintf(f, ", %s memory", number_bytes(memory, e->memory));
	}
	fprintf(f, "\n");
}

/* --- figures ------------------------------------------------------------- */

static void print_times(FILE *f, const struct record *r)
{
	char real[NUMBER_TEXT], user[NUMBER_TEXT], sys[NUMBER_TEXT];
	char sync[NUMBER_TEXT];

	fprintf(f, "  time         real %s  user %s  sys %s",
		number_time(real, (double)r->run.real),
		number_time(user, (double)r->run.user),
		number_time(sys, (double)r->run.sys));
	if (r->durable.asked && r->durable.err)
		fprintf(f, "  syncfs: %s", strerror(r->durable.err));
	else if (r->durable.asked)
		fprintf(f, "  durable +%s",
			number_time(sync, (double)r->durable.ns));
	fprintf(f, "\n");
}

static void print_quantiles(FILE *f, const struct hist *h)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT], d[NUMBER_TEXT];

	fprintf(f, "  latency      p50 %s  p90 %s  p99 %s\n",
		number_time(a, (double)hist_quantile(h, 0.5)),
		number_time(b, (double)hist_quantile(h, 0.9)),
		number_time(c, (double)hist_quantile(h, 0.99)));
	fprintf(f, "               p99.9 %s  p99.99 %s  max %s\n",
		number_time(a, (double)hist_quantile(h, 0.999)),
		number_time(b, (double)hist_quantile(h, 0.9999)),
		number_time(c, (double)h->max));
	fprintf(f, "               mean %s  sd %s  min %s\n",
		number_time(a, hist_mean(h)), number_time(b, hist_sd(h)),
		number_time(d, (double)h->min));
}

static void print_change(FILE *f, const char *what, uint64_t before,
			 uint64_t after)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT];

	fprintf(f, "%s %s -> %s", what, number_grouped(a, before),
		number_grouped(b, after));
}

static void print_space(FILE *f, const struct record *r)
{
	const struct space *b = &r->before, *a = &r->after;
	char x[NUMBER_TEXT], y[NUMBER_TEXT];

	fprintf(f, "  space        directory %s -> %s\n",
		number_bytes(x, b->directory_bytes),
		number_bytes(y, a->directory_bytes));
	fprintf(f, "               ");
	if (b->inodes_counted)
		print_change(f, "free inodes", b->inodes_free, a->inodes_free);
	else
		fprintf(f, "inodes are not counted here");
	fprintf(f, "\n               ");
	print_change(f, "free blocks", b->free, a->free);
	fprintf(f, " of %s\n", number_bytes(x, b->block_size));
}

static void print_slowest(FILE *f, const struct meter *m)
{
	char latency[NUMBER_TEXT], at[NUMBER_TEXT], name[ESCAPE_BUFFER];

	fprintf(f, "  slowest      latency       at     name\n");
	for (unsigned int i = 0; i < m->slow_count; i++) {
		const struct slow_operation *s = &m->slowest[i];

		fprintf(f, "             %9s %9s     %s\n",
			number_time(latency, (double)s->latency),
			number_time(at, (double)s->start),
			escape_short(name, s->name));
	}
}

/* The directory's size at the two ends of the axis. */
static void print_rate_figure(FILE *f, const struct record *r,
			      const struct meter *m, bool utf8)
{
	const char *title = "directory size (entries of this run)";
	char none[NUMBER_TEXT], all[NUMBER_TEXT];
	uint64_t end = m->by_position.used * m->by_position.width;

	if (r->count && end > r->count * r->passes)
		end = r->count * r->passes;
	number_grouped(none, 0);
	number_grouped(all, end);
	if (strcmp(r->size_is, "growing") == 0) {
		figure_rate(f, &m->by_position, utf8, title, none, all);
	} else if (strcmp(r->size_is, "shrinking") == 0 && r->count) {
		number_grouped(none, r->count);
		number_grouped(all, r->count > end ? r->count - end : 0);
		figure_rate(f, &m->by_position, utf8, title, none, all);
	} else {
		figure_rate(f, &m->by_position, utf8, "position", none, all);
	}
}

static void print_operation(FILE *f, const struct record *r, unsigned int n)
{
	const struct meter *m = record_meter(r, n);
	bool utf8 = figure_utf8(f);
	char count[NUMBER_TEXT], total[NUMBER_TEXT];

	if (r->steps > 1)
		fprintf(f, "%s: %s, %s in all\n", r->operation[n]->name,
			number_grouped(count, m->latency.count),
			number_time(total, (double)m->latency.sum));
	if (m->latency.count == 0)
		return;
	print_quantiles(f, &m->latency);
	if (m->latency.count >= LEAST_PICTURED) {
		print_rate_figure(f, r, record_work(r, n), utf8);
		report_knees(f, r, n);
		figure_latency(f, &m->latency, utf8);
	}
	print_slowest(f, m);
}

/* --- verification -------------------------------------------------------- */

static void print_difference(FILE *f, const char *kind,
			     const struct difference *d)
{
	char n[NUMBER_TEXT], name[ESCAPE_BUFFER];

	if (d->count == 0)
		return;
	fprintf(f, "    %s %s, such as\n", number_grouped(n, d->count), kind);
	for (unsigned int i = 0; i < d->examples; i++)
		fprintf(f, "      %s\n", escape_short(name, d->example[i]));
}

static void print_check(FILE *f, const struct check *c)
{
	const struct verification *v = &c->found;
	char present[NUMBER_TEXT], wanted[NUMBER_TEXT], others[NUMBER_TEXT];
	char *shown = escape_path(c->directory);

	fprintf(f, "  verified     ");
	if (v->err) {
		fprintf(f, "not: %s cannot be read: %s\n",
			shown ? shown : c->directory, strerror(v->err));
	} else if (v->interrupted) {
		fprintf(f, "not: interrupted\n");
	} else {
		fprintf(f, "%s: %s of %s names, %s others\n",
			v->passed ? "as it should be" : "DIFFERENT",
			number_grouped(present, v->present),
			number_grouped(wanted, c->expected.present),
			number_grouped(others, v->others));
		if (v->stages)
			fprintf(f,
				"               (and %s staging directories of "
				"runs that go on)\n",
				number_grouped(others, v->stages));
		if (v->by_count_only)
			fprintf(f, "               (by count: which names went "
				   "through is not kept)\n");
	}
	print_difference(f, "missing", &v->missing);
	print_difference(f, "there twice", &v->twice);
	print_difference(f, "unexpected", &v->unexpected);
	print_difference(f, "in another place than the layout's",
			 &v->misplaced);
	free(shown);
}

static void print_checks(FILE *f, const struct record *r)
{
	for (unsigned int i = 0; i < r->checks; i++)
		print_check(f, &r->check[i]);
	if (r->not_verified)
		fprintf(f, "  verified     not: %s\n", r->not_verified);
}

/* --- the whole ----------------------------------------------------------- */

static void print_context(FILE *f, const struct record *r)
{
	print_where(f, r);
	print_times(f, r);
	print_space(f, r);
}

void report_text(FILE *f, const struct record *r)
{
	if (r->command) {
		report_command(f, r);
		print_context(f, r);
		return;
	}
	if (strcmp(r->operation[0]->name, "getdents") == 0)
		report_listed(f, r);
	else
		print_headline(f, r);
	print_end(f, r);
	report_full(f, r);
	print_checks(f, r);
	if (r->churn)
		report_churn(f, r);
	else
		print_what(f, r);
	report_deletion(f, r);
	report_layout(f, r);
	report_age(f, r);
	print_context(f, r);
	report_after(f, r);
	if (r->churn)
		print_operation(f, r, report_churn_operations(f, r));
	else
		for (unsigned int n = 0; n < r->steps; n++)
			print_operation(f, r, n);
	fprintf(f,
		"  (latencies hold one reading of the clock, %.0f ns here%s)\n",
		r->env.clock_cost,
		r->env.clock_counter ? "; the processor's counter" : "");
}

static void print_left_one(FILE *f, const struct record *r, uint64_t count,
			   const char *what, const char *name,
			   const char *because)
{
	char n[NUMBER_TEXT], shown[ESCAPE_BUFFER];

	if (count)
		fprintf(f, "%s: left alone %s %s, such as %s: %s\n",
			r->options->tool->name, number_grouped(n, count), what,
			escape_short(shown, name), because);
}

static void print_left(FILE *f, const struct record *r)
{
	const struct tree_left *l = &r->left;

	print_left_one(f, r, l->directories, "subdirectories",
		       l->directory_name, "--recursive deletes them too");
	/* a subvolume has a device number of its own, as what is mounted has */
	if (strcmp(r->env.mount.type, "btrfs") == 0)
		print_left_one(f, r, l->mounts, "subvolumes or mount points",
			       l->mount_name,
			       "see btrfs subvolume delete; what is mounted "
			       "is not touched");
	else
		print_left_one(f, r, l->mounts, "mount points", l->mount_name,
			       "what is mounted is not touched");
	print_left_one(f, r, l->unreadable, "directories", l->unreadable_name,
		       strerror(l->unreadable_errno));
}

static void print_errors(FILE *f, const struct record *r, unsigned int n)
{
	const struct meter *m = record_meter(r, n);
	char count[NUMBER_TEXT];

	for (int e = 0; e < METER_ERRNOS; e++) {
		const char *name = strerrorname_np(e);

		if (m->errors[e])
			fprintf(f, "  %s failed %s time%s: %s (%s)\n",
				record_kind_name(r, n),
				number_grouped(count, m->errors[e]),
				m->errors[e] == 1 ? "" : "s", strerror(e),
				name ? name : "unknown");
	}
}

static void print_first(FILE *f, const struct record *r)
{
	const struct run_failure *first = &r->run.first;
	const char *tool = r->options->tool->name;
	char name[ESCAPE_BUFFER];

	if (!first->err)
		return;
	if (r->run.end == RUN_UNREADABLE) {
		fprintf(f, "%s: cannot read %s: %s\n", tool, r->directory,
			strerror(first->err));
		return;
	}
	fprintf(f, "%s: %s %s", tool, record_first_operation(r),
		escape_short(name, first->directory));
	/* of a directory that could not be had, it is the name of what failed
	 */
	if (!first->directory[0] || first->op == r->operation[first->step])
		fprintf(f, "%s%s", first->directory[0] ? "/" : "",
			escape_short(name, first->name));
	fprintf(f, ": %s", strerror(first->err));
	if (first->index != NO_INDEX)
		fprintf(f, ", no: %" PRIu64, first->index);
	fprintf(f, "\n");
}

void report_trouble(FILE *f, const struct record *r)
{
	char text[NUMBER_TEXT], all[NUMBER_TEXT];

	if (r->command) {
		report_command_trouble(f, r);
		return;
	}
	if (r->missing)
		fprintf(f, "%s: %s of %s names are not in the directory\n",
			r->options->tool->name,
			number_grouped(text, r->missing),
			number_grouped(all, r->count));
	print_left(f, r);
	report_layout_trouble(f, r);
	report_age_trouble(f, r);
	/* what was asked for is told in the report, and is no trouble */
	if (r->run.end == RUN_FULL)
		return;
	print_first(f, r);
	for (unsigned int n = 0; n < record_kinds(r); n++)
		print_errors(f, r, n);
	if (r->churn)
		report_churn_trouble(f, r);
	if (r->explained)
		verdict_print(f, &r->verdict);
}
