/*
 * order: which entry comes at which position.
 *
 * Computed orders are functions from position to index; observed orders
 * (readdir, inode, hash) take the entries as a directory holds them, and are
 * carried out by source.h.
 */
#ifndef BIGDIR_ORDER_H
#define BIGDIR_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "permute.h"

enum order_kind {
	ORDER_SEQUENTIAL,
	ORDER_REVERSE,
	ORDER_RANDOM,
	ORDER_STRIDE, /* 0, K, 2K, ... then 1, K+1, ... */
	ORDER_INTERLEAVE, /* K runs of neighbours, one from each in turn */
	ORDER_READDIR, /* as getdents64 returns them, streamed */
	ORDER_INODE, /* by inode number */
	ORDER_HASH, /* by the directory hash of the file system */
};

struct order {
	enum order_kind kind;
	uint64_t n; /* how many positions; set by order_bind() */
	uint64_t step; /* K of stride and interleave */
	struct permutation permutation;
};

/* The names that order_parse() takes, for help and error texts. */
#define ORDER_CHOICES                                                          \
	"sequential, reverse, random, stride:K, interleave:K, readdir, "       \
	"inode, hash"

/* Read an order from its name. 0, or -EINVAL when it names none. */
int order_parse(struct order *o, const char *text);

/* Its name, without K. Static. */
const char *order_name(const struct order *o);

/* True when the order must read the directory to know what comes next. */
bool order_is_observed(const struct order *o);

/* Fix the number of positions (1 to 2^63 - 1) and the seed of a random order.
 * Computed orders only. */
void order_bind(struct order *o, uint64_t n, uint64_t seed);

/* The index at a position in [0, n). Computed orders only. */
uint64_t order_at(const struct order *o, uint64_t position);

/* The indices at `count` positions from `position` on, plus `start`. */
void order_fill(const struct order *o, uint64_t position, uint64_t start,
		unsigned int count, uint64_t *index);

#endif
