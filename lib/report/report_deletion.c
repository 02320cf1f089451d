#include "report_deletion.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "number.h"

#define COLUMNS 80
#define INDENT 15

/* A directory of so many blocks is worth a word. */
#define LARGE_BLOCKS 16

static void print_lines(FILE *f, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A text of any length behind its label, broken at blanks. */
static void print_lines(FILE *f, const char *label, const char *format, ...)
{
	char *text = NULL, *rest, *word;
	va_list arguments;
	size_t column = INDENT;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	fprintf(f, "  %-*s", INDENT - 2, label);
	for (word = text ? strtok_r(text, " ", &rest) : NULL; word;
	     word = strtok_r(NULL, " ", &rest)) {
		if (column > INDENT && column + 1 + strlen(word) > COLUMNS) {
			fprintf(f, "\n%*s", INDENT, "");
			column = INDENT;
		}
		column += (size_t)fprintf(f, "%s%s", column > INDENT ? " " : "",
					  word);
	}
	fprintf(f, "\n");
	free(text);
}

static void print_selection(FILE *f, const struct record *r)
{
	const struct deletion *d = r->deletion;
	char n[NUMBER_TEXT], m[NUMBER_TEXT];

	if (!selection_is_some(&d->selection))
		return;
	print_lines(f, "left alone", "%s for their names, %s for their age",
		    number_grouped(n, r->left.unmatched),
		    number_grouped(m, r->left.kept));
	if (d->keep)
		print_lines(f, "", "(finding the %s newest took %s)",
			    number_grouped(n, d->keep),
			    number_bytes(m, d->keep_memory));
}

static void print_rests(FILE *f, const struct pacer *p)
{
	char n[NUMBER_TEXT], t[NUMBER_TEXT], s[NUMBER_TEXT], o[NUMBER_TEXT];

	print_lines(f, "",
		    "%s rests, the longest of %s; longer ones after %s with "
		    "deletions over the limit, and %s in which others waited "
		    "for the disks",
		    number_grouped(n, p->pace.rests),
		    number_time(t, (double)p->pace.longest_rest),
		    number_grouped(s, p->pace.slow_rests),
		    number_grouped(o, p->pace.stalled_rests));
	if (p->pressure < 0)
		print_lines(f, "",
			    "(whether others wait is not told here: "
			    "/proc/pressure/io: %s)",
			    strerror(-p->pressure));
}

static void print_pace(FILE *f, const struct record *r)
{
	const struct deletion *d = r->deletion;
	const struct pace *p = &d->pacer.pace;
	char most[NUMBER_TEXT] = "", waited[NUMBER_TEXT];

	if (p->latency)
		number_time(most, (double)p->latency);
	if (pace_is_wished(p))
		print_lines(f, "pace", "%s%s%s%s%s; waited %s on purpose",
			    d->rate ? d->rate : "",
			    d->rate && p->latency ? ", " : "",
			    p->latency ? "at most " : "", most,
			    p->latency ? " for one" : "",
			    number_time(waited, (double)d->pacer.waited));
	if (p->latency)
		print_rests(f, &d->pacer);
	if (d->nice && d->nice_errno)
		print_lines(f, "priority", "not the lowest: %s",
			    strerror(d->nice_errno));
	else if (d->nice)
		print_lines(f, "priority", "nice 19, disks in the idle class");
}

static void print_look_ahead(FILE *f, const struct deletion *d)
{
	char n[NUMBER_TEXT], m[NUMBER_TEXT];

	if (!d->looked_ahead)
		return;
	if (d->look_ahead_errno == EPERM)
		print_lines(f, "look-ahead",
			    "not permitted: takes root "
			    "(CAP_SYS_ADMIN)");
	else if (d->look_ahead_errno == EOPNOTSUPP)
		print_lines(f, "look-ahead", "not known for this file system");
	else if (d->look_ahead_errno)
		print_lines(f, "look-ahead", "none: %s",
			    strerror(d->look_ahead_errno));
	else if (!d->looked.calls && !d->looked.err)
		print_lines(f, "look-ahead",
			    "nothing lay ahead (few entries, or a small "
			    "--window)");
	else
		print_lines(f, "look-ahead",
			    "%s blocks of inodes asked for before their turn, "
			    "of which %s had to be read%s%s",
			    number_grouped(n, d->looked.calls),
			    number_grouped(m, d->looked.reads),
			    d->looked.err ? "; ended by: " : "",
			    d->looked.err ? strerror(d->looked.err) : "");
}

void report_deletion(FILE *f, const struct record *r)
{
	if (!r->deletion)
		return;
	if (r->deletion->chosen)
		print_lines(f, "chosen as", "%s", r->deletion->choice.reason);
	print_look_ahead(f, r->deletion);
	print_selection(f, r);
	print_pace(f, r);
}

/* --- afterwards ---------------------------------------------------------- */

static void print_drain(FILE *f, const struct record *r)
{
	const struct drain *d = &r->deletion->drain;
	const char *fs = r->env.mount.type;
	char t[NUMBER_TEXT], n[NUMBER_TEXT], m[NUMBER_TEXT];

	if (!d->asked)
		return;
	number_time(t, (double)d->ns);
	if (d->err)
		print_lines(f, "drain", "not known: %s", strerror(d->err));
	else if (d->end == DRAIN_NOTHING)
		print_lines(f, "drain", "%s leaves nothing for later", fs);
	else if (d->end == DRAIN_SETTLED)
		print_lines(f, "drain", "+%s until %s had settled", t, fs);
	else
		print_lines(f, "drain", "+%s, and %s has not settled yet%s", t,
			    fs,
			    d->end == DRAIN_LIMIT
				    ? " (--drain=60s waits longer)"
				    : "");
	if (!d->err && d->counted && d->freed < record_done(r))
		print_lines(f, "",
			    "%s inodes are free again, of %s entries deleted: "
			    "others have further links, are still open, or "
			    "were made meanwhile",
			    number_grouped(n, d->freed),
			    number_grouped(m, record_done(r)));
}

bool report_stays_large(const struct record *r)
{
	return r->deletion && strncmp(r->env.mount.type, "ext", 3) == 0 &&
	       r->after.directory_bytes >= r->after.block_size * LARGE_BLOCKS;
}

static void print_large(FILE *f, const struct record *r)
{
	char n[NUMBER_TEXT];
	char *source = escape_path(r->env.mount.source);

	print_lines(f, "stays large",
		    "the directory keeps its %s: %s never shrinks one. Make a "
		    "new directory in its place (when it is empty, rmdir and "
		    "mkdir; otherwise move what is left over), or unmount and "
		    "run e2fsck -fD %s",
		    number_bytes(n, r->after.directory_bytes),
		    r->env.mount.type, source ? source : "DEVICE");
	free(source);
}

void report_after(FILE *f, const struct record *r)
{
	if (!r->deletion)
		return;
	print_drain(f, r);
	if (report_stays_large(r))
		print_large(f, r);
}
