/* timed: run any command as a phase, and record it like those of the suite. */
#include <inttypes.h>
#include <locale.h>
#include <string.h>

#include "command_phase.h"
#include "descriptors.h"
#include "interrupt.h"
#include "number.h"
#include "options.h"

static const struct no_use no_use[] = {
	{ OPTION_START | OPTION_PREFIX | OPTION_ORDER | OPTION_SEED |
		  OPTION_WINDOW | OPTION_TYPE | OPTION_VIA | OPTION_MODE |
		  OPTION_STAGE | OPTION_STAGE_BATCH | OPTION_JOBS |
		  OPTION_LAYOUT | OPTION_PREPARE,
	  "what is done, and how, is the command's own business" },
	{ OPTION_NAME, "the command is called by it" },
	{ OPTION_ON_ERROR, "there is one command, and it ends when it ends" },
	{ OPTION_VERIFY, "timed does not know what the command should leave; "
			 "statfiles --verify reads names back" },
	{ OPTION_PROGRESS, "how far the command has got is not known" },
	{ OPTION_DRY_RUN, "timed does not know what the command would do" },
	{ 0, NULL },
};

struct own {
	const char *dir, *name, *count, *took;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static uint64_t read_count(const struct tool *tool, const char *text)
{
	uint64_t count;

	if (number_count(text, 1, INT64_MAX, &count) < 0)
		usage_error(tool,
			    "--count is a number from 1 to %" PRId64
			    ", such as 300000, 300k or 1M, not '%s'",
			    INT64_MAX, text);
	return count;
}

static void check(const struct options *o, const struct own *own)
{
	if (o->argument_count == 0 || !o->arguments[0][0])
		usage_error(o->tool,
			    "which command? usage: timed [OPTIONS] -- COMMAND "
			    "[ARG...] (see --help)");
	if (own->name && !own->name[0])
		usage_error(o->tool, "--name takes a text that is not empty");
	if (own->took && !own->count)
		usage_error(o->tool,
			    "--took is for the rate, which takes --count too");
	if (o->durability == DURABLE_FILE || o->durability == DURABLE_DIR)
		usage_error(o->tool,
			    "--fsync takes none or end: how often the command "
			    "syncs is its own business");
}

int main(int argc, char **argv)
{
	static struct own own;
	const struct poptOption options[] = {
		{ "dir", 0, POPT_ARG_STRING, &own.dir, 0,
		  "the directory, and the file system, that is described (the "
		  "current one)",
		  "DIR" },
		{ "name", 0, POPT_ARG_STRING, &own.name, 0,
		  "what the command is called in the record (its base name)",
		  "LABEL" },
		{ "count", 0, POPT_ARG_STRING, &own.count, 0,
		  "entries that it works on, so that a rate can be given",
		  "N" },
		{ "took", 0, POPT_ARG_STRING, &own.took, 0,
		  "shell command that prints, afterwards, how many seconds the "
		  "work took by COMMAND's own figures; the rate is by these",
		  "SCRIPT" },
		POPT_TABLEEND
	};
	const struct tool tool = {
		.name = "timed",
		.arguments = "-- COMMAND [ARG...]",
		.about = "Run COMMAND, and report what it took, with the file "
			 "system before and after.",
		.examples =
			"  timed -- rm -rf /mnt/test/d\n"
			"  timed --dir /mnt/test --count 300k -- rm -rf "
			"/mnt/test/d\n"
			"  timed --name untar --json runs.jsonl -- tar xf "
			"linux.tar\n"
			"  timed --time 60 --quiet -- find /mnt/test -delete\n"
			"  timed --count 1k --took 'cat took' -- sh -c "
			"'./bench >took'\n",
		.exit_codes = "the command's own; 128+N when signal N has "
			      "ended it, 127 not found,\n126 cannot be run, 2 "
			      "usage.",
		.no_use = no_use,
		.runs_command = true,
		.own = options,
		.own_title = "What is run:",
	};
	struct command command = { 0 };
	struct options o;

	interrupt_catch();
	descriptors_hold();
	setlocale(LC_CTYPE, "");
	options_read(&o, &tool, argc, argv);
	check(&o, &own);
	if (own.count)
		command.entries = read_count(&tool, own.count);
	command.argv = argv + argc - o.argument_count;
	command.name = own.name ? own.name : base_name(command.argv[0]);
	command.time_limit = o.time_limit;
	command.took_from = own.took;
	return command_phase(&o, own.dir ? own.dir : ".", &command);
}
