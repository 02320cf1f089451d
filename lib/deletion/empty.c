#include "empty.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "directory.h"
#include "dirents.h"
#include "empty_dry.h"
#include "guard.h"
#include "interrupt.h"
#include "job.h"

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
	if (o->parents_given)
		usage_error(o->tool, "--parents is about the directories of a "
				     "--layout, and --all has none");
	if (o->seed_given)
		usage_error(o->tool, "--all deletes in no random order: --seed "
				     "has no meaning with it");
	if (o->type_given)
		usage_error(o->tool, "--all deletes entries of every type: "
				     "--type has no meaning with it");
	if (o->verify)
		usage_error(o->tool, "--all knows no names that --verify could "
				     "look for; what is left is in the "
				     "report");
	if (o->order_given && !o->order_auto &&
	    o->order.kind != ORDER_READDIR && o->order.kind != ORDER_INODE)
		usage_error(o->tool,
			    "--all knows the names only as it reads "
			    "them: --order can be auto, readdir or inode, "
			    "not %s",
			    o->order_text);
}

static int open_to_empty(const struct options *o, const char *path)
{
	int dir = directory_open(o->tool, path, DIRECTORY_DELETE);
	int err;
	const char *why = guard_refuses(dir, &err);

	if (why && err)
		usage_error(o->tool, "--all: %s %s: %s", path, why,
			    strerror(err));
	if (why)
		usage_error(o->tool, "--all: %s %s", path, why);
	return dir;
}

/* What the user has said holds; the rest is chosen. 0 or -errno. */
static int choose_order(struct options *o, struct deletion *d, int dir,
			bool recursive)
{
	struct chooser_facts facts;
	int err;

	if (o->order_given && !o->order_auto)
		return 0;
	err = chooser_look(dir, &facts);
	if (err)
		return err;
	facts.gentle = d->nice || pace_is_wished(&d->pacer.pace);
	facts.deep = recursive && facts.directories > 0;
	choose(&facts, &d->choice);
	d->chosen = true;
	options_set_order(o, d->choice.by_inode ? "inode" : "readdir");
	if (!o->jobs_given)
		o->workers = d->choice.workers;
	return 0;
}

static int cannot_read(const struct options *o, const char *path, int err)
{
	fprintf(stderr, "%s: cannot read %s: %s\n", o->tool->name, path,
		strerror(-err));
	return err == -EINTR ? EXIT_SIGNAL + interrupt_pending() : EXIT_FAILED;
}

static void init_job(struct job *j, struct options *o, struct deletion *d,
		     const struct tree_options *walk)
{
	job_init(j, o, o->arguments[0], walk->dir, 0);
	j->plural = "entries";
	j->size_is = "shrinking";
	j->deletion = d;
	j->step[0].op = selection_is_timed(&d->selection) ? &op_unlink_selected
							  : &op_unlink;
	j->step[0].place.selection = &d->selection;
	j->step[1].op = &op_rmdir;
	j->steps = walk->recursive ? 2 : 1;
}

/* How the directory is gone through: 0 or -errno. */
static int plan_walk(struct options *o, struct deletion *d, int dir,
		     struct tree_options *walk)
{
	int err = choose_order(o, d, dir, walk->recursive);

	if (!err && d->keep)
		err = selection_keep(&d->selection, dir, d->keep,
				     &d->keep_memory);
	walk->dir = dir;
	walk->by_inode = o->order.kind == ORDER_INODE;
	if (walk->by_inode && o->window == 0)
		o->window = TREE_WINDOW;
	walk->steady = dirents_steady(dir);
	walk->window = o->window;
	if (selection_is_some(&d->selection))
		walk->selection = &d->selection;
	return err;
}

static int empty(struct options *o, struct deletion *d,
		 struct tree_options *walk)
{
	struct job j;
	int code, err;

	/* one that cannot be deleted must not keep the others */
	if (!o->on_error_given)
		o->stop_on_error = false;
	init_job(&j, o, d, walk);
	deletion_look_ahead(d, walk->dir);
	walk->lookahead = d->lookahead;
	err = tree_open(&j.tree, walk);
	if (err)
		return cannot_read(o, j.directory, err);
	code = job_carry_out(&j);
	tree_close(j.tree);
	return code;
}

int empty_directory(struct options *o, struct deletion *d, bool recursive)
{
	const char *path = o->arguments[0];
	struct tree_options walk = { .recursive = recursive };
	int dir, code, err;

	refuse_names(o);
	if (o->order_given && !o->order_auto)
		options_check_window(o);
	dir = open_to_empty(o, path);
	err = plan_walk(o, d, dir, &walk);
	if (err)
		code = cannot_read(o, path, err);
	else if (o->dry_run)
		code = empty_dry_run(o, &walk, path);
	else
		code = empty(o, d, &walk);
	close(dir);
	return code;
}
