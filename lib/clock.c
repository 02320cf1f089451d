#include "clock.h"

#include <stdlib.h>

#define ROUNDS 9
#define READS 200

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double clock_cost(void)
{
	double cost[ROUNDS];

	for (int r = 0; r < ROUNDS; r++) {
		uint64_t start = clock_now(), end = start;

		for (int i = 0; i < READS; i++)
			end = clock_now();
		cost[r] = (double)(end - start) / READS;
	}
	qsort(cost, ROUNDS, sizeof(cost[0]), compare_doubles);
	return cost[ROUNDS / 2];
}
