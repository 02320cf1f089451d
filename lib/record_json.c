#include "record_json.h"

#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "escape.h"

/* --- values -------------------------------------------------------------- */

/* JSON holds UTF-8 only: other bytes are shown as \ooo. */
static json_t *text(const char *s)
{
	json_t *value;
	char *plain;
	size_t used = 0;

	if (!s)
		return json_null();
	value = json_string(s);
	if (value)
		return value;
	plain = malloc(4 * strlen(s) + 1);
	if (!plain)
		return json_null();
	for (; *s; s++) {
		if ((unsigned char)*s < 0x80)
			plain[used++] = *s;
		else
			used += (size_t)sprintf(plain + used, "\\%03o",
						(unsigned char)*s);
	}
	plain[used] = '\0';
	value = json_string(plain);
	free(plain);
	return value;
}

/* An empty text is one that could not be found out. */
static json_t *known(const char *s)
{
	return s[0] ? text(s) : json_null();
}

static json_t *shown_name(const char *name)
{
	char buf[ESCAPE_BUFFER];

	return text(escape_name(buf, name));
}

/* JSON integers are signed here; larger numbers, such as seeds, are texts. */
static json_t *number(uint64_t n)
{
	char digits[32];

	if (n <= INT64_MAX)
		return json_integer((json_int_t)n);
	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);
	return json_string(digits);
}

static json_t *seconds(uint64_t ns)
{
	return json_real((double)ns / 1e9);
}

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

/* --- options ------------------------------------------------------------- */

static json_t *argv_json(const struct options *o)
{
	json_t *list = json_array();

	for (int i = 0; i < o->argc; i++)
		json_array_append_new(list, text(o->argv[i]));
	return list;
}

static json_t *labels_json(const char **labels)
{
	json_t *object = json_object();

	for (; labels && *labels; labels++) {
		const char *equals = strchr(*labels, '=');
		char *key = strndup(*labels, (size_t)(equals - *labels));

		if (key &&
		    json_object_set_new(object, key, text(equals + 1)) < 0)
			set(object, "(key is not UTF-8)", text(equals + 1));
		free(key);
	}
	return object;
}

/* Permissions as people write them. */
static json_t *mode_json(mode_t mode)
{
	char octal[16];

	snprintf(octal, sizeof(octal), "%04o", (unsigned int)mode);
	return json_string(octal);
}

static json_t *plan_json(const struct record *r)
{
	static const char *const verify_words[] = { "no", "exact", "ours" };
	const struct options *o = r->options;
	json_t *p = json_object();

	set(p, "directory", text(r->path ? r->path : r->directory));
	set(p, "to_directory", text(r->to_path));
	set(p, "to_name", text(r->to_name));
	set(p, "to_prefix", text(r->to_prefix));
	set(p, "count", r->count ? number(r->count) : json_null());
	set(p, "start", number(o->start));
	set(p, "name", text(o->name));
	set(p, "prefix", text(o->prefix ? o->prefix : ""));
	set(p, "order", text(o->order_text));
	set(p, "seed", number(o->seed));
	set(p, "window", number(o->window));
	set(p, "type", text(type_name(o->type)));
	set(p, "file_bytes", json_integer(0));
	set(p, "via", text(o->type == TYPE_FILE ? o->via : NULL));
	set(p, "mode", mode_json(o->mode));
	set(p, "verify", text(verify_words[o->verify]));
	set(p, "workers", json_integer(o->workers));
	set(p, "passes", json_integer(r->passes));
	set(p, "staged", json_boolean(o->staged));
	set(p, "stage_batch", json_integer(r->batch));
	set(p, "fsync", text(durability_name(o->durability)));
	set(p, "time_limit_s",
	    o->time_limit ? seconds(o->time_limit) : json_null());
	set(p, "on_error", text(o->stop_on_error ? "stop" : "continue"));
	return p;
}

/* --- environment --------------------------------------------------------- */

