/*
 * elementary: logarithm and exponential that are the same on every machine.
 *
 * The C library may round these as it likes, and so a sequence drawn with them
 * would be another one elsewhere. Here they are made of IEEE 754 additions,
 * multiplications and divisions of doubles in a fixed order alone, whose
 * results the standard fixes to the last bit (the Makefile keeps the compiler
 * from joining two of them into one). Relative error below 1e-14.
 */
#ifndef BIGDIR_ELEMENTARY_H
#define BIGDIR_ELEMENTARY_H

/* ln x, for normal x > 0. */
double elementary_log(double x);

/* e^x, for x of -700 to 700. */
double elementary_exp(double x);

/* ln(1 + x) / x for x > -1, and (e^x - 1) / x; both are 1 at 0, and lose
 * nothing near it. */
double elementary_log1p_ratio(double x);
double elementary_expm1_ratio(double x);

#endif
