/*
 * clock: the one clock that everything is timed with.
 */
#ifndef BIGDIR_CLOCK_H
#define BIGDIR_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC in nanoseconds: read without a system call on most
 * machines, never set back. */
static inline uint64_t clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#endif
