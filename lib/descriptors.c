#include "descriptors.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void descriptors_hold(void)
{
	/* the lowest first: open() takes the lowest that is free */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		if (open("/dev/null",
			 fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			err(2, "/dev/null, in place of closed descriptor %d",
			    fd);
	}
}
