/* rmfiles: delete many entries, by name or all of them. */
#include <locale.h>
#include <unistd.h>

#include "deletion_options.h"
#include "descriptors.h"
#include "directory.h"
#include "dry_run.h"
#include "empty.h"
#include "interrupt.h"
#include "job.h"
#include "options.h"

static const struct no_use no_use[] = {
	{ OPTION_VIA, "there is one way to delete a name" },
	{ OPTION_MODE, "what is deleted needs no permissions" },
	{ OPTION_PREPARE, "rmfiles makes no directories; --prune removes those "
			  "of the layout" },
	{ OPTION_STAGE | OPTION_STAGE_BATCH, "rmfiles creates nothing that "
					     "could be staged" },
	{ 0, NULL },
};

static void check_options(const struct options *o)
{
	if (o->durability == DURABLE_FILE)
		usage_error(o->tool, "--fsync file: there is no file left to "
				     "sync; use dir or end");
}

/* COUNT names of a scheme: no others are ever touched. */
static int delete_names(struct options *o, struct deletion *d, bool prune)
{
	const char *path = o->arguments[1] ? o->arguments[1] : ".";
	uint64_t count = options_count(o, 0);
	struct job j;
	int dir, code;

	if (o->order_auto)
		usage_error(o->tool, "--order auto goes with --all: which "
				     "order COUNT names go in is for you to "
				     "say");
	options_bind_order(o, count, true);
	options_check_layout(o, &o->layout, &o->scheme, count);
	if (prune && !options_laid_out(o))
		usage_error(o->tool, "--prune removes the directories of a "
				     "--layout, and flat has none");
	if (o->dry_run)
		return dry_run(o, "delete", type_plural(o->type), count, path,
			       NULL);
	dir = directory_open(o->tool, path, DIRECTORY_DELETE);
	job_init(&j, o, path, dir, count);
	j.size_is = "shrinking";
	j.deletion = d;
	j.step[0].op = o->type == TYPE_DIR ? &op_rmdir : &op_unlink;
	j.prune = prune;
	j.checks = 1;
	j.check[0] = (struct job_check){
		.kind = CHECK_ABSENT,
		.dir = dir,
		.directory = path,
		.scheme = &o->scheme,
		.layout = &o->layout,
		.others_allowed = true,
	};
	code = job_carry_out(&j);
	close(dir);
	return code;
}

int main(int argc, char **argv)
{
	static struct deletion_texts own;
	int prune = 0;
	const struct poptOption options[] = {
		{ "all", 0, POPT_ARG_NONE, &own.all, 0,
		  "empty DIR: delete whatever is in it but subdirectories",
		  NULL },
		{ "recursive", 'r', POPT_ARG_NONE, &own.recursive, 0,
		  "with --all: subdirectories too, on this file system", NULL },
		{ "match", 0, POPT_ARG_ARGV, &own.match, 0,
		  "with --all: only names that match; may be repeated",
		  "GLOB" },
		{ "older-than", 0, POPT_ARG_STRING, &own.older_than, 0,
		  "with --all: only what was last modified so long ago",
		  "AGE" },
		{ "keep", 0, POPT_ARG_STRING, &own.keep, 0,
		  "with --all: all but the N that were modified last", "N" },
		{ "rate", 0, POPT_ARG_STRING, &own.rate, 0,
		  "delete no faster than this, such as 2000/s", "RATE" },
		{ "max-latency", 0, POPT_ARG_STRING, &own.max_latency, 0,
		  "rest more when deletions take longer, or others wait for "
		  "the disks",
		  "TIME" },
		{ "nice", 0, POPT_ARG_NONE, &own.nice, 0,
		  "lowest priority for processor and disks", NULL },
		{ "drain", 0, POPT_ARG_STRING, &own.drain, 0,
		  "wait so long for what the file system frees later, timed "
		  "apart (10s), or no",
		  "LIMIT" },
		{ "look-ahead", 0, POPT_ARG_STRING, &own.look_ahead, 0,
		  "with --all: have the inodes read that come next: auto, yes "
		  "or no",
		  "WHEN" },
		{ "prune", 0, POPT_ARG_NONE, &prune, 0,
		  "then remove those directories of the layout that are empty",
		  NULL },
		POPT_TABLEEND
	};
	const struct tool tool = {
		.name = "rmfiles",
		.arguments = "COUNT [DIR] | --all DIR",
		.about =
			"Delete the COUNT entries of DIR (default: the current "
			"directory) whose names\nmkfiles makes, or, with "
			"--all, everything in DIR.",
		.examples =
			"  rmfiles 300000                 00000000 to "
			"000493DF, "
			"here\n"
			"  rmfiles 300k --order inode /mnt/test\n"
			"  rmfiles 1M --order readdir --verify /mnt/test\n"
			"  rmfiles 1M --layout fanout:16:256 --prune "
			"/mnt/test\n"
			"  rmfiles --all /var/cache/proxy\n"
			"  rmfiles --all --recursive --quiet /mnt/test/tree\n"
			"  rmfiles --all --older-than 30d --match 'sess_*' "
			"/var/lib/php/sessions\n"
			"  rmfiles --all --nice --rate 2000/s --max-latency "
			"20ms /srv/spool\n",
		.orders = ORDER_CHOICES ", auto (when DIR is emptied: readdir "
					"or inode, which is faster; the "
					"default then)",
		.order_auto = true,
		.fsync = "none, dir (after each), end (all once, timed apart; "
			 "the default)",
		.no_use = no_use,
		.own = options,
		.own_title = "What is deleted, and how gently:",
	};
	struct deletion deletion;
	struct options o;
	int code;

	interrupt_catch();
	descriptors_hold();
	setlocale(LC_CTYPE, "");
	options_read(&o, &tool, argc, argv);
	check_options(&o);
	deletion_read(&deletion, &own, &o);
	if (own.all && prune)
		usage_error(&tool, "--prune goes with --layout, and not with "
				   "--all");
	options_expect(&o, 1, own.all ? 1 : 2);
	code = own.all ? empty_directory(&o, &deletion, own.recursive)
		       : delete_names(&o, &deletion, prune);
	deletion_destroy(&deletion);
	return code;
}
