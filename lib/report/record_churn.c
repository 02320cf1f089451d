#include "record_parts.h"

#include "json_value.h"

static json_t *counts_json(const struct churn_counts *n)
{
	json_t *j = json_object();

	json_set(j, "requests", json_number(n->requests));
	json_set(j, "hits", json_number(n->hits));
	json_set(j, "misses", json_number(n->misses));
	json_set(j, "created", json_number(n->created));
	json_set(j, "evicted", json_number(n->evicted));
	json_set(j, "found", json_number(n->found));
	json_set(j, "lost", json_number(n->lost));
	return j;
}

static json_t *theory_json(const struct churn_result *c)
{
	json_t *j = json_object();

	json_set(j, "hit_ratio", json_real(c->theory.hit_ratio));
	json_set(j, "by", json_text(c->theory.by));
	return j;
}

static json_t *warm_up_json(const struct churn_result *c)
{
	json_t *j;

	if (!c->warm || c->warm_up.requests == 0)
		return json_null();
	j = counts_json(&c->warm_up);
	json_set(j, "until",
		 json_text(c->options->warm_up_full ? "full" : "count"));
	json_set(j, "real_s", json_seconds(c->warm_up_real));
	return j;
}

static json_t *slo_json(const struct churn_result *c)
{
	const struct churn_options *o = c->options;
	json_t *j;

	if (!o->slo_text)
		return json_null();
	j = json_object();
	json_set(j, "part", json_real(o->slo_part));
	json_set(j, "limit_ns", json_number(o->slo_limit));
	json_set(j, "found_ns", json_number(c->quantile));
	json_set(j, "kept", json_boolean(c->quantile <= o->slo_limit));
	return j;
}

static json_t *open_loop_json(const struct churn_result *c)
{
	const struct churn_figures *f = &c->figures;
	json_t *j;

	if (f->rate <= 0)
		return json_null();
	j = json_object();
	json_set(j, "rate_per_s", json_real(f->rate));
	json_set(j, "arrivals",
		 json_text(c->options->arrivals.poisson ? "poisson"
							: "constant"));
	json_set(j, "answered_per_s", json_real(churn_rate(f)));
	json_set(j, "held", json_boolean(churn_held(f, c->options->slo_limit)));
	json_set(j, "too_short", json_boolean(churn_too_short(f)));
	json_set(j, "shortfall", json_real(churn_shortfall(f)));
	json_set(j, "behind_ns", json_number(f->behind));
	json_set(j, "slo", slo_json(c));
	return j;
}

static json_t *step_json(const struct churn_step *s)
{
	json_t *j = json_object();

	json_set(j, "rate_per_s", json_real(s->rate));
	json_set(j, "requests", json_number(s->requests));
	json_set(j, "answered_per_s", json_real(s->answered));
	json_set(j, "shortfall", json_real(s->shortfall));
	json_set(j, "quantile_ns", json_number(s->quantile));
	json_set(j, "good", json_boolean(s->good));
	return j;
}

static json_t *ramp_json(const struct churn_result *c)
{
	json_t *j, *steps;

	if (!c->options->ramped)
		return json_null();
	j = json_object();
	steps = json_array();
	for (unsigned int i = 0; i < c->steps; i++)
		json_array_append_new(steps, step_json(&c->step[i]));
	json_set(j, "highest_per_s",
		 c->highest > 0 ? json_real(c->highest) : json_null());
	json_set(j, "step_s", json_seconds(c->options->step_time));
	json_set(j, "steps", steps);
	return j;
}

static json_t *directories_json(const struct churn_result *c)
{
	json_t *j;

	if (!c->directories_known)
		return json_null();
	j = json_object();
	json_set(j, "made", json_number(c->directories.made));
	json_set(j, "opened", json_number(c->directories.opened));
	json_set(j, "found_open", json_number(c->directories.hits));
	return j;
}

json_t *churn_json(const struct churn_result *c)
{
	const struct churn_options *o = c->options;
	json_t *j = json_object();

	json_set(j, "capacity", json_number(o->capacity));
	json_set(j, "keys", json_number(o->keys));
	json_set(j, "popularity", json_text(o->popularity));
	json_set(j, "policy", json_text(policy_name(o->policy)));
	json_set(j, "lookup", json_text(o->lookup_open ? "open" : "stat"));
	json_set(j, "policy_bytes", json_number(c->policy_bytes));
	json_set(j, "phase", json_text(c->warm ? "measured" : "warm-up"));
	json_set(j, "counts", counts_json(&c->figures.counts));
	json_set(j, "hit_ratio",
		 json_real(churn_hit_ratio(&c->figures.counts)));
	json_set(j, "theory", theory_json(c));
	json_set(j, "warm_up", warm_up_json(c));
	json_set(j, "total", counts_json(&c->total));
	json_set(j, "resumed", json_number(c->resumed));
	json_set(j, "surplus", json_number(c->held.surplus));
	json_set(j, "strangers", json_number(c->held.others));
	json_set(j, "stages_removed", json_number(c->stages.removed));
	json_set(j, "objects", json_number(c->objects));
	json_set(j, "books_agree", json_boolean(churn_books_agree(c)));
	json_set(j, "directories", directories_json(c));
	json_set(j, "open_loop", open_loop_json(c));
	json_set(j, "ramp", ramp_json(c));
	return j;
}
