#include "mount_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mount_line.h"

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

int mount_info_read(int fd, struct mount_info *m)
{
	struct mount_line l;
	char *text;
	int err = mount_line_find(fd, &text, &l);

	memset(m, 0, sizeof(*m));
	if (err)
		return err;
	snprintf(m->device, sizeof(m->device), "%u:%u", l.major, l.minor);
	strlcpy(m->type, l.type, sizeof(m->type));
	strlcpy(m->point, l.point, sizeof(m->point));
	strlcpy(m->source, l.source, sizeof(m->source));
	join_options(m->options, sizeof(m->options), l.options, l.super);
	free(text);
	return 0;
}
