#include "report_listed.h"

#include <dirent.h>

#include "number.h"

const char *listed_type_name(unsigned int type)
{
	static const char *const names[RUN_TYPES] = {
		[DT_UNKNOWN] = "untold", [DT_FIFO] = "fifo",
		[DT_CHR] = "char",	 [DT_DIR] = "dir",
		[DT_BLK] = "block",	 [DT_REG] = "file",
		[DT_LNK] = "symlink",	 [DT_SOCK] = "socket",
	};

	return type < RUN_TYPES ? names[type] : NULL;
}

void report_listed(FILE *f, const struct record *r)
{
	char n[NUMBER_TEXT], t[NUMBER_TEXT], rate[NUMBER_TEXT];
	double seconds = (double)r->run.real / 1e9;
	const char *separator = "  types       ";

	fprintf(f, "listed %s entries in %s: %s per s\n",
		number_grouped(n, r->run.listed),
		number_time(t, (double)r->run.real),
		number_rate(rate,
			    seconds > 0 ? (double)r->run.listed / seconds : 0));
	if (r->run.listed == 0)
		return;
	for (unsigned int type = 0; type < RUN_TYPES; type++) {
		const char *name = listed_type_name(type);

		if (!name || r->run.listed_types[type] == 0)
			continue;
		fprintf(f, "%s %s %s", separator,
			number_grouped(n, r->run.listed_types[type]), name);
		separator = ",";
	}
	fprintf(f, "\n");
}
