#include "report_command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "escape.h"
#include "number.h"

#define LINE 64 /* columns of a command line that are shown */

static void print_argv(FILE *f, const struct command *c)
{
	size_t used = 0;

	fprintf(f, "  command     ");
	for (char *const *arg = c->argv; *arg; arg++) {
		char *shown = escape_path(*arg);
		size_t length = strlen(shown ? shown : "?");

		if (used + length + 1 > LINE && used > 0) {
			fprintf(f, " ...");
			free(shown);
			break;
		}
		fprintf(f, " %s", shown ? shown : "?");
		used += length + 1;
		free(shown);
	}
	fprintf(f, "\n");
}

static void print_end(FILE *f, const struct record *r)
{
	const struct command *c = r->command;

	fprintf(f, "  ended        ");
	if (c->start_errno)
		fprintf(f, "before it began: %s", strerror(c->start_errno));
	else if (WIFSIGNALED(c->status))
		fprintf(f, "killed by SIG%s",
			sigabbrev_np(WTERMSIG(c->status)));
	else
		fprintf(f, "with exit status %d", WEXITSTATUS(c->status));
	if (c->limited)
		fprintf(f, ", as the time was up");
	else if (r->run.signal)
		fprintf(f, ", as SIG%s came", sigabbrev_np(r->run.signal));
	fprintf(f, "\n");
}

void report_command(FILE *f, const struct record *r)
{
	char t[NUMBER_TEXT], n[NUMBER_TEXT], rate[NUMBER_TEXT];
	char memory[NUMBER_TEXT], name[ESCAPE_BUFFER];

	escape_short(name, r->command->name);
	if (r->command->start_errno)
		fprintf(f, "could not run %s", name);
	else
		fprintf(f, "ran %s in %s", name,
			number_time(t, (double)r->run.real));
	if (r->count && record_done(r))
		fprintf(f, ": %s entries, %s per s",
			number_grouped(n, r->count),
			number_rate(rate, record_rate(r, 0)));
	fprintf(f, "\n");
	if (r->command->took)
		fprintf(f, "  its figure   %s, by which the rate is\n",
			number_time(t, (double)r->command->took));
	print_argv(f, r->command);
	print_end(f, r);
	if (!r->command->start_errno)
		fprintf(f, "  memory       %s at most\n",
			number_bytes(memory, r->peak_memory));
}

void report_command_trouble(FILE *f, const struct record *r)
{
	const struct command *c = r->command;
	const char *tool = r->options->tool->name;
	char name[ESCAPE_BUFFER];

	if (c->start_errno)
		fprintf(f, "%s: cannot run %s: %s\n", tool,
			escape_short(name, c->argv[0]),
			strerror(c->start_errno));
	else if (c->limited)
		fprintf(f, "%s: %s was ended, as the time was up\n", tool,
			escape_short(name, c->name));
	else if (WIFSIGNALED(c->status))
		fprintf(f, "%s: %s was killed by SIG%s\n", tool,
			escape_short(name, c->name),
			sigabbrev_np(WTERMSIG(c->status)));
	else if (c->status)
		fprintf(f, "%s: %s ended with exit status %d\n", tool,
			escape_short(name, c->name), WEXITSTATUS(c->status));
}
