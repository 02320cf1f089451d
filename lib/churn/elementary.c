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

/*
 * Coefficients of the sums below, lowest power first: 1 / (2 n + 1), for
 * arguments up to 0.172 in size, squared, and 1 / (n + 1)!, up to 0.5. A next
 * one would change nothing.
 */
static const double odd[] = {
	1,	  1.0 / 3,  1.0 / 5,  1.0 / 7,	1.0 / 9,  1.0 / 11, 1.0 / 13,
	1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23, 1.0 / 25,
};
static const double factorial[] = {
	1,
	1.0 / 2,
	1.0 / 6,
	1.0 / 24,
	1.0 / 120,
	1.0 / 720,
	1.0 / 5040,
	1.0 / 40320,
	1.0 / 362880,
	1.0 / 3628800,
	1.0 / 39916800,
	1.0 / 479001600,
	1.0 / 6227020800.0,
	1.0 / 87178291200.0,
	1.0 / 1307674368000.0,
};

/* A polynomial by Horner's rule. */
static double polynomial(const double *coefficient, int terms, double x)
{
	double sum = coefficient[terms - 1];

	for (int n = terms - 2; n >= 0; n--)
		sum = sum * x + coefficient[n];
	return sum;
}

#define POLYNOMIAL(table, x)                                                   \
	polynomial(table, sizeof(table) / sizeof((table)[0]), x)

/* atanh(s) / s = 1 + s^2 / 3 + s^4 / 5 + ... */
static double atanh_ratio(double s)
{
	return POLYNOMIAL(odd, s * s);
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

/* 1 + x / 2 + x^2 / 6 + ..., which is (e^x - 1) / x. */
static double expm1_series(double x)
{
	return POLYNOMIAL(factorial, x);
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
