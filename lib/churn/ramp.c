#include "ramp.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arrivals.h"

/* A rate, with k or M after it; returns what follows. */
static const char *read_rate(const char *text, double *rate)
{
	char *end;

	if (!isdigit((unsigned char)text[0]) || text[1] == 'x')
		return NULL;
	*rate = strtod(text, &end);
	if (*end == 'k' || *end == 'M')
		*rate *= *end++ == 'k' ? 1e3 : 1e6;
	return *rate > 0 && *rate <= ARRIVALS_MAX_RATE ? end : NULL;
}

int ramp_parse(struct ramp *r, const char *text)
{
	double by;
	char how;

	memset(r, 0, sizeof(*r));
	r->factor = 1;
	text = read_rate(text, &r->from);
	if (!text || *text++ != ':')
		return -EINVAL;
	text = read_rate(text, &r->to);
	if (!text || *text++ != ':' || r->to < r->from)
		return -EINVAL;
	how = *text++;
	if (how != 'x' && how != '+')
		return -EINVAL;
	text = read_rate(text, &by);
	if (!text)
		return -EINVAL;
	r->poisson = strcmp(text, ",poisson") == 0;
	if (*text && !r->poisson)
		return -EINVAL;
	if (how == '+')
		r->summand = by;
	else
		r->factor = by;
	return r->factor > 1 || r->summand > 0 ? 0 : -EINVAL;
}

bool ramp_next(const struct ramp *r, double *rate)
{
	if (r->bad > 0 && r->good <= 0)
		return false;
	if (r->bad > 0) {
		*rate = (r->good + r->bad) / 2;
		return r->bad - r->good > RAMP_RESOLUTION * r->good;
	}
	if (r->good >= r->to)
		return false;
	*rate = r->good > 0 ? r->good * r->factor + r->summand : r->from;
	if (*rate > r->to)
		*rate = r->to;
	return true;
}

void ramp_tell(struct ramp *r, double rate, bool good)
{
	if (good && rate > r->good)
		r->good = rate;
	else if (!good && (r->bad <= 0 || rate < r->bad))
		r->bad = rate;
}
