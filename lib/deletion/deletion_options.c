#include "deletion_options.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "background.h"
#include "number.h"

static void refuse_without_all(const struct deletion_texts *t,
			       const struct options *o)
{
	const char *option = t->recursive    ? "--recursive"
			     : t->look_ahead ? "--look-ahead"
			     : t->match	     ? "--match"
			     : t->older_than ? "--older-than"
			     : t->keep	     ? "--keep"
					     : NULL;

	if (!t->all && option)
		usage_error(o->tool, "%s goes with --all", option);
	if (t->keep && t->recursive)
		usage_error(o->tool, "--keep counts the newest of one "
				     "directory, and --recursive goes through "
				     "many: use --older-than, or one run for "
				     "each directory");
}

static uint64_t read_duration(const struct options *o, const char *option,
			      const char *examples, const char *text)
{
	uint64_t ns;

	if (number_duration(text, &ns) < 0)
		usage_error(o->tool, "%s takes a duration such as %s, not '%s'",
			    option, examples, text);
	return ns;
}

static void read_selection(struct deletion *d, const struct deletion_texts *t,
			   const struct options *o)
{
	struct timespec now;

	d->selection.match = t->match;
	for (const char *const *glob = d->selection.match; glob && *glob;
	     glob++)
		if (!**glob || strchr(*glob, '/'))
			usage_error(o->tool,
				    "--match takes a pattern for names, such "
				    "as '*.tmp', not '%s'",
				    *glob);
	if (t->older_than) {
		clock_gettime(CLOCK_REALTIME, &now);
		d->older = read_duration(o, "--older-than",
					 "30d, 12h or 90 (seconds)",
					 t->older_than);
		selection_older(&d->selection, &now, d->older);
	}
	if (t->keep && number_count(t->keep, 1, INT64_MAX, &d->keep) < 0)
		usage_error(o->tool,
			    "--keep takes how many stay, from 1 to %" PRId64
			    ", such as 100 or 10k, not '%s'",
			    INT64_MAX, t->keep);
}

static void read_pace(struct deletion *d, const struct deletion_texts *t,
		      const struct options *o)
{
	uint64_t interval = 0, latency = 0;

	if (t->rate && pace_rate(t->rate, &interval) < 0)
		usage_error(o->tool,
			    "--rate takes a rate such as 2000/s, 100/m or 2k "
			    "(a second), not '%s'",
			    t->rate);
	if (t->max_latency)
		latency = read_duration(o, "--max-latency", "20ms or 0.1s",
					t->max_latency);
	d->rate = t->rate;
	pace_init(&d->pacer.pace, interval, latency);
}

static void read_drain(struct deletion *d, const struct deletion_texts *t,
		       const struct options *o)
{
	if (!t->drain)
		d->drain_limit =
			o->durability == DURABLE_NONE ? 0 : DELETION_DRAIN;
	else if (strcmp(t->drain, "no") != 0)
		d->drain_limit = read_duration(o, "--drain", "10s or 5m, or no",
					       t->drain);
}

static void read_look_ahead(struct deletion *d, const struct deletion_texts *t,
			    const struct options *o)
{
	static const char *const wishes[] = {
		[LOOK_AHEAD_AUTO] = "auto",
		[LOOK_AHEAD_YES] = "yes",
		[LOOK_AHEAD_NO] = "no",
	};

	if (!t->look_ahead)
		return;
	for (unsigned int i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++)
		if (strcmp(t->look_ahead, wishes[i]) == 0) {
			d->look_ahead_wish = (enum look_ahead_wish)i;
			return;
		}
	usage_error(o->tool, "--look-ahead takes auto, yes or no, not '%s'",
		    t->look_ahead);
}

void deletion_read(struct deletion *d, const struct deletion_texts *t,
		   const struct options *o)
{
	refuse_without_all(t, o);
	deletion_init(d);
	read_selection(d, t, o);
	read_pace(d, t, o);
	read_drain(d, t, o);
	read_look_ahead(d, t, o);
	d->nice = t->nice;
	if (t->nice)
		d->nice_errno = -background();
}
