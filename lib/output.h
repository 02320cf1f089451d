/*
 * output: whether what was printed has come to where it should go.
 */
#ifndef BIGDIR_OUTPUT_H
#define BIGDIR_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* All that was printed to standard output is written. False also when only an
 * earlier part of it was lost, of which a last flush knows nothing. */
static inline bool output_written(void)
{
	return fflush(stdout) == 0 && !ferror(stdout);
}

#endif
