/*
 * command: run a program, wait for it, and know what it took.
 */
#ifndef BIGDIR_COMMAND_H
#define BIGDIR_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

/* Seconds from the polite end of a command whose time is up to its forced
 * one. */
#define COMMAND_GRACE 5

struct command {
	char *const *argv; /* the program and its arguments; ends with NULL */
	const char *name; /* what it is called in reports */
	uint64_t entries; /* that it works on; 0: not known */
	uint64_t time_limit; /* ns, or 0 */
	const char *took_from; /* shell command that prints the seconds which
				* the work took by the command's own figures;
				* or NULL */

	int start_errno; /* why it could not be started; 0: it was */
	int status; /* as wait4() tells it */
	bool limited; /* its time was up */
	uint64_t real; /* ns from before its start to its end */
	struct rusage usage; /* its own, and of the children it waited for */
	uint64_t took; /* ns, by its own figures; 0: not known */
	bool took_unread; /* though it was asked for */
};

/*
 * Run it in a process group of its own, and wait. SIGINT, SIGTERM, SIGHUP,
 * SIGQUIT, SIGUSR1 and SIGUSR2 are passed on to the group. A second one of the
 * first three kills the group and ends this process. When the time is up, the
 * group gets SIGTERM, and SIGKILL after COMMAND_GRACE seconds. It reads from
 * /dev/null where standard input is a terminal, as a group that is not the
 * terminal's own would stop for ever. Needs interrupt_catch(), and no other
 * threads.
 *
 * 0 whatever became of the command, or -errno when it could not be waited for
 * and was not started.
 */
int command_run(struct command *c);

/*
 * After it has ended: run took_from, which prints one number above zero, the
 * seconds that the work took, or "-" where the command has none to give; into
 * took. 0, or -errno when it cannot be run, fails (-ECHILD), or prints
 * something else (-EINVAL).
 */
int command_read_took(struct command *c);

/* Whether it ran, had the time it needed, and ended with status 0. */
bool command_succeeded(const struct command *c);

/* Its exit status; 128 + N when signal N has killed it; 127 when it was not
 * found, and 126 when it could not be started for another reason. */
int command_exit_code(const struct command *c);

#endif
