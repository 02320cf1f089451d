#include "mount_info.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#define LIBBSD_NETBSD_VIS /* libbsd asks which strnvis() we mean: none */
#include <vis.h>

/* Which mount, by number; older kernels tell only the device. */
struct wanted {
	bool by_id;
	uint64_t id;
	char device[32];
};

static int find_wanted(int fd, struct wanted *w)
{
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_MNT_ID,
		  &st) < 0)
		return -errno;
	w->by_id = st.stx_mask & STATX_MNT_ID;
	w->id = w->by_id ? st.stx_mnt_id : 0;
	snprintf(w->device, sizeof(w->device), "%u:%u", st.stx_dev_major,
		 st.stx_dev_minor);
	return 0;
}

/* mountinfo writes spaces, tabs, newlines and backslashes as octal. */
static void copy_unescaped(char *to, size_t size, const char *from)
{
	char *plain = strdup(from);

	if (plain && strunvis(plain, from) >= 0)
		from = plain;
	strlcpy(to, from, size);
	free(plain);
}

/* Mount options, and those of the file system that do not repeat them. */
static void join_options(char *to, size_t size, const char *mount, char *super)
{
	char *save, *option;

	strlcpy(to, mount, size);
	for (option = strtok_r(super, ",", &save); option;
	     option = strtok_r(NULL, ",", &save)) {
		if (strcmp(option, "rw") == 0 || strcmp(option, "ro") == 0)
			continue;
		strlcat(to, ",", size);
		strlcat(to, option, size);
	}
}

/* Field n of a line whose fields are parted by single spaces; each call
 * continues where the last one stopped. */
static char *next_field(char **at)
{
	return *at ? strsep(at, " ") : NULL;
}

/* Format: id parent major:minor root point options [tags...] - type source
 * super-options (Documentation/filesystems/proc.rst). */
static bool parse_line(char *line, const struct wanted *w, struct mount_info *m)
{
	char *rest = line;
	char *id = next_field(&rest), *parent = next_field(&rest);
	char *device = next_field(&rest), *root = next_field(&rest);
	char *point = next_field(&rest), *options = next_field(&rest);
	char *field, *type, *source, *super;

	if (!parent || !root || !options)
		return false;
	if (w->by_id ? strtoull(id, NULL, 10) != w->id
		     : strcmp(device, w->device) != 0)
		return false;
	do {
		field = next_field(&rest);
	} while (field && strcmp(field, "-") != 0);
	type = next_field(&rest);
	source = next_field(&rest);
	super = next_field(&rest);
	if (!super)
		return false;
	strlcpy(m->device, device, sizeof(m->device));
	strlcpy(m->type, type, sizeof(m->type));
	copy_unescaped(m->point, sizeof(m->point), point);
	copy_unescaped(m->source, sizeof(m->source), source);
	join_options(m->options, sizeof(m->options), options, super);
	return true;
}

int mount_info_read(int fd, struct mount_info *m)
{
	struct wanted w = { 0 };
	char *line = NULL;
	size_t room = 0;
	FILE *f;
	int err = find_wanted(fd, &w);

	memset(m, 0, sizeof(*m));
	if (err)
		return err;
	f = fopen("/proc/self/mountinfo", "re");
	if (!f)
		return -errno;
	err = -ENOENT;
	while (err && getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (parse_line(line, &w, m))
			err = 0;
	}
	free(line);
	fclose(f);
	return err;
}
