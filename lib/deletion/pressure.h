/*
 * pressure: how long others have waited for the disks, as Linux counts it in
 * /proc/pressure/io.
 */
#ifndef BIGDIR_PRESSURE_H
#define BIGDIR_PRESSURE_H

#include <stdint.h>

/* A descriptor to read it by, or -errno: the kernel does not count it, or was
 * told not to (psi=0). */
int pressure_open(void);

/* Time, in ns since the machine started, during which some task waited for
 * input or output. 0 or -errno. */
int pressure_read(int fd, uint64_t *stalled);

/* The same from the file's text. 0, or -EINVAL when there is no such figure
 * in it. */
int pressure_parse(const char *text, uint64_t *stalled);

#endif
