/* rmfiles: delete many entries, by name or all of them. */
#include <locale.h>
#include <unistd.h>

#include "directory.h"
#include "dry_run.h"
#include "interrupt.h"
#include "job.h"
#include "options.h"

static const struct no_use no_use[] = {
	{ OPTION_VIA, "there is one way to delete a name" },
	{ OPTION_MODE, "what is deleted needs no permissions" },
	{ OPTION_STAGE | OPTION_STAGE_BATCH, "rmfiles creates nothing that "
					     "could be staged" },
	{ 0, NULL },
};

struct own {
	int all, recursive;
};

static void check_options(const struct options *o)
{
	if (o->durability == DURABLE_FILE)
		usage_error(o->tool, "--fsync file: there is no file left to "
				     "sync; use dir or end");
}

/* COUNT names of a scheme: no others are ever touched. */
static int delete_names(struct options *o)
{
	const char *path = o->arguments[1] ? o->arguments[1] : ".";
	uint64_t count = options_count(o, 0);
	struct job j;
	int dir, code;

	options_bind_order(o, count, true);
	if (o->dry_run)
		return dry_run(o, "delete", type_plural(o->type), count, path,
			       NULL);
	dir = directory_open(o->tool, path, DIRECTORY_DELETE);
	job_init(&j, o, path, dir, count);
	j.size_is = "shrinking";
	j.step[0].op = o->type == TYPE_DIR ? &op_rmdir : &op_unlink;
	j.checks = 1;
	j.check[0] = (struct job_check){
		.kind = CHECK_ABSENT,
		.dir = dir,
		.directory = path,
		.scheme = &o->scheme,
		.others_allowed = true,
	};
	code = job_carry_out(&j);
	close(dir);
	return code;
}

int main(int argc, char **argv)
{
	struct own own = { 0 };
	const struct poptOption options[] = {
		{ "all", 0, POPT_ARG_NONE, &own.all, 0,
		  "empty DIR: delete whatever is in it but subdirectories",
		  NULL },
		{ "recursive", 'r', POPT_ARG_NONE, &own.recursive, 0,
		  "with --all: subdirectories too, on this file system", NULL },
		POPT_TABLEEND
	};
	const struct tool tool = {
		.name = "rmfiles",
		.arguments = "COUNT [DIR] | --all DIR",
		.about = "Delete COUNT entries that mkfiles has made in DIR "
			 "(default: the current\ndirectory), or, with --all, "
			 "everything in DIR.",
		.examples =
			"  rmfiles 300000                 00000000 to 000493DF, "
			"here\n"
			"  rmfiles 300k --order inode /mnt/test\n"
			"  rmfiles 1M --order readdir --verify /mnt/test\n"
			"  rmfiles --all /var/cache/proxy\n"
			"  rmfiles --all --recursive --quiet /mnt/test/tree\n",
		.no_use = no_use,
		.own = options,
		.own_title = "What is deleted:",
	};
	struct options o;

	interrupt_catch();
	setlocale(LC_CTYPE, "");
	options_read(&o, &tool, argc, argv);
	check_options(&o);
	if (own.recursive && !own.all)
		usage_error(&tool, "--recursive goes with --all");
	options_expect(&o, 1, 2);
	return delete_names(&o);
}
