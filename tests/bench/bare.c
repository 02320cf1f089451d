/*
 * bare: the loop that mkfiles, statfiles, renamer and rmfiles are held against.
 *
 * It makes the same system calls on the same names, in sequence, and measures
 * nothing but the whole loop, whose seconds it prints. Threads have a part of
 * the sequence each. As it is a yardstick, it shares no code with the tools.
 */
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h> /* renameat2() */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define THREADS 64
#define NAME 64

/* --- names --------------------------------------------------------------- */

struct names {
	char *(*put)(char *, uint64_t);
	const char *before;
};

static char *put_hex(char *at, uint64_t number, int digits)
{
	for (int i = digits - 1; i >= 0; i--, number >>= 4)
		at[i] = "0123456789ABCDEF"[number & 15];
	return at + digits;
}

/* The suite's own, %08X. */
static char *put_hex8(char *at, uint64_t i)
{
	return put_hex(at, i, 8);
}

static char *put_decimal(char *at, uint64_t i)
{
	char digit[20];
	int n = 0;

	do
		digit[n++] = (char)('0' + i % 10);
	while (i /= 10);
	while (n > 0)
		*at++ = digit[--n];
	return at;
}

/* 16 digits without any order; the mixing is that of the generator SplitMix64
 * (Steele, Lea, Flood 2014), which gives each number its own. */
static char *put_hash(char *at, uint64_t i)
{
	i += UINT64_C(0x9e3779b97f4a7c15);
	i = (i ^ (i >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	i = (i ^ (i >> 27)) * UINT64_C(0x94d049bb133111eb);
	return put_hex(at, i ^ (i >> 31), 16);
}

/* 10 digits and 6 letters. */
static char *put_hex10(char *at, uint64_t i)
{
	at = put_hex(at, i, 10);
	memcpy(at, "qrstuv", 6);
	return at + 6;
}

static void parse_names(struct names *n, const char *text)
{
	n->before = "";
	if (strcmp(text, "hex") == 0)
		n->put = put_hex8;
	else if (strcmp(text, "hex10") == 0)
		n->put = put_hex10;
	else if (strcmp(text, "hash") == 0)
		n->put = put_hash;
	else if (strncmp(text, "dec:", 4) == 0 && strlen(text) < 4 + 32) {
		n->put = put_decimal;
		n->before = text + 4;
	} else {
		errx(2, "names are hex, hex10, hash or dec:BEFORE, not %s",
		     text);
	}
}

/* --- operations ---------------------------------------------------------- */

static int create(int dir, const char *name, const char *to)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
			0600);

	(void)to;
	return fd < 0 ? -1 : close(fd);
}

static int make_node(int dir, const char *name, const char *to)
{
	(void)to;
	return mknodat(dir, name, S_IFREG | 0600, 0);
}

static int look_up(int dir, const char *name, const char *to)
{
	struct stat st;

	(void)to;
	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW);
}

static int move(int dir, const char *name, const char *to)
{
	return renameat2(dir, name, dir, to, RENAME_NOREPLACE);
}

static int delete (int dir, const char *name, const char *to)
{
	(void)to;
	return unlinkat(dir, name, 0);
}

static const struct {
	const char *name;
	int (*work)(int dir, const char *name, const char *to);
} operations[] = {
	{ "create", create }, { "mknod", make_node }, { "stat", look_up },
	{ "rename", move },   { "unlink", delete },
};

/* --- the loop ------------------------------------------------------------ */

struct part {
	const struct names *names;
	int (*work)(int dir, const char *name, const char *to);
	const char *operation;
	int dir;
	uint64_t from, end;
	pthread_barrier_t *start;
	pthread_t thread;
};

static void *loop(void *argument)
{
	const struct part *p = argument;
	/* a new name is the old one after this */
	char to[NAME] = "r-", *name = to + 2;
	size_t before = strlen(p->names->before);

	memcpy(name, p->names->before, before);
	pthread_barrier_wait(p->start);
	for (uint64_t i = p->from; i < p->end; i++) {
		*p->names->put(name + before, i) = '\0';
		if (p->work(p->dir, name, to) < 0)
			err(1, "%s %s", p->operation, name);
	}
	return NULL;
}

/* What readdir() gives, and nothing else. */
static void walk(const struct part *p)
{
	DIR *d = fdopendir(p->dir);
	struct dirent *e;

	if (!d)
		err(1, "fdopendir");
	while ((e = readdir(d)))
		if (e->d_type != DT_DIR && p->work(p->dir, e->d_name, "") < 0)
			err(1, "%s %s", p->operation, e->d_name);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Seconds from when all threads were there to when all were done. */
static double race(const struct part *whole, unsigned int threads)
{
	struct part part[THREADS];
	pthread_barrier_t barrier;
	uint64_t count = whole->end;
	double start;

	pthread_barrier_init(&barrier, NULL, threads + 1);
	for (unsigned int t = 0; t < threads; t++) {
		part[t] = *whole;
		part[t].start = &barrier;
		part[t].from = count * t / threads;
		part[t].end = count * (t + 1) / threads;
		if (pthread_create(&part[t].thread, NULL, loop, &part[t]) != 0)
			errx(1, "cannot make a thread");
	}
	pthread_barrier_wait(&barrier);
	start = now();
	for (unsigned int t = 0; t < threads; t++)
		pthread_join(part[t].thread, NULL);
	return now() - start;
}

static void usage(void)
{
	errx(2, "usage: bare [-t THREADS] [-n hex|hex10|hash|dec:BEFORE] "
		"create|mknod|stat|rename|unlink COUNT DIR, or "
		"bare -r stat|unlink 0 DIR for all that is there");
}

int main(int argc, char **argv)
{
	struct names names = { put_hex8, "" };
	struct part whole = { .names = &names };
	unsigned long threads = 1;
	int option, all = 0;
	double start;

	while ((option = getopt(argc, argv, "rt:n:")) >= 0) {
		if (option == 't')
			threads = strtoul(optarg, NULL, 10);
		else if (option == 'r')
			all = 1;
		else if (option == 'n')
			parse_names(&names, optarg);
		else
			usage();
	}
	if (argc - optind != 3 || threads < 1 || threads > THREADS)
		usage();
	whole.operation = argv[optind];
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (strcmp(whole.operation, operations[i].name) == 0)
			whole.work = operations[i].work;
	if (!whole.work)
		usage();
	whole.end = strtoull(argv[optind + 1], NULL, 10);
	whole.dir = open(argv[optind + 2], O_RDONLY | O_DIRECTORY);
	if (whole.dir < 0)
		err(1, "%s", argv[optind + 2]);
	start = now();
	if (all)
		walk(&whole);
	printf("%.6f\n",
	       all ? now() - start : race(&whole, (unsigned int)threads));
	return 0;
}
