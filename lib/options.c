#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "number.h"
#include "options_table.h"
#include "parent.h"
#include "run.h"

#define TYPE_CHOICES "file, dir, symlink, hardlink, fifo"
#define FSYNC_CHOICES "none, file, dir, end"
#define MAX_STAGE_BATCH 65536

void usage_error(const struct tool *tool, const char *format, ...)
{
	char *text = NULL, *shown = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) >= 0)
		shown = escape_path(text);
	va_end(arguments);
	/* one line, whatever bytes the user's words are made of */
	fprintf(stderr, "%s: %s\n", tool->name,
		shown ? shown : "not enough memory to say what is wrong");
	free(shown);
	free(text);
	exit(EXIT_USAGE);
}

const char *type_name(enum entry_type type)
{
	static const char *const names[] = { "file", "dir", "symlink",
					     "hardlink", "fifo" };

	return names[type];
}

const char *type_plural(enum entry_type type)
{
	static const char *const plurals[] = { "files", "directories",
					       "symlinks", "hard links",
					       "fifos" };

	return plurals[type];
}

const char *durability_name(enum durability d)
{
	static const char *const names[] = { "none", "file", "dir", "end" };

	return names[d];
}

/* --- single values ------------------------------------------------------- */

unsigned int options_choose(const struct tool *tool, const char *option,
			    const char *choices, const char *text)
{
	size_t length = strlen(text);
	unsigned int n = 0;

	for (const char *at = choices; *at; n++) {
		size_t end = strcspn(at, ",");

		if (end == length && memcmp(at, text, length) == 0)
			return n;
		at += end;
		at += strspn(at, ", ");
	}
	usage_error(tool, "%s takes %s, not '%s'", option, choices, text);
}

static uint64_t read_count(const struct tool *tool, const char *what,
			   const char *text, uint64_t low, uint64_t high)
{
	uint64_t value;

	if (number_count(text, low, high, &value) < 0)
		usage_error(tool,
			    "%s is a number from %" PRIu64 " to %" PRIu64
			    "%s, not '%s'",
			    what, low, high,
			    high >= INT64_MAX - 1
				    ? ", such as 300000, 300k or 1M"
				    : "",
			    text);
	return value;
}

static mode_t read_mode(const struct tool *tool, const char *text)
{
	char *end;
	unsigned long mode = strtoul(text, &end, 8);

	if (end == text || *end || mode > 07777 || text[0] == '-')
		usage_error(tool,
			    "--mode takes octal permissions from 0 to 7777, "
			    "not '%s'",
			    text);
	return (mode_t)mode;
}

static void check_labels(const struct tool *tool, const char **labels)
{
	for (; labels && *labels; labels++) {
		const char *equals = strchr(*labels, '=');

		if (!equals || equals == *labels)
			usage_error(tool, "--label takes KEY=VALUE, not '%s'",
				    *labels);
	}
}

/* --- from texts to options ----------------------------------------------- */

static void set_entries(struct options *o, const struct option_texts *t)
{
	const struct tool *tool = o->tool;

	if (t->start)
		o->start =
			read_count(tool, "--start", t->start, 0, INT64_MAX - 1);
	o->name_given = t->name != NULL;
	options_set_names(o, t->name ? t->name : "hex", t->prefix);
}

void options_set_names(struct options *o, const char *name, const char *prefix)
{
	const struct tool *tool = o->tool;
	const char *why;

	o->name = name;
	o->prefix = prefix;
	if (name_parse(&o->scheme, o->name, o->prefix, &why) < 0)
		usage_error(tool, "--name %s%s%s: %s; known are %s", o->name,
			    o->prefix ? " --prefix " : "",
			    o->prefix ? o->prefix : "", why, NAME_CHOICES);
}

/* Bytes of a text that is refused for its length, too. */
#define TEXT_SHOWN 60

void options_read_layout(const struct tool *tool, const char *option,
			 const char *text, struct layout *l)
{
	const char *why;

	if (layout_parse(l, text, &why) < 0)
		usage_error(tool, "%s %.*s%s: %s; it takes %s", option,
			    TEXT_SHOWN, text,
			    strlen(text) > TEXT_SHOWN ? "..." : "", why,
			    LAYOUT_CHOICES);
}

