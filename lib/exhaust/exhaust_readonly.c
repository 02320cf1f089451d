/*
 * EROFS: made read-only by the kernel after an error, by whoever mounted it,
 * by the device, by its very type, or by a property of a subvolume.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/btrfs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "exhaust_ext_disk.h"
#include "exhaust_family.h"
#include "exhaust_verdict.h"

static bool option_set(const char *options, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = options; *at;
	     at += strcspn(at, ","), at += *at == ',') {
		if (strcspn(at, ",") == length && !strncmp(at, name, length))
			return true;
	}
	return false;
}

static void show_errors(const struct place *p, struct verdict *v)
{
	char line[96], errors[32];
	uint64_t count;
	time_t when;
	struct tm tm;

	if (place_sysfs_number(p, "/sys/fs/ext4/%s/errors_count", &count))
		verdict_number(v, "errors recorded", count, "");
	if (place_sysfs(p, "/sys/fs/ext4/%s/last_error_func", line,
			sizeof(line)) &&
	    line[0])
		verdict_text(v, "last error in", "%.90s()", line);
	if (place_sysfs_number(p, "/sys/fs/ext4/%s/last_error_time", &count) &&
	    count) {
		when = (time_t)count;
		if (localtime_r(&when, &tm) &&
		    strftime(line, sizeof(line), "%F %T %z", &tm))
			verdict_text(v, "last error at", "%s", line);
	}
	if (place_option(p, "errors", errors, sizeof(errors)))
		verdict_text(v, "mount option errors", "%s", errors);
	verdict_text(v, "file system's options", "%.100s", p->super_options);
}

/*
 * After an error ext4 shows emergency_ro among the file system's options
 * (before 6.15: ro), while those of the mount still say rw, as they were
 * when it was mounted; an aborted journal refuses with nothing shown.
 */
static bool ext_error(const struct place *p, struct verdict *v)
{
	bool shown = option_set(p->super_options, "emergency_ro") ||
		     option_set(p->super_options, "ro");
	uint64_t errors = 0;

	place_sysfs_number(p, "/sys/fs/ext4/%s/errors_count", &errors);
	verdict_set(v, EXHAUST_RO_ERROR,
		    "%.80s was made read-only by the kernel after an error",
		    p->mount);
	show_errors(p, v);
	if (!shown && errors == 0)
		verdict_doubt(v, EXHAUST_LIKELY,
			      "mounted read-write, yet it refuses to write: "
			      "the journal has been aborted");
	exhaust_offline(p, v, REMEDY_OFFLINE, EXHAUST_E2FSCK("-fy"));
	return true;
}

static bool other_error(const struct place *p, struct verdict *v)
{
	bool btrfs = p->fs.f_type == BTRFS_SUPER_MAGIC;

	verdict_set(v, EXHAUST_RO_ERROR,
		    "%.80s was made read-only by the kernel after an error",
		    p->mount);
	verdict_doubt(v, EXHAUST_LIKELY,
		      "the mount is read-write, yet it refuses to write");
	show_errors(p, v);
	exhaust_offline(p, v, REMEDY_OFFLINE, btrfs ? NULL : "fsck -y @");
	return true;
}

static bool by_error(const struct place *p, struct verdict *v)
{
	bool found = p->fs.f_type == EXT4_SUPER_MAGIC ? ext_error(p, v)
						      : other_error(p, v);

	if (found)
		verdict_advise(v, "Read dmesg for the first error before "
				  "trusting the device again.");
	return found;
}

static bool by_type(const struct place *p, struct verdict *v)
{
	static const char *const types[] = { "squashfs", "erofs", "iso9660",
					     "cramfs", "romfs" };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (strcmp(p->type, types[i]) != 0)
			continue;
		verdict_set(v, EXHAUST_RO_TYPE,
			    "%s can only be read, never written", p->type);
		verdict_remedy(v, REMEDY_ONLINE,
			       "mkdir -p /run/bigdir && mount -t tmpfs tmpfs "
			       "/run/bigdir && mkdir /run/bigdir/upper "
			       "/run/bigdir/work && mount -t overlay overlay "
			       "-o lowerdir=%s,upperdir=/run/bigdir/upper,"
			       "workdir=/run/bigdir/work %s",
			       p->q_mount, p->q_mount);
		return true;
	}
	return false;
}

