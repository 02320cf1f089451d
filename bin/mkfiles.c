/* mkfiles: create many empty files, or other entries, in one directory. */
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "aging.h"
#include "create.h"
#include "descriptors.h"
#include "interrupt.h"
#include "number.h"
#include "options.h"
#include "plan.h"

static const struct no_use no_use[] = {
	{ OPTION_WINDOW, "mkfiles reads no entries, so there are none to sort "
			 "a window of" },
	{ 0, NULL },
};

/* Options of its own; "" where an optional argument was left out. */
struct own {
	char *until_full, *plan;
	int free_check;
	char *age;
};

static void read_until(struct creation *c, const struct options *o,
		       const struct own *own)
{
	if (own->plan && (o->dry_run || o->verify || o->time_limit))
		usage_error(o->tool, "--plan only forecasts: --dry-run, "
				     "--verify and --time have no meaning "
				     "with it");
	if (!own->until_full) {
		if (own->free_check)
			usage_error(o->tool, "--free-check goes with "
					     "--until-full");
		return;
	}
	c->until = options_choose(o->tool, "--until-full", "first, all",
				  own->until_full[0] ? own->until_full
						     : "first") == 0
			   ? UNTIL_FIRST
			   : UNTIL_REFUSED;
	c->free_check = own->free_check;
	if (own->free_check && o->staged)
		usage_error(o->tool, "--free-check and --stage exclude each "
				     "other: what was refused is not in DIR");
	if (o->on_error_given)
		usage_error(o->tool, "--until-full and --on-error exclude "
				     "each other: =first stops at a refusal, "
				     "=all goes on");
	if (own->plan || o->dry_run)
		usage_error(o->tool, "--until-full creates files; --plan and "
				     "--dry-run do not");
}

static void check_layout(const struct creation *c, const struct options *o,
			 const struct own *own)
{
	if (!options_laid_out(o))
		return;
	if (own->plan)
		usage_error(o->tool,
			    "--plan forecasts one directory, and --layout %s "
			    "spreads the names over many",
			    o->layout_text);
	if (own->free_check)
		usage_error(o->tool, "--free-check looks at one directory that "
				     "is full, and a --layout has many");
	if (o->prepare && c->open_ended)
		usage_error(o->tool, "--prepare needs a COUNT, to know which "
				     "directories to make");
}

/* The names of later passes must be possible, too. */
static void read_age(struct creation *c, const struct options *o,
		     const struct own *own)
{
	uint64_t passes = 0, last;

	if (!own->age)
		return;
	if (number_count(own->age, 0, AGING_MOST, &passes) < 0)
		usage_error(o->tool,
			    "--age takes a number from 0 to %d, not "
			    "'%s'",
			    AGING_MOST, own->age);
	if (c->until || own->plan || o->dry_run || o->time_limit)
		usage_error(o->tool, "--age replaces all of COUNT files: "
				     "--until-full, --plan, --dry-run and "
				     "--time have no meaning with it");
	if (o->type != TYPE_FILE || options_laid_out(o))
		usage_error(o->tool, "--age is for files in one directory: "
				     "--type and --layout have no meaning "
				     "with it");
	if (__builtin_mul_overflow(c->count, passes, &last) ||
	    last > (uint64_t)INT64_MAX - o->start ||
	    name_longest(&o->scheme, o->start + last - 1) > NAME_MAX)
		usage_error(o->tool,
			    "--age %s takes as many times COUNT "
			    "names, and there are not so many",
			    own->age);
	c->aging = (unsigned int)passes;
	c->look_at_age = true;
}

/* COUNT may be left out when the file system will say how many. */
static void read_arguments(struct creation *c, const struct options *o)
{
	uint64_t unused;

	if (c->until && o->argument_count == 0)
		usage_error(o->tool, "--until-full fills a file system: name "
				     "a directory, or a COUNT that it will "
				     "not go beyond");
	options_expect(o, 1, 2);
	c->path = ".";
	if (o->argument_count == 2) {
		c->path = o->arguments[1];
		c->count = options_count(o, 0);
		return;
	}
	if (o->argument_count == 1 &&
	    (!c->until || number_count(o->arguments[0], 0, UINT64_MAX,
				       &unused) != -EINVAL)) {
		c->count = options_count(o, 0);
		return;
	}
	if (o->argument_count == 1)
		c->path = o->arguments[0];
	if (o->order.kind != ORDER_SEQUENTIAL)
		usage_error(o->tool,
			    "--order %s needs a COUNT, which --until-full "
			    "will not go beyond",
			    o->order_text);
	c->open_ended = true;
	c->count = (uint64_t)INT64_MAX - o->start;
	while (name_longest(&o->scheme, o->start + c->count - 1) > NAME_MAX)
		c->count /= 2;
}

int main(int argc, char **argv)
{
	static struct own own;
	const struct poptOption options[] = {
		{ "until-full", 0, POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL,
		  &own.until_full, 0,
		  "create until the file system refuses (first), or until it "
		  "refuses all but 1 % (all); COUNT is the most, and may be "
		  "left out",
		  "first|all" },
		{ "free-check", 0, POPT_ARG_NONE, &own.free_check, 0,
		  "with --until-full: does deleting one name let one in "
		  "again?",
		  NULL },
		{ "age", 0, POPT_ARG_STRING, &own.age, 0,
		  "then make the directory old: replace each file N times (0: "
		  "none), in random order, and say what can be seen of it",
		  "N" },
		{ "plan", 0, POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL, &own.plan,
		  0,
		  "create nothing: forecast size, needs, and where it runs "
		  "out; exact plays each name through (ext2/3/4)",
		  "exact" },
		POPT_TABLEEND
	};
	const struct tool tool = {
		.name = "mkfiles",
		.arguments = "COUNT [DIR] | --until-full [COUNT] DIR",
		.about = "Create COUNT empty files in DIR (default: the "
			 "current directory), time each of\nthem, and say "
			 "what it took.",
		.examples =
			"  mkfiles 300000                 00000000 to "
			"000493DF, "
			"here\n"
			"  mkfiles 1M --order random /mnt/test\n"
			"  mkfiles 100k --stage --fsync dir --name maildir "
			"/mnt/new\n"
			"  mkfiles 50k --type dir --json results.jsonl "
			"/mnt/test\n"
			"  mkfiles 1M --time 10s -j 2 --verify /mnt/test\n"
			"  mkfiles 1M --layout fanout:16:256 --prepare "
			"/mnt/test\n"
			"  mkfiles 10M --plan /mnt/test   will they fit, and "
			"what would it take?\n"
			"  mkfiles --until-full=all /mnt/test\n"
			"  mkfiles 300k --age 4 /mnt/test\n",
		.via = CREATE_VIA,
		.orders = "sequential, reverse, random, stride:K, "
			  "interleave:K, hash",
		.no_use = no_use,
		.own = options,
		.own_title = "How far it goes:",
	};
	struct creation c = { 0 };
	struct options o;

	interrupt_catch();
	descriptors_hold();
	setlocale(LC_CTYPE, "");
	options_read(&o, &tool, argc, argv);
	read_until(&c, &o, &own);
	read_arguments(&c, &o);
	read_age(&c, &o, &own);
	check_layout(&c, &o, &own);
	create_check(&o, c.count);
	if (own.plan)
		return plan_entries(&o, &c,
				    own.plan[0] != '\0' &&
					    options_choose(&tool, "--plan",
							   "exact",
							   own.plan) == 0);
	return create_entries(&o, &c);
}
