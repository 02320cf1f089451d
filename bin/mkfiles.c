/* mkfiles: create many empty files, or other entries, in one directory. */
#include <locale.h>

#include "create.h"
#include "interrupt.h"
#include "options.h"

static const struct no_use no_use[] = {
	{ OPTION_WINDOW, "mkfiles reads no entries, so there are none to sort "
			 "a window of" },
	{ 0, NULL },
};

static const struct tool tool = {
	.name = "mkfiles",
	.arguments = "COUNT [DIR]",
	.about = "Create COUNT empty files in DIR (default: the current "
		 "directory), time each of\nthem, and say what it took.",
	.examples =
		"  mkfiles 300000                 00000000 to 000493DF, here\n"
		"  mkfiles 1M --order random /mnt/test\n"
		"  mkfiles 100k --stage --fsync dir --name maildir /mnt/new\n"
		"  mkfiles 50k --type dir --json results.jsonl /mnt/test\n"
		"  mkfiles 1M --time 10s -j 2 --verify /mnt/test\n",
	.via = CREATE_VIA,
	.no_use = no_use,
};

int main(int argc, char **argv)
{
	struct options o;
	uint64_t count;

	interrupt_catch();
	setlocale(LC_CTYPE, "");
	options_read(&o, &tool, argc, argv);
	options_expect(&o, 1, 2);
	count = options_count(&o, 0);
	create_check(&o, count);
	return create_entries(&o, count, o.arguments[1] ? o.arguments[1] : ".",
			      false);
}
