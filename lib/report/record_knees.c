#include "record_parts.h"

#include "json_value.h"

/* In the order of enum evidence_figure. */
static const char *const figure_keys[EVIDENCE_FIGURES] = {
	"reads",
	"read_bytes",
	"writes",
	"written_bytes",
	"directory_bytes",
	"memory_available_bytes",
	"memory_cached_bytes",
	"memory_reclaimable_bytes",
	"memory_dirty_bytes",
	"memory_group_bytes",
	"journal_commits",
	"processor_ns",
	"preempted",
	"machine_busy_ns",
};

static json_t *causes_json(const struct knee *k)
{
	json_t *list = json_array();

	for (size_t i = 0; i < k->causes; i++) {
		json_t *j = json_object();

		json_set(j, "cause", json_text(cause_name(k->cause[i].kind)));
		json_set(j, "evidence", json_text(k->cause[i].text));
		json_array_append_new(list, j);
	}
	return list;
}

json_t *knees_json(const struct knees *knees)
{
	json_t *list = json_array();

	for (size_t i = 0; i < knees->count; i++) {
		const struct knee *k = &knees->knee[i];
		json_t *j = json_object();

		json_set(j, "of", json_text(k->mean ? "mean" : "p50"));
		json_set(j, "low", json_number(k->low));
		json_set(j, "high", json_number(k->high));
		json_set(j, "from_ns", json_real(k->from));
		json_set(j, "to_ns", json_real(k->to));
		json_set(j, "p99_from_ns", json_real(k->p99_from));
		json_set(j, "p99_to_ns", json_real(k->p99_to));
		json_set(j, "processor_from_ns",
			 k->processor_known ? json_real(k->processor_from)
					    : json_null());
		json_set(j, "processor_to_ns",
			 k->processor_known ? json_real(k->processor_to)
					    : json_null());
		json_set(j, "causes", causes_json(k));
		json_array_append_new(list, j);
	}
	return list;
}

static json_t *column_json(const struct run_evidence *e, int figure)
{
	json_t *list = json_array();

	for (unsigned int i = 0; i < e->used; i++) {
		uint64_t value = e->sample[i].figure[figure];

		json_array_append_new(list, value == EVIDENCE_UNKNOWN
						    ? json_null()
						    : json_number(value));
	}
	return list;
}

json_t *run_evidence_json(const struct run_evidence *e)
{
	json_t *j, *position, *time;

	if (e->used == 0)
		return json_null();
	j = json_object();
	json_set(j, "of", json_text(e->of_device ? "device" : "process"));
	json_set(j, "dirty_limit_bytes",
		 e->dirty_limit ? json_number(e->dirty_limit) : json_null());
	json_set(j, "position", position = json_array());
	json_set(j, "time_ns", time = json_array());
	for (unsigned int i = 0; i < e->used; i++) {
		json_array_append_new(position,
				      json_number(e->sample[i].position));
		json_array_append_new(time, json_number(e->sample[i].time));
	}
	for (int figure = 0; figure < EVIDENCE_FIGURES; figure++)
		json_set(j, figure_keys[figure], column_json(e, figure));
	return j;
}
