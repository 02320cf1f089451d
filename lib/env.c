#include "env.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cgroup.h"
#include "stopwatch.h"

/* The first line of a small file of /proc or /sys; empty when there is none. */
static void read_line(char *to, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void read_line(char *to, size_t size, const char *format, ...)
{
	char path[PATH_MAX];
	va_list arguments;
	FILE *f;

	va_start(arguments, format);
	vsnprintf(path, sizeof(path), format, arguments);
	va_end(arguments);
	to[0] = '\0';
	f = fopen(path, "re");
	if (!f)
		return;
	if (fgets(to, (int)size, f))
		to[strcspn(to, "\n")] = '\0';
	else
		to[0] = '\0';
	fclose(f);
}

static uint64_t read_number_line(const char *path)
{
	char text[64];

	read_line(text, sizeof(text), "%s", path);
	return strtoull(text, NULL, 10);
}

/* --- machine ------------------------------------------------------------- */

/* The value of the first line "key : value" of a file of /proc. */
static void read_value(char *to, size_t size, const char *path, const char *key)
{
	char line[512];
	FILE *f = fopen(path, "re");

	to[0] = '\0';
	if (!f)
		return;
	while (!to[0] && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');

		if (!colon || strncmp(line, key, strlen(key)) != 0)
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		colon[strcspn(colon, "\n")] = '\0';
		strlcpy(to, colon, size);
	}
	fclose(f);
}

static bool tighten(const char *path, void *argument)
{
	uint64_t *limit = argument, value = read_number_line(path);

	if (value && (!*limit || value < *limit))
		*limit = value;
	return false;
}

static uint64_t memory_limit(void)
{
	uint64_t limit = 0;

	cgroup_each(CGROUP_MEMORY_LIMIT, tighten, &limit);
	return limit;
}

static void read_machine(bool stopwatch, struct environment *e)
{
	struct utsname u;

	if (uname(&u) == 0) {
		strlcpy(e->host, u.nodename, sizeof(e->host));
		strlcpy(e->machine, u.machine, sizeof(e->machine));
		snprintf(e->kernel, sizeof(e->kernel), "%s %s", u.sysname,
			 u.release);
	}
	read_value(e->cpu, sizeof(e->cpu), "/proc/cpuinfo", "model name");
	e->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	e->memory = (uint64_t)sysconf(_SC_PHYS_PAGES) *
		    (uint64_t)sysconf(_SC_PAGESIZE);
	e->memory_limit = memory_limit();
	if (e->memory_limit >= e->memory)
		e->memory_limit = 0;
	read_line(e->clock_source, sizeof(e->clock_source),
		  "/sys/devices/system/clocksource/clocksource0/"
		  "current_clocksource");
	if (stopwatch)
		e->clock_cost = stopwatch_cost(&e->clock_counter);
	else
		e->clock_cost = stopwatch_clock_cost();
}

/* --- device -------------------------------------------------------------- */

/* "none [mq-deadline] kyber": the one in brackets. */
static void keep_chosen(char *text)
{
	char *open = strchr(text, '['), *close = strchr(text, ']');

	if (!open || !close || close < open)
		return;
	*close = '\0';
	memmove(text, open + 1, strlen(open + 1) + 1);
}

static void read_backing(struct block_device *d)
{
	struct mount_info under;
	int fd;

	read_line(d->backing_file, sizeof(d->backing_file),
		  "/sys/block/%s/loop/backing_file", d->name);
	if (!d->backing_file[0])
		return;
	fd = open(d->backing_file, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return;
	if (mount_info_read(fd, &under) == 0)
		strlcpy(d->backing_type, under.type, sizeof(d->backing_type));
	close(fd);
}

/* A partition has its queue in the disk's directory, one level above. */
static const char *queue_of(const char *link, char *path, size_t size)
{
	snprintf(path, size, "%s/queue", link);
	if (access(path, F_OK) != 0)
		snprintf(path, size, "%s/../queue", link);
	return path;
}

static void read_device(struct block_device *d, const char *number)
{
	char link[128], queue[160], real[PATH_MAX], text[64];

	snprintf(link, sizeof(link), "/sys/dev/block/%s", number);
	if (!realpath(link, real))
		return;
	d->known = true;
	strlcpy(d->name, strrchr(real, '/') + 1, sizeof(d->name));
	queue_of(link, queue, sizeof(queue));
	read_line(text, sizeof(text), "%s/size", link);
	d->bytes = strtoull(text, NULL, 10) * 512;
	read_line(d->model, sizeof(d->model), "%s/../device/model", queue);
	read_line(text, sizeof(text), "%s/rotational", queue);
	if (text[0])
		strlcpy(d->rotational, text[0] == '1' ? "yes" : "no",
			sizeof(d->rotational));
	read_line(d->scheduler, sizeof(d->scheduler), "%s/scheduler", queue);
	keep_chosen(d->scheduler);
	read_line(d->write_cache, sizeof(d->write_cache), "%s/write_cache",
		  queue);
	read_backing(d);
}

/* btrfs and others have a device number of their own: ask their source. */
static void find_device(struct environment *e)
{
	char link[PATH_MAX], real[PATH_MAX], number[64];

	read_device(&e->device, e->mount.device);
	if (e->device.known || strncmp(e->mount.source, "/dev/", 5) != 0)
		return;
	if (!realpath(e->mount.source, real))
		return;
	snprintf(link, sizeof(link), "/sys/class/block/%.64s/dev",
		 strrchr(real, '/') + 1);
	read_line(number, sizeof(number), "%s", link);
	if (number[0])
		read_device(&e->device, number);
}

void env_read(int dir, bool stopwatch, struct environment *e)
{
	memset(e, 0, sizeof(*e));
	read_machine(stopwatch, e);
	if (mount_info_read(dir, &e->mount) == 0)
		find_device(e);
	e->ext_known = extfs_read(dir, &e->ext) == 0;
}
