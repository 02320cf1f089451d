#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The factor that a count's suffix stands for; 0 for an unknown one. */
static uint64_t count_factor(const char *suffix)
{
	static const char letters[] = "kMGT";
	const char *letter;
	uint64_t base = 1000, factor = 1;

	if (*suffix == '\0')
		return 1;
	letter = strchr(letters, *suffix == 'K' ? 'k' : *suffix);
	if (!letter)
		return 0;
	if (suffix[1] == 'i')
		base = 1024;
	if (suffix[base == 1024 ? 2 : 1] != '\0')
		return 0;
	for (const char *at = letters; at <= letter; at++)
		factor *= base;
	return factor;
}

int number_count(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
	char *end;
	uint64_t n, factor;

	if (!isdigit((unsigned char)text[0])) {
		/* "-5" is a number, only not an allowed one */
		if (text[0] == '-' && isdigit((unsigned char)text[1]))
			return -ERANGE;
		return -EINVAL;
	}
	errno = 0;
	n = strtoull(text, &end, 10);
	factor = count_factor(end);
	if (factor == 0)
		return -EINVAL;
	if (errno == ERANGE || __builtin_mul_overflow(n, factor, &n))
		return -ERANGE;
	if (n < low || n > high)
		return -ERANGE;
	*value = n;
	return 0;
}

int number_duration(const char *text, uint64_t *nanoseconds)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = {
		{ "", 1e9 },	 { "ns", 1 },	  { "us", 1e3 },
		{ "ms", 1e6 },	 { "s", 1e9 },	  { "m", 60e9 },
		{ "min", 60e9 }, { "h", 3600e9 }, { "d", 86400e9 },
	};
	char *end;
	double value;

	if (!isdigit((unsigned char)text[0]) && text[0] != '.' &&
	    !(text[0] == '-' && isdigit((unsigned char)text[1])))
		return -EINVAL;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return -EINVAL;
	value = strtod(text, &end);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit) != 0)
			continue;
		value *= units[i].ns;
		if (!(value >= 1) || value > (double)INT64_MAX / 2)
			return -ERANGE;
		*nanoseconds = (uint64_t)value;
		return 0;
	}
	return -EINVAL;
}

char *number_grouped(char buf[NUMBER_TEXT], uint64_t value)
{
	char digits[NUMBER_TEXT];
	int length = snprintf(digits, sizeof(digits), "%llu",
			      (unsigned long long)value);
	char *out = buf;

	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = '\0';
	return buf;
}

/* Three significant digits: 9.87, 98.7, 987. */
static int digits_after_point(double value)
{
	return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

char *number_time(char buf[NUMBER_TEXT], double ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	int unit = 0;

	while (unit < 3 && ns >= 999.5) {
		ns /= 1000;
		unit++;
	}
	snprintf(buf, NUMBER_TEXT, "%.*f %s",
		 unit == 0 ? 0 : digits_after_point(ns), ns, units[unit]);
	return buf;
}

char *number_bytes(char buf[NUMBER_TEXT], uint64_t bytes)
{
	static const char *const units[] = { "B",   "KiB", "MiB",
					     "GiB", "TiB", "PiB" };
	double value = (double)bytes;
	int unit = 0;

	while (unit < 5 && value >= 1023.95) {
		value /= 1024;
		unit++;
	}
	snprintf(buf, NUMBER_TEXT, "%.*f %s", unit == 0 ? 0 : 1, value,
		 units[unit]);
	return buf;
}

char *number_rate(char buf[NUMBER_TEXT], double per_second)
{
	if (!(per_second > 0))
		return strcpy(buf, "0");
	if (per_second < 100)
		snprintf(buf, NUMBER_TEXT, "%.1f", per_second);
	else
		number_grouped(buf, (uint64_t)llround(fmin(per_second, 1e18)));
	return buf;
}

int number_share(const char *text, double *share)
{
	size_t digits = strspn(text, "0123456789.");
	char *end;
	double value = strtod(text, &end);

	/* no sign, exponent, or name of a number */
	if (digits == 0 || end != text + digits ||
	    (*end && strcmp(end, "%") != 0))
		return -EINVAL;
	if (*end)
		value /= 100;
	if (!(value >= 0 && value <= 1))
		return -ERANGE;
	*share = value;
	return 0;
}
