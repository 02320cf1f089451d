/* compare: records of many runs as a table: A, B/A, C/A ... */
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comparison_head.h"
#include "comparison_print.h"
#include "descriptors.h"
#include "escape.h"
#include "number.h"
#include "options.h"
#include "options_table.h"
#include "output.h"

#define FORMATS "text, markdown, csv, html"
#define MOST_METRICS 32

struct own {
	const char **by, **metric;
	const char *baseline, *format, *seed;
};

struct request {
	const struct tool *tool;
	const char **file; /* ends with NULL */
	const char **by; /* the same, or NULL */
	const struct metric *metric[MOST_METRICS + 1];
	char *baseline_key, *baseline_value; /* NULL: none asked for */
	unsigned int format; /* place in FORMATS */
	uint64_t seed;
};

/* --- options ------------------------------------------------------------- */

static const struct metric *find_metric(const struct tool *tool,
					const char *name)
{
	for (const struct metric *m = metrics; m->name; m++)
		if (strcmp(m->name, name) == 0)
			return m;
	usage_error(tool, "--metric takes %s, not '%s'", METRIC_CHOICES, name);
}

static void choose_metrics(struct request *r, const char **names)
{
	size_t used = 0;

	for (const struct metric *m = metrics; !names && m->name; m++)
		if (m->usual)
			r->metric[used++] = m;
	for (; names && *names; names++) {
		if (used == MOST_METRICS)
			usage_error(r->tool, "--metric was given too often");
		r->metric[used++] = find_metric(r->tool, *names);
	}
}

static void split_baseline(struct request *r, const char *text)
{
	char *equals;

	r->baseline_key = strdup(text);
	equals = r->baseline_key ? strchr(r->baseline_key, '=') : NULL;
	if (!equals || equals == r->baseline_key)
		usage_error(r->tool, "--baseline takes KEY=VALUE, not '%s'",
			    text);
	*equals = '\0';
	r->baseline_value = equals + 1;
}

static void understand(struct request *r, const struct own *own)
{
	if (!r->file || !r->file[0])
		usage_error(r->tool, "which records? usage: compare [OPTIONS] "
				     "FILE... (see --help)");
	for (const char **key = own->by; key && *key; key++)
		if (!**key)
			usage_error(r->tool, "--by takes a label's name or a "
					     "path such as file_system.type");
	r->by = own->by;
	choose_metrics(r, own->metric);
	if (own->baseline)
		split_baseline(r, own->baseline);
	if (own->format)
		r->format = options_choose(r->tool, "--format", FORMATS,
					   own->format);
	r->seed = 1;
	if (own->seed && number_count(own->seed, 0, UINT64_MAX, &r->seed) < 0)
		usage_error(r->tool,
			    "--seed is a number from 0 to %" PRIu64
			    ", not '%s'",
			    UINT64_MAX, own->seed);
}

/* --- the work ------------------------------------------------------------ */

static void complain(const char *file, size_t line, const char *why)
{
	char *shown = escape_path(file);

	fflush(stdout);
	if (line)
		fprintf(stderr, "compare: %s:%zu: left out: %s\n",
			shown ? shown : file, line, why);
	else
		fprintf(stderr, "compare: %s: %s\n", shown ? shown : file, why);
	free(shown);
}

static int no_memory(void)
{
	fprintf(stderr, "compare: not enough memory\n");
	return EXIT_FAILED;
}

/* A key that no record has is a slip of the pen. */
static void check_keys(const struct request *r, const struct record_set *set)
{
	for (const char **key = r->by; key && *key; key++) {
		bool found = strcmp(*key, "file") == 0;

		for (size_t i = 0; i < set->count && !found; i++)
			found = record_has_key(&set->record[i], *key);
		if (!found)
			usage_error(r->tool,
				    "--by: no record has a label '%s', nor "
				    "anything at that path",
				    *key);
	}
}

