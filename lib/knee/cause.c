#include "cause.h"

#include <inttypes.h>
#include <stdio.h>

#include "number.h"

#define READS_LEAST 0.01 /* requests for each operation */
#define WRITTEN_LEAST 64.0 /* bytes for each operation */
#define PREEMPTED_LEAST 50.0 /* times a second */
#define OTHERS_LEAST (1 / 3.0) /* processors */

/* The samples around a knee: before it from a to b, after it from c to d. */
struct around {
	const struct evidence_sample *a, *b, *c, *d;
};

const char *cause_name(enum cause_kind kind)
{
	static const char *const names[CAUSE_KINDS] = {
		"index-depth",	 "device-reads", "memory-limit",
		"memory-short",	 "journal-full", "write-back",
		"device-writes", "preempted",	 "others-busy",
	};

	return names[kind];
}

/* --- looking ------------------------------------------------------------- */

static bool look_around(const struct cause_scene *s, struct around *r)
{
	uint64_t start = s->low > s->reach ? s->low - s->reach : 0;

	if (!s->evidence || s->evidence->used < 2)
		return false;
	r->a = evidence_before(s->evidence, start);
	r->b = evidence_before(s->evidence, s->low);
	r->c = evidence_after(s->evidence, s->high);
	r->d = evidence_after(s->evidence, s->high + s->reach);
	/* a knee within the first or the last slice that was sampled */
	if (r->b == r->a)
		r->b = evidence_after(s->evidence, s->low);
	if (r->d == r->c)
		r->c = evidence_before(s->evidence, s->high);
	return r->a->position < r->b->position &&
	       r->c->position < r->d->position;
}

static bool is_known(const struct around *r, enum evidence_figure f)
{
	return r->a->figure[f] != EVIDENCE_UNKNOWN &&
	       r->b->figure[f] != EVIDENCE_UNKNOWN &&
	       r->c->figure[f] != EVIDENCE_UNKNOWN &&
	       r->d->figure[f] != EVIDENCE_UNKNOWN;
}

static double grown(const struct evidence_sample *from,
		    const struct evidence_sample *to, enum evidence_figure f)
{
	return (double)to->figure[f] - (double)from->figure[f];
}

static double each(const struct evidence_sample *from,
		   const struct evidence_sample *to, enum evidence_figure f)
{
	return grown(from, to, f) / (double)(to->position - from->position);
}

static double each_second(const struct evidence_sample *from,
			  const struct evidence_sample *to,
			  enum evidence_figure f)
{
	return to->time > from->time ? grown(from, to, f) * 1e9 /
					       (double)(to->time - from->time)
				     : 0;
}

bool cause_per_operation(const struct cause_scene *s, enum evidence_figure f,
			 double *before, double *after)
{
	struct around r;

	if (!look_around(s, &r) || !is_known(&r, f))
		return false;
	*before = each(r.a, r.b, f);
	*after = each(r.c, r.d, f);
	return true;
}

/* Whether a rate is up with the cost, or down with it. */
static bool goes_along(const struct cause_scene *s, double before, double after,
		       double least)
{
	double cheap = s->rises ? before : after;
	double dear = s->rises ? after : before;

	return dear >= 2 * cheap && dear >= cheap + least;
}

/* --- the rules ----------------------------------------------------------- */

static bool index_depth(const struct cause_scene *s, struct cause *c)
{
	char at[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];

	for (size_t i = 0; i < s->step_count && s->rises; i++) {
		const struct index_step *step = &s->steps[i];
		int n;

		if (step->high + s->slice < s->low ||
		    step->low > s->high + s->slice)
			continue;
		n = snprintf(c->text, sizeof(c->text),
			     "levels %u -> %u at %s by the model", step->from,
			     step->to, number_grouped(at, step->at));
		if (step->low < step->high)
			snprintf(c->text + n, sizeof(c->text) - (size_t)n,
				 ", %s to %s", number_grouped(low, step->low),
				 number_grouped(high, step->high));
		return true;
	}
	return false;
}

static bool device_reads(const struct cause_scene *s, const struct around *r,
			 struct cause *c)
{
	char x[NUMBER_TEXT], y[NUMBER_TEXT];
	double before, after;
	int n;

