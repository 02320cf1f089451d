#include "job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "churn_result.h"
#include "clock.h"
#include "interrupt.h"
#include "job_report.h"
#include "job_verify.h"
#include "progress.h"
#include "record_json.h"

static int open_json(const struct options *o)
{
	int fd;

	if (!o->json)
		return -1;
	fd = record_file_open(o->json);
	if (fd < 0)
		usage_error(o->tool, "--json %s: %s", o->json, strerror(-fd));
	return fd;
}

void job_init(struct job *j, const struct options *o, const char *directory,
	      int dir, uint64_t count)
{
	memset(j, 0, sizeof(*j));
	j->options = o;
	j->json_fd = open_json(o);
	j->directory = directory;
	j->dir = dir;
	j->count = count;
	j->scheme = &o->scheme;
	j->plural = type_plural(o->type);
	j->size_is = "constant";
	j->steps = j->passes = 1;
	j->placing.mode = 0700;
	j->placing.sync = o->durability == DURABLE_DIR;
	j->placing.absent_from = UINT64_MAX;
	if (options_laid_out(o)) {
		j->placing.side[PLACING_FROM].layout = &o->layout;
		j->placing.side[PLACING_FROM].base = dir;
	}
	for (int n = 0; n < RUN_MAX_STEPS; n++) {
		j->step[n].placed = options_laid_out(o);
		j->step[n].place.dir = j->step[n].place.to_dir = dir;
		j->step[n].place.mode = o->mode;
		j->step[n].place.durability = o->durability;
	}
}

/* Whether any entry lives, or shall live, in a directory of a layout. */
static bool laid_out(const struct job *j)
{
	return j->placing.side[PLACING_FROM].layout ||
	       j->placing.side[PLACING_TO].layout;
}

/* --- before -------------------------------------------------------------- */

static void begin_record(const struct job *j, struct record *r)
{
	memset(r, 0, sizeof(*r));
	r->options = j->options;
	r->directory = j->directory;
	r->path = realpath(j->directory, NULL);
	r->to_path = j->to ? realpath(j->to, NULL) : NULL;
	r->to_name = j->to_name;
	r->to_prefix = j->to_prefix;
	r->to_layout = j->to_layout_text;
	r->plural = j->plural;
	r->command = j->command;
	r->churn = j->churn;
	r->size_is = j->size_is;
	r->count = j->open_ended ? 0 : j->count;
	r->until = j->until;
	r->passes = j->passes;
	r->steps = j->steps;
	r->steps_apart = j->tree || j->second_from || j->steps_apart;
	/* a cache finds its directories as a part of each request */
	r->laid_out = laid_out(j) && !j->churn;
	r->mixed = j->mix != NULL;
	r->hit = j->hit;
	r->batch = j->options->stage_batch;
	r->deletion = j->deletion;
	for (unsigned int n = 0; n < j->steps; n++)
		r->operation[n] = j->step[n].op;
	clock_gettime(CLOCK_REALTIME, &r->started);
	/* workers have a stopwatch; work of a job's own has the clock */
	env_read(j->dir, !j->work, &r->env);
	space_read(j->dir, &r->before);
	if (j->look_at_age)
		r->age.emptied = age_was_emptied(j->dir, &r->env);
}

static int open_source(const struct job *j, struct source **s)
{
	struct source_options o = {
		.order = &j->options->order,
		.scheme = j->scheme,
		.to = j->to_scheme,
		.start = j->options->start,
		.count = j->count,
		.dir = j->dir,
		.to_dir = j->step[0].place.to_dir,
		.layout = j->placing.side[PLACING_FROM].layout,
		.to_layout = j->placing.side[PLACING_TO].layout,
		.mix = j->mix,
		.window = j->options->window,
		.names_made = j->names_made,
	};

	return source_open(s, &o);
}

/* Of open directories: one for each worker and side. */
static unsigned int tables_of_parents(const struct job *j)
{
	bool two = j->placing.side[PLACING_FROM].layout &&
		   j->placing.side[PLACING_TO].layout;

	return j->options->workers * (two ? 2 : 1);
}

/* Before anything is touched, as it may not be possible. */
static int fit_parents(struct job *j, struct record *r)
{
	if (!laid_out(j))
		return 0;
	r->parents = parents_allowed(j->options->parents, tables_of_parents(j));
	j->placing.room = r->parents;
	return r->parents ? 0 : -EMFILE;
}

static struct layout_dirs one_side(const struct job *j, int side)
{
	bool to = side == PLACING_TO && j->to_scheme;

