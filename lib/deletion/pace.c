#include "pace.h"

#include <errno.h>
#include <string.h>

#include "number.h"

#define NS_PER_S UINT64_C(1000000000)
#define GENTLE_BLOCK 16
#define BLOCKS_PER_S 50

static int unit_of(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "", NS_PER_S },
		{ "/s", NS_PER_S },
		{ "/m", NS_PER_S * 60 },
		{ "/h", NS_PER_S * 3600 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(units[i].name, text) == 0) {
			*ns = units[i].ns;
			return 0;
		}
	}
	return -EINVAL;
}

int pace_rate(const char *text, uint64_t *interval)
{
	size_t length = strcspn(text, "/");
	char digits[NUMBER_TEXT];
	uint64_t count, ns;

	if (length >= sizeof(digits) || unit_of(text + length, &ns) < 0)
		return -EINVAL;
	memcpy(digits, text, length);
	digits[length] = '\0';
	if (number_count(digits, 1, NS_PER_S, &count) < 0)
		return -EINVAL;
	*interval = ns / count;
	return 0;
}

void pace_init(struct pace *p, uint64_t interval, uint64_t latency)
{
	memset(p, 0, sizeof(*p));
	p->interval = interval;
	p->latency = latency;
	p->rest = PACE_FIRST_REST;
}

unsigned int pace_block(const struct pace *p, unsigned int most)
{
	if (p->latency && most > GENTLE_BLOCK)
		most = GENTLE_BLOCK;
	if (p->interval) {
		uint64_t few = NS_PER_S / BLOCKS_PER_S / p->interval;

		if (few < most)
			most = few ? (unsigned int)few : 1;
	}
	return most;
}

void pace_worked(struct pace *p, uint64_t began, uint64_t ended,
		 unsigned int count, uint64_t worst)
{
	if (!p->next)
		p->next = began;
	/* what was not used long before is lost: no burst makes up for it */
	if (p->next + PACE_CATCH_UP < began)
		p->next = began - PACE_CATCH_UP;
	p->next += count * p->interval;
	if (!p->latency)
		return;
	if (worst > p->latency)
		p->slow = true;
	p->worked += ended - began;
	if (p->worked >= PACE_SLICE && !p->resting_until) {
		p->worked = 0;
		p->resting_until = ended + p->rest;
	}
}

uint64_t pace_due(const struct pace *p)
{
	uint64_t rate = p->interval ? p->next : 0;

	return rate > p->resting_until ? rate : p->resting_until;
}

void pace_rested(struct pace *p, uint64_t rested, uint64_t stalled)
{
	bool others = stalled > rested / PACE_STALLED;

	p->rests++;
	p->slow_rests += p->slow;
	p->stalled_rests += others;
	if (p->rest > p->longest_rest)
		p->longest_rest = p->rest;
	if (p->slow || others)
		p->rest *= 2;
	else
		p->rest -= p->rest / 8;
	if (p->rest > PACE_MOST_REST)
		p->rest = PACE_MOST_REST;
	if (p->rest < PACE_LEAST_REST)
		p->rest = PACE_LEAST_REST;
	p->slow = false;
	p->resting_until = 0;
}
