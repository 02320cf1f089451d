#include "command_phase.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "directory.h"
#include "interrupt.h"
#include "job.h"

static enum run_end end_of(const struct command *c)
{
	if (interrupt_pending())
		return RUN_SIGNAL;
	if (c->limited)
		return RUN_TIME_LIMIT;
	return command_succeeded(c) ? RUN_COMPLETE : RUN_FAILED;
}

static uint64_t timeval_ns(const struct timeval *t)
{
	return run_timeval_ns(&(struct timeval){ 0 }, t);
}

/* What the command says of itself counts only when it has done its work. */
static void read_took(const struct job *j)
{
	struct command *c = j->command;
	int err;

	if (!c->took_from || !command_succeeded(c))
		return;
	err = command_read_took(c);
	if (!err)
		return;
	c->took_unread = true;
	fprintf(stderr, "%s: --took %s: %s\n", j->options->tool->name,
		c->took_from,
		err == -ECHILD	 ? "this command failed"
		: err == -EINVAL ? "it should print one number of seconds, or -"
				 : strerror(-err));
}

static int work(const struct job *j, struct run_result *r)
{
	struct command *c = j->command;
	int err;

	memset(r, 0, sizeof(*r));
	err = meter_init(&r->meter[0], 1);
	if (!err)
		err = command_run(c);
	if (err)
		return err;
	r->end = end_of(c);
	r->real = c->real;
	r->user = timeval_ns(&c->usage.ru_utime);
	r->sys = timeval_ns(&c->usage.ru_stime);
	r->first.err = c->start_errno;
	r->first.index = NO_INDEX;
	if (c->start_errno)
		strlcpy(r->first.name, c->argv[0], sizeof(r->first.name));
	if (!command_succeeded(c))
		meter_fail(&r->meter[0], c->start_errno, 0, c->real);
	read_took(j);
	return 0;
}

int command_phase(struct options *o, const char *path, struct command *c)
{
	struct operation operation = { .name = c->name, .did = "ran" };
	int dir = directory_open(o->tool, path, DIRECTORY_READ), code;
	struct job j;

	job_init(&j, o, path, dir, c->entries);
	j.plural = "entries";
	j.step[0].op = &operation;
	j.command = c;
	j.work = work;
	code = job_carry_out(&j);
	close(dir);
	return code;
}
