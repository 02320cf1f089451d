#include "pacer.h"

#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "interrupt.h"
#include "pressure.h"

/* How long a signal may have to wait, in ns: it wakes one thread only. */
#define LONGEST_SLEEP UINT64_C(50000000)

void pacer_init(struct pacer *p, uint64_t interval, uint64_t latency)
{
	memset(p, 0, sizeof(*p));
	pthread_mutex_init(&p->lock, NULL);
	pace_init(&p->pace, interval, latency);
	p->pressure = pressure_open();
}

void pacer_destroy(struct pacer *p)
{
	if (p->pressure >= 0)
		close(p->pressure);
	pthread_mutex_destroy(&p->lock);
}

static void sleep_until(uint64_t due, uint64_t deadline)
{
	uint64_t now;

	if (due > deadline)
		due = deadline;
	while (!interrupt_pending() && (now = clock_now()) < due) {
		uint64_t ns = due - now;
		struct timespec t;

		if (ns > LONGEST_SLEEP)
			ns = LONGEST_SLEEP;
		t.tv_sec = 0;
		t.tv_nsec = (long)ns;
		clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	}
}

/* 0 where it is not told. */
static uint64_t stalled_so_far(const struct pacer *p)
{
	uint64_t stalled;

	if (p->pressure < 0 || pressure_read(p->pressure, &stalled) < 0)
		return 0;
	return stalled;
}

/* Sleep through a rest and see who waits meanwhile. */
static void rest(struct pacer *p, uint64_t due, uint64_t deadline)
{
	uint64_t began = clock_now(), stalled = stalled_so_far(p);

	pthread_mutex_unlock(&p->lock);
	sleep_until(due, deadline);
	pthread_mutex_lock(&p->lock);
	pace_rested(&p->pace, clock_now() - began, stalled_so_far(p) - stalled);
	p->measuring = false;
}

void pacer_wait(struct pacer *p, uint64_t deadline)
{
	uint64_t began = clock_now(), now = began, due;

	pthread_mutex_lock(&p->lock);
	while ((due = pace_due(&p->pace)) > now && now < deadline &&
	       !interrupt_pending()) {
		if (p->pace.resting_until && !p->measuring) {
			p->measuring = true;
			rest(p, p->pace.resting_until, deadline);
		} else {
			pthread_mutex_unlock(&p->lock);
			sleep_until(due, deadline);
			pthread_mutex_lock(&p->lock);
		}
		now = clock_now();
	}
	p->waited += now - began;
	pthread_mutex_unlock(&p->lock);
}

void pacer_note(struct pacer *p, uint64_t began, uint64_t ended,
		unsigned int count, uint64_t worst)
{
	pthread_mutex_lock(&p->lock);
	pace_worked(&p->pace, began, ended, count, worst);
	pthread_mutex_unlock(&p->lock);
}
