#include "options_table.h"
#include "output.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* popt reports an option with its `val` above zero when it comes by; shared
 * options that a tool has no use for come by as this, plus TABLE_ROOM for each
 * group before theirs, plus their place in it. */
#define NO_USE 1000

#define TABLE_ROOM 12
#define GROUPS 4
#define TEXT POPT_ARG_STRING
#define TEXT_MAYBE (POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL)
#define SWITCH POPT_ARG_NONE

/* One shared option: its place in the table of a group, and its bit (0 for
 * those that every tool takes). */
struct shared_option {
	unsigned int bit;
	struct poptOption popt;
};

struct group {
	const char *title; /* NULL when nothing of it is shown */
	struct poptOption table[TABLE_ROOM];
	const char *no_use[TABLE_ROOM]; /* why not, or NULL */
	int number, count;
};

static const struct no_use *find_no_use(const struct tool *tool,
					unsigned int bit)
{
	const struct no_use *n = tool->no_use;

	for (; bit && n && n->why; n++)
		if ((unsigned int)n->bit & bit)
			return n;
	return NULL;
}

/* Take over the options that the tool has a use for; those that it has none
 * for stay known, hidden, so that they can be refused with the reason. */
static void fill_group(struct group *g, const struct tool *tool,
		       const char *title, const struct shared_option *from)
{
	for (; from->popt.longName; from++) {
		struct poptOption *to = &g->table[g->count];
		const struct no_use *n = find_no_use(tool, from->bit);

		*to = from->popt;
		if (n) {
			to->arg = NULL;
			to->argInfo |= POPT_ARGFLAG_DOC_HIDDEN;
			to->val = NO_USE + g->number * TABLE_ROOM + g->count;
			g->no_use[g->count] = n->why;
		} else {
			g->title = title;
		}
		g->count++;
	}
}

#define OPTION(bit, name, short, kind, where, help, argument)                  \
	{                                                                      \
		bit,                                                           \
		{                                                              \
			name, short, kind, where, 0, help, argument            \
		}                                                              \
	}
#define LAST OPTION(0, NULL, 0, 0, NULL, NULL, NULL)

static void entries_group(struct group *g, const struct tool *tool,
			  struct option_texts *t)
{
	const struct shared_option options[] = {
		OPTION(OPTION_START, "start", 0, TEXT, &t->start,
		       "first index (0)", "N"),
		OPTION(OPTION_NAME, "name", 0, TEXT, &t->name,
		       "hex (%08X), dec, hash, uuid, long:LEN, maildir, or a "
		       "template such as img%05d.jpg",
		       "SCHEME"),
		OPTION(OPTION_PREFIX, "prefix", 0, TEXT, &t->prefix,
		       "text before every name", "TEXT"),
		OPTION(OPTION_LAYOUT, "layout", 0, TEXT, &t->layout,
		       "where below DIR entries live: flat (the default), "
		       "fanout:16:256, levels:1:2, prefix:2:2 ...",
		       "LAYOUT"),
		OPTION(OPTION_ORDER, "order", 0, TEXT, &t->order,
		       tool->orders ? tool->orders : ORDER_CHOICES, "ORDER"),
		OPTION(OPTION_SEED, "seed", 0, TEXT, &t->seed,
		       "of the random order (1)", "N"),
		OPTION(OPTION_WINDOW, "window", 0, TEXT, &t->window,
		       "sort at most N entries at a time (all)", "N"),
		LAST,
	};

	fill_group(g, tool, "Which entries, and in which order:", options);
}