static json_t *device_json(const struct block_device *d)
{
	json_t *j;

	if (!d->known)
		return json_null();
	j = json_object();
	set(j, "name", text(d->name));
	set(j, "model", known(d->model));
	set(j, "bytes", number(d->bytes));
	set(j, "rotational", known(d->rotational));
	set(j, "scheduler", known(d->scheduler));
	set(j, "write_cache", known(d->write_cache));
	set(j, "backing_file", known(d->backing_file));
	set(j, "backing_file_system", known(d->backing_type));
	return j;
}

static json_t *ext_json(const struct extfs_facts *f)
{
	json_t *j = json_object();

	set(j, "inode_size", json_integer(f->inode_size));
	set(j, "inodes", number(f->inodes));
	set(j, "block_size", json_integer(f->block_size));
	set(j, "journal_bytes", number(f->journal_bytes));
	set(j, "dir_index", json_boolean(f->dir_index));
	set(j, "large_dir", json_boolean(f->large_dir));
	set(j, "filetype", json_boolean(f->filetype));
	set(j, "metadata_csum", json_boolean(f->metadata_csum));
	set(j, "inline_data", json_boolean(f->inline_data));
	set(j, "extents", json_boolean(f->extents));
	set(j, "bigalloc", json_boolean(f->bigalloc));
	return j;
}

static json_t *file_system_json(const struct environment *e)
{
	json_t *j = json_object();

	set(j, "type", known(e->mount.type));
	set(j, "mount_point", known(e->mount.point));
	set(j, "options", known(e->mount.options));
	set(j, "source", known(e->mount.source));
	set(j, "device", device_json(&e->device));
	set(j, "ext", e->ext_known ? ext_json(&e->ext) : json_null());
	return j;
}

static json_t *host_json(const struct environment *e)
{
	json_t *j = json_object();

	set(j, "name", known(e->host));
	set(j, "kernel", known(e->kernel));
	set(j, "machine", known(e->machine));
	set(j, "cpu", known(e->cpu));
	set(j, "cpus", json_integer(e->cpus));
	set(j, "memory_bytes", number(e->memory));
	set(j, "memory_limit_bytes",
	    e->memory_limit ? number(e->memory_limit) : json_null());
	set(j, "clock_source", known(e->clock_source));
	set(j, "clock_ns", json_real(e->clock_cost));
	return j;
}

static json_t *space_json(const struct space *s)
{
	json_t *j = json_object();

	set(j, "block_size", number(s->block_size));
	set(j, "blocks", number(s->blocks));
	set(j, "blocks_free", number(s->free));
	set(j, "blocks_available", number(s->available));
	set(j, "inodes", s->inodes_counted ? number(s->inodes) : json_null());
	set(j, "inodes_free",
	    s->inodes_counted ? number(s->inodes_free) : json_null());
	set(j, "directory_bytes", number(s->directory_bytes));
	set(j, "directory_allocated_bytes", number(s->directory_blocks * 512));
	return j;
}

/* --- measurements -------------------------------------------------------- */

static json_t *latency_json(const struct hist *h)
{
	static const struct {
		const char *key;
		double part;
	} quantiles[] = {
		{ "p50", 0.5 },	    { "p90", 0.9 },	  { "p99", 0.99 },
		{ "p99.9", 0.999 }, { "p99.99", 0.9999 },
	};
	json_t *j = json_object();

	if (h->count == 0) {
		json_decref(j);
		return json_null();
	}
	set(j, "mean", json_real(hist_mean(h)));
	set(j, "sd", json_real(hist_sd(h)));
	set(j, "min", number(h->min));
	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		set(j, quantiles[i].key,
		    number(hist_quantile(h, quantiles[i].part)));
	set(j, "max", number(h->max));
	set(j, "sum", number(h->sum));
	return j;
}

static json_t *histogram_json(const struct hist *h)
{
	json_t *j = json_object(), *buckets = json_array();

	for (unsigned int i = 0; i < HIST_BUCKETS(HIST_SUB_BITS); i++)
		if (h->bucket[i])
			json_array_append_new(
				buckets, json_pack("[I,I]",
						   (json_int_t)hist_low(
							   i, HIST_SUB_BITS),
						   (json_int_t)h->bucket[i]));
	set(j, "sub_bits", json_integer(HIST_SUB_BITS));
	set(j, "buckets", buckets);
	return j;
}