	if (!is_known(r, EVIDENCE_READS))
		return false;
	before = each(r->a, r->b, EVIDENCE_READS);
	after = each(r->c, r->d, EVIDENCE_READS);
	if (!goes_along(s, before, after, READS_LEAST))
		return false;
	n = snprintf(c->text, sizeof(c->text),
		     "%.0f -> %.0f for 1,000 operations", before * 1000,
		     after * 1000);
	if (is_known(r, EVIDENCE_AVAILABLE))
		snprintf(c->text + n, sizeof(c->text) - (size_t)n,
			 "; memory available %s -> %s",
			 number_bytes(x, r->b->figure[EVIDENCE_AVAILABLE]),
			 number_bytes(y, r->c->figure[EVIDENCE_AVAILABLE]));
	return true;
}

static bool memory_limit(const struct cause_scene *s, const struct around *r,
			 struct cause *c)
{
	uint64_t limit = s->memory_limit - s->memory_limit / 100 * 3;
	char x[NUMBER_TEXT], y[NUMBER_TEXT], z[NUMBER_TEXT];

	if (!s->memory_limit || !s->rises || !is_known(r, EVIDENCE_GROUP) ||
	    r->a->figure[EVIDENCE_GROUP] >= limit ||
	    r->c->figure[EVIDENCE_GROUP] < limit)
		return false;
	snprintf(c->text, sizeof(c->text), "%s -> %s of %s",
		 number_bytes(x, r->a->figure[EVIDENCE_GROUP]),
		 number_bytes(y, r->c->figure[EVIDENCE_GROUP]),
		 number_bytes(z, s->memory_limit));
	return true;
}

static bool memory_short(const struct cause_scene *s, const struct around *r,
			 struct cause *c)
{
	char x[NUMBER_TEXT], y[NUMBER_TEXT], z[NUMBER_TEXT];

	if (!s->rises || !is_known(r, EVIDENCE_AVAILABLE) ||
	    r->a->figure[EVIDENCE_AVAILABLE] < s->memory / 20 ||
	    r->c->figure[EVIDENCE_AVAILABLE] >= s->memory / 20)
		return false;
	snprintf(c->text, sizeof(c->text), "available %s -> %s of %s",
		 number_bytes(x, r->a->figure[EVIDENCE_AVAILABLE]),
		 number_bytes(y, r->c->figure[EVIDENCE_AVAILABLE]),
		 number_bytes(z, s->memory));
	return true;
}

/* From a slice before the knee to a slice after it. */
static bool journal_full(const struct cause_scene *s, struct cause *c)
{
	const struct run_evidence *e = s->evidence;
	const struct evidence_sample *from, *to, *first = &e->sample[0];
	uint64_t start = s->low > s->slice ? s->low - s->slice : 0;
	char x[NUMBER_TEXT], y[NUMBER_TEXT], z[NUMBER_TEXT];
	uint64_t before, after;

	from = evidence_before(e, start);
	to = evidence_after(e, s->high + s->slice);
	if (!s->journal || !s->rises || !e->of_device ||
	    first->figure[EVIDENCE_WRITTEN] == EVIDENCE_UNKNOWN ||
	    from->figure[EVIDENCE_WRITTEN] == EVIDENCE_UNKNOWN ||
	    to->figure[EVIDENCE_WRITTEN] == EVIDENCE_UNKNOWN)
		return false;
	before = from->figure[EVIDENCE_WRITTEN] -
		 first->figure[EVIDENCE_WRITTEN];
	after = to->figure[EVIDENCE_WRITTEN] - first->figure[EVIDENCE_WRITTEN];
	if (before >= s->journal || after < s->journal)
		return false;
	snprintf(c->text, sizeof(c->text),
		 "written so far %s -> %s, the journal holds %s",
		 number_bytes(x, before), number_bytes(y, after),
		 number_bytes(z, s->journal));
	return true;
}

static bool write_back(const struct cause_scene *s, const struct around *r,
		       struct cause *c)
{
	uint64_t limit = s->evidence->dirty_limit;
	char x[NUMBER_TEXT], y[NUMBER_TEXT], z[NUMBER_TEXT];

