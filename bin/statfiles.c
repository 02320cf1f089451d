/* statfiles: look up many names, those that exist and those that do not. */
#include <inttypes.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "directory.h"
#include "dry_run.h"
#include "interrupt.h"
#include "job.h"
#include "listing.h"
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
	int missing, list;
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

/* Names like the others, but of the indices that come after them. */
static void move_beyond(struct options *o, uint64_t count)
{
	if (order_is_observed(&o->order))
		usage_error(o->tool,
			    "--order %s is an order of entries that "
			    "exist, and --missing looks up names "
			    "that do not",
			    o->order_text);
	if (o->verify)
		usage_error(o->tool, "--verify reads back names that exist, "
				     "and --missing looks up others");
	if (o->start + count > (uint64_t)INT64_MAX - count)
		usage_error(o->tool, "--missing looks up the COUNT names after "
				     "the last one, and there are not so "
				     "many left");
	o->start += count;
	if (name_longest(&o->scheme, o->start + count - 1) > NAME_MAX)
		usage_error(o->tool, "--missing makes names of over 255 bytes");
}

static int look_up(struct options *o, bool missing)
{
	uint64_t count = options_count(o, 0);
	const char *path = o->arguments[1] ? o->arguments[1] : ".";
	struct job j;
	int dir, code;

	options_bind_order(o, count, true);
	if (!o->via)
		o->via = "stat";
	if (missing)
		move_beyond(o, count);
	options_check_layout(o, &o->layout, &o->scheme, count);
	if (o->dry_run)
		return dry_run(o, "look up", "names", count, path, NULL);
	dir = directory_open(o->tool, path, DIRECTORY_READ);
	job_init(&j, o, path, dir, count);
	j.plural = missing ? "names that do not exist" : "names";
	j.step[0].op = choose_operation(o, missing);
	if (missing)
		j.placing.absent_from = o->start;
	j.checks = 1;
	j.check[0] = (struct job_check){
		.kind = CHECK_ALL,
		.dir = dir,
		.directory = path,
		.scheme = &o->scheme,
		.layout = &o->layout,
	};
	code = job_carry_out(&j);
	close(dir);
	return code;
}

int main(int argc, char **argv)
{
	struct own own = { 0 };
	const struct poptOption options[] = {
		{ "missing", 0, POPT_ARG_NONE, &own.missing, 0,
		  "look up the COUNT names after those, which do not exist",
		  NULL },
		{ "list", 0, POPT_ARG_NONE, &own.list, 0,
		  "read the directory itself, with getdents64 alone", NULL },
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
			"  statfiles --list /mnt/test\n",
		.via = VIA,
		.no_use = no_use,
		.own = options,
		.own_title = "What is looked up:",
	};
	struct options o;

	interrupt_catch();
	setlocale(LC_CTYPE, "");
	options_read(&o, &tool, argc, argv);
	o.durability = DURABLE_NONE;
	if (own.list && own.missing)
		usage_error(&tool, "--list and --missing exclude each other");
	if (own.list)
		return list_directory(&o);
	options_expect(&o, 1, 2);
	return look_up(&o, own.missing);
}
