#include "stage_left.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dirents.h"
#include "stage.h"

bool stage_is_name(const char *name, bool *live)
{
	char again[STAGE_NAME_SIZE];
	long pid;

	if (strncmp(name, STAGE_PREFIX, strlen(STAGE_PREFIX)) != 0)
		return false;
	pid = strtol(name + strlen(STAGE_PREFIX), NULL, 10);
	if (pid <= 0 || pid > INT32_MAX)
		return false;
	snprintf(again, sizeof(again), "%s%ld", STAGE_PREFIX, pid);
	*live = pid != getpid() && (kill((pid_t)pid, 0) == 0 || errno != ESRCH);
	return strcmp(again, name) == 0;
}

/* What a run would have staged. */
static bool is_staged(int fd, const char *name, const struct name_scheme *s,
		      uint64_t count)
{
	struct stat st;
	uint64_t index;

	return name_index(s, name, &index) && index < count &&
	       fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st.st_mode) && st.st_size == 0;
}

/* Look at all that the stage holds before anything of it is removed: *ours.
 * 0 or -errno. */
static int look_through(struct dirents *d, const struct name_scheme *s,
			uint64_t count, bool *ours)
{
	struct dirent_entry e;
	int got;

	*ours = true;
	while (*ours && (got = dirents_next(d, &e)) != 0) {
		if (got < 0)
			return got;
		*ours = is_staged(d->fd, e.name, s, count);
	}
	return dirents_rewind(d);
}

static int remove_files(struct dirents *d, const struct name_scheme *s,
			uint64_t count, struct stages_left *found)
{
	struct dirent_entry e;
	int got;

	while ((got = dirents_next(d, &e)) > 0) {
		if (!is_staged(d->fd, e.name, s, count))
			continue;
		if (unlinkat(d->fd, e.name, 0) < 0)
			return -errno;
		found->files++;
	}
	return got;
}

/* *removed: it was ours, and is gone. */
static int remove_stage(int dir, const char *name, const struct name_scheme *s,
			uint64_t count, struct stages_left *found,
			bool *removed)
{
	struct dirents d;
	int fd = openat(dir, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int err;

	*removed = false;
	if (fd < 0)
		return errno == ENOTDIR || errno == ELOOP ? 0 : -errno;
	err = dirents_open(&d, fd);
	if (!err)
		err = look_through(&d, s, count, removed);
	if (!err && *removed)
		err = remove_files(&d, s, count, found);
	dirents_close(&d);
	close(fd);
	if (err || !*removed)
		return err;
	return unlinkat(dir, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

int stages_left_remove(int dir, const struct name_scheme *scheme,
		       uint64_t count, struct stages_left *found)
{
	struct dirents d;
	struct dirent_entry e;
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err, got = 0;

	memset(found, 0, sizeof(*found));
	if (fd < 0)
		return -errno;
	err = dirents_open(&d, fd);
	while (!err && (got = dirents_next(&d, &e)) > 0) {
		bool live, removed;

		if (!stage_is_name(e.name, &live) || live)
			continue;
		err = remove_stage(dir, e.name, scheme, count, found, &removed);
		if (!err && removed)
			found->removed++;
		else if (!err && found->strange++ == 0)
			strlcpy(found->strange_name, e.name, NAME_BUFFER);
	}
	dirents_close(&d);
	close(fd);
	return err ? err : got;
}
