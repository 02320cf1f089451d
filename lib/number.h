/*
 * number: counts and durations as people type them, and as reports show them.
 *
 * Reading is strict: the whole text must be a number with at most one suffix.
 * (expand_number() of libbsd reads 300k as 307,200; here k is 1,000.)
 */
#ifndef BIGDIR_NUMBER_H
#define BIGDIR_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/*
 * Read a count: digits, then k, M, G, T (powers of 1,000) or Ki, Mi, Gi, Ti
 * (powers of 1,024). 0; -EINVAL when it is no number, -ERANGE when it is not
 * in [low, high]. *value is set only on success.
 */
int number_count(const char *text, uint64_t low, uint64_t high,
		 uint64_t *value);

/*
 * Read a duration, such as 90, 2s, 500ms, 1.5h (ns us ms s m h d; seconds
 * when it has no unit), into nanoseconds. 0, -EINVAL or -ERANGE (not above
 * zero, or over 292 years).
 */
int number_duration(const char *text, uint64_t *nanoseconds);

/* Read a share, such as 90%, 99.5% or 0.9, as 0 to 1. 0, -EINVAL or -ERANGE. */
int number_share(const char *text, double *share);

/* Room for every text that the functions below write. */
#define NUMBER_TEXT 32

/* 1234567 as "1,234,567". Returns buf. */
char *number_grouped(char buf[NUMBER_TEXT], uint64_t value);

/* Nanoseconds in the unit that fits, three digits: "870 ns", "3.25 us",
 * "1.07 ms", "12.4 s". Returns buf. */
char *number_time(char buf[NUMBER_TEXT], double nanoseconds);

/* Bytes with a binary unit: "4.0 KiB". Returns buf. */
char *number_bytes(char buf[NUMBER_TEXT], uint64_t bytes);

/* A rate per second: "93,428" or, below 100, "12.3". Returns buf. */
char *number_rate(char buf[NUMBER_TEXT], double per_second);

#endif
