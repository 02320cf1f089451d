#include "elementary.h"

#include <float.h>
#include <math.h>

_Static_assert(FLT_EVAL_METHOD == 0 && FLT_RADIX == 2 && DBL_MANT_DIG == 53,
	       "doubles are rounded after each operation, as IEEE 754 has it");

/* ln 2 in two parts: the first has 32 bits, so that its product with an
 * exponent is exact. */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW 0x1.a39ef35793c76p-33
#define SQRT_HALF 0x1.6a09e667f3bcdp-1

/* Terms after which the sums below change nothing, for the arguments that they
 * are given: s^2 <= 0.0295, and |x| <= 0.5. */
#define LOG_TERMS 12
#define EXP_TERMS 16

/* atanh(s) / s = 1 + s^2 / 3 + s^4 / 5 + ... */
static double atanh_ratio(double s)
{
	double square = s * s, sum = 0;

	for (int n = LOG_TERMS; n > 0; n--)
		sum = (sum + 1.0 / (2 * n + 1)) * square;
	return 1 + sum;
}

double elementary_log(double x)
{
	int exponent;
	double part = frexp(x, &exponent), s;

	if (part < SQRT_HALF) {
		part *= 2;
		exponent--;
	}
	/* ln m = 2 atanh((m - 1) / (m + 1)) */
	s = (part - 1) / (part + 1);
	return exponent * LN2_HIGH +
	       (2 * s * atanh_ratio(s) + exponent * LN2_LOW);
}

/* 1 + x/2 + x^2/6 + ..., which is (e^x - 1) / x, by Horner's rule. */
static double expm1_series(double x)
{
	double sum = 1;

	for (int n = EXP_TERMS; n > 1; n--)
		sum = 1 + sum * x / n;
	return sum;
}

double elementary_exp(double x)
{
	double power = floor(x / (LN2_HIGH + LN2_LOW) + 0.5);
	double rest = (x - power * LN2_HIGH) - power * LN2_LOW;

	return ldexp(1 + rest * expm1_series(rest), (int)power);
}

double elementary_log1p_ratio(double x)
{
	if (x > -0.25 && x < 0.25)
		return 2 / (2 + x) * atanh_ratio(x / (2 + x));
	return elementary_log(1 + x) / x;
}

double elementary_expm1_ratio(double x)
{
	if (x > -0.5 && x < 0.5)
		return expm1_series(x);
	return (elementary_exp(x) - 1) / x;
}
