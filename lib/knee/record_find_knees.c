#include "record_find_knees.h"

#include <string.h>

#include "xfs_geometry.h"

/* What a directory without names takes, at most, beside one block. */
#define EMPTY 64

struct names {
	const struct options *options;
	const struct name_scheme *scheme;
};

static size_t name_at(const void *arg, uint64_t position, char buf[NAME_BUFFER])
{
	const struct names *n = arg;

	return name_make(n->scheme,
			 n->options->start +
				 order_at(&n->options->order, position),
			 buf);
}

static bool was_new(const struct record *r)
{
	uint64_t most = r->env.ext_known ? r->env.ext.block_size : EMPTY;

	return r->before.directory_bytes <= most;
}

/* Where the index gets deeper, for a run that is as the model wants it. */
static size_t find_steps(const struct record *r, int dir,
			 const struct name_scheme *scheme,
			 struct index_step *steps)
{
	const struct names names = { r->options, scheme };
	const struct index_growth g = {
		.dir = dir,
		.env = &r->env,
		.count = r->run.tried,
		.name = name_at,
		.arg = &names,
	};

	if (strcmp(r->size_is, "growing") != 0 || !scheme || r->laid_out ||
	    r->steps != 1 || r->passes != 1 || g.count == 0 || !was_new(r) ||
	    order_is_observed(&r->options->order) ||
	    r->options->order.n < g.count)
		return 0;
	return index_steps(&g, steps);
}

static uint64_t journal_bytes(const struct record *r, int dir)
{
	struct xfs_geometry x;

	if (r->env.ext_known)
		return r->env.ext.journal_bytes;
	if (strcmp(r->env.mount.type, "xfs") != 0 || xfs_geometry_read(dir, &x))
		return 0;
	return (uint64_t)x.log_blocks * x.block_size;
}

void record_find_knees(struct record *r, int dir,
		       const struct name_scheme *scheme)
{
	struct index_step steps[INDEX_STEPS_MOST];
	struct cause_scene scene = {
		.evidence = r->evidence.used ? &r->evidence : NULL,
		.steps = steps,
		.memory = r->env.memory,
		.memory_limit = r->env.memory_limit,
	};
	bool any = false;

	if (r->command || r->churn)
		return;
	for (unsigned int n = 0; n < r->steps; n++)
		any = any || knees_any(&r->run.meter[n].by_position);
	if (!any)
		return;
	scene.step_count = find_steps(r, dir, scheme, steps);
	scene.journal = journal_bytes(r, dir);
	for (unsigned int n = 0; n < r->steps; n++)
		knees_find(&r->run.meter[n].by_position, &scene, &r->knees[n]);
}
