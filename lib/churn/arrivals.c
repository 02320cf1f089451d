#include "arrivals.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elementary.h"

int arrivals_parse(struct arrivals *a, const char *text)
{
	char *end;
	double rate;

	memset(a, 0, sizeof(*a));
	if (!isdigit((unsigned char)text[0]) || text[1] == 'x' ||
	    text[1] == 'X')
		return -EINVAL;
	rate = strtod(text, &end);
	if (*end == 'k' || *end == 'M')
		rate *= *end++ == 'k' ? 1e3 : 1e6;
	if (strncmp(end, "/s", 2) == 0)
		end += 2;
	if (strcmp(end, ",poisson") == 0)
		a->poisson = true;
	else if (*end)
		return -EINVAL;
	if (!(rate > 0 && rate <= ARRIVALS_MAX_RATE))
		return -EINVAL;
	a->rate = rate;
	return 0;
}

void arrivals_start(struct arrivals *a, double rate, uint64_t seed)
{
	a->rate = rate;
	a->at = 0;
	a->number = 0;
	draw_init(&a->draw, seed, DRAW_ARRIVALS);
}

uint64_t arrivals_next(struct arrivals *a)
{
	double mean = 1e9 / a->rate;

	if (!a->poisson)
		return (uint64_t)((double)a->number++ * mean);
	a->at -= elementary_log(draw_unit(&a->draw)) * mean;
	return (uint64_t)a->at;
}
