/*
 * options: the command line that all tools share.
 *
 * A word means the same in every tool. A tool says which of the shared options
 * it takes; one that has no meaning for it is refused, with the reason.
 * Functions here end the program with exit code 2 and one line on standard
 * error when the user has asked for something that cannot be.
 */
#ifndef BIGDIR_OPTIONS_H
#define BIGDIR_OPTIONS_H

#include <popt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "layout.h"
#include "name.h"
#include "op.h"
#include "order.h"

enum exit_code {
	EXIT_DONE = 0,
	EXIT_FAILED = 1, /* an operation failed */
	EXIT_USAGE = 2,
	EXIT_FULL = 3, /* ran out of something */
	EXIT_DIFFERS = 4, /* verification failed */
	EXIT_SIGNAL = 128 /* plus the signal's number */
};

/* The shared options that not every tool takes. */
enum option_bit {
	OPTION_START = 1 << 0,
	OPTION_NAME = 1 << 1,
	OPTION_PREFIX = 1 << 2,
	OPTION_ORDER = 1 << 3,
	OPTION_SEED = 1 << 4,
	OPTION_WINDOW = 1 << 5,
	OPTION_TYPE = 1 << 6,
	OPTION_VIA = 1 << 7,
	OPTION_MODE = 1 << 8,
	OPTION_STAGE = 1 << 9,
	OPTION_STAGE_BATCH = 1 << 10,
	OPTION_FSYNC = 1 << 11,
	OPTION_JOBS = 1 << 12,
	OPTION_TIME = 1 << 13,
	OPTION_ON_ERROR = 1 << 14,
	OPTION_VERIFY = 1 << 15,
	OPTION_DRY_RUN = 1 << 16,
	OPTION_PROGRESS = 1 << 17,
	OPTION_LAYOUT = 1 << 18, /* and --parents */
	OPTION_PREPARE = 1 << 19,
	OPTION_ALL = (1 << 20) - 1,
};

/* Why a shared option has no meaning for a tool. */
struct no_use {
	enum option_bit bit;
	const char *why;
};

struct tool {
	const char *name;
	const char *arguments; /* "COUNT [DIR]" */
	const char *about; /* a sentence or two, for --help */
	const char *examples; /* lines of --help, 80 columns at most */
	const char *exit_codes; /* for --help, where they are its own */
	bool runs_command; /* what follows the first argument is not its
			    * own, options included */
	const char *via; /* what --via can be: "open, mknod"; the first
			  * is the default */
	const char *orders; /* what --order can be; NULL: ORDER_CHOICES */
	bool order_auto; /* --order can be auto */
	const char *fsync; /* what --fsync can be, for --help; NULL: all */
	const struct no_use *no_use; /* ends with a NULL reason */
	const struct poptOption *own; /* options of its own, or NULL; their
				       * values are set by popt */
	const char *own_title; /* heading above those in --help */
};

enum entry_type {
	TYPE_FILE,
	TYPE_DIR,
	TYPE_SYMLINK,
	TYPE_HARDLINK,
	TYPE_FIFO,
};

enum verify_mode {
	VERIFY_NO,
	VERIFY_EXACT, /* nothing else may be in the directory */
	VERIFY_OURS, /* other names are not looked at */
};

struct options {
	const struct tool *tool;
	int argc; /* the whole command line, for the record */
	char **argv;
	void *context; /* owns the texts; lives as long as the program */
	const char **words; /* the command line as it was read */
	const char **arguments; /* what is left of it; ends with NULL */
	unsigned int argument_count;

	uint64_t start;
	const char *name, *prefix; /* prefix may be NULL */
	bool name_given, order_given, seed_given, parents_given;
	struct name_scheme scheme;
	struct layout layout;
	const char *layout_text;
	bool prepare; /* the directories of the layout are made ahead */
	unsigned int parents; /* directories that each worker holds open */
	const char *order_text;
	struct order order;
	bool order_auto; /* chosen by what the directory is like */
	uint64_t seed, window;

	enum entry_type type;
	bool type_given;
	const char *via;
	bool via_given;
	mode_t mode;
	bool staged;
	const char *stage; /* NULL: a new directory inside DIR */
	unsigned int stage_batch;
	enum durability durability;
	unsigned int workers;
	bool jobs_given;

	uint64_t time_limit; /* ns, 0: none */
	bool stop_on_error, on_error_given;

	bool quiet, progress, dry_run;
	enum verify_mode verify;
	const char *json; /* path, "-" or NULL */
	const char **labels; /* KEY=VALUE ...; ends with NULL, or is NULL */
};

/* Read the command line. --help and --version print and exit with 0. */
void options_read(struct options *o, const struct tool *tool, int argc,
		  char **argv);

/* One line on standard error, then exit code 2. */
void usage_error(const struct tool *tool, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* Set the naming scheme or the order, as the tool has its own default. End
 * with usage_error() when they are none. */
void options_set_names(struct options *o, const char *name, const char *prefix);
void options_set_order(struct options *o, const char *text);

/* Read a layout, or end with usage_error(). `option` is named then. */
void options_read_layout(const struct tool *tool, const char *option,
			 const char *text, struct layout *l);

/* End with usage_error() unless the layout can place the first and the last
 * of `count` names of the scheme. */
void options_check_layout(const struct options *o, const struct layout *l,
			  const struct name_scheme *scheme, uint64_t count);

/* The same for names that a tool makes, of which `count` may be no more than
 * a bound; and refuse options about a layout where there is none. */
void options_check_made(const struct options *o, uint64_t count);

/* Say on standard error that so many tables of directories of a layout need
 * more open files than there may be. */
void options_tell_few_files(const struct options *o, unsigned int tables);

/* Whether entries live in directories below the one that is named. */
static inline bool options_laid_out(const struct options *o)
{
	return o->layout.kind != LAYOUT_FLAT;
}

/* The positional argument at `place` as a count of 1 to 2^63 - 1 whose last
 * name, --start considered, is within that too and fits a file name. */
uint64_t options_count(const struct options *o, unsigned int place);

/* End with usage_error() unless there are so many positional arguments. */
void options_expect(const struct options *o, unsigned int least,
		    unsigned int most);

/* End with usage_error() unless `text` is one of the comma-separated choices;
 * returns its place among them. `option` is named in the message. */
unsigned int options_choose(const struct tool *tool, const char *option,
			    const char *choices, const char *text);

/* Refuse --window for an order that sorts nothing. */
void options_check_window(const struct options *o);

/* Bind --order to the count, or refuse it: `entries_exist` tells whether the
 * tool works on entries that a directory has already. */
void options_bind_order(struct options *o, uint64_t count, bool entries_exist);

/* "files", "directories", ... and "file", "directory", ... Static. */
const char *type_plural(enum entry_type type);
const char *type_name(enum entry_type type);

/* "none", "file", "dir" or "end". Static. */
const char *durability_name(enum durability d);

#endif
