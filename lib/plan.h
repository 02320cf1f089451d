/*
 * plan: what creating would come to, without creating anything.
 */
#ifndef BIGDIR_PLAN_H
#define BIGDIR_PLAN_H

#include "create.h"

/* Print the forecast for the entries that create_entries() would make, and
 * append it to the --json file if there is one. Returns the exit code:
 * EXIT_FULL when not all of them would go in. */
int plan_entries(const struct options *o, const struct creation *c, bool exact);

#endif
