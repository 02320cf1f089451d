/* renamer: rename many entries, in place or to another directory. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptors.h"
#include "directory.h"
#include "dry_run.h"
#include "interrupt.h"
#include "job.h"
#include "number.h"
#include "options.h"

/* What new names in the same directory begin with, if nothing else is said. */
#define IN_PLACE_PREFIX "r-"

static const struct no_use no_use[] = {
	{ OPTION_TYPE, "a rename is the same for entries of every type" },
	{ OPTION_VIA, "there is one way to rename; see --over and --exchange" },
	{ OPTION_MODE, "a rename does not change permissions" },
	{ OPTION_STAGE | OPTION_STAGE_BATCH,
	  "renamer works on names that are in place; mkfiles --stage creates "
	  "and renames" },
	{ 0, NULL },
};

/* Options of its own. */
struct own {
	char *to_name, *to_prefix, *to_layout, *passes;
	int over, exchange, prune;
};

struct renaming {
	struct options o;
	struct name_scheme to_scheme;
	struct layout to_layout;
	const char *to_layout_text;
	const char *to_name, *to_prefix; /* what it was read from */
	uint64_t count, passes;
	const char *from, *to; /* directories; the same text if in place */
	bool in_place, prune;
	const struct operation *op;
};

static void read_target(struct renaming *r, const struct own *own)
{
	const struct tool *tool = r->o.tool;
	const char *name = own->to_name ? own->to_name : r->o.name;
	const char *prefix = own->to_prefix, *why;
	static char default_prefix[2 * NAME_BUFFER];

	if (!prefix && r->in_place && !own->to_name && !own->to_layout) {
		snprintf(default_prefix, sizeof(default_prefix), "%s%s",
			 IN_PLACE_PREFIX, r->o.prefix ? r->o.prefix : "");
		prefix = default_prefix;
	} else if (!prefix) {
		prefix = r->o.prefix;
	}
	r->to_name = name;
	r->to_prefix = prefix ? prefix : "";
	if (name_parse(&r->to_scheme, name, prefix, &why) < 0)
		usage_error(tool, "--to-name %s: %s; known are %s", name, why,
			    NAME_CHOICES);
	if (name_longest(&r->to_scheme, r->o.start + r->count - 1) > NAME_MAX)
		usage_error(tool, "--to-name %s makes names of over 255 bytes",
			    name);
}

static bool moves_to_layout(const struct renaming *r)
{
	return r->to_layout.kind != LAYOUT_FLAT;
}

static bool same_layout(const struct renaming *r)
{
	return memcmp(&r->o.layout, &r->to_layout, sizeof(r->to_layout)) == 0;
}

static void read_layout(struct renaming *r, const struct own *own)
{
	r->to_layout_text = own->to_layout ? own->to_layout : r->o.layout_text;
	options_read_layout(r->o.tool, "--to-layout", r->to_layout_text,
			    &r->to_layout);
	options_check_layout(&r->o, &r->o.layout, &r->o.scheme, r->count);
	options_check_layout(&r->o, &r->to_layout, &r->to_scheme, r->count);
	if (r->o.prepare && !moves_to_layout(r))
		usage_error(r->o.tool, "--prepare makes the directories of the "
				       "layout that names go to, and flat has "
				       "none");
}

/* Names looked at by refuse_meeting() at most: about two seconds. */
#define MOST_PROBES (UINT64_C(1) << 24)

/* In one directory, an old name that is also a new one would be renamed
 * twice, or replaced. Of more names than can be looked at, evenly many. */
static void refuse_meeting(const struct renaming *r)
{
	uint64_t step = r->count / MOST_PROBES + 1, index;
	char name[NAME_BUFFER];

	for (uint64_t i = 0; i < r->count; i += step) {
		name_make(&r->to_scheme, r->o.start + i, name);
		if (name_index(&r->o.scheme, name, &index) &&
		    index >= r->o.start && index - r->o.start < r->count)
			usage_error(r->o.tool,
				    "the new name %s is an old one too: give "
				    "another --to-name or --to-prefix, or "
				    "another directory",
				    name);
	}
}

static void read_passes(struct renaming *r, const struct own *own)
{
	r->passes = 1;
	if (own->passes &&
	    number_count(own->passes, 1, 1000000, &r->passes) < 0)
		usage_error(r->o.tool,
			    "--passes is a number from 1 to 1000000, not '%s'",
			    own->passes);
}

static void choose_operation(struct renaming *r, const struct own *own)
{
	if (own->over && own->exchange)
		usage_error(r->o.tool, "--over and --exchange exclude each "
				       "other");
	if (own->over && r->passes > 1)
		usage_error(r->o.tool, "--over leaves nothing to go back to, "
				       "so it excludes --passes");
	r->op = own->over	? &op_rename_over
		: own->exchange ? &op_exchange
				: &op_rename;
}

static void read_plan(struct renaming *r, const struct own *own)
{
	options_expect(&r->o, 2, 3);
	r->count = options_count(&r->o, 0);
	r->from = r->o.arguments[1];
	r->to = r->o.argument_count > 2 ? r->o.arguments[2] : r->from;
	r->in_place = r->o.argument_count < 3;
	if (r->o.durability == DURABLE_FILE)
		usage_error(r->o.tool, "--fsync file: a rename opens no file "
				       "to sync; use dir or end");
	options_bind_order(&r->o, r->count, true);
	read_target(r, own);
	read_layout(r, own);
	read_passes(r, own);
	choose_operation(r, own);
	r->prune = own->prune;
	if (r->prune && !options_laid_out(&r->o))
		usage_error(r->o.tool, "--prune removes the directories of the "
				       "--layout that names leave, and flat "
				       "has none");
	if (r->prune && r->passes % 2 == 0)
		usage_error(r->o.tool, "--prune removes directories that are "
				       "left for good, and an even number of "
				       "--passes leads back");
}

