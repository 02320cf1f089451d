/*
 * bare: the loop that mkfiles, statfiles and rmfiles are held against.
 *
 * It makes the same system calls on the same names (%08X, in sequence) and
 * measures nothing but the whole loop, whose seconds it prints.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void put_name(char name[9], unsigned long i)
{
	for (int at = 7; at >= 0; at--, i >>= 4)
		name[at] = "0123456789ABCDEF"[i & 15];
}

static int create(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
			0600);

	return fd < 0 ? -1 : close(fd);
}

static int look_up(int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW);
}

static int delete (int dir, const char *name)
{
	return unlinkat(dir, name, 0);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	int (*work)(int, const char *);
	char name[9] = "";
	unsigned long count;
	double start;
	int dir;

	if (argc != 4)
		errx(2, "usage: bare create|stat|unlink COUNT DIR");
	work = strcmp(argv[1], "create") == 0 ? create
	       : strcmp(argv[1], "stat") == 0 ? look_up
					      : delete;
	count = strtoul(argv[2], NULL, 10);
	dir = open(argv[3], O_RDONLY | O_DIRECTORY);
	if (dir < 0)
		err(1, "%s", argv[3]);
	start = now();
	for (unsigned long i = 0; i < count; i++) {
		put_name(name, i);
		if (work(dir, name) < 0)
			err(1, "%s %s", argv[1], name);
	}
	printf("%.6f\n", now() - start);
	return 0;
}
