#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

extern char **environ;

struct wait {
	struct command *command;
	pid_t pid;
	int ended; /* readable when the command has ended */
	int signals; /* readable when one has come */
	sigset_t old;
	int first; /* signal that asked to stop, or 0 */
	uint64_t deadline; /* when something is to be done, or UINT64_MAX */
};

/* --- signals ------------------------------------------------------------- */

static bool asks_to_stop(int number)
{
	return number == SIGINT || number == SIGTERM || number == SIGHUP;
}

/* A group that is stopped would not notice. */
static void tell_group(const struct wait *w, int number)
{
	kill(-w->pid, number);
	kill(-w->pid, SIGCONT);
}

/* End as any program does that catches no signals. */
static void end_by(int number) __attribute__((noreturn));

static void end_by(int number)
{
	sigset_t one;

	signal(number, SIG_DFL);
	raise(number);
	sigemptyset(&one);
	sigaddset(&one, number);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	_exit(128 + number);
}

static void pass_on(struct wait *w)
{
	struct signalfd_siginfo info;
	int number;

	if (read(w->signals, &info, sizeof(info)) != sizeof(info))
		return;
	number = (int)info.ssi_signo;
	if (asks_to_stop(number) && w->first) {
		tell_group(w, SIGKILL);
		end_by(number);
	}
	tell_group(w, number);
	if (asks_to_stop(number))
		w->first = number;
}

static int block_signals(struct wait *w)
{
	static const int numbers[] = { SIGINT,	SIGTERM, SIGHUP,
				       SIGQUIT, SIGUSR1, SIGUSR2 };
	sigset_t passed;

	sigemptyset(&passed);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&passed, numbers[i]);
	if (sigprocmask(SIG_BLOCK, &passed, &w->old) < 0)
		return -errno;
	w->signals = signalfd(-1, &passed, SFD_CLOEXEC);
	return w->signals < 0 ? -errno : 0;
}

/* The handler of interrupt.h learns of the signal that was taken from it. */
static void unblock_signals(const struct wait *w)
{
	if (w->first)
		raise(w->first);
	sigprocmask(SIG_SETMASK, &w->old, NULL);
}

/* --- the command --------------------------------------------------------- */

static int spawn(struct wait *w)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t ignored;
	int err;

	sigemptyset(&ignored);
	sigaddset(&ignored, SIGPIPE);
	err = posix_spawnattr_init(&attributes);
	if (err)
		return err;
	err = posix_spawn_file_actions_init(&files);
	if (err) {
		posix_spawnattr_destroy(&attributes);
		return err;
	}
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
						      POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigmask(&attributes, &w->old);
	posix_spawnattr_setsigdefault(&attributes, &ignored);
	if (isatty(STDIN_FILENO))
		err = posix_spawn_file_actions_addopen(
			&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!err)
		err = posix_spawnp(&w->pid, w->command->argv[0], &files,
				   &attributes, w->command->argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return err;
}

static void end_in_time(struct wait *w)
{
	if (w->command->limited) {
		tell_group(w, SIGKILL);
		w->deadline = UINT64_MAX;
		return;
	}
	w->command->limited = true;
	tell_group(w, SIGTERM);
	w->deadline = clock_now() + UINT64_C(1000000000) * COMMAND_GRACE;
}

static struct timespec until(uint64_t deadline)
{
	uint64_t now = clock_now(), left = deadline > now ? deadline - now : 0;

	return (struct timespec){ .tv_sec = (time_t)(left / 1000000000),
				  .tv_nsec = (long)(left % 1000000000) };
}

/* Until it has ended; it is not reaped yet, so its group's number is its own
 * still. */
static void watch(struct wait *w)
{
	struct pollfd fds[] = { { .fd = w->ended, .events = POLLIN },
				{ .fd = w->signals, .events = POLLIN } };

	while (!(fds[0].revents & POLLIN)) {
		struct timespec left = until(w->deadline);
		int got = ppoll(fds, 2,
				w->deadline == UINT64_MAX ? NULL : &left, NULL);

		if (got == 0)
			end_in_time(w);
		else if (got > 0 && (fds[1].revents & POLLIN))
			pass_on(w);
	}
	/* what it has left behind would go on in the next phase */
	if (w->command->limited)
		tell_group(w, SIGKILL);
}

static int wait_for(struct wait *w)
{
	struct command *c = w->command;
	uint64_t start = clock_now();
	int err = 0;

	c->start_errno = spawn(w);
	if (c->start_errno)
		return 0;
	w->deadline = c->time_limit ? start + c->time_limit : UINT64_MAX;
	w->ended = pidfd_open(w->pid, 0);
	if (w->ended < 0) {
		err = -errno;
		tell_group(w, SIGKILL);
	} else {
		watch(w);
		close(w->ended);
	}
	while (wait4(w->pid, &c->status, 0, &c->usage) < 0 && errno == EINTR)
		;
	c->real = clock_now() - start;
	return err;
}

int command_run(struct command *c)
{
	struct wait w = { .command = c, .signals = -1 };
	int err = block_signals(&w);

	if (!err)
		err = wait_for(&w);
	unblock_signals(&w);
	if (w.signals >= 0)
		close(w.signals);
	return err;
}

/* Seconds as text, with a newline or not, to ns. */
static int parse_took(const char *text, uint64_t *ns)
{
	char *end;
	double seconds;

	*ns = 0;
	if (strcmp(text, "-") == 0)
		return 0;
	errno = 0;
	seconds = strtod(text, &end);
	if (errno || end == text || *end)
		return -EINVAL;
	/* less than a nanosecond is no time, and a year is no run's */
	if (!(seconds >= 1e-9 && seconds < 366 * 86400.0))
		return -EINVAL;
	*ns = (uint64_t)(seconds * 1e9);
	return 0;
}

int command_read_took(struct command *c)
{
	char line[64] = "";
	FILE *f = popen(c->took_from, "re");
	int err = 0;

	if (!f)
		return errno ? -errno : -ENOMEM;
	if (!fgets(line, sizeof(line), f))
		err = -EINVAL;
	line[strcspn(line, "\n")] = '\0';
	if (pclose(f) != 0)
		return -ECHILD;
	return err ? err : parse_took(line, &c->took);
}

bool command_succeeded(const struct command *c)
{
	return !c->start_errno && !c->limited && c->status == 0;
}

int command_exit_code(const struct command *c)
{
	if (c->start_errno)
		return c->start_errno == ENOENT ? 127 : 126;
	if (WIFSIGNALED(c->status))
		return 128 + WTERMSIG(c->status);
	return WEXITSTATUS(c->status);
}
