/*
 * dry_run: say what would be done, and touch nothing.
 */
#ifndef BIGDIR_DRY_RUN_H
#define BIGDIR_DRY_RUN_H

#include <stdint.h>

#include "options.h"

/* Where new names would be. */
struct dry_run_target {
	const struct name_scheme *scheme;
	const struct layout *layout;
};

/*
 * Print "would VERB COUNT PLURAL in PATH" with the first and last names in
 * their order, and the new ones where there are any (`to`). In an observed
 * order the names are shown by index, as only a real run reads the directory.
 * Returns the exit code.
 */
int dry_run(const struct options *o, const char *verb, const char *plural,
	    uint64_t count, const char *path, const struct dry_run_target *to);

#endif
