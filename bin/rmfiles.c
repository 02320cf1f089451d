/* rmfiles: delete many entries, by name or all of them. */
#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "directory.h"
#include "dirents.h"
#include "dry_run.h"
#include "escape.h"
#include "guard.h"
#include "interrupt.h"
#include "job.h"
#include "number.h"
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

struct own {
	int all, recursive, prune;
};

static void check_options(const struct options *o)
{
	if (o->durability == DURABLE_FILE)
		usage_error(o->tool, "--fsync file: there is no file left to "
				     "sync; use dir or end");
}

/* COUNT names of a scheme: no others are ever touched. */
static int delete_names(struct options *o, bool prune)
{
	const char *path = o->arguments[1] ? o->arguments[1] : ".";
	uint64_t count = options_count(o, 0);
	struct job j;
	int dir, code;

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

/* --- everything ---------------------------------------------------------- */

/* Options that speak of names which a scheme makes. */
static void refuse_names(const struct options *o)
{
	if (o->name_given || o->prefix || o->start)
		usage_error(o->tool, "--all deletes whatever names there are: "
				     "--name, --prefix and --start have no "
				     "meaning with it");
	if (options_laid_out(o))
		usage_error(o->tool, "--all deletes whatever names there are: "
				     "--layout has no meaning with it; "
				     "--recursive empties every tree");
	if (o->type_given)
		usage_error(o->tool, "--all deletes entries of every type: "
				     "--type has no meaning with it");
	if (o->verify)
		usage_error(o->tool, "--all knows no names that --verify could "
				     "look for; what is left is in the "
				     "report");
	if (o->order_given && o->order.kind != ORDER_READDIR &&
	    o->order.kind != ORDER_INODE)
		usage_error(o->tool,
			    "--all knows the names only as it reads "
			    "them: --order can be readdir or inode, "
			    "not %s",
			    o->order_text);
}

static int open_to_empty(const struct options *o, const char *path)
{
	int dir = directory_open(o->tool, path, DIRECTORY_DELETE);
	const char *why = guard_refuses(dir);

	if (why)
		usage_error(o->tool, "--all: %s %s", path, why);
	return dir;
}

static int count_all(const struct options *o, int dir, const char *path,
		     bool recursive)
{
	char *shown = escape_path(path);
	struct dirents d;
	struct dirent_entry e;
	uint64_t directories = 0, others = 0;
	char n[NUMBER_TEXT], m[NUMBER_TEXT];
	int got = dirents_open(&d, dir);

	if (got == 0)
		while ((got = dirents_next(&d, &e)) > 0)
			*(e.type == DT_DIR ? &directories : &others) += 1;
	dirents_close(&d);
	if (got < 0)
		fprintf(stderr, "%s: cannot read %s: %s\n", o->tool->name, path,
			strerror(-got));
	else
		printf("would delete %s entries%s of %s, and %s %s "
		       "subdirectories\n",
		       number_grouped(n, others),
		       recursive ? " and all below" : "", shown ? shown : path,
		       recursive ? "remove" : "leave",
		       number_grouped(m, directories));
	free(shown);
	return got < 0 || fflush(stdout) != 0 ? EXIT_FAILED : EXIT_DONE;
}

static int delete_all(struct options *o, bool recursive)
{
	const char *path = o->arguments[0];
	struct tree_options walk = { .recursive = recursive };
	struct job j;
	int dir, code, err;

	refuse_names(o);
	if (!o->order_given)
		options_set_order(o, "readdir");
	options_check_window(o);
	dir = open_to_empty(o, path);
	if (o->dry_run)
		return count_all(o, dir, path, recursive);
	job_init(&j, o, path, dir, 0);
	j.plural = "entries";
	j.size_is = "shrinking";
	j.step[0].op = &op_unlink;
	j.step[1].op = &op_rmdir;
	j.steps = recursive ? 2 : 1;
	walk.dir = dir;
	walk.by_inode = o->order.kind == ORDER_INODE;
	if (walk.by_inode && o->window == 0)
		o->window = TREE_WINDOW;
	walk.window = o->window;
	/* one that cannot be deleted must not keep the others */
	if (!o->on_error_given)
		o->stop_on_error = false;
	err = tree_open(&j.tree, &walk);
	if (err) {
		fprintf(stderr, "%s: cannot read %s: %s\n", o->tool->name, path,
			strerror(-err));
		close(dir);
		return EXIT_FAILED;
	}
	code = job_carry_out(&j);
	tree_close(j.tree);
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
		{ "prune", 0, POPT_ARG_NONE, &own.prune, 0,
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
			"  rmfiles --all --recursive --quiet /mnt/test/tree\n",
		.fsync = "none, dir (after each), end (all once, timed apart; "
			 "the default)",
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
	if (own.all && own.prune)
		usage_error(&tool, "--prune goes with --layout, and not with "
				   "--all");
	if (own.all) {
		options_expect(&o, 1, 1);
		return delete_all(&o, own.recursive);
	}
	options_expect(&o, 1, 2);
	return delete_names(&o, own.prune);
}
