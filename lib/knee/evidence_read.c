#include "evidence_read.h"

#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"

#define TEXT 4096 /* of a file of /proc or /sys, as much as is needed */

/* --- opening ------------------------------------------------------------- */

static int open_file(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* The journal of a device inside it is /proc/fs/jbd2/DEVICE-INODE. */
static int open_journal(const char *device)
{
	char pattern[128];
	glob_t found;
	int fd = -1;

	snprintf(pattern, sizeof(pattern), "/proc/fs/jbd2/%s[-]*/info", device);
	if (glob(pattern, 0, NULL, &found) == 0)
		fd = open_file(found.gl_pathv[0]);
	globfree(&found);
	return fd;
}

static bool open_found(const char *path, void *argument)
{
	int *fd = argument;

	*fd = open_file(path);
	return *fd >= 0;
}

/* What the control group is charged for; a group without a limit tells nothing
 * that matters. */
static int open_group(void)
{
	int fd = -1;

	cgroup_each(CGROUP_MEMORY_USED, open_found, &fd);
	return fd;
}

/* /proc/vmstat knows it in pages, whatever it was set by. */
static uint64_t dirty_limit(void)
{
	FILE *f = fopen("/proc/vmstat", "re");
	uint64_t pages = 0;
	char line[128];

	while (f && !pages && fgets(line, sizeof(line), f))
		if (sscanf(line, "nr_dirty_background_threshold %" SCNu64,
			   &pages) == 1)
			break;
	if (f)
		fclose(f);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void evidence_open(struct run_evidence *e, int dir,
		   const struct environment *env)
{
	char path[128];

	memset(e, 0, sizeof(*e));
	e->dir = dir;
	e->device = e->journal = e->group = -1;
	if (env->device.known) {
		snprintf(path, sizeof(path), "/sys/class/block/%s/stat",
			 env->device.name);
		e->device = open_file(path);
		e->journal = open_journal(env->device.name);
	}
	e->of_device = e->device >= 0;
	e->io = e->of_device ? -1 : open_file("/proc/self/io");
	e->memory = open_file("/proc/meminfo");
	e->processors = open_file("/proc/stat");
	if (env->memory_limit)
		e->group = open_group();
	e->dirty_limit = dirty_limit();
}

void evidence_close(struct run_evidence *e)
{
	const int files[] = { e->device, e->io,	     e->memory,
			      e->group,	 e->journal, e->processors };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (files[i] >= 0)
			close(files[i]);
}

/* --- parsing ------------------------------------------------------------- */

void evidence_parse_device(const char *text, uint64_t *figure)
{
	uint64_t reads, read, writes, written;

	if (sscanf(text,
		   "%" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64,
		   &reads, &read, &writes, &written) != 4)
		return;
	figure[EVIDENCE_READS] = reads;
	figure[EVIDENCE_READ] = read * 512;
	figure[EVIDENCE_WRITES] = writes;
	figure[EVIDENCE_WRITTEN] = written * 512;
}

/* The number after "\nKEY", or unknown. */
static uint64_t value_of(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : EVIDENCE_UNKNOWN;
}

void evidence_parse_io(const char *text, uint64_t *figure)
{
	figure[EVIDENCE_READ] = value_of(text, "\nread_bytes:");
	figure[EVIDENCE_WRITTEN] = value_of(text, "\nwrite_bytes:");
}

void evidence_parse_memory(const char *text, uint64_t *figure)
{
	static const struct {
		const char *key;
		enum evidence_figure figure;
	} lines[] = {
		{ "\nMemAvailable:", EVIDENCE_AVAILABLE },
		{ "\nCached:", EVIDENCE_CACHED },
		{ "\nDirty:", EVIDENCE_DIRTY },
		{ "\nSReclaimable:", EVIDENCE_RECLAIMABLE },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		uint64_t kib = value_of(text, lines[i].key);

		if (kib != EVIDENCE_UNKNOWN)
			figure[lines[i].figure] = kib * 1024;
	}
}

void evidence_parse_processors(const char *text, uint64_t *figure)
{
	uint64_t user, nice, system, irq, softirq, steal;

	if (sscanf(text,
		   "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %*u %*u %" SCNu64
		   " %" SCNu64 " %" SCNu64,
		   &user, &nice, &system, &irq, &softirq, &steal) != 6)
		return;
	figure[EVIDENCE_BUSY] =
		(user + nice + system + irq + softirq + steal) *
		(UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK));
}

static void parse_number(const char *text, uint64_t *figure)
{
	char *end;
	uint64_t n = strtoull(text, &end, 10);

	if (end != text)
		*figure = n;
}

/* --- reading ------------------------------------------------------------- */

/* The beginning of a file, which the kernel writes anew each time; "" if it
 * cannot be read. */
static const char *read_text(int fd, char text[TEXT])
{
	ssize_t n = fd < 0 ? 0 : pread(fd, text, TEXT - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

static void read_usage(uint64_t *figure)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	figure[EVIDENCE_PROCESSOR] =
		(uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000 +
		(uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
	figure[EVIDENCE_PREEMPTED] = (uint64_t)u.ru_nivcsw;
}

void evidence_read(const struct run_evidence *e, uint64_t *figure)
{
	char text[TEXT];
	struct stat st;

	for (int i = 0; i < EVIDENCE_FIGURES; i++)
		figure[i] = EVIDENCE_UNKNOWN;
	evidence_parse_device(read_text(e->device, text), figure);
	if (!e->of_device)
		evidence_parse_io(read_text(e->io, text), figure);
	evidence_parse_memory(read_text(e->memory, text), figure);
	evidence_parse_processors(read_text(e->processors, text), figure);
	parse_number(read_text(e->group, text), &figure[EVIDENCE_GROUP]);
	parse_number(read_text(e->journal, text), &figure[EVIDENCE_COMMITS]);
	if (fstat(e->dir, &st) == 0)
		figure[EVIDENCE_DIRECTORY] = (uint64_t)st.st_size;
	read_usage(figure);
}