	return (struct layout_dirs){
		.layout = j->placing.side[side].layout,
		.scheme = to ? j->to_scheme : j->scheme,
		.start = j->options->start,
		.count = j->count,
		.base = j->placing.side[side].base,
		.room = j->placing.room,
		.sync = j->placing.sync,
	};
}

static void prepare(const struct job *j, struct record *r)
{
	if (!j->options->prepare || !laid_out(j))
		return;
	r->prepared =
		one_side(j, j->placing.side[PLACING_TO].make ? PLACING_TO
							     : PLACING_FROM);
	layout_dirs_make(&r->prepared);
}

static void prune(const struct job *j, struct record *r)
{
	if (!j->prune)
		return;
	r->pruned = one_side(j, PLACING_FROM);
	layout_dirs_remove(&r->pruned);
}

/* --- the run ------------------------------------------------------------- */

static uint64_t expected_of_tree(const void *tree)
{
	return tree_expected(tree);
}

struct progress *job_show_progress(const struct job *j,
				   const struct run_counters *counters)
{
	const struct options *o = j->options;
	struct progress_plan plan = {
		.did = j->step[j->steps - 1].op->did,
		/* a cache is warmed up before its count begins */
		.expected =
			j->open_ended || j->churn ? 0 : j->count * j->passes,
		.workers = o->workers,
		.counters = counters,
		.expect = j->tree ? expected_of_tree : NULL,
		.expect_argument = j->tree,
		.dir = j->dir,
		.live = isatty(STDERR_FILENO) && !o->progress,
	};

	if (o->quiet || (!plan.live && !o->progress))
		return NULL;
	return progress_start(&plan);
}

/* Ask at once why the kernel said no: soon, it may look different. */
static void explain(void *argument, const struct run_failure *f)
{
	struct record *r = argument;
	struct refusal refusal = {
		.dirfd = f->place.dir,
		.operation = f->op->kind,
		.err = f->err,
		.name = f->to[0] ? f->to : f->name,
		.source_fd = -1,
		.wanted = r->count > f->position ? r->count - f->position : 0,
	};

	/* of a directory that could not be had, not of the entry in it */
	if (f->directory[0] && f->op != r->operation[f->step])
		refusal.name = f->directory;
	if (f->op->takes_two) {
		refusal.dirfd = f->place.to_dir;
		refusal.source_fd = f->place.dir;
	}
	r->explained = exhaust_explain(&refusal, &r->verdict) == 0;
}

static int run_job(const struct job *j, struct source *source, struct record *r)
{
	const struct options *o = j->options;
	struct run_counters *counters = calloc(o->workers, sizeof(*counters));
	struct run_plan plan = {
		.source = source,
		.tree = j->tree,
		.steps = j->steps,
		.placing = laid_out(j) ? &j->placing : NULL,
		.second_from = j->second_from,
		.batch = o->stage_batch,
		.block = j->deletion ? deletion_block(j->deletion) : 0,
		.pacer = j->deletion ? deletion_pacer(j->deletion) : NULL,
		.passes = j->passes,
		.workers = o->workers,
		.expected = j->open_ended ? 0 : j->count,
		.time_limit = o->time_limit,
		.stop_on_error =
			j->until == UNTIL_REFUSED ? false : o->stop_on_error,
		.refusals = j->until == UNTIL_REFUSED ? UNTIL_REFUSALS : 0,
		.on_failure = explain,
		.on_failure_argument = r,
		.echo = j->echo,
		.counters = counters,
	};
	struct progress *progress;
	int err;

	if (!counters)
		return -ENOMEM;
	memcpy(plan.step, j->step, sizeof(plan.step));
	evidence_open(&r->evidence, j->dir, &r->env);
	plan.evidence = &r->evidence;
	progress = job_show_progress(j, counters);
	err = run(&plan, &r->run);
	progress_stop(progress);
	evidence_close(&r->evidence);
	free(counters);
	return err;
}

/* Entries of the run that an observed order never met count as failed
 * lookups, as any computed order would have found them missing. */
static void count_rest(const struct job *j, const struct source *source,
		       struct record *r)
{
	if (j->tree) {
		r->left = *tree_left(j->tree);
		r->sort_memory = tree_memory(j->tree);
	}
	if (j->work)
		r->sort_memory = r->run.sort_memory;
	if (!source)
		return;
	if (order_is_observed(&j->options->order) && j->count &&
	    !j->names_made && r->run.end == RUN_COMPLETE)
		r->missing = j->count * j->passes - r->run.tried;
	r->given = source_given(source);
	r->sort_memory = source_memory(source);
}

