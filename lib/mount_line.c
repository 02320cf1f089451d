#include "mount_line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_octal(const char *text)
{
	return text[0] >= '0' && text[0] <= '3' && text[1] >= '0' &&
	       text[1] <= '7' && text[2] >= '0' && text[2] <= '7';
}

void mount_line_unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (*text == '\\' && is_octal(text + 1)) {
			*to++ = (char)((text[1] - '0') * 64 +
				       (text[2] - '0') * 8 + (text[3] - '0'));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

static bool parse_device(const char *text, struct mount_line *l)
{
	char *end;

	l->major = (unsigned int)strtoul(text, &end, 10);
	if (end == text || *end != ':')
		return false;
	text = end + 1;
	l->minor = (unsigned int)strtoul(text, &end, 10);
	return end != text && *end == '\0';
}

/*
 * "36 35 98:0 /root /mnt rw,noatime shared:1 - ext4 /dev/sda rw,errors=...":
 * six fields, optional ones up to a lone "-", then three
 * (Documentation/filesystems/proc.rst).
 */
bool mount_line_parse(char *text, struct mount_line *l)
{
	char *field[6], *last[3], *rest = text;

	text[strcspn(text, "\n")] = '\0';
	for (int i = 0; i < 6; i++) {
		field[i] = strsep(&rest, " ");
		if (!rest)
			return false;
	}
	for (const char *skip = ""; strcmp(skip, "-") != 0;) {
		skip = strsep(&rest, " ");
		if (!rest)
			return false;
	}
	for (int i = 0; i < 3; i++) {
		last[i] = strsep(&rest, " ");
		if (!last[i])
			return false;
	}
	if (!parse_device(field[2], l))
		return false;
	l->id = strtoull(field[0], NULL, 10);
	l->root = field[3];
	l->point = field[4];
	l->options = field[5];
	l->type = last[0];
	l->source = last[1];
	l->super = last[2];
	mount_line_unescape(l->root);
	mount_line_unescape(l->point);
	mount_line_unescape(l->options);
	mount_line_unescape(l->type);
	mount_line_unescape(l->source);
	return true;
}

/* statx fails on a file system that has been shut down, and older kernels do
 * not tell it there; fdinfo does. 0: it cannot be had. */
static uint64_t mount_id(int fd)
{
	char path[40], line[64];
	uint64_t id = 0;
	struct statx sx;
	FILE *file;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &sx) == 0 &&
	    sx.stx_mask & STATX_MNT_ID)
		return sx.stx_mnt_id;
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (id == 0 && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "mnt_id:", 7) == 0)
			id = strtoull(line + 7, NULL, 10);
	}
	fclose(file);
	return id;
}

int mount_line_find(int fd, char **text, struct mount_line *l)
{
	uint64_t id = mount_id(fd);
	size_t room = 0;
	FILE *f;

	*text = NULL;
	if (id == 0)
		return -ENOENT;
	f = fopen("/proc/self/mountinfo", "re");
	if (!f)
		return -errno;
	while (getline(text, &room, f) > 0) {
		if (mount_line_parse(*text, l) && l->id == id) {
			fclose(f);
			return 0;
		}
	}
	fclose(f);
	free(*text);
	*text = NULL;
	return -ENOENT;
}
