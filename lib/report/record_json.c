#include "record_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "json_value.h"
#include "record_parts.h"

static json_t *argv_json(const struct options *o)
{
	json_t *list = json_array();

	for (int i = 0; i < o->argc; i++)
		json_array_append_new(list, json_text(o->argv[i]));
	return list;
}

static json_t *labels_json(const char **labels)
{
	json_t *object = json_object();

	for (; labels && *labels; labels++) {
		const char *equals = strchr(*labels, '=');
		char *key = strndup(*labels, (size_t)(equals - *labels));

		if (key &&
		    json_object_set_new(object, key, json_text(equals + 1)) < 0)
			json_set(object, "(key is not UTF-8)",
				 json_text(equals + 1));
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

	json_set(p, "directory", json_text(r->path ? r->path : r->directory));
	json_set(p, "to_directory", json_text(r->to_path));
	json_set(p, "to_name", json_text(r->to_name));
	json_set(p, "to_prefix", json_text(r->to_prefix));
	json_set(p, "count", r->count ? json_number(r->count) : json_null());
	json_set(p, "start", json_number(o->start));
	json_set(p, "name", json_text(o->name));
	json_set(p, "prefix", json_text(o->prefix ? o->prefix : ""));
	json_set(p, "layout", json_text(o->layout_text));
	json_set(p, "to_layout", json_text(r->to_layout));
	json_set(p, "parents", json_integer(o->parents));
	json_set(p, "prepared", json_boolean(o->prepare));
	json_set(p, "hit", r->mixed ? json_real(r->hit) : json_null());
	json_set(p, "order", json_text(o->order_text));
	json_set(p, "seed", json_number(o->seed));
	json_set(p, "window", json_number(o->window));
	json_set(p, "type", json_text(type_name(o->type)));
	json_set(p, "file_bytes", json_integer(0));
	json_set(p, "via", json_text(o->type == TYPE_FILE ? o->via : NULL));
	json_set(p, "mode", mode_json(o->mode));
	json_set(p, "verify", json_text(verify_words[o->verify]));
	json_set(p, "workers", json_integer(o->workers));
	json_set(p, "passes", json_integer(r->passes));
	json_set(p, "staged", json_boolean(o->staged));
	json_set(p, "stage_batch", json_integer(r->batch));
	json_set(p, "fsync", json_text(durability_name(o->durability)));
	json_set(p, "time_limit_s",
		 o->time_limit ? json_seconds(o->time_limit) : json_null());
	json_set(p, "on_error",
		 json_text(o->stop_on_error ? "stop" : "continue"));
	return p;
}

static json_t *command_json(const struct command *c)
{
	bool ran = !c->start_errno;
	json_t *j = json_object(), *argv = json_array();

	for (char *const *arg = c->argv; *arg; arg++)
		json_array_append_new(argv, json_text(*arg));
	json_set(j, "argv", argv);
	json_set(j, "exit_status",
		 ran && WIFEXITED(c->status)
			 ? json_integer(WEXITSTATUS(c->status))
			 : json_null());
	json_set(j, "signal",
		 ran && WIFSIGNALED(c->status)
			 ? json_integer(WTERMSIG(c->status))
			 : json_null());
	json_set(j, "start_errno", json_errno(c->start_errno));
	if (c->took_from)
		json_set(j, "took_s",
			 c->took ? json_seconds(c->took) : json_null());
	return j;
}

static json_t *times_json(const struct record *r)
{
	const struct durable *d = &r->durable;
	json_t *j = json_object();

	json_set(j, "real_s", json_seconds(r->run.real));
	json_set(j, "user_s", json_seconds(r->run.user));
	json_set(j, "sys_s", json_seconds(r->run.sys));
	json_set(j, "durable_s",
		 d->asked && !d->err ? json_seconds(d->ns) : json_null());
	json_set(j, "durable_errno", json_errno(d->err));
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

	json_set(j, "schema", json_text(RECORD_SCHEMA));
	json_set(j, "schema_version", json_integer(RECORD_SCHEMA_VERSION));
	json_set(j, "tool", json_text(r->options->tool->name));
	json_set(j, "version", json_text(BIGDIR_VERSION));
	json_set(j, "argv", argv_json(r->options));
	json_set(j, "labels", labels_json(r->options->labels));
	json_set(j, "started", started_json(&r->started));
	json_set(j, "outcome", outcome_json(r));
	json_set(j, "plan", plan_json(r));
	json_set(j, "host", host_json(&r->env));
	json_set(j, "file_system", file_system_json(&r->env));
	json_set(j, "space_before", space_json(&r->before));
	json_set(j, "space_after", space_json(&r->after));
	json_set(j, "time", times_json(r));
	json_set(j, "peak_memory_bytes", json_number(r->peak_memory));
	json_set(j, "sort_memory_bytes", json_number(r->sort_memory));
	json_set(j, "directory_size", json_text(r->size_is));
	if (r->command)
		json_set(j, "command", command_json(r->command));
	json_set(j, "aging", aging_json(&r->aging));
	json_set(j, "age", age_json(r));
	if (r->churn)
		json_set(j, "churn", churn_json(r->churn));
	if (r->deletion)
		json_set(j, "deletion", deletion_json(r));
	json_set(j, "operations", operations_json(r));
	json_set(j, "evidence", run_evidence_json(&r->evidence));
	json_set(j, "layout", layout_json(r));
	json_set(j, "verification", checks_json(r));
	json_set(j, "not_verified", json_text(r->not_verified));
	dump = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(9));
	json_decref(j);
	return dump;
}
