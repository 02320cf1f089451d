#include "create.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "directory.h"
#include "dry_run.h"
#include "stage.h"

void create_check(struct options *o, uint64_t count)
{
	const struct tool *tool = o->tool;

	if (o->via_given && o->type != TYPE_FILE)
		usage_error(tool,
			    "--via %s is for files; --type %s is made in one "
			    "way only",
			    o->via, type_name(o->type));
	if (!o->via)
		o->via = "open";
	if (o->durability == DURABLE_DIR && o->type == TYPE_FILE &&
	    strcmp(o->via, "mknod") == 0)
		usage_error(tool,
			    "--fsync dir syncs each new file too, and --via "
			    "mknod opens none; use end");
	if (o->durability == DURABLE_FILE &&
	    (o->type != TYPE_FILE || strcmp(o->via, "mknod") == 0))
		usage_error(tool,
			    "--fsync file needs files made via open: nothing "
			    "else is open to be synced; use dir or end");
	options_check_made(o, count);
	options_bind_order(o, count, false);
}

const struct operation *create_operation(const struct options *o)
{
	switch (o->type) {
	case TYPE_DIR:
		return &op_create_dir;
	case TYPE_SYMLINK:
		return &op_create_symlink;
	case TYPE_HARDLINK:
		return &op_create_hardlink;
	case TYPE_FIFO:
		return &op_create_fifo;
	default:
		return strcmp(o->via, "mknod") == 0 ? &op_create_mknod
						    : &op_create_open;
	}
}

/* --- the real run -------------------------------------------------------- */

/*
 * The file that all hard links lead to has no name of its own, so that the
 * directory holds the links alone. It is on the directory's file system.
 */
static int open_link_source(const struct options *o, int dir,
			    struct place *place)
{
	int fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, o->mode);

	if (fd < 0) {
		fprintf(stderr,
			"%s: --type hardlink needs a file without a name to "
			"link to (O_TMPFILE): %s\n",
			o->tool->name, strerror(errno));
		return -1;
	}
	snprintf(place->link_source, sizeof(place->link_source),
		 "/proc/self/fd/%d", fd);
	return fd;
}

static void plan_steps(struct job *j, const struct options *o,
		       const struct stage *stage, int dir)
{
	const bool laid_out = options_laid_out(o);

	j->step[0].op = create_operation(o);
	j->placing.side[PLACING_FROM].make = laid_out;
	if (!o->staged)
		return;
	j->steps = 2;
	/* the stage is no part of the layout, which is where renames lead */
	j->placing.side[PLACING_TO] = j->placing.side[PLACING_FROM];
	j->placing.side[PLACING_FROM].layout = NULL;
	j->placing.side[PLACING_FROM].make = false;
	j->step[0].placed = j->step[1].placed = false;
	j->step[1].to_placed = laid_out;
	j->step[0].place.dir = j->step[0].place.to_dir = stage->fd;
	j->step[1].op = &op_rename;
	j->step[1].place.dir = stage->fd;
	j->step[1].place.to_dir = dir;
	/* the new name is the old one */
	j->to_scheme = &o->scheme;
}

int create_entries(struct options *o, const struct creation *c)
{
	int dir, source = -1, code = EXIT_FAILED;
	struct stage stage = { .fd = -1 };
	struct job j;

	if (o->dry_run)
		return dry_run(o, "make", type_plural(o->type), c->count,
			       c->path, NULL);
	dir = directory_open(o->tool, c->path, DIRECTORY_CREATE);
	job_init(&j, o, c->path, dir, c->count);
	if (o->staged)
		stage_open(&stage, o, dir);
	plan_steps(&j, o, &stage, dir);
	j.size_is = "growing";
	j.names_made = true;
	j.echo = c->echo ? stdout : NULL;
	j.until = c->until;
	j.open_ended = c->open_ended;
	j.free_check = c->free_check;
	j.aging = c->aging;
	j.look_at_age = c->look_at_age;
	j.checks = 1;
	j.check[0] = (struct job_check){
		.kind = CHECK_PRESENT,
		.dir = dir,
		.directory = c->path,
		.scheme = &o->scheme,
		.layout = &o->layout,
	};
	j.stage = o->staged ? &stage : NULL;
	if (o->type == TYPE_HARDLINK)
		source = open_link_source(o, dir, &j.step[0].place);
	if (o->type != TYPE_HARDLINK || source >= 0)
		code = job_carry_out(&j);
	else if (o->staged)
		stage_close(&stage);
	if (source >= 0)
		close(source);
	close(dir);
	return code;
}