static void work_group(struct group *g, const struct tool *tool,
		       struct option_texts *t)
{
	const struct shared_option options[] = {
		OPTION(OPTION_TYPE, "type", 0, TEXT, &t->type,
		       "file (the default), dir, symlink, hardlink, fifo",
		       "TYPE"),
		OPTION(OPTION_VIA, "via", 0, TEXT, &t->via, tool->via, "CALL"),
		OPTION(OPTION_MODE, "mode", 0, TEXT, &t->mode,
		       "permissions, less the umask (0600; 0700 for dir)",
		       "OCTAL"),
		OPTION(OPTION_STAGE, "stage", 0, TEXT_MAYBE, &t->stage,
		       "create in a staging directory (a new one in DIR, or "
		       "this one), then rename into place",
		       "DIR"),
		OPTION(OPTION_STAGE_BATCH, "stage-batch", 0, TEXT,
		       &t->stage_batch,
		       "create N, then rename these N, and so on (1)", "N"),
		OPTION(OPTION_FSYNC, "fsync", 0, TEXT, &t->fsync,
		       tool->fsync ? tool->fsync
				   : "none, file (each), dir (file and "
				     "directory each), end (all once, timed "
				     "apart; the default)",
		       "WHEN"),
		OPTION(OPTION_JOBS, "jobs", 'j', TEXT, &t->jobs,
		       "workers that share the order (1)", "N"),
		OPTION(OPTION_PREPARE, "prepare", 0, SWITCH, &t->prepare,
		       "make the directories of the layout first, timed apart "
		       "(else: on demand)",
		       NULL),
		OPTION(OPTION_LAYOUT, "parents", 0, TEXT, &t->parents,
		       "directories of the layout that each worker holds open "
		       "(1024)",
		       "N"),
		LAST,
	};

	fill_group(g, tool, "How it is done:", options);
}

static void stop_group(struct group *g, const struct tool *tool,
		       struct option_texts *t)
{
	const struct shared_option options[] = {
		OPTION(OPTION_TIME, "time", 0, TEXT, &t->time,
		       "stop after so long, such as 90, 2s or 500ms",
		       "DURATION"),
		OPTION(OPTION_ON_ERROR, "on-error", 0, TEXT, &t->on_error,
		       "stop (the default) or continue", "WHAT"),
		LAST,
	};

	fill_group(g, tool, "When it ends:", options);
}

static void report_group(struct group *g, const struct tool *tool,
			 struct option_texts *t)
{
	const struct shared_option options[] = {
		OPTION(OPTION_VERIFY, "verify", 0, TEXT_MAYBE, &t->verify,
		       "read the directory back: it must hold exactly the "
		       "names it should (=ours: others may be there)",
		       "ours"),
		OPTION(OPTION_DRY_RUN, "dry-run", 0, SWITCH, &t->dry_run,
		       "only say what would be done", NULL),
		OPTION(0, "json", 0, TEXT, &t->json,
		       "append the record, one line, to FILE (- for standard "
		       "output)",
		       "FILE"),
		OPTION(0, "label", 0, POPT_ARG_ARGV, &t->labels,
		       "keep this with the record; may be repeated",
		       "KEY=VALUE"),
		OPTION(OPTION_PROGRESS, "progress", 0, SWITCH, &t->progress,
		       "a line every 10 s, in place of the live one", NULL),
		OPTION(0, "quiet", 'q', SWITCH, &t->quiet,
		       "no report but errors", NULL),
		OPTION(0, "help", 'h', SWITCH, &t->help, "show this", NULL),
		OPTION(0, "version", 0, SWITCH, &t->version, "show the version",
		       NULL),
		LAST,
	};

	fill_group(g, tool, "What is reported:", options);
}

static bool has_optional_argument(const struct poptOption *table,
				  const char *name)
{
	for (; table->longName || table->argInfo; table++) {
		if ((table->argInfo & POPT_ARG_MASK) ==
		    POPT_ARG_INCLUDE_TABLE) {
			if (has_optional_argument(table->arg, name))
				return true;
		} else if ((table->argInfo & POPT_ARGFLAG_OPTIONAL) &&
			   table->longName &&
			   strcmp(table->longName, name) == 0) {
			return true;
		}
	}
	return false;
}

/* popt would take the next word as the argument of an option whose argument
 * is optional; only one after "=" is meant. The copies live as long as the
 * program, as popt's results point into them. */
static const char **mark_optional(const struct poptOption *table, int argc,
				  char **argv)
{
	const char **marked = calloc((size_t)argc + 1, sizeof(*marked));

	for (int i = 0; marked && i < argc; i++) {
		char *with;

		marked[i] = argv[i];
		if (strcmp(argv[i], "--") == 0) {
			memcpy(marked + i, argv + i,
			       (size_t)(argc - i) * sizeof(*marked));
			break;
		}
		if (strncmp(argv[i], "--", 2) != 0 ||
		    !has_optional_argument(table, argv[i] + 2))
			continue;
		if (asprintf(&with, "%s=", argv[i]) < 0) {
			free(marked);
			return NULL;
		}
		marked[i] = with;
	}
	return marked;
}