static void set_layout(struct options *o, const struct option_texts *t)
{
	o->layout_text = t->layout ? t->layout : "flat";
	options_read_layout(o->tool, "--layout", o->layout_text, &o->layout);
	o->prepare = t->prepare;
	o->parents = PARENT_ROOM;
	o->parents_given = t->parents != NULL;
	if (t->parents)
		o->parents = (unsigned int)read_count(
			o->tool, "--parents", t->parents, 1, PARENT_MOST);
}

void options_check_layout(const struct options *o, const struct layout *l,
			  const struct name_scheme *scheme, uint64_t count)
{
	const uint64_t ends[] = { o->start, o->start + count - 1 };

	for (int i = 0; i < 2; i++) {
		char name[NAME_BUFFER], path[LAYOUT_PATH];
		size_t length = name_make(scheme, ends[i], name);

		if (layout_path(l, ends[i], name, length, path, sizeof(path)) >=
		    0)
			continue;
		if (length < layout_least_name(l))
			usage_error(o->tool,
				    "--layout: the name %s has fewer than the "
				    "%zu bytes that the layout goes by",
				    name, layout_least_name(l));
		usage_error(o->tool,
			    "--layout: the name %s would live in . or ..; "
			    "take another --name",
			    name);
	}
}

void options_check_made(const struct options *o, uint64_t count)
{
	options_check_layout(o, &o->layout, &o->scheme, count);
	if (o->prepare && !options_laid_out(o))
		usage_error(o->tool, "--prepare makes the directories of a "
				     "--layout, and flat has none");
	if (o->staged && options_laid_out(o) && o->stage_batch > o->parents)
		usage_error(o->tool,
			    "--stage-batch %u takes as many --parents: the "
			    "directories of a batch are open all at once",
			    o->stage_batch);
}

void options_tell_few_files(const struct options *o, unsigned int tables)
{
	uint64_t limit, least = parents_least(tables, &limit);

	fprintf(stderr,
		"%s: --layout takes a limit of open files (ulimit -n) of at "
		"least %" PRIu64 " here, and it is %" PRIu64 "%s\n",
		o->tool->name, least, limit,
		o->workers > 1 ? ": raise it, or take fewer --jobs"
			       : ": raise it");
}

void options_set_order(struct options *o, const char *text)
{
	o->order_text = text;
	if (order_parse(&o->order, text) < 0)
		usage_error(o->tool, "--order takes %s, not '%s'",
			    o->tool->orders ? o->tool->orders : ORDER_CHOICES,
			    text);
}

static void set_order(struct options *o, const struct option_texts *t)
{
	const struct tool *tool = o->tool;

	o->order_given = t->order != NULL;
	o->order_auto =
		tool->order_auto && t->order && strcmp(t->order, "auto") == 0;
	options_set_order(o,
			  t->order && !o->order_auto ? t->order : "sequential");
	o->seed = 1;
	o->seed_given = t->seed != NULL;
	if (t->seed)
		o->seed = read_count(tool, "--seed", t->seed, 0, UINT64_MAX);
	if (t->window)
		o->window =
			read_count(tool, "--window", t->window, 1, INT64_MAX);
}

static void set_stage(struct options *o, const struct option_texts *t)
{
	o->staged = t->stage != NULL;
	o->stage = t->stage && t->stage[0] ? t->stage : NULL;
	o->stage_batch = 1;
	if (!t->stage_batch)
		return;
	if (!o->staged)
		usage_error(o->tool, "--stage-batch needs --stage");
	o->stage_batch = (unsigned int)read_count(
		o->tool, "--stage-batch", t->stage_batch, 1, MAX_STAGE_BATCH);
}

static void set_work(struct options *o, const struct option_texts *t)
{
	const struct tool *tool = o->tool;

	o->type_given = t->type != NULL;
	if (t->type)
		o->type = (enum entry_type)options_choose(
			tool, "--type", TYPE_CHOICES, t->type);
	o->via_given = t->via != NULL;
	o->via = t->via;
	if (t->via && tool->via)
		options_choose(tool, "--via", tool->via, t->via);
	o->mode = o->type == TYPE_DIR ? 0700 : 0600;
	if (t->mode)
		o->mode = read_mode(tool, t->mode);
	o->durability = DURABLE_END;
	if (t->fsync)
		o->durability = (enum durability)options_choose(
			tool, "--fsync", FSYNC_CHOICES, t->fsync);
	o->workers = 1;
	o->jobs_given = t->jobs != NULL;
	if (t->jobs)
		o->workers = (unsigned int)read_count(tool, "--jobs", t->jobs,
						      1, RUN_MAX_WORKERS);
}