static void put_first(const struct request *r, struct grouping *g, int err)
{
	switch (err) {
	case 0:
		return;
	case -ENOENT:
		usage_error(r->tool, "--baseline: no record has %s=%s",
			    r->baseline_key, r->baseline_value);
	case -EEXIST:
		usage_error(r->tool,
			    "--baseline: several variants have %s=%s; name one "
			    "of the %zu by what tells them apart",
			    r->baseline_key, r->baseline_value, g->variants);
	case -EINVAL:
		usage_error(r->tool,
			    "--baseline: %s is not %s in all records of that "
			    "variant; --by %s would tell them apart",
			    r->baseline_key, r->baseline_value,
			    r->baseline_key);
	default:
		exit(no_memory());
	}
}

static int print(const struct request *r, const struct comparison *c)
{
	static const enum document_format formats[] = {
		DOCUMENT_TEXT, DOCUMENT_MARKDOWN, DOCUMENT_TEXT, DOCUMENT_HTML
	};
	struct document d = { stdout, formats[r->format] };

	if (r->format != 2)
		return comparison_print(&d, c);
	comparison_left_out(stderr, c->grouping);
	comparison_csv(stdout, c);
	return 0;
}

static int compare(const struct request *r, const struct record_set *set)
{
	struct comparison c = { 0 };
	struct grouping g;
	int err;

	check_keys(r, set);
	err = grouping_make(&g, set, r->by);
	if (!err && r->baseline_key)
		put_first(r, &g,
			  grouping_baseline(&g, r->baseline_key,
					    r->baseline_value));
	if (!err)
		err = comparison_make(&c, &g, r->metric, r->seed);
	if (!err)
		err = print(r, &c);
	if (c.grouping)
		comparison_free(&c);
	grouping_free(&g);
	if (err)
		return no_memory();
	if (output_written())
		return EXIT_DONE;
	fprintf(stderr, "compare: cannot write to standard output: %s\n",
		strerror(errno));
	return EXIT_FAILED;
}

static int read_and_compare(const struct request *r)
{
	struct record_set set = { .complain = complain };
	int err = 0, code;

	for (const char **file = r->file; *file && !err; file++)
		err = record_set_read(&set, *file);
	if (err) {
		code = no_memory();
	} else if (set.count == 0) {
		fprintf(stderr, "compare: there is no record to compare\n");
		code = EXIT_FAILED;
	} else {
		code = compare(r, &set);
	}
	record_set_free(&set);
	return code;
}

int main(int argc, char **argv)
{
	static struct own own;
	const struct poptOption options[] = {
		{ "by", 0, POPT_ARG_ARGV, &own.by, 0,
		  "what tells variants apart: a label, a path such as "
		  "file_system.type or plan.order, or file; may be repeated "
		  "(the label variant, or else the file system)",
		  "KEY" },
		{ "baseline", 0, POPT_ARG_STRING, &own.baseline, 0,
		  "which variant is A (the first one met)", "KEY=VALUE" },
		{ "metric", 0, POPT_ARG_ARGV, &own.metric, 0,
		  METRIC_CHOICES "; may be repeated (all but memory)", "NAME" },
		{ "format", 0, POPT_ARG_STRING, &own.format, 0,
		  FORMATS " (text)", "FORMAT" },
		{ "seed", 0, POPT_ARG_STRING, &own.seed, 0,
		  "of the intervals' resampling (1)", "N" },
		POPT_TABLEEND
	};
	const struct tool tool = {
		.name = "compare",
		.arguments = "FILE...",
		.about = "Compare the runs whose records are in FILEs (- for "
			 "standard input): a variant's\nrepeats against those "
			 "of another.",
		.examples = "  compare runs.jsonl\n"
			    "  compare --by file_system.type --baseline "
			    "file_system.type=ext4 runs.jsonl\n"
			    "  compare --by file --metric rate --metric p99 "
			    "before.jsonl after.jsonl\n"
			    "  compare --format html runs.jsonl > runs.html\n",
		.exit_codes = "0 done, 1 there was nothing to compare, or the "
			      "result could not be\nwritten, 2 usage.",
		.own = options,
		.own_title = "What is compared, and how it is shown:",
	};
	struct request r = { .tool = &tool };
	static struct option_texts texts;
	int code;

	signal(SIGPIPE, SIG_IGN);
	descriptors_hold();
	setlocale(LC_CTYPE, "");
	options_table_own(&tool, &texts, argc, argv);
	r.file = texts.arguments;
	understand(&r, &own);
	code = read_and_compare(&r);
	free(r.baseline_key);
	return code;
}
