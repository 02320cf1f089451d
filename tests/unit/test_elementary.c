/* Logarithm and exponential: near those of the library, to the last bit the
 * same everywhere. */
#include <math.h>
#include <string.h>

#include "elementary.h"
#include "unit.h"

static void is_near(double got, double want)
{
	if (fabs(got - want) > 1e-14 * fabs(want) + 1e-300)
		fail_msg("%a is not %a", got, want);
}

static void agrees_with_the_library(void **state)
{
	(void)state;
	for (double x = 1e-12; x < 1e13; x *= 1.0137) {
		if (fabs(x - 1) > 1e-6)
			is_near(elementary_log(x), log(x));
		is_near(elementary_log1p_ratio(x), log1p(x) / x);
		if (x < 1)
			is_near(elementary_log1p_ratio(-x), log1p(-x) / -x);
		if (x > 300)
			continue;
		is_near(elementary_exp(x), exp(x));
		is_near(elementary_exp(-x), exp(-x));
		is_near(elementary_expm1_ratio(x), expm1(x) / x);
		is_near(elementary_expm1_ratio(-x), expm1(-x) / -x);
	}
	assert_true(elementary_log(1) == 0 && elementary_exp(0) == 1);
	assert_true(elementary_log1p_ratio(0) == 1);
	assert_true(elementary_expm1_ratio(0) == 1);
}

/* Bits of doubles; they must not depend on machine, compiler or library. */
static const struct {
	double x;
	double log, exp;
} golden[] = {
	{ 0.3, -0x1.34378fcbda721p+0, 0x1.599058c8c1a96p+0 },
	{ 0.9, -0x1.af8e8210a415bp-4, 0x1.3ad44655c78bcp+1 },
	{ 2.5, 0x1.d5240f0e0e078p-1, 0x1.85d6fd931e0bbp+3 },
	{ 17.25, 0x1.6c851bbab187ep+1, 0x1.d94295464477bp+24 },
	{ 100, 0x1.26bb1bbb55516p+2, 0x1.3494a9b171bf5p+144 },
};

static void is_the_same_on_every_machine(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(golden); i++) {
		double log = elementary_log(golden[i].x);
		double exp = elementary_exp(golden[i].x);

		if (log != golden[i].log || exp != golden[i].exp)
			print_message("# { %g, %a, %a },\n", golden[i].x, log,
				      exp);
	}
	for (size_t i = 0; i < COUNT_OF(golden); i++) {
		assert_true(elementary_log(golden[i].x) == golden[i].log);
		assert_true(elementary_exp(golden[i].x) == golden[i].exp);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_the_library),
		cmocka_unit_test(is_the_same_on_every_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
