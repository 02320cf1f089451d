#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The descriptor that all work goes through: whatever is put in the name's
 * place later, files are created in, and deleted from, this directory. */
static int open_stage(int parent, const char *name)
{
	return openat(parent, name,
		      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void cannot_make(const struct options *o, const char *name, int err)
	__attribute__((noreturn));

/* Without room for a directory, nothing was asked for that cannot be. */
static void cannot_make(const struct options *o, const char *name, int err)
{
	if (err != ENOSPC && err != EDQUOT)
		usage_error(o->tool, "cannot make the staging directory %s: %s",
			    name, strerror(err));
	fprintf(stderr, "%s: cannot make the staging directory %s: %s\n",
		o->tool->name, name, strerror(err));
	exit(EXIT_FULL);
}

static void make_inside(struct stage *s, const struct options *o, int dir)
{
	snprintf(s->name, sizeof(s->name), STAGE_PREFIX "%ld", (long)getpid());
	s->parent = dir;
	if (mkdirat(dir, s->name, 0700) < 0)
		cannot_make(o, s->name, errno);
	s->made = true;
	s->fd = open_stage(dir, s->name);
	if (s->fd < 0)
		usage_error(o->tool, "cannot open the staging directory %s: %s",
			    s->name, strerror(errno));
}

static void refuse_other_fs(const struct options *o)
{
	usage_error(o->tool,
		    "--stage %s is on another file system than DIR: files "
		    "cannot be renamed from there",
		    o->stage);
}

/* Before it is made, so that a refused one leaves no trace. */
static void check_parent(const struct options *o, const struct stat *target)
{
	char *copy = strdup(o->stage);
	struct stat parent, st;

	if (!copy)
		usage_error(o->tool, "not enough memory");
	if (lstat(o->stage, &st) < 0 && stat(dirname(copy), &parent) == 0 &&
	    parent.st_dev != target->st_dev)
		refuse_other_fs(o);
	free(copy);
}

static void use_given(struct stage *s, const struct options *o,
		      const struct stat *target)
{
	s->path = o->stage;
	check_parent(o, target);
	s->made = mkdir(o->stage, 0700) == 0;
	if (!s->made && errno != EEXIST)
		cannot_make(o, o->stage, errno);
	s->fd = open_stage(AT_FDCWD, o->stage);
	if (s->fd < 0)
		usage_error(o->tool, "cannot open --stage %s: %s", o->stage,
			    errno == ELOOP || errno == ENOTDIR
				    ? "it is not a directory"
				    : strerror(errno));
}

void stage_open(struct stage *s, const struct options *o, int dir)
{
	struct stat stage, target;

	memset(s, 0, sizeof(*s));
	s->parent = -1;
	if (fstat(dir, &target) < 0)
		usage_error(o->tool, "cannot look at DIR: %s", strerror(errno));
	if (o->stage)
		use_given(s, o, &target);
	else
		make_inside(s, o, dir);
	if (fstat(s->fd, &stage) < 0)
		usage_error(o->tool, "cannot look at the stage: %s",
			    strerror(errno));
	if (stage.st_dev == target.st_dev && stage.st_ino != target.st_ino)
		return;
	stage_close(s);
	if (stage.st_dev != target.st_dev)
		refuse_other_fs(o);
	usage_error(o->tool, "--stage %s is DIR itself", o->stage);
}

/* rmdir() alone: a directory put in its place is removed only if it is empty
 * too, and nothing is ever followed. */
int stage_close(struct stage *s)
{
	int err = 0;

	if (s->made && s->path)
		err = rmdir(s->path) < 0 ? -errno : 0;
	else if (s->made)
		err = unlinkat(s->parent, s->name, AT_REMOVEDIR) < 0 ? -errno
								     : 0;
	close(s->fd);
	return err;
}
