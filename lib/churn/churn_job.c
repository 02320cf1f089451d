#include "churn_job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "churn_work.h"
#include "directory.h"
#include "disk.h"
#include "escape.h"
#include "held.h"
#include "interrupt.h"
#include "job.h"
#include "number.h"
#include "output.h"
#include "progress.h"
#include "request.h"

/* A cache that would take more requests than this many for each key to fill,
 * and more than takes minutes, will not be full in anybody's time. */
#define PATIENCE 1000
#define LEAST_PATIENCE 1e8

struct churn_run {
	struct options *o;
	struct churn_options *c;
	struct disk disk;
	struct policy policy;
	struct stage stage;
	struct churn_plan plan;
	struct churn_result *result;
};

/* --- before the run ------------------------------------------------------ */

static void check_filling(const struct churn_run *x)
{
	const struct hit_theory *t = &x->result->theory;

	if (!x->c->warm_up_full ||
	    t->filling <= PATIENCE * (double)x->c->keys ||
	    t->filling <= LEAST_PATIENCE || x->c->keys <= x->c->capacity)
		return;
	usage_error(x->o->tool,
		    "the cache would be full after some %.1e requests only: "
		    "give --warm-up N, a smaller --capacity, or a flatter "
		    "--popularity",
		    t->filling);
}

static struct held_request holding(const struct churn_run *x)
{
	return (struct held_request){
		.dir = x->disk.place.dir,
		.scheme = &x->o->scheme,
		.layout = x->plan.layout,
		.keys = x->c->keys,
	};
}

static void check_held(const struct churn_run *x, int err,
		       const struct held *held)
{
	const struct churn_options *c = x->c;
	char n[NUMBER_TEXT], m[NUMBER_TEXT];

	if (err == -EINTR)
		exit(EXIT_SIGNAL + interrupt_pending());
	if (err == -EOVERFLOW)
		usage_error(x->o->tool,
			    "%s holds %s objects, and --capacity is %s: give "
			    "the same --capacity and --keys as before, or "
			    "remove some with rmfiles",
			    c->path, number_grouped(n, held->objects),
			    number_grouped(m, c->capacity));
	if (err)
		usage_error(x->o->tool, "cannot take up %s: %s", c->path,
			    strerror(-err));
	if (held->objects && !c->resume)
		usage_error(x->o->tool,
			    "%s holds objects already: take them up with "
			    "--resume, or remove them with rmfiles --all",
			    c->path);
}

static int evict_surplus(void *argument, uint32_t rank)
{
	struct churn_run *x = argument;
	struct device *device = &x->disk.device;
	char *text = malloc(object_text_room(&x->plan));
	struct object o = { 0 };
	int err = text ? -object_name(&x->plan, &o, rank, text) : ENOMEM;

	if (!err)
		err = device->evict(device, &o);
	free(text);
	return err;
}

static void tell_held(const struct churn_run *x)
{
	const struct churn_result *r = x->result;
	const char *tool = x->o->tool->name;
	char n[NUMBER_TEXT], shown[ESCAPE_BUFFER];

	if (r->held.others)
		fprintf(stderr,
			"%s: %s names here are no objects of this run (--name, "
			"--prefix, --layout, --keys?)\n",
			tool, number_grouped(n, r->held.others));
	if (r->stages.strange)
		fprintf(stderr,
			"%s: left alone %s staging directories of killed runs, "
			"such as %s: not all in them is of this run\n",
			tool, number_grouped(n, r->stages.strange),
			escape_short(shown, r->stages.strange_name));
}

static void take_up(struct churn_run *x)
{
	struct held_request request = holding(x);
	struct held held;
	int err;

	/* a kill leaves one too many; more are another run's, or a slip */
	request.most = (uint64_t)x->c->capacity + 1;
	request.evict = evict_surplus;
	request.argument = x;
	err = x->c->resume ? held_take_up(&request, &x->policy, &held)
			   : held_count(&request, true, &held);
	check_held(x, err, &held);
	x->result->resumed = x->plan.objects = held.objects;
	if (!x->c->resume)
		return;
	x->result->held = held;
	err = stages_left_remove(request.dir, request.scheme, request.keys,
				 &x->result->stages);
	check_held(x, err, &held);
	tell_held(x);
}

