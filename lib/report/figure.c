#include "figure.h"

#include <langinfo.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "number.h"

#define COLUMNS 64
#define BAR_COLUMNS 40
#define LEVELS 8

static const char *const utf8_levels[LEVELS + 1] = { " ", "▁", "▂", "▃", "▄",
						     "▅", "▆", "▇", "█" };
static const char *const ascii_levels[LEVELS + 1] = { " ", "_", ".", ",", "-",
						      "=", "+", "*", "#" };

bool figure_utf8(FILE *f)
{
	return isatty(fileno(f)) && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* --- rate ---------------------------------------------------------------- */

/* Operations per second in the slices from a up to, not including, b. */
static double rate_of(const struct timeline *t, size_t a, size_t b)
{
	uint64_t count = 0, start = UINT64_MAX, end = 0;

	for (size_t i = a; i < b; i++) {
		const struct slice *s = &t->slices[i];

		if (s->count == 0)
			continue;
		count += s->count;
		if (s->first_start < start)
			start = s->first_start;
		if (s->last_end > end)
			end = s->last_end;
	}
	return end > start ? (double)count * 1e9 / (double)(end - start) : 0;
}

void figure_rate(FILE *f, const struct timeline *t, bool utf8,
		 const char *title, const char *first, const char *last)
{
	const char *const *levels = utf8 ? utf8_levels : ascii_levels;
	size_t columns = t->used < COLUMNS ? t->used : COLUMNS;
	double rates[COLUMNS], high = 0, low = INFINITY;
	char a[NUMBER_TEXT], b[NUMBER_TEXT];
	int gap;

	for (size_t c = 0; c < columns; c++) {
		rates[c] = rate_of(t, c * t->used / columns,
				   (c + 1) * t->used / columns);
		high = fmax(high, rates[c]);
		if (rates[c] > 0)
			low = fmin(low, rates[c]);
	}
	if (columns < 2 || high <= 0)
		return;
	fprintf(f, "  rate against %s: %s to %s per s\n    ", title,
		number_rate(a, low), number_rate(b, high));
	for (size_t c = 0; c < columns; c++) {
		int level = (int)ceil(rates[c] / high * LEVELS);

		fputs(levels[level], f);
	}
	gap = (int)columns - (int)strlen(first) - (int)strlen(last);
	fprintf(f, "\n    %s%*s%s\n", first, gap > 1 ? gap : 1, "", last);
}

/* --- latency ------------------------------------------------------------- */

/* Steps 1, 2, 5, 10 ... ns; step n begins at edge(n). */
static uint64_t edge(unsigned int n)
{
	static const uint64_t within[] = { 1, 2, 5 };
	uint64_t decade = 1;

	for (unsigned int i = 0; i < n / 3; i++)
		decade *= 10;
	return within[n % 3] * decade;
}

#define STEPS 43 /* the last begins at 10^14 ns, over a day */

static void count_steps(const struct hist *h, uint64_t count[STEPS])
{
	unsigned int step = 0;

	memset(count, 0, STEPS * sizeof(*count));
	for (unsigned int i = 0; i < HIST_BUCKETS(HIST_SUB_BITS); i++) {
		uint64_t middle = hist_middle(i, HIST_SUB_BITS);

		while (step + 1 < STEPS && middle >= edge(step + 1))
			step++;
		count[step] += h->bucket[i];
	}
}

static void print_bar(FILE *f, uint64_t count, uint64_t most, bool utf8)
{
	double length = (double)count * BAR_COLUMNS / (double)most;
	int whole = (int)length;

	for (int i = 0; i < whole; i++)
		fputs(utf8 ? "█" : "#", f);
	/* a few of a million are still seen */
	if (whole == 0 && count > 0)
		fputs(utf8 ? "▏" : ".", f);
	fputc('\n', f);
}

void figure_latency(FILE *f, const struct hist *h, bool utf8)
{
	uint64_t count[STEPS], most = 0;
	unsigned int first = STEPS, last = 0;
	char from[NUMBER_TEXT], n[NUMBER_TEXT];

	count_steps(h, count);
	for (unsigned int i = 0; i < STEPS; i++) {
		if (count[i] == 0)
			continue;
		if (first == STEPS)
			first = i;
		last = i;
		if (count[i] > most)
			most = count[i];
	}
	if (most == 0)
		return;
	fprintf(f, "  latency, operations from\n");
	for (unsigned int i = first; i <= last; i++) {
		fprintf(f, "    %8s %14s  ", number_time(from, (double)edge(i)),
			number_grouped(n, count[i]));
		print_bar(f, count[i], most, utf8);
	}
}
