#include "aging.h"

#include <string.h>

#include "bijection.h"
#include "clock.h"
#include "interrupt.h"
#include "op.h"
#include "permute.h"

/* The first index of the names that are there after so many passes. */
static uint64_t generation(const struct aging *a, unsigned int pass)
{
	return a->start + (uint64_t)(pass % a->passes) * a->count;
}

static void permutation_of(const struct aging *a, unsigned int number,
			   struct permutation *p)
{
	permute_init(p, a->count, bijection_hash(a->seed + number));
}

static bool operate(struct aging *a, const struct operation *op, uint64_t index,
		    uint64_t *counter)
{
	const struct place place = { .dir = a->dir,
				     .to_dir = a->dir,
				     .mode = a->mode };
	char name[NAME_BUFFER];

	name_make(a->scheme, index, name);
	a->err = op->run(&place, name, NULL);
	if (a->err) {
		memcpy(a->at, name, sizeof(a->at));
		return false;
	}
	(*counter)++;
	return true;
}

static bool replace_all(struct aging *a, unsigned int pass)
{
	uint64_t old = generation(a, pass), new = generation(a, pass + 1);
	struct permutation from, to;

	permutation_of(a, pass, &from);
	/* a name that is replaced by itself is so at once */
	permutation_of(a, old == new ? pass : pass + 1, &to);
	for (uint64_t i = 0; i < a->count; i++) {
		a->interrupted = interrupt_pending();
		if (a->interrupted ||
		    !operate(a, &op_unlink, old + permute_at(&from, i),
			     &a->deleted) ||
		    !operate(a, &op_create_open, new + permute_at(&to, i),
			     &a->created))
			return false;
	}
	return true;
}

void aging_run(struct aging *a)
{
	uint64_t began = clock_now();

	a->done = true;
	for (unsigned int pass = 0; pass < a->passes; pass++)
		if (!replace_all(a, pass))
			break;
	a->real = clock_now() - began;
}