	if (!limit || !s->rises || !is_known(r, EVIDENCE_DIRTY) ||
	    r->a->figure[EVIDENCE_DIRTY] >= limit ||
	    r->c->figure[EVIDENCE_DIRTY] < limit)
		return false;
	snprintf(c->text, sizeof(c->text), "dirty %s -> %s, it begins at %s",
		 number_bytes(x, r->a->figure[EVIDENCE_DIRTY]),
		 number_bytes(y, r->c->figure[EVIDENCE_DIRTY]),
		 number_bytes(z, limit));
	return true;
}

static bool device_writes(const struct cause_scene *s, const struct around *r,
			  struct cause *c)
{
	char x[NUMBER_TEXT], y[NUMBER_TEXT];
	double before, after;
	int n;

	if (!is_known(r, EVIDENCE_WRITTEN))
		return false;
	before = each(r->a, r->b, EVIDENCE_WRITTEN);
	after = each(r->c, r->d, EVIDENCE_WRITTEN);
	if (!goes_along(s, before, after, WRITTEN_LEAST))
		return false;
	n = snprintf(c->text, sizeof(c->text), "%s -> %s for an operation",
		     number_bytes(x, (uint64_t)before),
		     number_bytes(y, (uint64_t)after));
	if (is_known(r, EVIDENCE_COMMITS) &&
	    r->d->figure[EVIDENCE_COMMITS] > r->a->figure[EVIDENCE_COMMITS])
		snprintf(c->text + n, sizeof(c->text) - (size_t)n,
			 "; commits %.2f -> %.2f per s",
			 each_second(r->a, r->b, EVIDENCE_COMMITS),
			 each_second(r->c, r->d, EVIDENCE_COMMITS));
	return true;
}

static bool preempted(const struct cause_scene *s, const struct around *r,
		      struct cause *c)
{
	double before = each_second(r->a, r->b, EVIDENCE_PREEMPTED);
	double after = each_second(r->c, r->d, EVIDENCE_PREEMPTED);

	if (!goes_along(s, before, after, PREEMPTED_LEAST))
		return false;
	snprintf(c->text, sizeof(c->text),
		 "others took the processor %.0f -> %.0f times a second",
		 before, after);
	return true;
}

/* Processors that all but this process kept busy. */
static double others(const struct evidence_sample *from,
		     const struct evidence_sample *to)
{
	return (each_second(from, to, EVIDENCE_BUSY) -
		each_second(from, to, EVIDENCE_PROCESSOR)) /
	       1e9;
}

static bool others_busy(const struct cause_scene *s, const struct around *r,
			struct cause *c)
{
	double before, after;

	if (!is_known(r, EVIDENCE_BUSY))
		return false;
	before = others(r->a, r->b);
	after = others(r->c, r->d);
	if ((s->rises ? after - before : before - after) < OTHERS_LEAST)
		return false;
	snprintf(
		c->text, sizeof(c->text),
		"others, kernel threads too, kept %.1f -> %.1f processors busy",
		before, after);
	return true;
}

size_t cause_find(const struct cause_scene *s, struct cause *found)
{
	static bool (*const rules[CAUSE_KINDS])(const struct cause_scene *,
						const struct around *,
						struct cause *) = {
		[CAUSE_DEVICE_READS] = device_reads,
		[CAUSE_MEMORY_LIMIT] = memory_limit,
		[CAUSE_MEMORY_SHORT] = memory_short,
		[CAUSE_WRITE_BACK] = write_back,
		[CAUSE_DEVICE_WRITES] = device_writes,
		[CAUSE_PREEMPTED] = preempted,
		[CAUSE_OTHERS_BUSY] = others_busy,
	};
	struct around r;
	bool sampled = look_around(s, &r);
	size_t count = 0;

	for (int kind = 0; kind < CAUSE_KINDS; kind++) {
		struct cause *c = &found[count];
		bool met;

		if (kind == CAUSE_INDEX_DEPTH)
			met = index_depth(s, c);
		else if (kind == CAUSE_JOURNAL_FULL)
			met = sampled && journal_full(s, c);
		else
			met = sampled && rules[kind](s, &r, c);
		c->kind = (enum cause_kind)kind;
		count += met;
	}
	return count;
}
