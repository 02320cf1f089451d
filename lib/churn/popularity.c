#include "popularity.h"

#include <errno.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elementary.h"

int popularity_parse(struct popularity *p, const char *text)
{
	char *end;

	memset(p, 0, sizeof(*p));
	if (strcmp(text, "uniform") == 0) {
		p->kind = POPULARITY_UNIFORM;
		return 0;
	}
	if (strcmp(text, "scan") == 0) {
		p->kind = POPULARITY_SCAN;
		return 0;
	}
	if (strncmp(text, "zipf:", 5) != 0 ||
	    !isdigit((unsigned char)text[5]) || text[6] == 'x' ||
	    text[6] == 'X')
		return -EINVAL;
	p->kind = POPULARITY_ZIPF;
	p->exponent = strtod(text + 5, &end);
	if (*end || !(p->exponent <= POPULARITY_MAX_EXPONENT))
		return -EINVAL;
	return 0;
}

/* --- rejection-inversion ------------------------------------------------- */

/* The law's density at x: x^-S. */
static double density(const struct popularity *p, double x)
{
	return elementary_exp(-p->exponent * elementary_log(x));
}

/* Its integral from 1 to x: (x^(1-S) - 1) / (1 - S), and ln x for S = 1. */
static double integral(const struct popularity *p, double x)
{
	double log = elementary_log(x);

	return elementary_expm1_ratio((1 - p->exponent) * log) * log;
}

/* The x whose integral is y. */
static double inverse(const struct popularity *p, double y)
{
	double t = y * (1 - p->exponent);

	/* rounding may go beyond the pole */
	if (t <= -1)
		t = -1 + 0x1p-53;
	return elementary_exp(elementary_log1p_ratio(t) * y);
}

void popularity_bind(struct popularity *p, uint64_t keys, uint64_t seed)
{
	p->keys = keys;
	p->next = 0;
	draw_init(&p->draw, seed, DRAW_POPULARITY);
	if (p->kind != POPULARITY_ZIPF)
		return;
	/* The bar of rank 1 is one wide in the integral, whatever is below
	 * the curve there. */
	p->low = integral(p, 1.5) - 1;
	p->high = integral(p, (double)keys + 0.5);
	/* So far below a whole number, x is within its bar for certain. */
	p->sure = 2 - inverse(p, integral(p, 2.5) - density(p, 2));
}

/*
 * A point below the curve from 1/2 to keys + 1/2, by inversion; its x rounded
 * is the rank, if the point is also within the rank's bar, whose area is
 * exactly the rank's part. The curve lies little above the bars, so few points
 * are refused.
 */
static uint64_t draw_zipf(struct popularity *p)
{
	for (;;) {
		double y = p->high + draw_unit(&p->draw) * (p->low - p->high);
		double x = inverse(p, y), rank = floor(x + 0.5);

		if (rank < 1)
			rank = 1;
		else if (rank > (double)p->keys)
			rank = (double)p->keys;
		if (rank - x <= p->sure ||
		    y >= integral(p, rank + 0.5) - density(p, rank))
			return (uint64_t)rank - 1;
	}
}

uint32_t popularity_next(struct popularity *p)
{
	uint64_t rank;

	switch (p->kind) {
	case POPULARITY_ZIPF:
		return (uint32_t)draw_zipf(p);
	case POPULARITY_UNIFORM:
		return (uint32_t)draw_below(&p->draw, p->keys);
	default:
		rank = p->next++;
		if (p->next == p->keys)
			p->next = 0;
		return (uint32_t)rank;
	}
}

double popularity_weight(const struct popularity *p, double rank)
{
	return p->kind == POPULARITY_ZIPF ? density(p, rank + 1) : 1;
}
