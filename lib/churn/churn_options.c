#include "churn_options.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "churn.h"
#include "number.h"

#define LOOKUP_CHOICES "open, stat"
#define DEFAULT_CAPACITY 100000
#define DEFAULT_STEP_TIME UINT64_C(5000000000)

void churn_options_table(struct poptOption table[CHURN_TABLE],
			 struct churn_texts *t)
{
	const struct poptOption options[] = {
		{ "capacity", 0, POPT_ARG_STRING, &t->capacity, 0,
		  "objects that the cache holds at most (100k)", "N" },
		{ "keys", 0, POPT_ARG_STRING, &t->keys, 0,
		  "keys that are asked for (10 times the capacity)", "N" },
		{ "popularity", 0, POPT_ARG_STRING, &t->popularity, 0,
		  "how often each is asked for: zipf:S (zipf:0.9), uniform, "
		  "or scan, all in turn",
		  "LAW" },
		{ "policy", 0, POPT_ARG_STRING, &t->policy, 0,
		  "who must go: lru (the default), fifo or random", "POLICY" },
		{ "lookup", 0, POPT_ARG_STRING, &t->lookup, 0,
		  "open (and close; the default) or stat", "CALL" },
		{ "direct", 0, POPT_ARG_NONE, &t->direct, 0,
		  "create in place, without a temporary directory", NULL },
		{ "warm-up", 0, POPT_ARG_STRING, &t->warm_up, 0,
		  "requests before the measured ones, or full: until the cache "
		  "is (the default)",
		  "N|full" },
		{ "resume", 0, POPT_ARG_NONE, &t->resume, 0,
		  "take up the objects that DIR holds", NULL },
		{ "rate", 0, POPT_ARG_STRING, &t->rate, 0,
		  "open loop: requests are due at this rate, such as 5000/s or "
		  "5000/s,poisson",
		  "RATE" },
		{ "ramp", 0, POPT_ARG_STRING, &t->ramp, 0,
		  "find the highest rate that keeps --slo, such as "
		  "1000:50000:x1.5 (or :+STEP)",
		  "FROM:TO:BY" },
		{ "slo", 0, POPT_ARG_STRING, &t->slo, 0,
		  "what the time to the answer must keep: p99=5ms",
		  "PXX=TIME" },
		{ "step-time", 0, POPT_ARG_STRING, &t->step_time, 0,
		  "time for each rate of --ramp (5s)", "DURATION" },
		{ "trace", 0, POPT_ARG_STRING, &t->trace, 0,
		  "write each operation to FILE: L (lookup), C, R or E "
		  "(evict), and the name",
		  "FILE" },
		POPT_TABLEEND
	};

	_Static_assert(sizeof(options) / sizeof(options[0]) <= CHURN_TABLE,
		       "the table takes them all");
	memcpy(table, options, sizeof(options));
}

/* --- values -------------------------------------------------------------- */

static uint64_t read_number(const struct tool *tool, const char *option,
			    const char *text, uint64_t low, uint64_t high)
{
	uint64_t value;

	if (number_count(text, low, high, &value) < 0)
		usage_error(tool,
			    "%s takes a number from %" PRIu64 " to %" PRIu64
			    ", such as 300000, 300k or 1M, not '%s'",
			    option, low, high, text);
	return value;
}

static void read_cache(struct churn_options *c, const struct tool *tool,
		       const struct churn_texts *t)
{
	c->capacity = DEFAULT_CAPACITY;
	if (t->capacity)
		c->capacity = read_number(tool, "--capacity", t->capacity, 1,
					  POLICY_MAX_CAPACITY);
	c->keys = 10 * c->capacity;
	if (c->keys > POPULARITY_MAX_KEYS)
		c->keys = POPULARITY_MAX_KEYS;
	if (t->keys)
		c->keys = read_number(tool, "--keys", t->keys, 1,
				      POPULARITY_MAX_KEYS);
	c->popularity = t->popularity ? t->popularity : "zipf:0.9";
	if (popularity_parse(&c->law, c->popularity) < 0)
		usage_error(tool, "--popularity takes %s, not '%s'",
			    POPULARITY_CHOICES, c->popularity);
	if (t->policy)
		c->policy = (enum policy_kind)options_choose(
			tool, "--policy", POLICY_CHOICES, t->policy);
	c->lookup_open =
		!t->lookup || options_choose(tool, "--lookup", LOOKUP_CHOICES,
					     t->lookup) == 0;
}

static void read_warm_up(struct churn_options *c, const struct tool *tool,
			 const struct churn_texts *t)
{
	c->warm_up_full = !t->warm_up || strcmp(t->warm_up, "full") == 0;
	if (!c->warm_up_full)
		c->warm_up = read_number(tool, "--warm-up", t->warm_up, 0,
					 INT64_MAX);
}