static void set_stopping(struct options *o, const struct option_texts *t)
{
	if (t->time && number_duration(t->time, &o->time_limit) < 0)
		usage_error(o->tool,
			    "--time takes a duration such as 90, 2s, 500ms or "
			    "1.5h, not '%s'",
			    t->time);
	o->on_error_given = t->on_error != NULL;
	o->stop_on_error = true;
	if (t->on_error)
		o->stop_on_error =
			options_choose(o->tool, "--on-error", "stop, continue",
				       t->on_error) == 0;
}

static void set_reporting(struct options *o, const struct option_texts *t)
{
	o->quiet = t->quiet;
	o->progress = t->progress;
	o->dry_run = t->dry_run;
	o->json = t->json;
	o->labels = t->labels;
	check_labels(o->tool, t->labels);
	if (o->labels && !o->json)
		usage_error(o->tool, "--label goes into the record: it needs "
				     "--json FILE");
	if (t->verify)
		o->verify =
			options_choose(o->tool, "--verify", "exact, ours",
				       t->verify[0] ? t->verify : "exact") == 0
				? VERIFY_EXACT
				: VERIFY_OURS;
	if (o->quiet && o->progress)
		usage_error(o->tool, "--quiet and --progress exclude each "
				     "other");
	if (o->dry_run && o->json)
		usage_error(o->tool, "--dry-run does nothing that --json "
				     "could keep a record of");
	if (o->dry_run && o->verify)
		usage_error(o->tool, "--dry-run does nothing that --verify "
				     "could read back");
}

void options_read(struct options *o, const struct tool *tool, int argc,
		  char **argv)
{
	static struct option_texts texts;

	memset(o, 0, sizeof(*o));
	o->tool = tool;
	o->argc = argc;
	o->argv = argv;
	options_table_read(tool, &texts, argc, argv);
	o->context = texts.context;
	o->words = texts.words;
	o->arguments = texts.arguments;
	while (o->arguments && o->arguments[o->argument_count])
		o->argument_count++;
	set_entries(o, &texts);
	set_layout(o, &texts);
	set_order(o, &texts);
	set_stage(o, &texts);
	set_work(o, &texts);
	set_stopping(o, &texts);
	set_reporting(o, &texts);
}

/* --- positional arguments, and what depends on them ---------------------- */

void options_expect(const struct options *o, unsigned int least,
		    unsigned int most)
{
	if (o->argument_count < least)
		usage_error(o->tool,
			    "too few arguments; usage: %s [OPTIONS] "
			    "%s (see --help)",
			    o->tool->name, o->tool->arguments);
	if (o->argument_count > most)
		usage_error(o->tool,
			    "'%s' is one argument too many; usage: "
			    "%s [OPTIONS] %s (see --help)",
			    o->arguments[most], o->tool->name,
			    o->tool->arguments);
}

uint64_t options_count(const struct options *o, unsigned int place)
{
	uint64_t count =
		read_count(o->tool, "COUNT", o->arguments[place], 1, INT64_MAX);

	if (count > (uint64_t)INT64_MAX - o->start)
		usage_error(o->tool,
			    "--start %" PRIu64 " and COUNT %" PRIu64
			    " together are over %" PRIu64,
			    o->start, count, (uint64_t)INT64_MAX);
	if (name_longest(&o->scheme, o->start + count - 1) > NAME_MAX)
		usage_error(o->tool,
			    "--name %s makes names of over 255 bytes for "
			    "COUNT %" PRIu64,
			    o->name, count);
	return count;
}

void options_check_window(const struct options *o)
{
	if (o->window && o->order.kind != ORDER_INODE &&
	    o->order.kind != ORDER_HASH)
		usage_error(o->tool,
			    "--window bounds what is sorted; --order %s sorts "
			    "nothing",
			    o->order_text);
}

void options_bind_order(struct options *o, uint64_t count, bool entries_exist)
{
	if (!entries_exist &&
	    (o->order.kind == ORDER_READDIR || o->order.kind == ORDER_INODE))
		usage_error(o->tool,
			    "--order %s is an order of entries that exist; "
			    "%s makes new ones: use sequential, reverse, "
			    "random, stride:K, interleave:K or hash",
			    o->order_text, o->tool->name);
	if (o->order.kind == ORDER_HASH && options_laid_out(o))
		usage_error(o->tool,
			    "--order hash is the order of one directory, and "
			    "--layout %s has many: use readdir or inode",
			    o->layout_text);
	options_check_window(o);
	order_bind(&o->order, count, o->seed);
}
