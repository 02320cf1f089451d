#include "pressure.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int pressure_open(void)
{
	uint64_t stalled;
	int fd = open("/proc/pressure/io", O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	/* with psi=0 it can be opened, and not read */
	err = pressure_read(fd, &stalled);
	if (!err)
		return fd;
	close(fd);
	return err;
}

int pressure_parse(const char *text, uint64_t *stalled)
{
	const char *line = strstr(text, "some ");
	const char *total = line ? strstr(line, " total=") : NULL;
	const char *end = line ? strchr(line, '\n') : NULL;
	uint64_t microseconds;

	if (!total || (end && total > end) ||
	    sscanf(total, " total=%" SCNu64, &microseconds) != 1)
		return -EINVAL;
	*stalled = microseconds * 1000;
	return 0;
}

int pressure_read(int fd, uint64_t *stalled)
{
	char text[256];
	ssize_t got = pread(fd, text, sizeof(text) - 1, 0);

	if (got < 0)
		return -errno;
	text[got] = '\0';
	return pressure_parse(text, stalled);
}
