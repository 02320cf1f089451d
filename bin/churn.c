/* churn: a cache at steady state. */
#include <locale.h>

#include "churn_job.h"
#include "churn_options.h"
#include "descriptors.h"
#include "interrupt.h"
#include "options.h"

static const struct no_use no_use[] = {
	{ OPTION_START, "keys are known by rank, from 0" },
	{ OPTION_ORDER, "--popularity says which key comes next" },
	{ OPTION_WINDOW, "churn sorts nothing" },
	{ OPTION_TYPE, "objects of a cache are files" },
	{ OPTION_VIA, "--lookup says how objects are looked up" },
	{ OPTION_STAGE_BATCH, "each object is moved into place by itself, as "
			      "its request waits for it" },
	{ OPTION_JOBS, "churn is one worker: with several, which of two "
		       "requests came first would not be known" },
	{ OPTION_PREPARE, "a cache makes its directories as it fills" },
	{ OPTION_ON_ERROR, "churn stops at the first failure: what the cache "
			   "holds would not be known any more" },
	{ 0, NULL },
};

int main(int argc, char **argv)
{
	static struct churn_texts texts;
	struct poptOption table[CHURN_TABLE];
	const struct tool tool = {
		.name = "churn",
		.arguments = "[REQUESTS] [DIR]",
		.about = "Be a cache at steady state in DIR (default: the "
			 "current directory): look up\nobjects, create those "
			 "that are missing, evict others for them; time each.",
		.examples =
			"  churn 1M --capacity 100k /mnt/test\n"
			"  churn 1M --popularity zipf:1.1 --policy fifo "
			"/mnt/test\n"
			"  churn --time 24h --resume --verify=ours /mnt/test\n"
			"  churn --time 1m --rate 5000/s,poisson /mnt/test\n"
			"  churn --ramp 1000:50000:x1.5 --slo p99=5ms "
			"/mnt/test\n"
			"  churn 1M --dry-run             what would it take, "
			"and hit?\n",
		.exit_codes = "0 done, 1 an operation failed, or the rate or "
			      "the SLO was not kept, 2 usage,\n3 ran out of "
			      "something, 4 verification failed, 128+N ended "
			      "by signal N.",
		.fsync = "none, file (each), end (all once, timed apart; the "
			 "default)",
		.no_use = no_use,
		.own = table,
		.own_title = "What cache, and who asks:",
	};
	struct churn_options c;
	struct options o;

	interrupt_catch();
	descriptors_hold();
	setlocale(LC_CTYPE, "");
	churn_options_table(table, &texts);
	options_read(&o, &tool, argc, argv);
	churn_options_read(&c, &o, &texts);
	return churn_job(&o, &c);
}
