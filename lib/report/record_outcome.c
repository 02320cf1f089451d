#include "record_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json_value.h"
#include "report_listed.h"

static json_t *failure_json(const struct record *r)
{
	const struct run_failure *f = &r->run.first;
	const char *name = strerrorname_np(f->err);
	json_t *j;

	if (!f->err)
		return json_null();
	j = json_object();
	json_set(j, "errno", json_text(name ? name : "unknown"));
	json_set(j, "text", json_text(strerror(f->err)));
	json_set(j, "operation",
		 r->run.end == RUN_UNREADABLE
			 ? json_text("readdir")
			 : json_text(record_first_operation(r)));
	if (r->run.end == RUN_UNREADABLE) {
		/* not an operation of the run, which have these */
		json_set(j, "at_ns", json_null());
		json_set(j, "position", json_null());
		json_set(j, "index", json_null());
		json_set(j, "name", json_null());
		json_set(j, "directory", json_null());
		return j;
	}
	json_set(j, "at_ns", json_number(f->time));
	json_set(j, "position", json_number(f->position));
	json_set(j, "index",
		 f->index == NO_INDEX ? json_null() : json_number(f->index));
	json_set(j, "name", json_name(f->name));
	json_set(j, "directory",
		 f->directory[0] ? json_name(f->directory) : json_null());
	return j;
}

static json_t *evidence_json(const struct verdict *v)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < v->evidence_count; i++) {
		const struct evidence *e = &v->evidence[i];
		json_t *j = json_object();

		json_set(j, "name", json_text(e->name));
		json_set(j, "text", json_text(e->text));
		json_set(j, "number",
			 e->numeric ? json_number(e->number) : json_null());
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

		json_set(j, "command", json_text(remedy->command));
		json_set(j, "effect",
			 json_text(remedy_effect_name(remedy->effect)));
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
	json_set(j, "cause", json_text(v->cause_id));
	json_set(j, "summary", json_text(v->summary));
	json_set(j, "confidence",
		 json_text(exhaust_confidence_name(v->confidence)));
	json_set(j, "doubt", json_known(v->doubt));
	json_set(j, "advice", json_known(v->advice));
	json_set(j, "evidence", evidence_json(v));
	json_set(j, "remedies", remedies_json(v));
	return j;
}

static json_t *difference_json(const struct difference *d)
{
	json_t *j = json_object(), *examples = json_array();

	for (unsigned int i = 0; i < d->examples; i++)
		json_array_append_new(examples, json_name(d->example[i]));
	json_set(j, "count", json_number(d->count));
	json_set(j, "examples", examples);
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

	json_set(j, "directory", json_text(c->directory));
	json_set(j, "passed", json_boolean(v->passed));
	json_set(j, "by_count_only", json_boolean(v->by_count_only));
	json_set(j, "interrupted", json_boolean(v->interrupted));
	json_set(j, "error",
		 v->err ? json_text(strerror(v->err)) : json_null());
	json_set(j, "expected", json_number(c->expected.present));
	json_set(j, "present", json_number(v->present));
	json_set(j, "others", json_number(v->others));
	json_set(j, "stages", json_number(v->stages));
	json_set(j, "digest", digest_json(v->digest));
	json_set(j, "expected_digest", digest_json(v->expected_digest));
	json_set(j, "missing", difference_json(&v->missing));
	json_set(j, "twice", difference_json(&v->twice));
	json_set(j, "unexpected", difference_json(&v->unexpected));
	json_set(j, "misplaced", difference_json(&v->misplaced));
	json_set(j, "directories", json_number(v->directories));
	return j;
}

json_t *checks_json(const struct record *r)
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

	json_set(j, "directories", json_number(l->directories));
	json_set(j, "mounts", json_number(l->mounts));
	json_set(j, "unreadable", json_number(l->unreadable));
	return j;
}

static json_t *free_check_json(const struct free_check *c)
{
	json_t *j;

	if (!c->done)
		return json_null();
	j = json_object();
	json_set(j, "deleted", json_name(c->deleted));
	json_set(j, "delete_errno", json_errno(c->delete_errno));
	json_set(j, "refused_name_errno", json_errno(c->refused_errno));
	json_set(j, "refused_name_wait_s", json_seconds(c->refused_wait));
	json_set(j, "deleted_name_errno", json_errno(c->deleted_errno));
	json_set(j, "deleted_name_wait_s", json_seconds(c->deleted_wait));
	return j;
}

static json_t *until_full_json(const struct record *r)
{
	json_t *j;

	if (r->until == UNTIL_COUNT)
		return json_null();
	j = json_object();
	json_set(j, "mode",
		 json_text(r->until == UNTIL_FIRST ? "first" : "all"));
	json_set(j, "refusals_to_end",
		 json_integer(r->until == UNTIL_FIRST ? 1 : UNTIL_REFUSALS));
	json_set(j, "made", json_number(record_done(r)));
	json_set(j, "nominal_free_inodes",
		 r->before.inodes_counted ? json_number(r->before.inodes_free)
					  : json_null());
	json_set(j, "difference",
		 r->before.inodes_counted && r->run.end == RUN_FULL
			 ? json_integer((json_int_t)(record_done(r) -
						     r->before.inodes_free))
			 : json_null());
	json_set(j, "free_check", free_check_json(&r->free_check));
	return j;
}

static json_t *listed_types_json(const struct run_result *run)
{
	json_t *j = json_object();

	for (unsigned int type = 0; type < RUN_TYPES; type++) {
		const char *name = listed_type_name(type);

		if (name && run->listed_types[type])
			json_set(j, name, json_number(run->listed_types[type]));
	}
	return j;
}

json_t *outcome_json(const struct record *r)
{
	json_t *j = json_object();

	json_set(j, "end", json_text(record_end(r)));
	json_set(j, "exit_code", json_integer(r->exit_code));
	json_set(j, "signal",
		 r->run.signal ? json_integer(r->run.signal) : json_null());
	json_set(j, "done", json_number(record_done(r)));
	json_set(j, "failed", json_number(record_failed(r)));
	json_set(j, "missing", json_number(r->missing));
	json_set(j, "listed", json_number(r->run.listed));
	json_set(j, "listed_types", listed_types_json(&r->run));
	json_set(j, "left", left_json(&r->left));
	json_set(j, "stage_removed", json_number(r->run.cleaned));
	json_set(j, "stage_left", json_boolean(r->stage_left));
	json_set(j, "until_full", until_full_json(r));
	json_set(j, "first_failure", failure_json(r));
	json_set(j, "verdict", verdict_json(r));
	return j;
}
