#include "record.h"

/* A cache's kinds, without those that this run had nothing to do with. */
static enum churn_kind churn_kind_at(const struct record *r, unsigned int n)
{
	unsigned int kind = 0;

	for (;; kind++)
		if (churn_has_kind(r->churn, (enum churn_kind)kind) && n-- == 0)
			return (enum churn_kind)kind;
}

unsigned int record_kinds(const struct record *r)
{
	unsigned int n = 0;

	if (!r->churn)
		return r->steps;
	for (int kind = 0; kind < CHURN_KINDS; kind++)
		n += churn_has_kind(r->churn, (enum churn_kind)kind);
	return n;
}

const char *record_kind_name(const struct record *r, unsigned int n)
{
	return r->churn ? churn_kind_name(churn_kind_at(r, n))
			: r->operation[n]->name;
}

const struct meter *record_meter(const struct record *r, unsigned int n)
{
	return r->churn ? &r->churn->figures.meter[churn_kind_at(r, n)]
			: &r->run.meter[n];
}

const struct meter *record_work(const struct record *r, unsigned int n)
{
	if (!r->churn)
		return record_meter(r, n);
	switch (churn_kind_at(r, n)) {
	case CHURN_RESPONSE:
		return &r->churn->figures.meter[CHURN_REQUEST];
	case CHURN_RESPONSE_HIT:
		return &r->churn->figures.meter[CHURN_HIT];
	case CHURN_RESPONSE_MISS:
		return &r->churn->figures.meter[CHURN_FETCH];
	default:
		return record_meter(r, n);
	}
}

uint64_t record_step_done(const struct record *r, unsigned int step)
{
	if (!r->command)
		return record_meter(r, step)->latency.count;
	if (!command_succeeded(r->command))
		return 0;
	return r->count ? r->count : 1;
}

uint64_t record_done(const struct record *r)
{
	uint64_t done = 0;

	for (unsigned int n = r->steps_apart ? 0 : r->steps - 1; n < r->steps;
	     n++)
		done += record_step_done(r, n);
	return done;
}

const char *record_first_operation(const struct record *r)
{
	const struct run_failure *f = &r->run.first;

	if (r->churn)
		return churn_kind_name((enum churn_kind)f->step);
	return f->op ? f->op->name : r->operation[f->step]->name;
}

bool record_left(const struct record *r)
{
	return r->left.directories || r->left.mounts || r->left.unreadable;
}

uint64_t record_failed(const struct record *r)
{
	uint64_t failed = r->missing;

	for (unsigned int n = 0; n < record_kinds(r); n++)
		failed += record_meter(r, n)->failed;
	return failed;
}

double record_rate(const struct record *r, unsigned int step)
{
	uint64_t took = r->run.real;

	if (r->command && r->command->took)
		took = r->command->took;
	if (took == 0)
		return 0;
	return (double)record_step_done(r, step) * 1e9 / (double)took;
}

const char *record_end(const struct record *r)
{
	static const char *const words[] = {
		[RUN_COMPLETE] = "complete", [RUN_TIME_LIMIT] = "time-limit",
		[RUN_SIGNAL] = "signal",     [RUN_FAILED] = "error",
		[RUN_FULL] = "full",	     [RUN_UNREADABLE] = "unreadable",
	};

	return words[r->run.end];
}
