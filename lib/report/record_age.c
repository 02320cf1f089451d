#include "record_parts.h"

#include "json_value.h"

json_t *aging_json(const struct aging *a)
{
	json_t *j;

	if (!a->done)
		return json_null();
	j = json_object();
	json_set(j, "replacements", json_integer(a->passes));
	json_set(j, "deleted", json_number(a->deleted));
	json_set(j, "created", json_number(a->created));
	json_set(j, "real_s", json_seconds(a->real));
	json_set(j, "errno", json_errno(a->err));
	return j;
}

json_t *age_json(const struct record *r)
{
	const struct age *a = &r->age;
	json_t *j;

	if (!r->age_known)
		return json_null();
	j = json_object();
	json_set(j, "verdict", json_text(age_verdict_name(a->verdict)));
	json_set(j, "emptied_before", json_boolean(a->emptied));
	json_set(j, "errno", json_errno(a->err));
	json_set(j, "entries", json_number(a->entries));
	json_set(j, "directory_bytes", json_number(a->bytes));
	json_set(j, "fresh_bytes",
		 a->fresh_bytes ? json_number(a->fresh_bytes) : json_null());
	json_set(j, "sampled", json_integer(a->sampled));
	json_set(j, "inode_order",
		 a->sampled ? json_real(a->inode_order) : json_null());
	return j;
}