static json_t *slowest_json(const struct meter *m)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < m->slow_count; i++) {
		const struct slow_operation *s = &m->slowest[i];
		json_t *j = json_object();

		set(j, "latency_ns", number(s->latency));
		set(j, "at_ns", number(s->start));
		set(j, "position", number(s->position));
		set(j, "index",
		    s->index == NO_INDEX ? json_null() : number(s->index));
		set(j, "name", shown_name(s->name));
		json_array_append_new(list, j);
	}
	return list;
}

static json_t *errors_json(const struct meter *m)
{
	json_t *j = json_object();

	for (int e = 0; e < METER_ERRNOS; e++) {
		const char *name = strerrorname_np(e);

		if (m->errors[e])
			set(j, e && name ? name : "unknown",
			    number(m->errors[e]));
	}
	return j;
}

/* One array for each figure: a fifth of the size of one object a slice. */
static json_t *timeline_json(const struct timeline *t)
{
	static const char *const keys[] = { "first",	"count",  "failed",
					    "start_ns", "end_ns", "p50_ns",
					    "p99_ns",	"max_ns" };
	enum { COLUMNS = sizeof(keys) / sizeof(keys[0]) };
	json_t *j = json_object(), *column[COLUMNS];

	set(j, "width", number(t->width));
	for (int c = 0; c < COLUMNS; c++)
		set(j, keys[c], column[c] = json_array());
	for (size_t i = 0; i < t->used; i++) {
		const struct slice *s = &t->slices[i];
		const uint64_t values[COLUMNS] = {
			i * t->width,
			s->count,
			s->failed,
			s->count ? s->first_start : 0,
			s->last_end,
			slice_quantile(s, 0.5),
			slice_quantile(s, 0.99),
			s->max,
		};

		for (int c = 0; c < COLUMNS; c++)
			json_array_append_new(column[c], number(values[c]));
	}
	return j;
}

static json_t *operation_json(const struct record *r, unsigned int step)
{
	const struct meter *m = &r->run.meter[step];
	json_t *j = json_object();

	set(j, "operation", text(r->operation[step]->name));
	set(j, "done", number(record_step_done(r, step)));
	set(j, "failed", number(m->failed));
	set(j, "errors", errors_json(m));
	set(j, "rate_per_s", json_real(record_rate(r, step)));
	set(j, "latency_ns", latency_json(&m->latency));
	set(j, "histogram", histogram_json(&m->latency));
	set(j, "slowest", slowest_json(m));
	set(j, "by_position", timeline_json(&m->by_position));
	set(j, "by_time_ns", timeline_json(&m->by_time));
	return j;
}

static json_t *operations_json(const struct record *r)
{
	json_t *list = json_array();

	for (unsigned int n = 0; n < r->steps; n++)
		json_array_append_new(list, operation_json(r, n));
	return list;
}

/* --- outcome ------------------------------------------------------------- */

static json_t *failure_json(const struct record *r)
{
	const struct run_failure *f = &r->run.first;
	const char *name = strerrorname_np(f->err);
	json_t *j;

	if (!f->err)
		return json_null();
	j = json_object();
	set(j, "errno", text(name ? name : "unknown"));
	set(j, "text", text(strerror(f->err)));
	set(j, "operation",
	    r->run.end == RUN_UNREADABLE ? text("readdir")
					 : text(r->operation[f->step]->name));
	if (r->run.end == RUN_UNREADABLE) {
		/* not an operation of the run, which have these */
		set(j, "at_ns", json_null());
		set(j, "position", json_null());
		set(j, "index", json_null());
		set(j, "name", json_null());
		return j;
	}
	set(j, "at_ns", number(f->time));
	set(j, "position", number(f->position));
	set(j, "index", f->index == NO_INDEX ? json_null() : number(f->index));
	set(j, "name", shown_name(f->name));
	return j;
}

