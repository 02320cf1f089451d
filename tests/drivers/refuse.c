/*
 * refuse: does one kind of operation in a directory until it is refused, and
 * prints what exhaust_explain() makes of it. For the tests of lib/exhaust.
 *
 *   refuse [-o OPERATION] [-l LENGTH] [-n COUNT] [-s START] [-t LENGTH]
 *          [-w WANTED] [-x COMMAND] [-q] DIR
 *
 * Names are the index as 8 hexadecimal digits, filled up with "x" to LENGTH.
 * -t: length of a symbolic link's target. -x: a shell command to run once DIR
 * is open. -q: "key=value" lines, for programs. Exit status: 0 refused, 1 not
 * refused within COUNT, 2 usage.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exhaust.h"

enum {
	NAME_SIZE = 4096,
};

struct job {
	const char *operation;
	const char *dir;
	const char *command;
	int dirfd;
	int source_fd;
	size_t length;
	unsigned long first, count, done;
	unsigned long wanted;
	char *target;
	bool quiet;
	char name[NAME_SIZE];
	char other[NAME_SIZE];
};

static void make_name(char *name, unsigned long index, size_t length)
{
	int digits = snprintf(name, NAME_SIZE, "%08lX", index);

	if (length > (size_t)digits && length < NAME_SIZE) {
		memset(name + digits, 'x', length - (size_t)digits);
		name[length] = '\0';
	}
}

static int create(struct job *job)
{
	int fd = openat(job->dirfd, job->name,
			O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	return fd < 0 ? -1 : close(fd);
}

static int attempt(struct job *job)
{
	const char *o = job->operation;
	int fd = job->dirfd;

	if (!strcmp(o, "create"))
		return create(job);
	if (!strcmp(o, "mkdir"))
		return mkdirat(fd, job->name, 0755);
	if (!strcmp(o, "symlink"))
		return symlinkat(job->target, fd, job->name);
	if (!strcmp(o, "mknod"))
		return mknodat(fd, job->name, S_IFIFO | 0644, 0);
	if (!strcmp(o, "link"))
		return linkat(fd, "source", fd, job->name, 0);
	if (!strcmp(o, "rename"))
		return renameat(fd, "source", fd, job->name);
	if (!strcmp(o, "unlink"))
		return unlinkat(fd, job->name, 0);
	if (!strcmp(o, "rmdir"))
		return unlinkat(fd, job->name, AT_REMOVEDIR);
	errx(2, "unknown operation %s", o);
}

/* A renamed entry is the source of the next rename. */
static void go_back(struct job *job)
{
	if (!strcmp(job->operation, "rename"))
		renameat(job->dirfd, job->name, job->dirfd, "source");
}

/* 0, or the errno of the refusal. */
static int run(struct job *job)
{
	for (; job->done < job->count; job->done++) {
		make_name(job->name, job->first + job->done, job->length);
		if (attempt(job) < 0)
			return errno;
		go_back(job);
	}
	return 0;
}

static void print_pairs(const struct job *job, const struct verdict *v)
{
	printf("made=%lu\nname=%.20s\nerror=%s\n", job->done, job->name,
	       strerrorname_np(v->err));
	printf("cause=%s\nconfidence=%s\nsummary=%s\n", v->cause_id,
	       exhaust_confidence_name(v->confidence), v->summary);
	if (v->doubt[0])
		printf("doubt=%s\n", v->doubt);
	for (unsigned int i = 0; i < v->evidence_count; i++)
		printf("evidence.%s=%s\n", v->evidence[i].name,
		       v->evidence[i].text);
	for (unsigned int i = 0; i < v->remedy_count; i++)
		printf("remedy.%s=%s\n",
		       remedy_effect_name(v->remedy[i].effect),
		       v->remedy[i].command);
	if (v->advice[0])
		printf("advice=%s\n", v->advice);
}

static int report(struct job *job, int err)
{
	struct refusal refusal = {
		.dirfd = job->dirfd,
		.operation = job->operation,
		.err = err,
		.name = job->name,
		.source_fd = job->source_fd,
		.target = job->target,
		.wanted = job->wanted,
	};
	struct verdict verdict;

	if (exhaust_explain(&refusal, &verdict) < 0)
		errx(2, "the refusal could not be explained");
	if (job->quiet) {
		print_pairs(job, &verdict);
		return 0;
	}
	printf("%s %s after %lu: %s\n", job->operation, job->name, job->done,
	       strerror(err));
	return verdict_print(stdout, &verdict) < 0 ? 2 : 0;
}

static void parse(struct job *job, int argc, char **argv)
{
	size_t target = 4;
	int c;

	while ((c = getopt(argc, argv, "o:l:n:s:t:w:x:q")) != -1) {
		switch (c) {
		case 'o':
			job->operation = optarg;
			break;
		case 'l':
			job->length = strtoul(optarg, NULL, 10);
			break;
		case 'n':
			job->count = strtoul(optarg, NULL, 10);
			break;
		case 's':
			job->first = strtoul(optarg, NULL, 10);
			break;
		case 't':
			target = strtoul(optarg, NULL, 10);
			break;
		case 'w':
			job->wanted = strtoul(optarg, NULL, 10);
			break;
		case 'x':
			job->command = optarg;
			break;
		case 'q':
			job->quiet = true;
			break;
		default:
			exit(2);
		}
	}
	if (optind + 1 != argc || job->length >= NAME_SIZE)
		errx(2, "usage: refuse [OPTIONS] DIR");
	job->dir = argv[optind];
	job->target = calloc(1, target + 1);
	if (!job->target)
		err(2, "calloc");
	memset(job->target, 't', target);
}

int main(int argc, char **argv)
{
	static struct job job = {
		.operation = "create",
		.length = 8,
		.count = 1000000,
		.source_fd = -1,
	};
	int result, why;

	parse(&job, argc, argv);
	job.dirfd = open(job.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (job.dirfd < 0)
		err(2, "%s", job.dir);
	if (!strcmp(job.operation, "link"))
		job.source_fd = openat(job.dirfd, "source", O_PATH | O_CLOEXEC);
	if (job.command && system(job.command) != 0)
		errx(2, "failed: %s", job.command);
	why = run(&job);
	if (why) {
		result = report(&job, why);
	} else {
		printf("made=%lu\n", job.done);
		result = 1;
	}
	free(job.target);
	close(job.dirfd);
	return result;
}
