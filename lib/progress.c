#include "progress.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "clock.h"
#include "number.h"

#define LIVE_INTERVAL UINT64_C(250000000) /* ns */
#define HEARTBEAT_INTERVAL UINT64_C(10000000000) /* ns */
#define DEFAULT_COLUMNS 80

struct progress {
	struct progress_plan plan;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stop_changed;
	bool stop;
	uint64_t began, last_time, last_done;
	uint64_t last_tried;
	double pace; /* tried per second, smoothed; 0: not known yet */
	int shown; /* columns of the line that stands there */
};

static uint64_t count_done(const struct progress *p, uint64_t *failed,
			   uint64_t *kept)
{
	uint64_t done = 0;

	*failed = *kept = 0;
	for (unsigned int i = 0; i < p->plan.workers; i++) {
		done += atomic_load_explicit(&p->plan.counters[i].done,
					     memory_order_relaxed);
		*failed += atomic_load_explicit(&p->plan.counters[i].failed,
						memory_order_relaxed);
		*kept += atomic_load_explicit(&p->plan.counters[i].kept,
					      memory_order_relaxed);
	}
	return done;
}

static double per_second(uint64_t count, uint64_t ns)
{
	return ns ? (double)count * 1e9 / (double)ns : 0;
}

static void append(char *line, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void append(char *line, size_t size, const char *format, ...)
{
	size_t used = strlen(line);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line + used, size - used, format, arguments);
	va_end(arguments);
}

/*
 * The rate that what is left is reckoned with: a mean that forgets, of about
 * the last half of the time so far. The last interval alone jumps with each
 * commit of a journal, and the whole run remembers too long how it began.
 */
static void smooth(struct progress *p, uint64_t now, uint64_t tried)
{
	double rate = per_second(tried - p->last_tried, now - p->last_time);
	double weight =
		4 * (double)(now - p->last_time) / (double)(now - p->began + 1);

	if (weight > 1 || !(p->pace > 0))
		weight = 1;
	p->pace += weight * (rate - p->pace);
	p->last_tried = tried;
}

static void append_eta(char *line, size_t size, uint64_t left, double rate)
{
	double exact = rate > 0 ? (double)left / rate : 0;
	uint64_t seconds = (uint64_t)(exact + 0.5);

	if (!(rate > 0))
		return;
	if (exact < 9.95)
		append(line, size, "  ETA %.1f s", exact);
	else if (seconds < 60)
		append(line, size, "  ETA %llu s", (unsigned long long)seconds);
	else
		append(line, size, "  ETA %llu:%02llu:%02llu",
		       (unsigned long long)(seconds / 3600),
		       (unsigned long long)(seconds / 60 % 60),
		       (unsigned long long)(seconds % 60));
}

static void describe(struct progress *p, char *line, size_t size)
{
	uint64_t now = clock_now(), failed, kept;
	uint64_t done = count_done(p, &failed, &kept);
	uint64_t tried = done + failed + kept;
	uint64_t expected = p->plan.expect
				    ? p->plan.expect(p->plan.expect_argument)
				    : p->plan.expected;
	double rate = per_second(done - p->last_done, now - p->last_time);
	char a[NUMBER_TEXT], b[NUMBER_TEXT];
	struct statvfs v;

	smooth(p, now, tried);
	snprintf(line, size, "%s %s", p->plan.did, number_grouped(a, done));
	if (expected)
		append(line, size, " of %s  %.0f%%",
		       number_grouped(a, expected),
		       100 * (double)tried / (double)expected);
	append(line, size, "  %s/s now, %s/s overall", number_rate(a, rate),
	       number_rate(b, per_second(done, now - p->began)));
	if (failed)
		append(line, size, "  %s failed", number_grouped(a, failed));
	if (kept)
		append(line, size, "  %s kept", number_grouped(a, kept));
	if (expected > tried)
		append_eta(line, size, expected - tried, p->pace);
	if (fstatvfs(p->plan.dir, &v) == 0 && v.f_files)
		append(line, size, "  %s inodes free",
		       number_grouped(a, v.f_ffree));
	p->last_time = now;
	p->last_done = done;
}

static int columns(void)
{
	struct winsize w;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) < 0 || w.ws_col == 0)
		return DEFAULT_COLUMNS;
	return w.ws_col;
}

/* Plain text and blanks only: no terminal is asked what it understands. */
static void show_live(struct progress *p, const char *line)
{
	int room = columns() - 1, length = (int)strlen(line);
	int blanks;

	if (length > room)
		length = room;
	blanks = p->shown > length ? p->shown - length : 0;
	fprintf(stderr, "\r%.*s%*s", length, line, blanks, "");
	fflush(stderr);
	p->shown = length;
}

static void show(struct progress *p)
{
	char line[256];

	describe(p, line, sizeof(line));
	if (p->plan.live)
		show_live(p, line);
	else
		fprintf(stderr, "%s\n", line);
}

/* False: the run is over. */
static bool wait_a_while(struct progress *p)
{
	uint64_t ns = p->plan.live ? LIVE_INTERVAL : HEARTBEAT_INTERVAL;
	uint64_t at = clock_now() + ns;
	struct timespec until = { .tv_sec = (time_t)(at / 1000000000),
				  .tv_nsec = (long)(at % 1000000000) };
	int err = 0;

	pthread_mutex_lock(&p->lock);
	while (!p->stop && err != ETIMEDOUT)
		err = pthread_cond_clockwait(&p->stop_changed, &p->lock,
					     CLOCK_MONOTONIC, &until);
	err = p->stop;
	pthread_mutex_unlock(&p->lock);
	return !err;
}

static void *thread_main(void *argument)
{
	struct progress *p = argument;

	while (wait_a_while(p))
		show(p);
	if (p->shown)
		fprintf(stderr, "\r%*s\r", p->shown, "");
	return NULL;
}

struct progress *progress_start(const struct progress_plan *plan)
{
	struct progress *p = calloc(1, sizeof(*p));
	sigset_t all, old;
	int err;

	if (!p)
		return NULL;
	p->plan = *plan;
	p->began = p->last_time = clock_now();
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->stop_changed, NULL);
	/* signals are for the workers, whose system calls they interrupt */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&p->thread, NULL, thread_main, p);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (err) {
		free(p);
		return NULL;
	}
	return p;
}

void progress_stop(struct progress *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_signal(&p->stop_changed);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->stop_changed);
	pthread_mutex_destroy(&p->lock);
	free(p);
}