static bool same_file_system(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev;
}

static bool same_directory(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* After an even number of passes, or exchanges, all is where it was. */
static void plan_checks(struct job *j, const struct renaming *r, int dir,
			int to_dir)
{
	bool back = r->passes % 2 == 0;
	bool both = r->op == &op_exchange;
	/* both layouts are in one directory, and each finds the other's */
	bool elsewhere = same_directory(dir, to_dir) && !same_layout(r);
	enum check_kind moved = CHECK_PRESENT, left = CHECK_ABSENT;

	if (back || both)
		moved = CHECK_ALL;
	if (both)
		left = CHECK_ALL;
	j->checks = back && !both ? 1 : 2;
	j->check[0] = (struct job_check){
		.kind = moved,
		.dir = back ? dir : to_dir,
		.directory = back ? r->from : r->to,
		.scheme = back ? &r->o.scheme : &r->to_scheme,
		.layout = back ? &r->o.layout : &r->to_layout,
		.others_allowed = true,
		.elsewhere_allowed = elsewhere,
	};
	j->check[1] = (struct job_check){
		.kind = left,
		.dir = back ? to_dir : dir,
		.directory = back ? r->to : r->from,
		.scheme = back ? &r->to_scheme : &r->o.scheme,
		.layout = back ? &r->to_layout : &r->o.layout,
		.others_allowed = true,
		.elsewhere_allowed = elsewhere,
	};
}

static int rename_all(struct renaming *r)
{
	const struct dry_run_target to = { &r->to_scheme, &r->to_layout };
	int dir, to_dir, code;
	struct job j;

	if (r->o.dry_run && r->in_place && same_layout(r))
		refuse_meeting(r);
	if (r->o.dry_run)
		return dry_run(&r->o, "rename", "entries", r->count, r->from,
			       &to);
	dir = directory_open(r->o.tool, r->from, DIRECTORY_DELETE);
	to_dir = r->in_place
			 ? dir
			 : directory_open(r->o.tool, r->to, DIRECTORY_DELETE);
	if (!same_file_system(dir, to_dir))
		usage_error(r->o.tool,
			    "%s is on another file system than %s: entries "
			    "cannot be renamed there",
			    r->to, r->from);
	if (same_directory(dir, to_dir) && same_layout(r))
		refuse_meeting(r);
	job_init(&j, &r->o, r->from, dir, r->count);
	j.to = r->in_place ? NULL : r->to;
	j.to_name = r->to_name;
	j.to_prefix = r->to_prefix;
	j.plural = "names";
	j.to_scheme = &r->to_scheme;
	j.passes = (unsigned int)r->passes;
	j.step[0].op = r->op;
	j.step[0].place.to_dir = to_dir;
	j.to_layout_text = r->to_layout_text;
	j.prune = r->prune;
	if (moves_to_layout(r)) {
		j.step[0].to_placed = true;
		j.placing.side[PLACING_TO].layout = &r->to_layout;
		j.placing.side[PLACING_TO].base = to_dir;
		j.placing.side[PLACING_TO].make = true;
	}
	plan_checks(&j, r, dir, to_dir);
	code = job_carry_out(&j);
	if (to_dir != dir)
		close(to_dir);
	close(dir);
	return code;
}

int main(int argc, char **argv)
{
	static struct own own;
	const struct poptOption options[] = {
		{ "to-name", 0, POPT_ARG_STRING, &own.to_name, 0,
		  "scheme of the new names (that of the old ones)", "SCHEME" },
		{ "to-prefix", 0, POPT_ARG_STRING, &own.to_prefix, 0,
		  "text before every new name (in one "
		  "directory: " IN_PLACE_PREFIX " and the old one)",
		  "TEXT" },
		{ "to-layout", 0, POPT_ARG_STRING, &own.to_layout, 0,
		  "layout that the new names are in (that of the old ones)",
		  "LAYOUT" },
		{ "prune", 0, POPT_ARG_NONE, &own.prune, 0,
		  "then remove those directories of the old layout that are "
		  "empty",
		  NULL },
		{ "passes", 0, POPT_ARG_STRING, &own.passes, 0,
		  "go there and back, N ways in all (1)", "N" },
		{ "over", 0, POPT_ARG_NONE, &own.over, 0,
		  "replace entries that have the new names", NULL },
		{ "exchange", 0, POPT_ARG_NONE, &own.exchange, 0,
		  "exchange the entries of old and new names", NULL },
		POPT_TABLEEND
	};
	const struct tool tool = {
		.name = "renamer",
		.arguments = "COUNT DIR [TO]",
		.about = "Rename COUNT entries of DIR, in place or into the "
			 "directory TO.",
		.examples =
			"  renamer 300000 /mnt/a            00000000 to "
			"r-00000000, and so on\n"
			"  renamer 300000 /mnt/a /mnt/b     the same names in "
			"another directory\n"
			"  renamer 300000 /mnt/a --to-layout levels:1:2 --name "
			"hash\n"
			"  renamer 100k /mnt/a --passes 10 --order random\n"
			"  renamer 100k /mnt/new /mnt/cur --over\n",
		.fsync = "none, dir (after each), end (all once, timed apart; "
			 "the default)",
		.no_use = no_use,
		.own = options,
		.own_title = "Where to:",
	};
	struct renaming r = { 0 };

	interrupt_catch();
	descriptors_hold();
	setlocale(LC_CTYPE, "");
	options_read(&r.o, &tool, argc, argv);
	read_plan(&r, &own);
	return rename_all(&r);
}