static void print_help(poptContext context, const struct tool *tool)
{
	static const char usual_codes[] =
		"0 done, 1 an operation failed, 2 usage, 3 ran out of "
		"something,\n4 verification failed, 128+N ended by signal N.";
	char usage[128];

	snprintf(usage, sizeof(usage), "[OPTIONS] %s", tool->arguments);
	poptSetOtherOptionHelp(context, usage);
	printf("%s\n\n", tool->about);
	fflush(stdout);
	poptPrintHelp(context, stdout, 0);
	printf("\nExamples:\n%s\nExit codes: %s\n", tool->examples,
	       tool->exit_codes ? tool->exit_codes : usual_codes);
	exit(output_written() ? EXIT_DONE : EXIT_FAILED);
}

static void refuse(const struct tool *tool, poptContext context, int got)
{
	const char *option = poptBadOption(context, 0);

	/* a count below zero looks like an option */
	if (got == POPT_ERROR_BADOPT && option[0] == '-' &&
	    isdigit((unsigned char)option[1]))
		usage_error(tool, "a number cannot be below zero, as '%s' is",
			    option);
	usage_error(tool, "%s: %s (see --help)", option, poptStrerror(got));
}

static struct poptOption include(const void *table, const char *title)
{
	return (struct poptOption){
		NULL,  0,   POPT_ARG_INCLUDE_TABLE, (void *)(uintptr_t)table, 0,
		title, NULL
	};
}

static void refuse_no_use(const struct tool *tool, const struct group *groups,
			  int place)
{
	const struct group *g = &groups[place / TABLE_ROOM];

	usage_error(tool, "--%s: %s", g->table[place % TABLE_ROOM].longName,
		    g->no_use[place % TABLE_ROOM]);
}

/* Go through the command line; what was given is where the table says.
 * `groups`: of the shared options, or NULL. */
static const char **parse(const struct tool *tool,
			  const struct poptOption *table,
			  const struct group *groups, struct option_texts *t,
			  int argc, char **argv)
{
	const unsigned int flags =
		tool->runs_command ? POPT_CONTEXT_POSIXMEHARDER : 0;
	poptContext context;
	int got;

	/* these live as long as the program */
	t->words = mark_optional(table, argc, argv);
	context = t->words ? poptGetContext(tool->name, argc, t->words, table,
					    flags)
			   : NULL;
	if (!context)
		usage_error(tool, "not enough memory for the command line");
	t->context = context;
	while ((got = poptGetNextOpt(context)) > 0)
		if (groups && got >= NO_USE)
			refuse_no_use(tool, groups, got - NO_USE);
	if (got < -1)
		refuse(tool, context, got);
	if (t->help)
		print_help(context, tool);
	if (t->version) {
		printf("%s (bigdir) %s\n", tool->name, BIGDIR_VERSION);
		exit(output_written() ? EXIT_DONE : EXIT_FAILED);
	}
	return poptGetArgs(context);
}

void options_table_read(const struct tool *tool, struct option_texts *t,
			int argc, char **argv)
{
	struct group groups[GROUPS] = { 0 };
	struct poptOption table[GROUPS + 2] = { 0 };
	int at = 0;

	memset(t, 0, sizeof(*t));
	for (int i = 0; i < GROUPS; i++)
		groups[i].number = i;
	entries_group(&groups[0], tool, t);
	work_group(&groups[1], tool, t);
	stop_group(&groups[2], tool, t);
	report_group(&groups[3], tool, t);
	if (tool->own)
		table[at++] = include(tool->own, tool->own_title);
	for (int i = 0; i < GROUPS; i++)
		table[at++] = include(groups[i].table, groups[i].title);
	t->arguments = parse(tool, table, groups, t, argc, argv);
}

void options_table_own(const struct tool *tool, struct option_texts *t,
		       int argc, char **argv)
{
	const struct poptOption usual[] = { { "help", 'h', SWITCH, &t->help, 0,
					      "show this", NULL },
					    { "version", 0, SWITCH, &t->version,
					      0, "show the version", NULL },
					    POPT_TABLEEND };
	struct poptOption table[3] = { 0 };

	memset(t, 0, sizeof(*t));
	table[0] = include(tool->own, tool->own_title);
	table[1] = include(usual, "Help:");
	t->arguments = parse(tool, table, NULL, t, argc, argv);
}
