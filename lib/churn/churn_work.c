#include "churn_work.h"

#include <string.h>

/* The figures of the last part; they are now the result's. */
static void take_figures(struct churn *c, struct churn_result *r)
{
	for (int kind = 0; kind < CHURN_KINDS; kind++)
		meter_free(&r->figures.meter[kind]);
	r->figures = c->figures;
	memset(c->figures.meter, 0, sizeof(c->figures.meter));
}

static int warm_up(struct churn *c, struct churn_result *r)
{
	const struct churn_options *o = r->options;
	const struct churn_phase phase = {
		.requests = o->warm_up,
		.until_full = o->warm_up_full,
	};
	int err;

	if (!o->warm_up && !o->warm_up_full)
		return 0;
	err = churn_run(c, &phase);
	r->warm_up = c->figures.counts;
	r->warm_up_real = c->figures.real;
	if (c->end != RUN_COMPLETE)
		take_figures(c, r);
	return err;
}

/* Of the answers; all of them, when the part is over. */
static uint64_t slo_quantile(const struct churn_options *o,
			     const struct churn_figures *f)
{
	return o->slo_text ? hist_quantile(&f->meter[CHURN_RESPONSE].latency,
					   o->slo_part)
			   : 0;
}

static bool is_good(const struct churn_options *o,
		    const struct churn_figures *f)
{
	return f->counts.requests && churn_held(f, o->slo_limit) &&
	       (!o->slo_text || slo_quantile(o, f) <= o->slo_limit);
}

static int measure(struct churn *c, uint64_t time_limit, struct churn_result *r)
{
	const struct churn_options *o = r->options;
	const struct churn_phase phase = {
		.requests = o->requests,
		.time_limit = time_limit,
		.rate = o->arrivals.rate,
	};
	int err = churn_run(c, &phase);

	/* the time is the goal where it is all that was asked for */
	if (c->end == RUN_TIME_LIMIT && !phase.requests)
		c->end = RUN_COMPLETE;
	r->warm = true;
	r->rate_met = phase.rate <= 0 || is_good(o, &c->figures);
	r->quantile = slo_quantile(o, &c->figures);
	take_figures(c, r);
	return err;
}

static void keep_step(const struct churn_figures *f, double rate,
		      struct churn_result *r)
{
	r->step[r->steps++] = (struct churn_step){
		.rate = rate,
		.answered = churn_rate(f),
		.shortfall = churn_shortfall(f),
		.requests = f->counts.requests,
		.quantile = slo_quantile(r->options, f),
		.good = is_good(r->options, f),
	};
}

/* The best step's figures are kept; until there is one, the last one's. */
static void take_step(struct churn *c, struct churn_result *r)
{
	const struct churn_step *s = &r->step[r->steps - 1];

	if (!s->good && r->highest > 0)
		return;
	if (s->good)
		r->highest = s->rate;
	r->quantile = s->quantile;
	take_figures(c, r);
}

static int climb(struct churn *c, struct churn_result *r)
{
	const struct churn_options *o = r->options;
	struct ramp ramp = o->ramp;
	struct churn_phase phase = { .time_limit = o->step_time };
	int err = 0;

	r->warm = true;
	while (!err && r->steps < CHURN_MAX_STEPS &&
	       ramp_next(&ramp, &phase.rate)) {
		err = churn_run(c, &phase);
		/* a step that did not end by its time is none */
		if (c->end != RUN_TIME_LIMIT) {
			if (!r->steps || c->end == RUN_FAILED)
				take_figures(c, r);
			break;
		}
		keep_step(&c->figures, phase.rate, r);
		ramp_tell(&ramp, phase.rate, r->step[r->steps - 1].good);
		take_step(c, r);
		c->end = RUN_COMPLETE;
	}
	r->rate_met = r->highest > 0;
	return err;
}

int churn_work(struct churn *c, uint64_t time_limit, struct churn_result *r)
{
	int err = warm_up(c, r);

	r->rate_met = true;
	if (!err && c->end == RUN_COMPLETE)
		err = r->options->ramped ? climb(c, r)
					 : measure(c, time_limit, r);
	r->total = c->total;
	r->objects = c->objects;
	return err;
}
