/* statfiles: look up many names, those that exist and those that do not. */
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "descriptors.h"
#include "directory.h"
#include "dry_run.h"
#include "interrupt.h"
#include "job.h"
#include "listing.h"
#include "number.h"
#include "options.h"

#define VIA "stat, open, access, statx"

static const struct no_use no_use[] = {
	{ OPTION_TYPE, "a lookup is the same for entries of every type" },
	{ OPTION_MODE, "a lookup does not change permissions" },
	{ OPTION_PREPARE, "statfiles makes nothing" },
	{ OPTION_STAGE | OPTION_STAGE_BATCH, "statfiles creates nothing that "
					     "could be staged" },
	{ OPTION_FSYNC, "statfiles changes nothing that could be synced" },
	{ 0, NULL },
};

struct own {
	int missing;
	char *hit, *list;
};

/* What is looked up. */
struct lookups {
	uint64_t count;
	const char *path;
	bool missing; /* only names that do not exist */
	bool mixed; /* hits and misses */
	double hit; /* the share of hits */
	struct mix mix;
};

static const struct operation *choose_operation(const struct options *o,
						bool missing)
{
	static const struct operation *const present[] = { &op_stat, &op_open,
							   &op_access,
							   &op_statx };
	static const struct operation *const absent[] = { &op_stat_missing,
							  &op_open_missing,
							  &op_access_missing,
							  &op_statx_missing };
	unsigned int n = options_choose(o->tool, "--via", VIA, o->via);

	return missing ? absent[n] : present[n];
}

/* Names that do not exist are like the others, but of the COUNT indices that
 * come after them. */
static void check_beyond(const struct options *o, uint64_t count,
			 const char *option)
{
	if (order_is_observed(&o->order))
		usage_error(o->tool,
			    "--order %s is an order of entries that "
			    "exist, and %s looks up names that do not",
			    o->order_text, option);
	if (o->start + count > (uint64_t)INT64_MAX - count)
		usage_error(o->tool,
			    "%s looks up COUNT names after the last one, and "
			    "there are not so many left",
			    option);
	if (name_longest(&o->scheme, o->start + 2 * count - 1) > NAME_MAX)
		usage_error(o->tool, "%s makes names of over 255 bytes",
			    option);
}

static void move_beyond(struct options *o, uint64_t count)
{
	check_beyond(o, count, "--missing");
	if (o->verify)
		usage_error(o->tool, "--verify reads back names that exist, "
				     "and --missing looks up others");
	o->start += count;
}

/* The permutation has another seed than the order: with the same one, hits
 * would be the first names and misses the last. */
static void plan_mix(struct options *o, struct lookups *l, const char *share)
{
	check_beyond(o, l->count, "--hit");
	if (number_share(share, &l->hit) < 0)
		usage_error(o->tool,
			    "--hit is a share such as 90%% or 0.9, not '%s'",
			    share);
	l->mixed = true;
	l->mix.beyond = l->count;
	l->mix.hits =
		(uint64_t)llroundl((long double)l->hit * (long double)l->count);
	permute_init(&l->mix.permutation, l->count, ~o->seed);
}

static void plan_operations(struct job *j, const struct options *o,
			    const struct lookups *l)
{
	j->step[0].op = choose_operation(o, l->missing);
	if (l->missing) {
		j->plural = "names that do not exist";
		j->placing.absent_from = o->start;
	}
	if (l->mixed) {
		j->mix = &l->mix;
		j->hit = l->hit;
		j->steps = 2;
		j->step[1].op = choose_operation(o, true);
		j->second_from = o->start + l->count;
		j->placing.absent_from = j->second_from;
	}
}

static int look_up(struct options *o, const struct lookups *l)
{
	struct job j;
	int dir, code;

	options_check_layout(o, &o->layout, &o->scheme, l->count);
	if (o->dry_run)
		return dry_run(o, "look up", "names", l->count, l->path, NULL);
	dir = directory_open(o->tool, l->path, DIRECTORY_READ);
	job_init(&j, o, l->path, dir, l->count);
	j.plural = "names";
	plan_operations(&j, o, l);
	j.checks = 1;
	j.check[0] = (struct job_check){
		.kind = CHECK_ALL,
		.dir = dir,
		.directory = l->path,
		.scheme = &o->scheme,
		.layout = &o->layout,
	};
	code = job_carry_out(&j);
	close(dir);
	return code;
}

static int look_up_names(struct options *o, const struct own *own)
{
	struct lookups l = { .missing = own->missing };

	options_expect(o, 1, 2);
	l.count = options_count(o, 0);
	l.path = o->arguments[1] ? o->arguments[1] : ".";
	options_bind_order(o, l.count, true);
	if (l.missing)
		move_beyond(o, l.count);
	if (own->hit)
		plan_mix(o, &l, own->hit);
	return look_up(o, &l);
}

static int list(struct options *o, const struct own *own)
{
	struct listing l = {
		.what = (enum list_what)options_choose(
			o->tool, "--list", "names, types, stat",
			own->list[0] ? own->list : "names"),
		.lookup = choose_operation(o, false),
	};

	return list_directory(o, &l);
}

static void refuse_two(const struct tool *tool, const struct own *own)
{
	if (own->list && own->missing)
		usage_error(tool, "--list and --missing exclude each other");
	if (own->list && own->hit)
		usage_error(tool, "--list and --hit exclude each other");
	if (own->hit && own->missing)
		usage_error(tool, "--hit and --missing exclude each other: "
				  "--hit 0%% looks up missing names alone");
}

int main(int argc, char **argv)
{
	static struct own own;
	const struct poptOption options[] = {
		{ "missing", 0, POPT_ARG_NONE, &own.missing, 0,
		  "look up the COUNT names after those, which do not exist",
		  NULL },
		{ "hit", 0, POPT_ARG_STRING, &own.hit, 0,
		  "so many of the COUNT names exist (90%), and the rest, "
		  "between them, do not; figures for each",
		  "SHARE" },
		{ "list", 0, POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL, &own.list,
		  0,
		  "read the directory itself, with getdents64 alone (names), "
		  "with each entry's type, or looking up each",
		  "names|types|stat" },
		POPT_TABLEEND
	};
	const struct tool tool = {
		.name = "statfiles",
		.arguments = "COUNT [DIR] | --list [DIR]",
		.about = "Look up COUNT names in DIR (default: the current "
			 "directory), or read the\ndirectory itself.",
		.examples =
			"  statfiles 300000 --order random /mnt/test\n"
			"  statfiles 300k --via open /mnt/test\n"
			"  statfiles 300k --missing /mnt/test\n"
			"  statfiles 300k --verify --quiet /mnt/test && echo "
			"all there\n"
			"  statfiles 1M --hit 90% --order random --layout "
			"levels:1:2 --name hash\n"
			"  statfiles --list /mnt/test\n"
			"  statfiles --list=stat --order inode /mnt/test\n",
		.via = VIA,
		.no_use = no_use,
		.own = options,
		.own_title = "What is looked up:",
	};
	struct options o;

	interrupt_catch();
	descriptors_hold();
	setlocale(LC_CTYPE, "");
	options_read(&o, &tool, argc, argv);
	o.durability = DURABLE_NONE;
	refuse_two(&tool, &own);
	if (!o.via)
		o.via = "stat";
	return own.list ? list(&o, &own) : look_up_names(&o, &own);
}