/* A refusal that was asked for is the end, and no failure. */
static void end_full(const struct job *j, struct record *r)
{
	if (j->until == UNTIL_FIRST && r->run.end == RUN_FAILED &&
	    exhaust_is_limit(r->run.first.err))
		r->run.end = RUN_FULL;
	if (j->free_check && r->run.end == RUN_FULL)
		free_check_run(&r->free_check, &r->run);
}

/* Only a directory that is as it should be is made old. */
static void make_old(const struct job *j, struct record *r)
{
	if (!j->aging || r->run.end != RUN_COMPLETE || record_failed(r))
		return;
	r->aging = (struct aging){
		.passes = j->aging,
		.dir = j->dir,
		.scheme = j->scheme,
		.start = j->options->start,
		.count = j->count,
		.mode = j->options->mode,
		.seed = j->options->seed,
	};
	aging_run(&r->aging);
}

static void look_at_age(const struct job *j, struct record *r)
{
	if (!j->look_at_age || interrupt_pending())
		return;
	r->age_known = true;
	age_read(j->dir, &r->env, &r->age);
}

static void make_durable(const struct job *j, struct record *r)
{
	uint64_t start;

	if (j->options->durability == DURABLE_NONE)
		return;
	r->durable.asked = true;
	start = clock_now();
	if (syncfs(j->dir) < 0)
		r->durable.err = errno;
	r->durable.ns = clock_now() - start;
}

/* What the file system has put off, apart from what had to be synced. */
static void drain(const struct job *j, const struct record *r)
{
	struct deletion *d = j->deletion;

	if (d && d->drain_limit && !r->run.signal)
		drain_wait(j->dir, &r->before, record_done(r), d->drain_limit,
			   &d->drain);
}

/* Before the directory is read back: the stage may be inside it. */
static void close_stage(const struct job *j, struct record *r)
{
	const char *name;
	int err;

	if (!j->stage)
		return;
	name = j->stage->path ? j->stage->path : j->stage->name;
	err = stage_close(j->stage);
	if (!err)
		return;
	fprintf(stderr, "%s: the staging directory %s stays behind: %s\n",
		j->options->tool->name, name, strerror(-err));
	r->stage_left = true;
}

/* --- all of it ----------------------------------------------------------- */

static int cannot_begin(const struct job *j, int err)
{
	if (j->options->order.kind == ORDER_HASH && err == -ENOTSUP)
		usage_error(j->options->tool,
			    "--order hash: the file system of %s has no "
			    "directory hash that is known here (ext3, ext4, "
			    "xfs and btrfs have)",
			    j->directory);
	if (j->options->order.kind == ORDER_HASH &&
	    (err == -EACCES || err == -EPERM))
		usage_error(j->options->tool,
			    "--order hash: for new names, the hash seed must "
			    "be read from the device of %s, as root",
			    j->directory);
	if (err == -EMFILE && laid_out(j) && !j->placing.room) {
		options_tell_few_files(j->options, tables_of_parents(j));
		return EXIT_FAILED;
	}
	fprintf(stderr, "%s: cannot begin in %s: %s\n", j->options->tool->name,
		j->directory, strerror(-err));
	return EXIT_FAILED;
}

int job_carry_out(struct job *j)
{
	int err = 0, code;
	struct source *source = NULL;
	struct record *r = calloc(1, sizeof(*r));

	if (!r)
		return cannot_begin(j, -ENOMEM);
	begin_record(j, r);
	err = fit_parents(j, r);
	if (!err && !j->work && !j->tree)
		err = open_source(j, &source);
	if (!err)
		prepare(j, r);
	if (!err)
		err = j->work ? j->work(j, &r->run) : run_job(j, source, r);
	if (j->deletion)
		deletion_end_look_ahead(j->deletion);
	if (!err && j->churn && r->run.first.err)
		explain(r, &r->run.first);
	close_stage(j, r);
	if (err) {
		code = cannot_begin(j, err);
	} else {
		count_rest(j, source, r);
		end_full(j, r);
		prune(j, r);
		make_old(j, r);
		make_durable(j, r);
		drain(j, r);
		space_read(j->dir, &r->after);
		job_verify(j, r);
		look_at_age(j, r);
		code = job_report(j, r);
		run_result_free(&r->run);
	}
	layout_dirs_free(&r->prepared);
	layout_dirs_free(&r->pruned);
	source_close(source);
	free((void *)(uintptr_t)r->path);
	free((void *)(uintptr_t)r->to_path);
	free(r);
	if (j->json_fd >= 0)
		close(j->json_fd);
	return code;
}
