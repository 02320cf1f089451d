/* The block device below a mount, and the image below a loop device. */
#include "exhaust_device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool device_line(const struct place *place, const char *file, char *line,
			size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%s", place->major,
		 place->minor, file);
	return place_read_line(path, line, size);
}

static uint64_t device_number(const struct place *place, const char *file)
{
	char line[32];

	return device_line(place, file, line, sizeof(line))
		       ? strtoull(line, NULL, 10)
		       : 0;
}

/* The kernel's name of the device, such as "loop0" or "dm-1". */
static bool kernel_name(const struct place *place, char *name, size_t size)
{
	char link[64], target[PATH_MAX];
	const char *base;
	ssize_t length;

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", place->major,
		 place->minor);
	length = readlink(link, target, sizeof(target) - 1);
	if (length <= 0)
		return false;
	target[length] = '\0';
	base = strrchr(target, '/');
	strlcpy(name, base ? base + 1 : target, size);
	return true;
}

/*
 * The mount's source, if it is the device; btrfs shows no device number of
 * its own, so there the source decides the number. "/dev/root" is no node.
 */
static void find_node(struct place *place)
{
	struct stat st;
	char name[64];

	if (place->source[0] == '/' && stat(place->source, &st) == 0 &&
	    S_ISBLK(st.st_mode)) {
		if (place->major == 0) {
			place->major = major(st.st_rdev);
			place->minor = minor(st.st_rdev);
		}
		if (st.st_rdev == makedev(place->major, place->minor)) {
			strlcpy(place->device, place->source,
				sizeof(place->device));
			place->device_known = true;
			return;
		}
	}
	if (place->major == 0 || !kernel_name(place, name, sizeof(name)))
		return;
	snprintf(place->device, sizeof(place->device), "/dev/%s", name);
	place->device_known = true;
}

static void find_loop(struct place *place)
{
	static const char deleted[] = " (deleted)";
	size_t length, tail = sizeof(deleted) - 1;

	if (!device_line(place, "loop/backing_file", place->image,
			 sizeof(place->image)))
		return;
	place->loop = true;
	place->loop_autoclear = device_number(place, "loop/autoclear") != 0;
	place->loop_window = device_number(place, "loop/offset") != 0 ||
			     device_number(place, "loop/sizelimit") != 0;
	length = strlen(place->image);
	if (length > tail && strcmp(place->image + length - tail, deleted) == 0)
		place->image[0] = '\0';
}

void device_find(struct place *place)
{
	if (!place->mounted)
		return;
	find_node(place);
	if (!place->device_known)
		return;
	place->device_readonly = device_number(place, "ro") != 0;
	place->device_bytes = device_number(place, "size") * 512;
	find_loop(place);
}

bool place_sysfs(const struct place *place, const char *format, char *line,
		 size_t size)
{
	const char *mark = strstr(format, "%s");
	char path[256], name[64];

	line[0] = '\0';
	if (!mark || !place->device_known ||
	    !kernel_name(place, name, sizeof(name)))
		return false;
	snprintf(path, sizeof(path), "%.*s%s%s", (int)(mark - format), format,
		 name, mark + 2);
	return place_read_line(path, line, size);
}

bool place_sysfs_number(const struct place *place, const char *format,
			uint64_t *number)
{
	char line[32], *end;

	if (!place_sysfs(place, format, line, sizeof(line)))
		return false;
	errno = 0;
	*number = strtoull(line, &end, 10);
	return end != line && errno == 0;
}
