/*
 * EIO and its kin: a device that fails, a file system that has shut itself
 * down, a loop image that could not grow, or damage on disk (EUCLEAN,
 * EBADMSG).
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/btrfs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "exhaust_family.h"
#include "exhaust_verdict.h"

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

static void repair(const struct place *p, struct verdict *v)
{
	switch (p->fs.f_type) {
	case EXT4_SUPER_MAGIC:
		exhaust_offline(p, v, REMEDY_OFFLINE, EXHAUST_E2FSCK("-fy"));
		return;
	case XFS_SUPER_MAGIC:
		/* Mounting replays the log, without which repair refuses. */
		exhaust_offline(p, v, REMEDY_OFFLINE,
				"{ xfs_repair @ || xfs_repair -L @; }");
		return;
	case BTRFS_SUPER_MAGIC:
		exhaust_offline(p, v, REMEDY_OFFLINE,
				"btrfs check --readonly @");
		return;
	default:
		exhaust_offline(p, v, REMEDY_OFFLINE, "fsck -y @");
	}
}

static void show_btrfs(const struct place *p, struct verdict *v)
{
	static const char *const names[] = { "write errors", "read errors",
					     "flush errors",
					     "corruption errors",
					     "generation errors" };
	struct btrfs_ioctl_get_dev_stats stats = {
		.devid = 1,
		.nr_items = BTRFS_DEV_STAT_VALUES_MAX,
	};
	int fd;

	if (p->fs.f_type != BTRFS_SUPER_MAGIC)
		return;
	fd = openat(p->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (ioctl(fd, BTRFS_IOC_GET_DEV_STATS, &stats) == 0) {
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			verdict_number(v, names[i], stats.values[i], "");
	}
	close(fd);
}

static void show(const struct place *p, struct verdict *v)
{
	uint64_t count;

	if (place_sysfs_number(p, "/sys/fs/ext4/%s/errors_count", &count))
		verdict_number(v, "errors recorded", count, "");
	if (place_sysfs_number(p, "/sys/block/%s/device/ioerr_cnt", &count))
		verdict_number(v, "device errors", count, "");
	if (p->device_known)
		verdict_number(v, "device size", p->device_bytes, "bytes");
	show_btrfs(p, v);
	verdict_text(v, "file system's options", "%.100s", p->super_options);
}

static bool shut_down(const struct place *p)
{
	char value[8];

	return place_option(p, "shutdown", value, sizeof(value)) ||
	       p->fs.f_type == XFS_SUPER_MAGIC;
}

/* The image lost its end while it was in use: what was there is gone. */
static bool cut_short(const struct place *p, struct verdict *v)
{
	char steps[PLACE_QUOTED + 256];
	struct stat st;

	if (!p->loop || p->loop_window || p->image[0] != '/' ||
	    stat(p->image, &st) < 0 || (uint64_t)st.st_size >= p->device_bytes)
		return false;
	verdict_set(v, EXHAUST_IO_ERROR,
		    "the image below %.80s has been cut short", p->mount);
	verdict_text(v, "image", "%.100s", p->image);
	verdict_part(v, "image size", (uint64_t)st.st_size, p->device_bytes,
		     "bytes");
	if (p->fs.f_type == EXT4_SUPER_MAGIC) {
		snprintf(steps, sizeof(steps), "truncate -s %" PRIu64 " %s%s%s",
			 p->device_bytes, p->q_image,
			 p->loop_autoclear ? " && " : " && losetup -c @ && ",
			 EXHAUST_E2FSCK("-fy"));
		exhaust_offline(p, v, REMEDY_OFFLINE, steps);
	}
	verdict_advise(v, "Restore the image from a copy: its end is lost.");
	return true;
}

bool exhaust_io(const struct refusal *r, const struct place *p,
		struct verdict *v)
{
	if (exhaust_backing(p, v) || cut_short(p, v))
		return true;
	if (r->err == EUCLEAN || r->err == EBADMSG)
		verdict_set(v, EXHAUST_CORRUPT,
			    "what is on the disk of %.80s is damaged",
			    p->mount);
	else if (shut_down(p))
		verdict_set(v, EXHAUST_SHUTDOWN,
			    "%.80s has been shut down, after an error or on "
			    "demand",
			    p->mount);
	else
		verdict_set(v, EXHAUST_IO_ERROR,
			    "the device of %.80s failed to read or write",
			    p->mount);
	if (p->fs.f_type == XFS_SUPER_MAGIC && v->cause == EXHAUST_SHUTDOWN)
		verdict_doubt(v, EXHAUST_LIKELY,
			      "XFS does not show it; a failing device is the "
			      "other way to this error");
	show(p, v);
	if (v->cause == EXHAUST_SHUTDOWN)
		exhaust_offline(p, v, REMEDY_OFFLINE, NULL);
	repair(p, v);
	verdict_advise(v, "Read dmesg for the first error of %.60s.",
		       p->device_known ? p->device : "the device");
	return true;
}
