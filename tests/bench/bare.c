/*
 * bare: the loops that our tools are held against.
 *
 *	bare create|stat|unlink COUNT DIR	mkfiles, statfiles, rmfiles
 *	bare replay TRACE DIR STAGE		churn
 *
 * They make the same system calls on the same names (%08X, in sequence; those
 * of a list that churn --trace has written, all read before) and measure
 * nothing but the whole loop, whose seconds are printed.
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

/* --- a list of operations ------------------------------------------------ */

/* A letter, a blank, and the name. */
static void do_again(const char *line, int dir, int stage)
{
	const char *name = line + 2;
	int fd, rc = 0;

	switch (line[0]) {
	case 'L': /* not there is as good */
		fd = openat(dir, name,
			    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC |
				    O_NOCTTY);
		if (fd >= 0)
			rc = close(fd);
		break;
	case 'C':
		rc = create(stage, name);
		break;
	case 'R':
		rc = renameat2(stage, name, dir, name, RENAME_NOREPLACE);
		break;
	default:
		rc = unlinkat(dir, name, 0);
	}
	if (rc < 0)
		err(1, "%s", line);
}

static char *read_all(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;

	if (!f || getdelim(&text, &room, '\0', f) < 0)
		err(1, "%s", path);
	fclose(f);
	return text;
}

/* The lines of the text, each ended by a zero; NULL after the last one. */
static char **split(char *text)
{
	size_t n = 0, lines = 0;
	char **line;

	for (const char *at = text; *at; at++)
		lines += *at == '\n';
	line = calloc(lines + 1, sizeof(*line));
	if (!line)
		err(1, "%zu lines", lines);
	for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n"))
		line[n++] = at;
	return line;
}

static int replay(char **argv)
{
	char **line = split(read_all(argv[2]));
	int dir = open(argv[3], O_RDONLY | O_DIRECTORY);
	int stage = open(argv[4], O_RDONLY | O_DIRECTORY);
	double start = now();

	if (dir < 0 || stage < 0)
		err(1, "%s or %s", argv[3], argv[4]);
	for (; *line; line++)
		do_again(*line, dir, stage);
	printf("%.6f\n", now() - start);
	return 0;
}

int main(int argc, char **argv)
{
	int (*work)(int, const char *);
	char name[9] = "";
	unsigned long count;
	double start;
	int dir;

	if (argc == 5 && strcmp(argv[1], "replay") == 0)
		return replay(argv);
	if (argc != 4)
		errx(2, "usage: bare create|stat|unlink COUNT DIR, or bare "
			"replay TRACE DIR STAGE");
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
