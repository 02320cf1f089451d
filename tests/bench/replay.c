/*
 * replay: the loop that churn is held against.
 *
 * It does again what churn --trace has written, all read before, by the same
 * system calls, and measures nothing but the whole, whose seconds it prints.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int create(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
			0600);

	return fd < 0 ? -1 : close(fd);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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

int main(int argc, char **argv)
{
	char **line;
	double start;
	int dir, stage;

	if (argc != 4)
		errx(2, "usage: replay TRACE DIR STAGE");
	line = split(read_all(argv[1]));
	dir = open(argv[2], O_RDONLY | O_DIRECTORY);
	stage = open(argv[3], O_RDONLY | O_DIRECTORY);
	if (dir < 0 || stage < 0)
		err(1, "%s or %s", argv[2], argv[3]);
	start = now();
	for (; *line; line++)
		do_again(*line, dir, stage);
	printf("%.6f\n", now() - start);
	return 0;
}
