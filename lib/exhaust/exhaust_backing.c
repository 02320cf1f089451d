/*
 * A loop device on a sparse image: its holes are filled on writing, and when
 * the file system below is full, writes fail where the one above saw space.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "exhaust_family.h"
#include "exhaust_verdict.h"

enum {
	NOTHING_LEFT = 256 * 1024, /* bytes: less than the writes under way */
	BELOW = 1, /* depth: keeps layers from going round */
};

/* A new page of the image was refused below: why, and what helps there. */
static void explain_below(const struct place *p, struct verdict *below)
{
	struct refusal refusal = {
		.operation = "write",
		.err = ENOSPC,
		.source_fd = -1,
	};
	char parent[PATH_MAX];

	strlcpy(parent, p->image, sizeof(parent));
	strrchr(parent, '/')[1] = '\0';
	refusal.dirfd = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
	exhaust_explain_at(&refusal, below, BELOW);
	if (refusal.dirfd >= 0)
		close(refusal.dirfd);
}

static void check_step(const struct place *p, char *text, size_t size)
{
	if (strncmp(p->type, "ext", 3) == 0)
		strlcat(text, EXHAUST_E2FSCK("-fy"), size);
	else if (strcmp(p->type, "xfs") == 0)
		strlcat(text, "{ xfs_repair @ || xfs_repair -L @; }", size);
	else if (strcmp(p->type, "btrfs") == 0)
		strlcat(text, "btrfs check --readonly @", size);
	else
		strlcat(text, "fsck -y @", size);
}

/*
 * Room below, then the repair of what the failed writes left behind: one
 * command, for neither helps alone.
 */
static void remedies(const struct place *p, const struct verdict *below,
		     struct verdict *v)
{
	char steps[EXHAUST_COMMAND_SIZE] = "";

	if (below->remedy_count && !strchr(below->remedy[0].command, '@')) {
		strlcat(steps, below->remedy[0].command, sizeof(steps));
		strlcat(steps, " && ", sizeof(steps));
	}
	check_step(p, steps, sizeof(steps));
	exhaust_offline(p, v, REMEDY_OFFLINE, steps);
	if (!below->remedy_count)
		verdict_advise(v, "First make room for %.150s.", p->image);
}

bool exhaust_backing(const struct place *p, struct verdict *v)
{
	struct verdict below;
	struct statfs fs;
	struct stat st;

	if (!p->loop || p->image[0] != '/' || p->device_readonly)
		return false;
	if (stat(p->image, &st) < 0 || statfs(p->image, &fs) < 0 ||
	    (uint64_t)st.st_blocks * 512 >= (uint64_t)st.st_size ||
	    fs.f_blocks == 0 ||
	    fs.f_bavail * (uint64_t)fs.f_bsize > NOTHING_LEFT)
		return false;
	verdict_set(v, EXHAUST_BACKING_FULL,
		    "the image below %.80s cannot grow: the file system that "
		    "holds it is full",
		    p->mount);
	verdict_text(v, "image", "%.100s", p->image);
	verdict_part(v, "image bytes in place", (uint64_t)st.st_blocks * 512,
		     (uint64_t)st.st_size, "");
	verdict_part(v, "free blocks below", fs.f_bavail, fs.f_blocks, "");
	explain_below(p, &below);
	verdict_text(v, "below", "%.110s", below.summary);
	remedies(p, &below, v);
	return true;
}
