#include "job_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "churn_result.h"
#include "interrupt.h"
#include "output.h"
#include "record_find_knees.h"
#include "record_json.h"
#include "report.h"

/* Whether any failure was for want of something. */
static bool ran_out(const struct record *r)
{
	for (unsigned int n = 0; n < record_kinds(r); n++)
		for (int e = 1; e < METER_ERRNOS; e++)
			if (record_meter(r, n)->errors[e] &&
			    exhaust_is_limit(e))
				return true;
	return false;
}

static int command_code(const struct record *r)
{
	int code = command_exit_code(r->command);

	if (code)
		return code;
	if (r->run.signal)
		return EXIT_SIGNAL + r->run.signal;
	return r->durable.err || r->command->took_unread ? EXIT_FAILED
							 : EXIT_DONE;
}

static int exit_code(const struct record *r)
{
	if (r->command)
		return command_code(r);
	for (unsigned int i = 0; i < r->checks; i++)
		if (!r->check[i].found.passed && !r->check[i].found.interrupted)
			return EXIT_DIFFERS;
	if (r->run.signal)
		return EXIT_SIGNAL + r->run.signal;
	if (r->run.end == RUN_FULL)
		return r->durable.err ? EXIT_FAILED : EXIT_DONE;
	if (ran_out(r) || exhaust_is_limit(r->aging.err))
		return EXIT_FULL;
	if (record_failed(r) || r->run.first.err || r->durable.err ||
	    r->stage_left || record_left(r) || r->prepared.err ||
	    r->pruned.err || r->aging.err)
		return EXIT_FAILED;
	if (r->churn && (!r->churn->rate_met || !churn_books_agree(r->churn)))
		return EXIT_FAILED;
	return EXIT_DONE;
}

static uint64_t peak_memory(const struct record *r)
{
	struct rusage usage;

	if (r->command)
		return (uint64_t)r->command->usage.ru_maxrss * 1024;
	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss * 1024;
}

/* A record that cannot be kept where it should be is not lost: it goes to
 * standard error whole. */
static void keep_record(struct record *r, int fd)
{
	const struct options *o = r->options;
	char *json = record_json(r);
	int err = json ? record_file_append(fd, json) : -ENOMEM;

	if (err) {
		/* that it could not be kept is part of what it tells */
		if (!r->exit_code)
			r->exit_code = EXIT_FAILED;
		free(json);
		json = record_json(r);
		fprintf(stderr,
			"%s: cannot append the record to %s: %s; here it is\n"
			"%s\n",
			o->tool->name, o->json, strerror(-err),
			json ? json : "");
	}
	free(json);
}

int job_report(const struct job *j, struct record *r)
{
	const struct options *o = j->options;
	bool to_stdout = o->json && strcmp(o->json, "-") == 0;

	r->run.signal = interrupt_pending();
	r->peak_memory = peak_memory(r);
	if (!o->quiet || j->json_fd >= 0)
		record_find_knees(r, j->dir, j->scheme);
	r->exit_code = exit_code(r);
	report_trouble(stderr, r);
	if (!o->quiet && !to_stdout)
		report_text(stdout, r);
	if (!output_written()) {
		fprintf(stderr, "%s: cannot write to standard output: %s\n",
			o->tool->name, strerror(errno));
		if (!r->exit_code)
			r->exit_code = EXIT_FAILED;
	}
	if (j->json_fd >= 0)
		keep_record(r, j->json_fd);
	return r->exit_code;
}
