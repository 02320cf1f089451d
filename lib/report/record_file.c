#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "record_json.h"

int record_file_open(const char *path)
{
	int fd;

	if (strcmp(path, "-") == 0)
		fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	else
		fd = open(path,
			  O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY,
			  0666);
	return fd < 0 ? -errno : fd;
}

static int write_all(int fd, const char *data, size_t length)
{
	while (length > 0) {
		ssize_t n = write(fd, data, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		length -= (size_t)n;
	}
	return 0;
}

int record_file_append(int fd, const char *json)
{
	struct stat st;
	int err;

	/* so that what is taken back is only ever our own line; pipes and
	 * terminals cannot be locked, and need not be */
	bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);

	if (regular)
		while (flock(fd, LOCK_EX) < 0 && errno == EINTR)
			;
	if (regular && fstat(fd, &st) < 0)
		return -errno;
	err = write_all(fd, json, strlen(json));
	if (!err)
		err = write_all(fd, "\n", 1);
	if (err && regular && ftruncate(fd, st.st_size) < 0)
		err = -errno;
	if (regular)
		flock(fd, LOCK_UN);
	return err;
}
