#include "forecast.h"

#include "forecast_fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>
#include <linux/magic.h>

/* Names looked at for their lengths, spread over the whole count. */
#define SAMPLE 4096

double forecast_mean(const struct name_lengths *lengths,
		     unsigned int (*takes)(unsigned int len))
{
	double sum = 0;

	if (lengths->total == 0)
		return 0;
	for (unsigned int len = 0; len < 256; len++) {
		if (lengths->of[len])
			sum += (double)lengths->of[len] * takes(len);
	}
	return sum / (double)lengths->total;
}

double forecast_mean_all(const struct forecast_job *job, uint64_t count,
			 unsigned int (*takes)(unsigned int len))
{
	double old = (double)job->present.total, new = (double)count;

	if (old + new <= 0)
		return forecast_mean(&job->sample, takes);
	return (old * forecast_mean(&job->present, takes) +
		new *forecast_mean(&job->sample, takes)) /
	       (old + new);
}

void forecast_limit(struct forecast *f, enum forecast_cause cause, uint64_t at,
		    uint64_t low, uint64_t high)
{
	if (at >= f->at)
		return;
	f->cause = cause;
	f->at = at;
	f->low = low;
	f->high = high;
}

enum forecast_cause forecast_blocks_cause(void)
{
	return geteuid() == 0 ? FORECAST_BLOCKS : FORECAST_RESERVE;
}

static void count_name(struct name_lengths *l, size_t len)
{
	l->of[len < 256 ? len : 255]++;
	l->total++;
}

static bool is_dot(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int count_present(struct forecast_job *job)
{
	int fd = openat(job->request->dirfd, ".",
			O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent *d;
	DIR *dir;
	int err;

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		err = -errno;
		close(fd);
		return err;
	}
	while (errno = 0, (d = readdir(dir))) {
		if (!is_dot(d->d_name))
			count_name(&job->present, strlen(d->d_name));
	}
	err = -errno;
	closedir(dir);
	return err;
}

static void sample_names(struct forecast_job *job)
{
	const struct forecast_request *r = job->request;
	uint64_t step = r->count > SAMPLE ? r->count / SAMPLE : 1;
	char name[256];

	for (uint64_t i = 0; i < r->count; i += step)
		count_name(&job->sample, r->name(r->arg, i, name));
}

struct kind {
	long magic;
	enum forecast_fs fs;
	const char *name;
	int (*forecast)(const struct forecast_job *job, struct forecast *f);
};

static const struct kind kinds[] = {
	{ EXT4_SUPER_MAGIC, FORECAST_FS_EXT, "ext4", forecast_ext },
	{ XFS_SUPER_MAGIC, FORECAST_FS_XFS, "xfs", forecast_xfs },
	{ BTRFS_SUPER_MAGIC, FORECAST_FS_BTRFS, "btrfs", forecast_btrfs },
	{ TMPFS_MAGIC, FORECAST_FS_TMPFS, "tmpfs", forecast_tmpfs },
};

static int dispatch(const struct forecast_job *job, struct forecast *f)
{
	struct statfs sfs;

	if (fstatfs(job->request->dirfd, &sfs))
		return -errno;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (kinds[i].magic != sfs.f_type)
			continue;
		f->fs = kinds[i].fs;
		snprintf(f->fs_name, sizeof(f->fs_name), "%s", kinds[i].name);
		return kinds[i].forecast(job, f);
	}
	f->fs = FORECAST_FS_OTHER;
	snprintf(f->fs_name, sizeof(f->fs_name), "magic 0x%lx",
		 (unsigned long)sfs.f_type);
	return forecast_other(job, f);
}

static unsigned int length(unsigned int len)
{
	return len;
}

/* What every file system says of itself. */
static int begin(struct forecast_job *job, struct forecast *f)
{
	const struct forecast_request *r = job->request;
	struct statvfs *v = &job->vfs;
	struct stat st;
	int err;

	if (fstat(r->dirfd, &st) || fstatvfs(r->dirfd, v))
		return -errno;
	err = count_present(job);
	if (err)
		return err;
	sample_names(job);
	*f = (struct forecast){
		.count = r->count,
		.at = r->count,
		.low = r->count,
		.high = r->count,
		.present = job->present.total,
		.mean_name = forecast_mean(&job->sample, length),
		.block_size = (unsigned int)v->f_frsize,
		.directory_now = (uint64_t)st.st_size,
		.directory = FORECAST_UNKNOWN,
		.journal = FORECAST_UNKNOWN,
		.journal_wanted = FORECAST_UNKNOWN,
		.inodes = { r->links ? 0 : r->count, v->f_ffree, v->f_files },
		.blocks = { FORECAST_UNKNOWN,
			    geteuid() == 0 ? v->f_bfree : v->f_bavail,
			    v->f_blocks },
	};
	/* No total means that they are not counted, never that all are gone. */
	if (v->f_files == 0)
		f->inodes.available = f->inodes.total = FORECAST_UNKNOWN;
	return 0;
}

static void wish_for_journal(const struct forecast_request *r,
			     struct forecast *f)
{
	uint64_t table = r->links ? 0 : f->at * f->inode_size;

	if (f->directory != FORECAST_UNKNOWN && f->inode_size)
		f->journal_wanted = 4 * (f->directory + table);
}

int forecast_make(const struct forecast_request *request, struct forecast *f)
{
	struct forecast_job *job;
	int err;

	if (!request->name)
		return -EINVAL;
	job = calloc(1, sizeof(*job));
	if (!job)
		return -ENOMEM;
	job->request = request;
	err = begin(job, f);
	if (!err)
		err = dispatch(job, f);
	if (!err) {
		wish_for_journal(request, f);
		forecast_memory(job, f);
	}
	free(job);
	return err;
}
