#include "record_parts.h"

#include "json_value.h"
#include "report_deletion.h"

static json_t *choice_json(const struct deletion *d)
{
	const struct choice *c = &d->choice;
	json_t *j;

	if (!d->chosen)
		return json_null();
	j = json_object();
	json_set(j, "order", json_text(c->by_inode ? "inode" : "readdir"));
	json_set(j, "workers", json_integer(c->workers));
	json_set(j, "block", json_integer(c->block));
	json_set(j, "look_ahead", json_boolean(c->look_ahead));
	json_set(j, "reason", json_text(c->reason));
	return j;
}

static json_t *look_ahead_json(const struct deletion *d)
{
	json_t *j;

	if (!d->looked_ahead)
		return json_null();
	j = json_object();
	json_set(j, "calls", json_number(d->looked.calls));
	json_set(j, "reads", json_number(d->looked.reads));
	json_set(j, "errno",
		 json_errno(d->look_ahead_errno ? d->look_ahead_errno
						: d->looked.err));
	return j;
}

static json_t *selection_json(const struct record *r)
{
	const struct deletion *d = r->deletion;
	const char *const *glob = d->selection.match;
	json_t *j = json_object(), *match = json_array();

	for (; glob && *glob; glob++)
		json_array_append_new(match, json_text(*glob));
	json_set(j, "match", match);
	json_set(j, "older_than_s",
		 d->older ? json_seconds(d->older) : json_null());
	json_set(j, "keep", d->keep ? json_number(d->keep) : json_null());
	json_set(j, "keep_memory_bytes", json_number(d->keep_memory));
	json_set(j, "unmatched", json_number(r->left.unmatched));
	json_set(j, "kept", json_number(r->left.kept));
	return j;
}

static json_t *pace_json(const struct deletion *d)
{
	const struct pace *p = &d->pacer.pace;
	json_t *j = json_object();

	json_set(j, "rate_per_s",
		 p->interval ? json_real(1e9 / (double)p->interval)
			     : json_null());
	json_set(j, "max_latency_s",
		 p->latency ? json_seconds(p->latency) : json_null());
	json_set(j, "nice", json_boolean(d->nice));
	json_set(j, "nice_errno", json_errno(d->nice_errno));
	json_set(j, "pressure_known", json_boolean(d->pacer.pressure >= 0));
	json_set(j, "waited_s", json_seconds(d->pacer.waited));
	json_set(j, "rests", json_number(p->rests));
	json_set(j, "slow_rests", json_number(p->slow_rests));
	json_set(j, "stalled_rests", json_number(p->stalled_rests));
	json_set(j, "longest_rest_s", json_seconds(p->longest_rest));
	return j;
}

static json_t *drain_json(const struct drain *d)
{
	json_t *j;

	if (!d->asked)
		return json_null();
	j = json_object();
	json_set(j, "end", json_text(drain_end_name(d->end)));
	json_set(j, "drain_s", json_seconds(d->ns));
	json_set(j, "errno", json_errno(d->err));
	json_set(j, "inodes_freed",
		 d->counted ? json_number(d->freed) : json_null());
	return j;
}

json_t *deletion_json(const struct record *r)
{
	json_t *j = json_object();

	json_set(j, "choice", choice_json(r->deletion));
	json_set(j, "look_ahead", look_ahead_json(r->deletion));
	json_set(j, "selection", selection_json(r));
	json_set(j, "pace", pace_json(r->deletion));
	json_set(j, "drain", drain_json(&r->deletion->drain));
	json_set(j, "directory_stays_large",
		 json_boolean(report_stays_large(r)));
	return j;
}
