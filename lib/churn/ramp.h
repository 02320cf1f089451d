/*
 * ramp: the highest rate that is still good, found by trying.
 *
 * From the first rate on, each is higher than the last one, by a factor or by
 * a summand, until one is bad or the last one was good; then the gap between
 * the highest good and the lowest bad rate is halved until it is 2 % of the
 * rate. A ramp does not know what is good.
 */
#ifndef BIGDIR_RAMP_H
#define BIGDIR_RAMP_H

#include <stdbool.h>

#define RAMP_CHOICES "FROM:TO:xFACTOR or FROM:TO:+STEP, such as 1000:50000:x1.5"
#define RAMP_RESOLUTION 0.02

struct ramp {
	double from, to;
	double factor, summand; /* one of them; the other is 1 or 0 */
	bool poisson; /* how requests come, at each rate */
	double good, bad; /* the highest, the lowest; 0: none yet */
};

/* Read "1000:50000:x1.5" or "1k:50k:+1000,poisson". 0 or -EINVAL. */
int ramp_parse(struct ramp *r, const char *text);

/* The rate to try next; false: it is found, r->good is it (0: even the first
 * one was bad). */
bool ramp_next(const struct ramp *r, double *rate);

/* What came of a rate. */
void ramp_tell(struct ramp *r, double rate, bool good);

#endif
