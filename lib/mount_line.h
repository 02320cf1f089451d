/*
 * mount_line: a line of /proc/self/mountinfo.
 */
#ifndef BIGDIR_MOUNT_LINE_H
#define BIGDIR_MOUNT_LINE_H

#include <stdbool.h>
#include <stdint.h>

/* Its fields lie in the text that was parsed. */
struct mount_line {
	uint64_t id;
	unsigned int major, minor; /* st_dev of what is mounted */
	char *root; /* what of the file system is mounted */
	char *point; /* where */
	char *options; /* of the mount */
	char *type, *source;
	char *super; /* options of the file system, still escaped: a value may
		      * hold a comma */
};

/* Parse text, which is changed. False: it is no such line. */
bool mount_line_parse(char *text, struct mount_line *l);

/* Find the line of the mount that fd (O_PATH will do) is in. 0, and *text is
 * what l points into, to be freed; -ENOENT when it is not listed; or another
 * -errno. */
int mount_line_find(int fd, char **text, struct mount_line *l);

/* Undo, in place, the \ooo that the kernel writes for blank, tab, newline and
 * backslash. */
void mount_line_unescape(char *text);

#endif
