/*
 * Where a refusal happened: the directory, its mount, the block device and,
 * under a loop device, the image file. Gathered once, read by every family.
 */
#ifndef BIGDIR_EXHAUST_PLACE_H
#define BIGDIR_EXHAUST_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "mount_line.h"

/*
 * Stands for a path that is not known. No real path can be quoted to it, so
 * a command that contains it is known to be untypable, and is dropped.
 */
#define PLACE_UNKNOWN "\001"

enum {
	PLACE_QUOTED = PATH_MAX + 16,
};

struct place {
	int fd;
	bool stat_known;
	bool fs_known;
	bool flags_known;
	struct stat st;
	struct statfs fs;
	uint32_t inode_flags; /* FS_IOC_GETFLAGS */
	uint32_t project;
	bool project_inherit;
	bool resource_capable; /* CAP_SYS_RESOURCE is effective */
	bool resource_possible; /* root may have it here */

	bool mounted; /* the mount was found in mountinfo */
	unsigned int major, minor;
	char type[32];
	char root[PATH_MAX]; /* what of the file system is mounted */
	char mount[PATH_MAX];
	char source[PATH_MAX];
	char mount_options[256];
	char super_options[PATH_MAX];

	char path[PATH_MAX]; /* of the directory */
	bool device_known;
	bool device_readonly;
	char device[PATH_MAX];
	uint64_t device_bytes;

	bool loop;
	bool loop_autoclear; /* unmounting frees the loop device */
	bool loop_window; /* only a part of the image is used */
	char image[PATH_MAX];

	/* The same, quoted for a shell, or PLACE_UNKNOWN. */
	char q_mount[PLACE_QUOTED];
	char q_device[PLACE_QUOTED];
	char q_image[PLACE_QUOTED];
	char q_path[PLACE_QUOTED];
};

/*
 * Fills place for the directory open at dirfd (O_PATH will do). Never fails:
 * what cannot be found stays unknown.
 */
void place_find(int dirfd, struct place *place);

/* The path of an open file, as /proc shows it. False if it has none. */
bool place_fd_path(int fd, char *path, size_t size);

/*
 * Copies the value of a mount option (of the superblock, then of the mount)
 * to value, an empty string for one without "=". False if it is not set.
 */
bool place_option(const struct place *place, const char *name, char *value,
		  size_t size);

/* As place_option for a decimal number. */
bool place_option_number(const struct place *place, const char *name,
			 uint64_t *number);

/*
 * Reads the first line of a file below the sysfs directory of the place's
 * file system or device, such as "/sys/fs/ext4/DEVICE/errors_count", the
 * format's one %s being the device's kernel name. False if there is none.
 */
bool place_sysfs(const struct place *place, const char *format, char *line,
		 size_t size);

/* As place_sysfs for a decimal number. */
bool place_sysfs_number(const struct place *place, const char *format,
			uint64_t *number);

/* Reads the first line of a file, without its newline. False on failure. */
bool place_read_line(const char *path, char *line, size_t size);

/*
 * Quotes text for a shell, plain where it needs no quotes. False, and
 * PLACE_UNKNOWN in quoted, if it does not fit or has a control character.
 */
bool place_quote(const char *text, char *quoted, size_t size);

/* Fills place's members of the mount. */
void place_take_mount(struct place *place, const struct mount_line *l);

/*
 * The options to mount the file system with again, read-write: those that
 * it has now, without the states that the kernel shows among them.
 */
void place_mount_options(const struct place *place, char *options, size_t size);

#endif