static FILE *open_trace(const struct churn_run *x)
{
	FILE *f;

	if (!x->c->trace)
		return NULL;
	f = fopen(x->c->trace, "we");
	if (!f)
		usage_error(x->o->tool, "--trace %s: %s", x->c->trace,
			    strerror(errno));
	return f;
}

static void open_parents(struct churn_run *x)
{
	const struct parents_options o = {
		.base = x->disk.place.dir,
		.room = parents_allowed(x->o->parents, 1),
		.longest = layout_longest(&x->o->layout),
		.make = true,
		.mode = 0700,
	};

	if (!options_laid_out(x->o))
		return;
	x->plan.layout = &x->o->layout;
	if (o.room == 0) {
		options_tell_few_files(x->o, 1);
		exit(EXIT_USAGE);
	}
	if (parents_open(&x->disk.parents, &o) < 0)
		usage_error(x->o->tool, "not enough memory");
}

static void prepare(struct churn_run *x)
{
	const struct churn_options *c = x->c;
	struct options *o = x->o;

	popularity_bind(&x->c->law, c->keys, o->seed);
	hit_theory(&c->law, c->policy, c->capacity, &x->result->theory);
	check_filling(x);
	x->result->options = c;
	x->result->policy_bytes =
		policy_bytes(c->policy, (uint32_t)c->capacity);
	x->plan.device = &x->disk.device;
	x->plan.law = &x->c->law;
	x->plan.policy = &x->policy;
	x->plan.scheme = &o->scheme;
	x->plan.arrivals = c->arrivals;
	x->plan.seed = o->seed;
	disk_init(&x->disk, c->direct);
	x->disk.lookup = c->lookup_open ? &op_open : &op_stat;
	x->disk.place.mode = o->mode;
	x->disk.place.durability = o->durability;
}

static void open_policy(struct churn_run *x)
{
	if (policy_init(&x->policy, x->c->policy, (uint32_t)x->c->capacity,
			x->o->seed) < 0)
		usage_error(x->o->tool,
			    "not enough memory for so many objects: lower "
			    "--capacity");
}

/* --- the run ------------------------------------------------------------- */

static const struct operation op_request = {
	.name = "request",
	.did = "answered",
	.kind = "lookup",
};

/* What has failed, where, as the report and the verdict want it. */
static void tell_failure(const struct churn_run *x, struct run_failure *f)
{
	f->place = x->disk.place;
	switch ((enum churn_kind)f->step) {
	case CHURN_CREATE:
		f->op = &op_create_open;
		if (!x->c->direct)
			f->place = x->disk.stage;
		break;
	case CHURN_RENAME:
		f->op = &op_rename;
		f->place = x->disk.stage;
		f->place.to_dir = x->disk.place.dir;
		strlcpy(f->to, f->name, sizeof(f->to));
		break;
	case CHURN_EVICT:
		f->op = &op_unlink;
		break;
	default:
		f->op = x->disk.lookup;
	}
}

static void tell_result(const struct churn_run *x, const struct churn *c,
			struct run_result *r)
{
	r->end = c->end;
	r->signal = interrupt_pending();
	r->real = x->result->figures.real;
	r->tried = x->result->total.requests;
	r->cleaned = x->disk.cleaned;
	r->first = c->failure;
	if (r->first.err)
		tell_failure(x, &r->first);
	if (x->disk.parents) {
		x->result->directories_known = true;
		x->result->directories = *parents_counts(x->disk.parents);
	}
}

