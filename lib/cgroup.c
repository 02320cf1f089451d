#include "cgroup.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define PATH_ROOM (2 * PATH_MAX)

/* A line of /proc/self/cgroup is "number:controllers:/group"; that of the
 * second version has no controllers, and the number 0. */
static bool path_of(char *path, enum cgroup_file file, char *line)
{
	static const char *const first[] = {
		[CGROUP_MEMORY_LIMIT] = "memory.limit_in_bytes",
		[CGROUP_MEMORY_USED] = "memory.usage_in_bytes",
	};
	static const char *const second[] = {
		[CGROUP_MEMORY_LIMIT] = "memory.max",
		[CGROUP_MEMORY_USED] = "memory.current",
	};
	char *group = strrchr(line, ':');

	if (!group)
		return false;
	group++;
	group[strcspn(group, "\n")] = '\0';
	if (strstr(line, ":memory:"))
		snprintf(path, PATH_ROOM, "/sys/fs/cgroup/memory%s/%s", group,
			 first[file]);
	else if (strncmp(line, "0::", 3) == 0)
		snprintf(path, PATH_ROOM, "/sys/fs/cgroup%s/%s", group,
			 second[file]);
	else
		return false;
	return true;
}

void cgroup_each(enum cgroup_file file,
		 bool (*found)(const char *path, void *argument),
		 void *argument)
{
	char line[PATH_MAX], path[PATH_ROOM];
	FILE *f = fopen("/proc/self/cgroup", "re");
	bool done = false;

	while (f && !done && fgets(line, sizeof(line), f))
		done = path_of(path, file, line) && found(path, argument);
	if (f)
		fclose(f);
}
