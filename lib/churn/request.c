#include "request.h"

#include <errno.h>
#include <stdlib.h>

#include "parent.h"

/* For each request, a name and a path, twice. */
static size_t name_room(const struct churn_plan *p)
{
	return name_longest(p->scheme, p->law->keys - 1) + 1;
}

static size_t path_room(const struct churn_plan *p)
{
	return p->layout ? layout_longest(p->layout) + 1 : 0;
}

size_t object_text_room(const struct churn_plan *p)
{
	return name_room(p) + path_room(p);
}

int requests_init(struct churn *c)
{
	size_t room = object_text_room(c->plan);

	c->request = calloc(CHURN_BLOCK, sizeof(*c->request));
	c->text = malloc(2 * CHURN_BLOCK * room);
	return c->request && c->text ? 0 : -ENOMEM;
}

int object_name(const struct churn_plan *p, struct object *o, uint32_t rank,
		char *text)
{
	size_t length = name_make(p->scheme, rank, text);
	char *path = text + name_room(p);
	int got;

	o->rank = rank;
	o->name = text;
	if (!p->layout)
		return 0;
	got = layout_path(p->layout, rank, text, length, path, path_room(p));
	if (got < 0)
		return got;
	o->path = path;
	o->path_length = (unsigned int)got;
	o->path_hash = parent_hash(path, (size_t)got);
	return 0;
}

static int work_out(struct churn *c, unsigned int i)
{
	const struct churn_plan *p = c->plan;
	size_t room = object_text_room(p);
	char *text = c->text + 2 * room * i;
	struct request *q = &c->request[i];
	uint32_t rank = popularity_next(p->law), victim = 0;
	int err;

	q->done = 0;
	q->expected = policy_use(p->policy, rank);
	q->evicts = !q->expected && policy_add(p->policy, rank, &victim);
	err = object_name(p, &q->object, rank, text);
	if (!err && q->evicts)
		err = object_name(p, &q->victim, victim, text + room);
	return err;
}

int requests_fill(struct churn *c, bool open)
{
	unsigned int room = open ? CHURN_OPEN_BLOCK : CHURN_BLOCK;
	int err = 0;

	c->first += c->count;
	c->at = c->told = c->count = 0;
	while (c->count < room && !err)
		err = work_out(c, c->count++);
	return err;
}
