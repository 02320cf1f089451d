#include "record_parts.h"

#include "json_value.h"

static double rate(uint64_t done, uint64_t ns)
{
	return ns ? (double)done * 1e9 / (double)ns : 0;
}

static json_t *dirs_json(const struct layout_dirs *d,
			 const struct operation *op)
{
	json_t *j;

	if (!d->done)
		return json_null();
	j = json_object();
	json_set(j, "real_s", json_seconds(d->real));
	json_set(j, "errno", json_errno(d->err));
	json_set(j, "left", json_boolean(d->left));
	json_set(j, "at", d->err || d->left ? json_name(d->at) : json_null());
	json_set(j, "operation",
		 meter_json(op->name, &d->meter,
			    rate(d->meter.latency.count, d->real)));
	return j;
}

json_t *layout_json(const struct record *r)
{
	const struct placing_figures *d = &r->run.directories;
	json_t *j;

	if (!r->laid_out)
		return json_null();
	j = json_object();
	json_set(j, "parents", json_integer(r->parents));
	json_set(j, "parents_bytes", json_number(d->memory));
	json_set(j, "hits", json_number(d->counts.hits));
	json_set(j, "misses", json_number(d->counts.misses));
	json_set(j, "evicted", json_number(d->counts.evicted));
	json_set(j, "mkdir",
		 meter_json(op_layout_mkdir.name, &d->made,
			    rate(d->made.latency.count, r->run.real)));
	json_set(j, "opendir",
		 meter_json(op_layout_opendir.name, &d->opened,
			    rate(d->opened.latency.count, r->run.real)));
	json_set(j, "prepare", dirs_json(&r->prepared, &op_layout_mkdir));
	json_set(j, "prune", dirs_json(&r->pruned, &op_rmdir));
	return j;
}
