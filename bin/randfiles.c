/* randfiles: create BASENAME0, BASENAME1 ... in random order. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "create.h"
#include "descriptors.h"
#include "interrupt.h"
#include "options.h"

static const struct no_use no_use[] = {
	{ OPTION_ORDER, "randfiles is about random order; mkfiles knows the "
			"others" },
	{ OPTION_PREFIX, "BASENAME is what stands before every name" },
	{ OPTION_WINDOW, "randfiles reads no entries, so there are none to "
			 "sort a window of" },
	{ 0, NULL },
};

static const struct tool tool = {
	.name = "randfiles",
	.arguments = "BASENAME COUNT [y]",
	.about = "Create the empty files BASENAME0 to BASENAME(COUNT-1) in "
		 "random order; with y,\nprint each name. A BASENAME with "
		 "slashes begins with their directory.",
	.examples = "  randfiles f 300000\n"
		    "  randfiles /mnt/test/file 1M --seed 7 --verify\n"
		    "  randfiles -q msg. 1000 y > names\n",
	.via = CREATE_VIA,
	.no_use = no_use,
};

/* Whether each name shall be printed. */
static bool wants_names(const struct options *o)
{
	if (o->argument_count < 3)
		return false;
	if (strcmp(o->arguments[2], "y") != 0)
		usage_error(&tool,
			    "the third argument can be y, to print "
			    "each name, but not '%s'",
			    o->arguments[2]);
	return true;
}

/* Split BASENAME into the directory, to be freed, and what names begin with. */
static char *split(const char *basename, const char **prefix)
{
	const char *slash = strrchr(basename, '/');
	char *directory;

	*prefix = slash ? slash + 1 : basename;
	if (!slash)
		directory = strdup(".");
	else
		directory =
			strndup(basename, slash == basename
						  ? 1
						  : (size_t)(slash - basename));
	if (!directory)
		usage_error(&tool, "not enough memory");
	return directory;
}

int main(int argc, char **argv)
{
	struct options o;
	const char *prefix;
	char *directory;
	struct creation c = { 0 };
	int code;

	interrupt_catch();
	descriptors_hold();
	setlocale(LC_CTYPE, "");
	options_read(&o, &tool, argc, argv);
	options_expect(&o, 2, 3);
	c.echo = wants_names(&o);
	directory = split(o.arguments[0], &prefix);
	options_set_names(&o, o.name_given ? o.name : "dec", prefix);
	options_set_order(&o, "random");
	c.count = options_count(&o, 1);
	c.path = directory;
	create_check(&o, c.count);
	code = create_entries(&o, &c);
	free(directory);
	return code;
}
