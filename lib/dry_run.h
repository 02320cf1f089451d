/*
 * dry_run: say what would be done, and touch nothing.
 */
#ifndef BIGDIR_DRY_RUN_H
#define BIGDIR_DRY_RUN_H

#include <stdint.h>

#include "options.h"

/*
 * Print "would VERB COUNT PLURAL in PATH" with the first and last names in
 * their order, and the new names where `to` is a scheme. In an observed order
 * the names are shown by index, as only a real run reads the directory.
 * Returns the exit code.
 */
int dry_run(const struct options *o, const char *verb, const char *plural,
	    uint64_t count, const char *path, const struct name_scheme *to);

#endif
