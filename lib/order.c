#include "order.h"

#include <errno.h>
#include <string.h>

#include "number.h"

static const struct {
	const char *name;
	enum order_kind kind;
	bool has_step;
} kinds[] = {
	{ "sequential", ORDER_SEQUENTIAL, false },
	{ "reverse", ORDER_REVERSE, false },
	{ "random", ORDER_RANDOM, false },
	{ "stride", ORDER_STRIDE, true },
	{ "interleave", ORDER_INTERLEAVE, true },
	{ "readdir", ORDER_READDIR, false },
	{ "inode", ORDER_INODE, false },
	{ "hash", ORDER_HASH, false },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

int order_parse(struct order *o, const char *text)
{
	const char *colon = strchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : strlen(text);

	for (size_t i = 0; i < KINDS; i++) {
		if (strlen(kinds[i].name) != length ||
		    memcmp(kinds[i].name, text, length) != 0)
			continue;
		if (kinds[i].has_step != (colon != NULL))
			return -EINVAL;
		memset(o, 0, sizeof(*o));
		o->kind = kinds[i].kind;
		if (!colon)
			return 0;
		return number_count(colon + 1, 1, INT64_MAX, &o->step);
	}
	return -EINVAL;
}

const char *order_name(const struct order *o)
{
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].kind == o->kind)
			return kinds[i].name;
	return "unknown";
}

bool order_is_observed(const struct order *o)
{
	return o->kind == ORDER_READDIR || o->kind == ORDER_INODE ||
	       o->kind == ORDER_HASH;
}

void order_bind(struct order *o, uint64_t n, uint64_t seed)
{
	o->n = n;
	if (o->kind == ORDER_RANDOM)
		permute_init(&o->permutation, n, seed);
}

/* Of the K residues, the first n % K have one member more than the others. */
static uint64_t stride_at(const struct order *o, uint64_t position)
{
	uint64_t each = o->n / o->step, longer = o->n % o->step;
	uint64_t in_longer = longer * (each + 1);

	if (position < in_longer)
		return position / (each + 1) + position % (each + 1) * o->step;
	position -= in_longer;
	return longer + position / each + position % each * o->step;
}

/* Run r starts after r runs, of which the first n % K are one longer. */
static uint64_t interleave_at(const struct order *o, uint64_t position)
{
	uint64_t each = o->n / o->step, longer = o->n % o->step;
	uint64_t run = position % o->step;
	uint64_t start = run * each + (run < longer ? run : longer);

	return start + position / o->step;
}

uint64_t order_at(const struct order *o, uint64_t position)
{
	switch (o->kind) {
	case ORDER_REVERSE:
		return o->n - 1 - position;
	case ORDER_RANDOM:
		return permute_at(&o->permutation, position);
	case ORDER_STRIDE:
		return stride_at(o, position);
	case ORDER_INTERLEAVE:
		return interleave_at(o, position);
	default:
		return position;
	}
}

void order_fill(const struct order *o, uint64_t position, uint64_t start,
		unsigned int count, uint64_t *index)
{
	unsigned int i;

	if (o->kind == ORDER_SEQUENTIAL) {
		for (i = 0; i < count; i++)
			index[i] = start + position + i;
	} else if (o->kind == ORDER_RANDOM) {
		for (i = 0; i < count; i++)
			index[i] = start +
				   permute_at(&o->permutation, position + i);
	} else {
		for (i = 0; i < count; i++)
			index[i] = start + order_at(o, position + i);
	}
}