/* --- open loop ----------------------------------------------------------- */

/* "p99=5ms" */
static bool parse_slo(struct churn_options *c, const char *text)
{
	double percent;
	char *end;

	if (text[0] != 'p' || text[1] < '0' || text[1] > '9')
		return false;
	percent = strtod(text + 1, &end);
	c->slo_part = percent / 100;
	return percent > 0 && percent < 100 && *end == '=' &&
	       number_duration(end + 1, &c->slo_limit) == 0;
}

/* A step that answers too few can be neither good nor bad. */
static void check_steps(const struct churn_options *c, const struct tool *tool)
{
	double due = c->ramp.from * (double)c->step_time / 1e9;
	double least = churn_least(c->slo_part);

	if (due < least)
		usage_error(tool,
			    "a step has %.3g requests at the first rate of "
			    "--ramp, and --slo %s takes %.0f: take a longer "
			    "--step-time, or begin with a higher rate",
			    due, c->slo_text, least);
}

static void read_open_loop(struct churn_options *c, const struct options *o,
			   const struct churn_texts *t)
{
	const struct tool *tool = o->tool;

	if (t->rate && arrivals_parse(&c->arrivals, t->rate) < 0)
		usage_error(tool, "--rate takes %s, not '%s'", ARRIVALS_CHOICES,
			    t->rate);
	c->slo_text = t->slo;
	if (t->slo && !parse_slo(c, t->slo))
		usage_error(tool,
			    "--slo takes a percentile and a time, such as "
			    "p99=5ms or p99.9=20ms, not '%s'",
			    t->slo);
	c->step_time = DEFAULT_STEP_TIME;
	if (t->step_time && number_duration(t->step_time, &c->step_time) < 0)
		usage_error(tool,
			    "--step-time takes a duration such as 5s, "
			    "not '%s'",
			    t->step_time);
	c->ramped = t->ramp != NULL;
	if (t->ramp && ramp_parse(&c->ramp, t->ramp) < 0)
		usage_error(tool, "--ramp takes %s, not '%s'", RAMP_CHOICES,
			    t->ramp);
	if (t->step_time && !t->ramp)
		usage_error(tool, "--step-time is for the steps of --ramp");
	if (t->slo && !t->ramp && !t->rate)
		usage_error(tool, "--slo is about an open loop: it needs "
				  "--rate or --ramp");
	if (t->ramp && !t->slo)
		usage_error(tool, "--ramp needs --slo, such as p99=5ms: what "
				  "the highest rate must keep");
	if (t->ramp)
		check_steps(c, tool);
	c->arrivals.poisson = c->arrivals.poisson || c->ramp.poisson;
	if (t->ramp && t->rate)
		usage_error(tool, "--ramp and --rate exclude each other");
}

/* --- what goes together -------------------------------------------------- */

static void read_arguments(struct churn_options *c, const struct options *o)
{
	uint64_t unused;
	unsigned int at = 0;

	options_expect(o, 0, 2);
	if (o->argument_count == 2 ||
	    (o->argument_count == 1 &&
	     number_count(o->arguments[0], 0, UINT64_MAX, &unused) != -EINVAL))
		c->requests = read_number(o->tool, "REQUESTS",
					  o->arguments[at++], 1, INT64_MAX);
	c->path = at < o->argument_count ? o->arguments[at] : ".";
	if (c->ramped && (c->requests || o->time_limit))
		usage_error(o->tool, "--ramp goes by --step-time: REQUESTS and "
				     "--time have no meaning with it");
	if (!c->requests && !o->time_limit && !c->ramped)
		usage_error(o->tool, "say how long: REQUESTS, as in churn 1M "
				     "DIR, --time, or --ramp");
}

static void check_names(const struct churn_options *c, const struct options *o)
{
	size_t longest = name_longest(&o->scheme, c->keys - 1);

	if (longest > NAME_MAX)
		usage_error(o->tool,
			    "--name %s makes names of over 255 bytes "
			    "for so many --keys",
			    o->name);
}

void churn_options_read(struct churn_options *c, struct options *o,
			const struct churn_texts *t)
{
	memset(c, 0, sizeof(*c));
	read_cache(c, o->tool, t);
	read_warm_up(c, o->tool, t);
	read_open_loop(c, o, t);
	c->direct = t->direct;
	c->resume = t->resume;
	c->trace = t->trace;
	if (c->direct && o->staged)
		usage_error(o->tool, "--direct and --stage exclude each other");
	o->staged = !c->direct;
	if (o->durability == DURABLE_DIR)
		usage_error(o->tool, "--fsync takes none, file or end here");
	if (!o->name_given)
		options_set_names(o, "hash", o->prefix);
	read_arguments(c, o);
	check_names(c, o);
	options_check_layout(o, &o->layout, &o->scheme, c->keys);
}