static bool by_subvolume(const struct place *p, struct verdict *v)
{
	uint64_t flags = 0;
	int fd;

	if (p->fs.f_type != BTRFS_SUPER_MAGIC)
		return false;
	fd = openat(p->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (ioctl(fd, BTRFS_IOC_SUBVOL_GETFLAGS, &flags) < 0)
		flags = 0;
	close(fd);
	if (!(flags & BTRFS_SUBVOL_RDONLY))
		return false;
	verdict_set(v, EXHAUST_RO_SUBVOLUME,
		    "the subvolume is marked read-only (a snapshot, perhaps)");
	verdict_text(v, "subvolume property ro", "true");
	verdict_remedy(v, REMEDY_ONLINE, "btrfs property set -ts %s ro false",
		       p->q_path);
	return true;
}

/* A loop device set up read-only has to be set up again. */
static void remedy_device(const struct place *p, struct verdict *v)
{
	if (!p->loop)
		verdict_remedy(v, REMEDY_ONLINE,
			       "blockdev --setrw %s && mount -o remount,rw %s",
			       p->q_device, p->q_mount);
	else if (!p->loop_window && p->image[0])
		verdict_remedy(v, REMEDY_OFFLINE,
			       "umount %s && losetup -d %s && losetup %s %s && "
			       "mount -t %s %s %s",
			       p->q_mount, p->q_device, p->q_device, p->q_image,
			       p->type, p->q_device, p->q_mount);
}

static bool by_device(const struct place *p, struct verdict *v)
{
	/* "mount -o loop,ro" makes its own device read-only: no cause */
	if (!p->device_known || !p->device_readonly || p->loop_autoclear)
		return false;
	verdict_set(v, EXHAUST_RO_DEVICE, "the device %.80s is read-only",
		    p->device);
	verdict_text(v, "device", "%.80s, read-only", p->device);
	if (p->loop)
		verdict_text(v, "image", "%.100s", p->image);
	remedy_device(p, v);
	return true;
}

/* Mounted without replaying its journal, it cannot just be made writable. */
static bool unrecovered(const struct place *p)
{
	return option_set(p->super_options, "noload") ||
	       option_set(p->super_options, "norecovery") ||
	       option_set(p->super_options, "rescue=nologreplay");
}

static bool by_mount(const struct place *p, struct verdict *v)
{
	bool whole = option_set(p->super_options, "ro");

	verdict_set(v, EXHAUST_RO_MOUNT, "%.80s is mounted read-only%s",
		    p->mount, whole ? "" : " at this place");
	verdict_text(v, "mount's options", "%.100s", p->mount_options);
	verdict_text(v, "file system's options", "%.100s", p->super_options);
	if (whole && ((p->loop && p->device_readonly) || unrecovered(p)))
		exhaust_offline(p, v, REMEDY_OFFLINE, NULL);
	else if (whole)
		verdict_remedy(v, REMEDY_ONLINE, "mount -o remount,rw %s",
			       p->q_mount);
	else
		verdict_remedy(v, REMEDY_ONLINE, "mount -o remount,bind,rw %s",
			       p->q_mount);
	return true;
}

/* A remount refuses writes some time before the mount's options show it: so
 * for a second, what looks like a hidden error may be a remount under way. */
#define LOOKS 10
#define LOOK_PAUSE 100000000 /* ns */

/* Refused, though neither the options nor a count of errors say why. */
static bool nothing_shown(const struct place *p)
{
	uint64_t errors = 0;

	place_sysfs_number(p, "/sys/fs/ext4/%s/errors_count", &errors);
	return p->mounted && errors == 0 &&
	       !option_set(p->mount_options, "ro") &&
	       !option_set(p->super_options, "ro") &&
	       !option_set(p->super_options, "emergency_ro");
}

bool exhaust_readonly(const struct refusal *r, const struct place *p,
		      struct verdict *v)
{
	struct place later = *p;

	if (!p->mounted)
		return false;
	if (exhaust_backing(p, v) || by_type(p, v) || by_subvolume(p, v))
		return true;
	if (by_device(p, v))
		return true;
	for (int i = 0; nothing_shown(&later) && i < LOOKS; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_PAUSE }, NULL);
		place_find(r->dirfd, &later);
	}
	if (!later.mounted)
		later = *p;
	if (option_set(later.mount_options, "ro") &&
	    !option_set(later.super_options, "emergency_ro"))
		return by_mount(&later, v);
	return by_error(&later, v);
}
