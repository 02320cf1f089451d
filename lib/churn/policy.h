/*
 * policy: which objects a cache holds, and which of them must go.
 *
 * Objects are known by rank. All memory is taken at the start: 4 bytes an
 * object for its rank, 6 for the index that finds it (open addressing, two
 * thirds full), and, for lru, 8 for its two neighbours in the order of use:
 * 18 bytes an object, 10 with the other policies.
 */
#ifndef BIGDIR_POLICY_H
#define BIGDIR_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "draw.h"

#define POLICY_CHOICES "lru, fifo, random"
#define POLICY_MAX_CAPACITY (UINT32_MAX - 1)

enum policy_kind {
	POLICY_LRU, /* the one that was not used for longest */
	POLICY_FIFO, /* the one that came first */
	POLICY_RANDOM, /* any, each as likely as the others */
};

struct policy {
	enum policy_kind kind;
	uint32_t capacity, count;
	uint32_t oldest; /* the next to go; not of random */
	uint32_t newest; /* lru only */
	uint32_t *rank; /* of the object in each slot */
	struct policy_link {
		uint32_t older, newer; /* slots */
	} * link; /* lru only */
	uint32_t *index; /* slots, by hash of the rank */
	uint64_t places; /* in the index */
	struct draw draw;
};

/* An empty cache for `capacity` objects, 1 to POLICY_MAX_CAPACITY. 0 or
 * -ENOMEM; policy_free() in both cases. */
int policy_init(struct policy *p, enum policy_kind kind, uint32_t capacity,
		uint64_t seed);
void policy_free(struct policy *p);

/* Whether it holds an object; if so, it has been used now. */
bool policy_use(struct policy *p, uint32_t rank);

/* Take in an object that it does not hold, as the newest. True: it was full,
 * and *victim had to go. */
bool policy_add(struct policy *p, uint32_t rank, uint32_t *victim);

/* The bytes that one takes. */
uint64_t policy_bytes(enum policy_kind kind, uint32_t capacity);

/* "lru", "fifo" or "random". Static. */
const char *policy_name(enum policy_kind kind);

#endif
