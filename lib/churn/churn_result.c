#include "churn_result.h"

bool churn_has_kind(const struct churn_result *r, enum churn_kind kind)
{
	if (kind == CHURN_RENAME)
		return !r->options->direct;
	return kind < CHURN_RESPONSE || r->figures.rate > 0;
}

bool churn_books_agree(const struct churn_result *r)
{
	const struct churn_counts *n = &r->total;
	uint64_t lookups = n->hits + n->misses;

	/* the request that has failed is not answered, but may have been
	 * looked up */
	if (lookups != n->requests && lookups != n->requests + 1)
		return false;
	return r->resumed + n->created + n->found ==
	       r->objects + n->evicted + n->lost;
}
