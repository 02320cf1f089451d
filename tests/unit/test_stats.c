/* Statistics, against values published or computed by other means. */
#include <math.h>
#include <stdlib.h>

#include "stats.h"
#include "unit.h"

#define TOLERANCE 1e-9

static void check(double got, double wanted)
{
	if (!(fabs(got - wanted) <= TOLERANCE * fmax(1, fabs(wanted))))
		fail_msg("%.12g is not %.12g", got, wanted);
}

static struct mann_whitney test(const double *a, size_t an, const double *b,
				size_t bn)
{
	struct mann_whitney m, other;

	assert_int_equal(stats_mann_whitney(a, an, b, bn, &m), 0);
	assert_int_equal(stats_mann_whitney(b, bn, a, an, &other), 0);
	check(other.p, m.p);
	check(m.u + other.u, (double)(an * bn));
	return m;
}

static void medians_means_deviations(void **state)
{
	double v[] = { 9, 2, 4, 4, 5, 5, 7, 4 };

	(void)state;
	check(stats_mean(v, 8), 5);
	check(stats_sd(v, 8), sqrt(32.0 / 7));
	check(stats_sd(v, 1), 0);
	stats_sort(v, 8);
	check(v[0], 2);
	check(v[7], 9);
	check(stats_median(v, 8), 4.5);
	check(stats_median(v, 7), 4);
	check(stats_median(v, 1), 2);
}

/* Hollander and Wolfe, Nonparametric Statistical Methods (1973), p. 69: the
 * permeability of membranes; W = 35, p (one-sided) = 0.1272. */
static void published_example(void **state)
{
	static const double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45,
				    1.38, 1.91, 1.64, 0.73, 1.46 };
	static const double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	struct mann_whitney m = test(x, COUNT_OF(x), y, COUNT_OF(y));

	(void)state;
	assert_true(m.exact);
	check(m.u, 35);
	check(m.p, 0.254412254412254);
}

/* Samples of whole numbers without ties, a's U being as asked: a is 0, 1, ...
 * below all of b, then its last values are moved up past b's. */
static struct mann_whitney with_u(size_t an, size_t bn, size_t u)
{
	double *a = calloc(an, sizeof(*a)), *b = calloc(bn, sizeof(*b));
	struct mann_whitney m;

	for (size_t i = 0; i < bn; i++)
		b[i] = 1000.0 * (double)(i + 1);
	for (size_t i = an; i-- > 0;) {
		size_t above = u < bn ? u : bn;

		a[i] = 1000.0 * (double)above + (double)i + 1;
		u -= above;
	}
	m = test(a, an, b, bn);
	free(a);
	free(b);
	return m;
}

/* Critical values for p <= 0.05, two-sided, as tables of Mann and Whitney's U
 * have them. */
static void published_critical_values(void **state)
{
	static const struct {
		size_t an, bn, u;
	} table[] = {
		{ 4, 4, 0 },  { 5, 5, 2 },   { 5, 8, 6 },    { 6, 6, 5 },
		{ 8, 8, 13 }, { 7, 12, 18 }, { 10, 10, 23 }, { 20, 20, 127 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct mann_whitney in, out;

		in = with_u(table[i].an, table[i].bn, table[i].u);
		out = with_u(table[i].an, table[i].bn, table[i].u + 1);
		assert_true(in.exact);
		check(in.u, (double)table[i].u);
		assert_true(in.p <= 0.05);
		assert_true(out.p > 0.05);
	}
}

/* By listing all ways to share out the ranks. */
static void ties(void **state)
{
	static const double a[] = { 1, 2, 2, 3, 5 }, b[] = { 2, 3, 4, 4, 6, 7 };
	static const double c[] = { 1, 1, 2 }, d[] = { 1, 2, 2, 3 };
	static const double same[] = { 4, 4, 4, 4, 4 };
	struct mann_whitney m;

	(void)state;
	m = test(a, COUNT_OF(a), b, COUNT_OF(b));
	check(m.u, 6.5);
	check(m.p, 0.134199134199134);
	m = test(c, COUNT_OF(c), d, COUNT_OF(d));
	check(m.u, 3);
	check(m.p, 0.4);
	check(test(same, 5, same, 5).p, 1);
}

/* By the formula, computed elsewhere. */
static void many_values(void **state)
{
	double a[30], b[30];
	struct mann_whitney m;

	(void)state;
	for (int i = 0; i < 25; i++) {
		a[i] = i + 1;
		b[i] = i + 7;
	}
	m = test(a, 25, b, 25);
	assert_false(m.exact);
	check(m.u, 180.5);
	check(m.p, 0.010691008430628873);
	for (int i = 0; i < 30; i++)
		a[i] = i + 0.5;
	for (int i = 0; i < 25; i++)
		b[i] = i * 2;
	m = test(a, 30, b, 25);
	check(m.u, 240);
	check(m.p, 0.02299817627617228);
	for (int i = 0; i < 30; i++)
		a[i] = 1;
	check(test(a, 30, a, 30).p, 1);
}

static void smallest_p(void **state)
{
	(void)state;
	check(stats_least_p(1, 1), 1);
	check(stats_least_p(3, 3), 0.1);
	check(stats_least_p(3, 5), 2.0 / 56);
	check(stats_least_p(5, 3), 2.0 / 56);
	check(stats_least_p(4, 4), 2.0 / 70);
	check(stats_least_p(5, 5), 2.0 / 252);
	check(with_u(5, 5, 0).p, stats_least_p(5, 5));
	assert_int_equal(stats_least_n(), 4);
}

/* With three values, a resample's median is the smallest with probability
 * 7/27, so the interval reaches from the first to the last. With nine, it is
 * the k-th or lower as the binomial distribution says: 0.0014 for the first,
 * 0.0304 for the second, so that is where 2.5 % are. */
static void intervals_of_medians(void **state)
{
	static const double three[] = { 1, 2, 4 };
	static const double nine[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	static const double same[] = { 3, 3, 3, 3 };
	struct interval i, again;

	(void)state;
	assert_int_equal(stats_median_interval(three, 3, 1, &i), 0);
	check(i.low, 1);
	check(i.high, 4);
	assert_int_equal(stats_median_interval(nine, 9, 1, &i), 0);
	check(i.low, 2);
	check(i.high, 8);
	assert_int_equal(stats_median_interval(nine, 9, 1, &again), 0);
	check(again.low, i.low);
	check(again.high, i.high);
	assert_int_equal(stats_median_interval(same, 4, 7, &i), 0);
	check(i.low, 3);
	check(i.high, 3);
}

static void intervals_of_ratios(void **state)
{
	static const double a[] = { 2, 2, 2 }, b[] = { 1, 2, 4 };
	static const double c[] = { -4, -2, -1 }, d[] = { -1, -1, -1, -1 };
	struct interval i;

	(void)state;
	assert_int_equal(stats_ratio_interval(a, 3, b, 3, 1, &i), 0);
	check(i.low, 0.5);
	check(i.high, 2);
	assert_int_equal(stats_ratio_interval(c, 3, d, 4, 1, &i), 0);
	check(i.low, 0.25);
	check(i.high, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(medians_means_deviations),
		cmocka_unit_test(published_example),
		cmocka_unit_test(published_critical_values),
		cmocka_unit_test(ties),
		cmocka_unit_test(many_values),
		cmocka_unit_test(smallest_p),
		cmocka_unit_test(intervals_of_medians),
		cmocka_unit_test(intervals_of_ratios),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