static json_t *evidence_json(const struct verdict *v)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < v->evidence_count; i++) {
		const struct evidence *e = &v->evidence[i];
		json_t *j = json_object();

		set(j, "name", text(e->name));
		set(j, "text", text(e->text));
		set(j, "number", e->numeric ? number(e->number) : json_null());
		json_array_append_new(list, j);
	}
	return list;
}

static json_t *remedies_json(const struct verdict *v)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < v->remedy_count; i++) {
		const struct remedy *remedy = &v->remedy[i];
		json_t *j = json_object();

		set(j, "command", text(remedy->command));
		set(j, "effect", text(remedy_effect_name(remedy->effect)));
		json_array_append_new(list, j);
	}
	return list;
}

static json_t *verdict_json(const struct record *r)
{
	const struct verdict *v = &r->verdict;
	json_t *j;

	if (!r->explained)
		return json_null();
	j = json_object();
	set(j, "cause", text(v->cause_id));
	set(j, "summary", text(v->summary));
	set(j, "confidence", text(exhaust_confidence_name(v->confidence)));
	set(j, "doubt", known(v->doubt));
	set(j, "advice", known(v->advice));
	set(j, "evidence", evidence_json(v));
	set(j, "remedies", remedies_json(v));
	return j;
}

static json_t *difference_json(const struct difference *d)
{
	json_t *j = json_object(), *examples = json_array();

	for (unsigned int i = 0; i < d->examples; i++)
		json_array_append_new(examples, shown_name(d->example[i]));
	set(j, "count", number(d->count));
	set(j, "examples", examples);
	return j;
}

static json_t *digest_json(const uint64_t digest[2])
{
	char hex[33];

	snprintf(hex, sizeof(hex), "%016llx%016llx",
		 (unsigned long long)digest[0], (unsigned long long)digest[1]);
	return json_string(hex);
}

static json_t *check_json(const struct check *c)
{
	const struct verification *v = &c->found;
	json_t *j = json_object();

	set(j, "directory", text(c->directory));
	set(j, "passed", json_boolean(v->passed));
	set(j, "by_count_only", json_boolean(v->by_count_only));
	set(j, "interrupted", json_boolean(v->interrupted));
	set(j, "error", v->err ? text(strerror(v->err)) : json_null());
	set(j, "expected", number(c->expected.present));
	set(j, "present", number(v->present));
	set(j, "others", number(v->others));
	set(j, "digest", digest_json(v->digest));
	set(j, "expected_digest", digest_json(v->expected_digest));
	set(j, "missing", difference_json(&v->missing));
	set(j, "twice", difference_json(&v->twice));
	set(j, "unexpected", difference_json(&v->unexpected));
	return j;
}

static json_t *checks_json(const struct record *r)
{
	json_t *list;

	if (r->checks == 0)
		return json_null();
	list = json_array();
	for (unsigned int i = 0; i < r->checks; i++)
		json_array_append_new(list, check_json(&r->check[i]));
	return list;
}

static json_t *left_json(const struct tree_left *l)
{
	json_t *j = json_object();

	set(j, "directories", number(l->directories));
	set(j, "mounts", number(l->mounts));
	set(j, "unreadable", number(l->unreadable));
	return j;
}

/* The errno's name, or null for a success. */
static json_t *errno_json(int err)
{
	const char *name = strerrorname_np(err);

	return err ? text(name ? name : "unknown") : json_null();
}

static json_t *free_check_json(const struct free_check *c)
{
	json_t *j;

	if (!c->done)
		return json_null();
	j = json_object();
	set(j, "deleted", shown_name(c->deleted));
	set(j, "delete_errno", errno_json(c->delete_errno));
	set(j, "refused_name_errno", errno_json(c->refused_errno));
	set(j, "refused_name_wait_s", seconds(c->refused_wait));
	set(j, "deleted_name_errno", errno_json(c->deleted_errno));
	set(j, "deleted_name_wait_s", seconds(c->deleted_wait));
	return j;
}

