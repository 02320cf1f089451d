/* Remedies that enlarge a file system or unmount it; see exhaust_family.h. */
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>

#include "exhaust_ext_disk.h"
#include "exhaust_family.h"
#include "exhaust_verdict.h"

#define MIB (UINT64_C(1) << 20)

/* A loop device whose whole image is the file system, under a known name. */
static bool image_known(const struct place *p)
{
	return p->loop && !p->loop_window && p->image[0] != '\0';
}

static const char *device_after_umount(const struct place *p)
{
	if (p->loop && p->loop_autoclear)
		return image_known(p) ? p->q_image : PLACE_UNKNOWN;
	return p->device_known ? p->q_device : PLACE_UNKNOWN;
}

static void replace_marks(const char *steps, const char *device, char *text,
			  size_t size)
{
	text[0] = '\0';
	for (const char *at; (at = strchr(steps, '@')); steps = at + 1) {
		size_t length = strlen(text);

		snprintf(text + length, size - length, "%.*s",
			 (int)(at - steps), steps);
		strlcat(text, device, size);
	}
	strlcat(text, steps, size);
}

void exhaust_offline(const struct place *p, struct verdict *v,
		     enum remedy_effect effect, const char *steps)
{
	const char *device = device_after_umount(p);
	char options[PATH_MAX], q_options[PLACE_QUOTED];
	char text[EXHAUST_COMMAND_SIZE];

	if (!p->mounted)
		return;
	place_mount_options(p, options, sizeof(options));
	if (p->loop && p->loop_autoclear)
		strlcat(options, ",loop", sizeof(options));
	place_quote(options, q_options, sizeof(q_options));
	replace_marks(steps ? steps : "", device, text, sizeof(text));
	if (strlen(text) + 1 >= sizeof(text))
		return;
	verdict_remedy(v, effect, "umount %s && %s%smount -t %s -o %s %s %s",
		       p->q_mount, text, steps ? " && " : "", p->type,
		       q_options, device, p->q_mount);
}

/*
 * ext[234] grows while mounted for CAP_SYS_RESOURCE, by the ext4 driver, if
 * it has no errors and its superblocks are where the kernel looks for them.
 */
static bool grows_online(const struct place *p)
{
	struct ext_disk disk;

	if (p->fs.f_type != EXT4_SUPER_MAGIC)
		return true;
	if (!p->resource_possible || !ext_driver_is_ext4(p))
		return false;
	return ext_disk_read(p, &disk) < 0 ||
	       (!disk.facts.errors && !disk.sparse_super2);
}

static void resize_step(const struct place *p, char *text, size_t size)
{
	if (p->fs.f_type == EXT4_SUPER_MAGIC)
		snprintf(text, size, "resize2fs %s", p->q_device);
	else if (p->fs.f_type == BTRFS_SUPER_MAGIC)
		snprintf(text, size, "btrfs filesystem resize max %s",
			 p->q_mount);
	else
		snprintf(text, size, "xfs_growfs %s", p->q_mount);
}

/* Unmounted, only ext[234] has a way, and the check is forced on us. */
static void grow_ext_offline(const struct place *p, struct verdict *v,
			     uint64_t bytes, bool enlarge)
{
	struct ext_disk disk;
	bool clusters = ext_disk_read(p, &disk) == 0 && disk.cluster_blocks > 1;
	char steps[PLACE_QUOTED + 256], first[PLACE_QUOTED + 64] = "";

	if (enlarge)
		snprintf(first, sizeof(first), "truncate -s %" PRIu64 "M %s%s",
			 bytes / MIB, p->q_image,
			 p->loop_autoclear ? " && " : " && losetup -c @ && ");
	/* resize2fs miscounts clusters (bigalloc): the second check mends it */
	snprintf(steps, sizeof(steps), "%s%s && resize2fs -f @%s", first,
		 EXHAUST_E2FSCK("-fy"),
		 clusters ? " && " EXHAUST_E2FSCK("-fy") : "");
	exhaust_offline(p, v, REMEDY_OFFLINE, steps);
}

static bool is_lvm(const struct place *p)
{
	char line[16];

	return place_sysfs(p, "/sys/block/%s/dm/uuid", line, sizeof(line)) &&
	       strncmp(line, "LVM-", 4) == 0;
}

void exhaust_grow(const struct place *p, struct verdict *v, uint64_t fs_bytes,
		  uint64_t bytes)
{
	bool enlarge = p->device_bytes < bytes;
	char resize[PLACE_QUOTED + 64];

	bytes = (bytes + MIB - 1) / MIB * MIB;
	if (!p->device_known || bytes <= fs_bytes)
		return;
	if (!grows_online(p)) {
		if (!enlarge || image_known(p))
			grow_ext_offline(p, v, bytes, enlarge);
		return;
	}
	resize_step(p, resize, sizeof(resize));
	if (!enlarge)
		verdict_remedy(v, REMEDY_ONLINE, "%s", resize);
	else if (image_known(p))
		verdict_remedy(v, REMEDY_ONLINE,
			       "truncate -s %" PRIu64
			       "M %s && losetup -c %s && %s",
			       bytes / MIB, p->q_image, p->q_device, resize);
	else if (is_lvm(p))
		verdict_remedy(v, REMEDY_ONLINE,
			       "lvextend -L %" PRIu64 "M %s && %s", bytes / MIB,
			       p->q_device, resize);
}