static int work(const struct job *j, struct run_result *r)
{
	struct churn_run *x = (void *)(uintptr_t)j->work_argument;
	struct run_counters counters = { 0 };
	struct rusage before, after;
	struct progress *progress;
	struct churn churn;
	int err;

	memset(r, 0, sizeof(*r));
	x->plan.counters = &counters;
	err = churn_init(&churn, &x->plan);
	progress = err ? NULL : job_show_progress(j, &counters);
	getrusage(RUSAGE_SELF, &before);
	if (!err)
		err = churn_work(&churn, x->o->time_limit, x->result);
	getrusage(RUSAGE_SELF, &after);
	progress_stop(progress);
	r->user = run_timeval_ns(&before.ru_utime, &after.ru_utime);
	r->sys = run_timeval_ns(&before.ru_stime, &after.ru_stime);
	tell_result(x, &churn, r);
	churn_free(&churn);
	return err;
}

static int carry_out(struct churn_run *x)
{
	const struct churn_options *c = x->c;
	int dir = x->disk.place.dir, code;
	struct job j;

	job_init(&j, x->o, c->path, dir, c->requests);
	if (!c->direct) {
		stage_open(&x->stage, x->o, dir);
		x->disk.stage = x->disk.place;
		x->disk.stage.dir = x->stage.fd;
		j.stage = &x->stage;
	}
	x->plan.trace = open_trace(x);
	/* a sleep ends when it should, as far as the kernel can */
	if (c->arrivals.rate > 0 || c->ramped)
		prctl(PR_SET_TIMERSLACK, 1);
	j.step[0].op = &op_request;
	j.plural = "requests";
	j.work = work;
	j.work_argument = x;
	j.churn = x->result;
	j.look_at_age = !options_laid_out(x->o);
	j.checks = 1;
	j.check[0] = (struct job_check){
		.kind = CHECK_OBJECTS,
		.dir = dir,
		.directory = c->path,
		.scheme = &x->o->scheme,
		.layout = &x->o->layout,
	};
	code = job_carry_out(&j);
	if (x->plan.trace && fclose(x->plan.trace) != 0) {
		fprintf(stderr, "%s: cannot write to %s: %s\n",
			x->o->tool->name, c->trace, strerror(errno));
		code = code ? code : EXIT_FAILED;
	}
	return code;
}

static int only_say(const struct churn_run *x)
{
	const struct churn_options *c = x->c;
	const struct hit_theory *t = &x->result->theory;
	char n[NUMBER_TEXT], k[NUMBER_TEXT], b[NUMBER_TEXT];

	printf("would ask %s for %s keys, %s, with %s objects at most, %s\n",
	       c->path, number_grouped(k, c->keys), c->popularity,
	       number_grouped(n, c->capacity), policy_name(c->policy));
	printf("  memory for the objects: %s\n",
	       number_bytes(b, x->result->policy_bytes));
	if (isfinite(t->filling))
		printf("  requests until the cache is full: about %s\n",
		       number_grouped(n, (uint64_t)t->filling));
	printf("  hit ratio then: %.4f (%s)\n", t->hit_ratio, t->by);
	return output_written() ? EXIT_DONE : EXIT_FAILED;
}

int churn_job(struct options *o, struct churn_options *c)
{
	struct churn_run *x = calloc(1, sizeof(*x));
	int code;

	if (x)
		x->result = calloc(1, sizeof(*x->result));
	if (!x || !x->result)
		usage_error(o->tool, "not enough memory");
	x->o = o;
	x->c = c;
	prepare(x);
	if (o->dry_run) {
		code = only_say(x);
	} else {
		open_policy(x);
		x->disk.place.dir = x->disk.place.to_dir =
			directory_open(o->tool, c->path, DIRECTORY_DELETE);
		open_parents(x);
		take_up(x);
		code = carry_out(x);
		parents_close(x->disk.parents);
		close(x->disk.place.dir);
	}
	policy_free(&x->policy);
	for (int kind = 0; kind < CHURN_KINDS; kind++)
		meter_free(&x->result->figures.meter[kind]);
	free(x->result);
	free(x);
	return code;
}
