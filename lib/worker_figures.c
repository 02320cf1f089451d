#include "worker.h"

#include <string.h>

static struct sample make_sample(const struct worker *w, const struct timing *t,
				 uint64_t start)
{
	return (struct sample){
		.start = start,
		.end = t->end - w->shared->began,
		.position =
			w->shared->first_position + w->block.position + t->item,
		.index = w->block.index[t->item],
		.name = block_name(&w->block, t->item),
	};
}

/* What was to be done where. That the entry's directory could not be had is a
 * failure of its own kind, on its way. */
static void keep_side(struct worker *w, unsigned int item, int side, int *dir)
{
	const struct placed *at = &w->placing.at[side][item];
	struct run_failure *f = &w->first;
	const char *name = side == PLACING_TO && w->block.to_names
				   ? block_to(&w->block, item)
				   : block_name(&w->block, item);

	if (at->failed)
		f->op = at->failed;
	else if (at->fd >= 0)
		*dir = at->fd;
	if (!f->directory[0] || at->failed)
		placing_path(&w->placing, side, w->block.index[item], name,
			     f->directory, sizeof(f->directory));
}

static void keep_place(struct worker *w, const struct timing *t)
{
	const struct run_step *step = &w->step[t->step];
	struct run_failure *f = &w->first;

	f->op = step->op;
	f->place = step->place;
	if (step->placed)
		keep_side(w, t->item, PLACING_FROM, &f->place.dir);
	if (step->to_placed)
		keep_side(w, t->item, PLACING_TO, &f->place.to_dir);
}

static void keep_failure(struct worker *w, const struct timing *t)
{
	struct sample s = make_sample(w, t, 0);

	meter_fail(&w->meter[t->step], t->err, s.position, s.end);
	if (w->first.err)
		return;
	w->first.err = t->err;
	w->first.step = t->step;
	w->first.time = s.end;
	w->first.position = s.position;
	w->first.index = s.index;
	keep_place(w, t);
	strlcpy(w->first.name, s.name, sizeof(w->first.name));
	if (w->block.to_names)
		strlcpy(w->first.to, block_to(&w->block, t->item),
			sizeof(w->first.to));
	if (w->shared->plan->on_failure &&
	    !atomic_flag_test_and_set(&w->shared->failed_before))
		w->shared->plan->on_failure(
			w->shared->plan->on_failure_argument, &w->first);
}

/* The operations of one step in the block that went through; `start` is when
 * the clock was read before the first of all. */
static void gather(struct worker *w, unsigned int step, uint64_t start)
{
	uint64_t began = w->shared->began;
	uint64_t position = w->shared->first_position + w->block.position;
	struct meter_batch *b = &w->batch;
	unsigned int n = 0;

	for (unsigned int i = 0; i < w->timed; i++) {
		const struct timing *t = &w->timings[i];

		if (t->step == step && !t->err) {
			b->end[n] = t->end - began;
			b->latency[n] = t->end - start;
			b->position[n] = position + t->item;
			b->item[n++] = i;
		}
		start = t->end;
	}
	b->count = n;
}

static void keep_slow(struct worker *w, struct meter *m)
{
	const struct meter_batch *b = &w->batch;

	for (unsigned int i = 0; i < b->count; i++) {
		struct sample s;

		if (!meter_is_slow(m, b->latency[i]))
			continue;
		s = make_sample(w, &w->timings[b->item[i]],
				b->end[i] - b->latency[i]);
		meter_add_slow(m, &s);
	}
}

/* The last entry that went through, of those just gathered. */
static void keep_last(struct worker *w)
{
	const struct meter_batch *b = &w->batch;
	unsigned int item;

	if (b->count == 0)
		return;
	item = w->timings[b->item[b->count - 1]].item;
	strlcpy(w->last_name, block_name(&w->block, item),
		sizeof(w->last_name));
	w->last_end = b->end[b->count - 1];
}

void worker_keep_figures(struct worker *w, uint64_t start)
{
	uint64_t failed = w->failed - w->failures_kept;

	for (unsigned int n = 0; n < w->shared->plan->steps; n++) {
		gather(w, n, start);
		if (meter_add(&w->meter[n], &w->batch))
			keep_slow(w, &w->meter[n]);
		if (n + 1 == w->shared->plan->steps)
			keep_last(w);
	}
	for (unsigned int i = 0; failed && i < w->timed; i++)
		if (w->timings[i].err && w->timings[i].err != OP_KEPT)
			keep_failure(w, &w->timings[i]);
	w->failures_kept = w->failed;
	if (w->timed > 0)
		w->finished = w->timings[w->timed - 1].end - w->shared->began;
}