static json_t *until_full_json(const struct record *r)
{
	json_t *j;

	if (r->until == UNTIL_COUNT)
		return json_null();
	j = json_object();
	set(j, "mode", text(r->until == UNTIL_FIRST ? "first" : "all"));
	set(j, "refusals_to_end",
	    json_integer(r->until == UNTIL_FIRST ? 1 : UNTIL_REFUSALS));
	set(j, "made", number(record_done(r)));
	set(j, "nominal_free_inodes",
	    r->before.inodes_counted ? number(r->before.inodes_free)
				     : json_null());
	set(j, "difference",
	    r->before.inodes_counted
		    ? json_integer((json_int_t)(record_done(r) -
						r->before.inodes_free))
		    : json_null());
	set(j, "free_check", free_check_json(&r->free_check));
	return j;
}

static json_t *outcome_json(const struct record *r)
{
	json_t *j = json_object();

	set(j, "end", text(record_end(r)));
	set(j, "exit_code", json_integer(r->exit_code));
	set(j, "signal",
	    r->run.signal ? json_integer(r->run.signal) : json_null());
	set(j, "done", number(record_done(r)));
	set(j, "failed", number(record_failed(r)));
	set(j, "missing", number(r->missing));
	set(j, "listed", number(r->run.listed));
	set(j, "left", left_json(&r->left));
	set(j, "stage_removed", number(r->run.cleaned));
	set(j, "stage_left", json_boolean(r->stage_left));
	set(j, "until_full", until_full_json(r));
	set(j, "first_failure", failure_json(r));
	set(j, "verdict", verdict_json(r));
	return j;
}

static json_t *command_json(const struct command *c)
{
	bool ran = !c->start_errno;
	json_t *j = json_object(), *argv = json_array();

	for (char *const *arg = c->argv; *arg; arg++)
		json_array_append_new(argv, text(*arg));
	set(j, "argv", argv);
	set(j, "exit_status",
	    ran && WIFEXITED(c->status) ? json_integer(WEXITSTATUS(c->status))
					: json_null());
	set(j, "signal",
	    ran && WIFSIGNALED(c->status) ? json_integer(WTERMSIG(c->status))
					  : json_null());
	set(j, "start_errno", errno_json(c->start_errno));
	return j;
}

static json_t *times_json(const struct record *r)
{
	const struct durable *d = &r->durable;
	json_t *j = json_object();

	set(j, "real_s", seconds(r->run.real));
	set(j, "user_s", seconds(r->run.user));
	set(j, "sys_s", seconds(r->run.sys));
	set(j, "durable_s", d->asked && !d->err ? seconds(d->ns) : json_null());
	set(j, "durable_errno", errno_json(d->err));
	return j;
}

static json_t *started_json(const struct timespec *t)
{
	char day[32], whole[64];
	struct tm utc;

	gmtime_r(&t->tv_sec, &utc);
	strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &utc);
	snprintf(whole, sizeof(whole), "%s.%06ldZ", day, t->tv_nsec / 1000);
	return json_string(whole);
}

char *record_json(const struct record *r)
{
	json_t *j = json_object();
	char *dump;

	set(j, "schema", text(RECORD_SCHEMA));
	set(j, "schema_version", json_integer(RECORD_SCHEMA_VERSION));
	set(j, "tool", text(r->options->tool->name));
	set(j, "version", text(BIGDIR_VERSION));
	set(j, "argv", argv_json(r->options));
	set(j, "labels", labels_json(r->options->labels));
	set(j, "started", started_json(&r->started));
	set(j, "outcome", outcome_json(r));
	set(j, "plan", plan_json(r));
	set(j, "host", host_json(&r->env));
	set(j, "file_system", file_system_json(&r->env));
	set(j, "space_before", space_json(&r->before));
	set(j, "space_after", space_json(&r->after));
	set(j, "time", times_json(r));
	set(j, "peak_memory_bytes", number(r->peak_memory));
	set(j, "sort_memory_bytes", number(r->sort_memory));
	set(j, "directory_size", text(r->size_is));
	if (r->command)
		set(j, "command", command_json(r->command));
	set(j, "operations", operations_json(r));
	set(j, "verification", checks_json(r));
	set(j, "not_verified", text(r->not_verified));
	dump = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(9));
	json_decref(j);
	return dump;
}
