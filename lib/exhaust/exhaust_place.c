/* The directory and its capabilities; see exhaust_place.h. */
#include "exhaust_place.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exhaust_device.h"
#include "mount_line.h"

bool place_read_line(const char *path, char *line, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length;

	line[0] = '\0';
	if (fd < 0)
		return false;
	length = read(fd, line, size - 1);
	close(fd);
	if (length < 0)
		return false;
	line[length] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return true;
}

static bool plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || strchr("/._-+:,=@%", c);
}

static void append(char *text, size_t size, size_t *length, const char *more)
{
	for (; *more; more++, (*length)++) {
		if (*length + 1 < size)
			text[*length] = *more;
	}
}

bool place_quote(const char *text, char *quoted, size_t size)
{
	bool simple = *text && *text != '-';
	size_t length = 0;

	for (const char *c = text; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			goto unknown;
		simple = simple && plain(*c);
	}
	if (!simple)
		append(quoted, size, &length, "'");
	for (const char *c = text; *c; c++) {
		char one[2] = { *c, '\0' };

		append(quoted, size, &length, *c == '\'' ? "'\\''" : one);
	}
	if (!simple)
		append(quoted, size, &length, "'");
	if (length < size) {
		quoted[length] = '\0';
		return true;
	}
unknown:
	memcpy(quoted, PLACE_UNKNOWN, sizeof(PLACE_UNKNOWN));
	return false;
}

static bool has_resource_capability(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { 0 };

	if (syscall(SYS_capget, &head, data) < 0)
		return false;
	return data[CAP_SYS_RESOURCE / 32].effective &
	       (1u << (CAP_SYS_RESOURCE % 32));
}

/*
 * An O_PATH descriptor takes no ioctl, so the flags are asked on one of our
 * own. Opening may fail (permission, no descriptor left): flags unknown.
 */
static void find_flags(struct place *place)
{
	struct fsxattr attributes;
	unsigned int flags = 0;
	int fd = openat(place->fd, ".",
			O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return;
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0) {
		place->flags_known = true;
		place->inode_flags = flags;
	}
	if (ioctl(fd, FS_IOC_FSGETXATTR, &attributes) == 0) {
		place->project = attributes.fsx_projid;
		place->project_inherit =
			attributes.fsx_xflags & FS_XFLAG_PROJINHERIT;
	}
	close(fd);
}

static void find_mount(struct place *place)
{
	struct mount_line l;
	char *text;

	if (mount_line_find(place->fd, &text, &l) < 0)
		return;
	place_take_mount(place, &l);
	free(text);
}

bool place_fd_path(int fd, char *path, size_t size)
{
	char link[40];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, size - 1);
	path[length > 0 ? length : 0] = '\0';
	return path[0] == '/';
}

void place_find(int dirfd, struct place *place)
{
	memset(place, 0, sizeof(*place));
	place->fd = dirfd;
	place->resource_capable = has_resource_capability();
	place->resource_possible =
		prctl(PR_CAPBSET_READ, CAP_SYS_RESOURCE, 0, 0, 0) == 1;
	place->stat_known = fstat(dirfd, &place->st) == 0;
	place->fs_known = fstatfs(dirfd, &place->fs) == 0;
	find_flags(place);
	find_mount(place);
	place_fd_path(dirfd, place->path, sizeof(place->path));
	device_find(place);
	place_quote(place->mount, place->q_mount, sizeof(place->q_mount));
	place_quote(place->device, place->q_device, sizeof(place->q_device));
	place_quote(place->image, place->q_image, sizeof(place->q_image));
	place_quote(place->path, place->q_path, sizeof(place->q_path));
}
