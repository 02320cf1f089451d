/*
 * requests: the keys that churn asks for, one rank a line.
 *
 *	requests LAW KEYS SEED COUNT
 *
 * For a reckoning of hit ratios by other means.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "popularity.h"

static uint64_t number(const char *text, uint64_t low)
{
	char *end;
	uint64_t n = strtoull(text, &end, 10);

	if (*end || n < low)
		errx(2, "%s is no number from %" PRIu64 " on", text, low);
	return n;
}

int main(int argc, char **argv)
{
	struct popularity law;

	if (argc != 5)
		errx(2, "usage: requests LAW KEYS SEED COUNT");
	if (popularity_parse(&law, argv[1]) < 0)
		errx(2, "%s is none of %s", argv[1], POPULARITY_CHOICES);
	popularity_bind(&law, number(argv[2], 1), number(argv[3], 0));
	for (uint64_t n = number(argv[4], 0); n > 0; n--)
		printf("%" PRIu32 "\n", popularity_next(&law));
	return fflush(stdout) == 0 ? 0 : 1;
}
