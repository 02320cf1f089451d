/*
 * cgroup: the control groups that limit this process's memory.
 */
#ifndef BIGDIR_CGROUP_H
#define BIGDIR_CGROUP_H

#include <stdbool.h>

enum cgroup_file {
	CGROUP_MEMORY_LIMIT, /* bytes, or a word or a huge number for none */
	CGROUP_MEMORY_USED, /* bytes */
};

/*
 * Call found() with the path of that file for each memory control group, of
 * the first version or the second, that this process is in, at the usual mount
 * points; until it returns true. The file need not be there. A group's own file
 * tells its own figure: those of its ancestors are not seen.
 */
void cgroup_each(enum cgroup_file file,
		 bool (*found)(const char *path, void *argument),
		 void *argument);

#endif
