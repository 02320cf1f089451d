/*
 * overlay: every refusal but "no upper layer" comes from the file system
 * that the upper directory is on, so it is classified there.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <errno.h>

#include "exhaust_family.h"
#include "exhaust_verdict.h"

enum {
	DEPTH_MAX = 3,
};

/* What of the directory's path lies below the overlay's mount point. */
static const char *path_below(const struct place *p)
{
	size_t length = strlen(p->mount);

	if (strcmp(p->mount, "/") == 0)
		length = 0;
	if (strncmp(p->path, p->mount, length) != 0)
		return "";
	return p->path[length] == '/' ? p->path + length + 1 : "";
}

/*
 * Opens the directory's own place in the upper layer; or the nearest parent
 * that is there already, for a directory is only copied up when it changes.
 */
static int open_upper(const struct place *p, const char *upper)
{
	char below[PATH_MAX];
	int base;

	base = open(upper, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (base < 0)
		return -errno;
	snprintf(below, sizeof(below), "%s", path_below(p));
	while (below[0]) {
		char *slash = strrchr(below, '/');
		int fd = openat(base, below, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0) {
			close(base);
			return fd;
		}
		*(slash ? slash : below) = '\0';
	}
	return base;
}

static bool without_upper(const struct place *p, struct verdict *v)
{
	verdict_set(v, EXHAUST_RO_TYPE,
		    "overlay on %.80s has no upper layer to write to",
		    p->mount);
	verdict_advise(v, "Mount it with upperdir= and workdir= on a "
			  "file system that can be written.");
	return true;
}

/* The upper directory is out of reach: statfs still shows its figures. */
static bool from_outside(const struct refusal *r, const struct place *p,
			 struct verdict *v, const char *upper, int err)
{
	if (r->err != ENOSPC || !exhaust_statfs(r, p, v))
		return false;
	verdict_text(v, "upper directory", "%.100s", upper);
	verdict_doubt(v, EXHAUST_LIKELY,
		      "the upper directory cannot be opened (%s), so only its "
		      "totals are known",
		      strerror(-err));
	verdict_advise(v,
		       "Look at the file system that holds %.120s, perhaps "
		       "outside this container.",
		       upper);
	return true;
}

/*
 * The overlay holds the layer's file system, which cannot be unmounted below
 * it; and one made anew would have lost the layer itself.
 */
static void wrap_remedies(const struct place *p, struct verdict *v)
{
	char command[EXHAUST_COMMAND_SIZE];
	char options[PATH_MAX], q_options[PLACE_QUOTED];
	unsigned int count = v->remedy_count;

	place_mount_options(p, options, sizeof(options));
	place_quote(options, q_options, sizeof(q_options));
	v->remedy_count = 0;
	for (unsigned int i = 0; i < count; i++) {
		enum remedy_effect effect = v->remedy[i].effect;

		strlcpy(command, v->remedy[i].command, sizeof(command));
		if (effect == REMEDY_ONLINE)
			verdict_remedy(v, effect, "%s", command);
		else if (effect == REMEDY_OFFLINE)
			verdict_remedy(v, effect,
				       "umount %s && %s && mount -t overlay "
				       "-o %s overlay %s",
				       p->q_mount, command, q_options,
				       p->q_mount);
	}
}

bool exhaust_overlay(const struct refusal *r, const struct place *p,
		     struct verdict *v, unsigned int depth)
{
	struct refusal below = *r;
	char upper[PATH_MAX];
	struct statvfs own;
	int fd;

	if (!place_option(p, "upperdir", upper, sizeof(upper)))
		return r->err == EROFS && without_upper(p, v);
	if (r->err == EROFS && fstatvfs(p->fd, &own) == 0 &&
	    own.f_flag & ST_RDONLY)
		return false;
	fd = open_upper(p, upper);
	if (fd < 0 || depth >= DEPTH_MAX) {
		if (fd >= 0)
			close(fd);
		return from_outside(r, p, v, upper, fd < 0 ? fd : -ELOOP);
	}
	below.dirfd = fd;
	exhaust_explain_at(&below, v, depth + 1);
	close(fd);
	wrap_remedies(p, v);
	verdict_text(v, "overlay", "%.100s", p->mount);
	verdict_text(v, "upper directory", "%.100s", upper);
	return true;
}
