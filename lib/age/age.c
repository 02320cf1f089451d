#include "age.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dirblock.h"
#include "dirents.h"
#include "draw.h"
#include "htree_mean.h"
#include "interrupt.h"
#include "name.h"

struct sample {
	char (*name)[NAME_BUFFER];
	uint64_t units; /* of 4 bytes, that the names of all entries take */
	struct draw draw;
};

/* --- correlation --------------------------------------------------------- */

static int by_x(const void *a, const void *b)
{
	const struct age_pair *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

static int by_y(const void *a, const void *b)
{
	const struct age_pair *p = a, *q = b;

	return (p->y > q->y) - (p->y < q->y);
}

static void rank(struct age_pair *pair, unsigned int n, bool x)
{
	unsigned int to;

	qsort(pair, n, sizeof(*pair), x ? by_x : by_y);
	for (unsigned int from = 0; from < n; from = to) {
		for (to = from + 1; to < n; to++)
			if (x ? pair[to].x != pair[from].x
			      : pair[to].y != pair[from].y)
				break;
		for (unsigned int i = from; i < to; i++)
			*(x ? &pair[i].x_rank : &pair[i].y_rank) =
				(from + to - 1) / 2.0;
	}
}

double age_correlation(struct age_pair *pair, unsigned int n)
{
	double mean = (n - 1) / 2.0, xy = 0, xx = 0, yy = 0;

	rank(pair, n, true);
	rank(pair, n, false);
	for (unsigned int i = 0; i < n; i++) {
		double x = pair[i].x_rank - mean, y = pair[i].y_rank - mean;

		xy += x * y;
		xx += x * x;
		yy += y * y;
	}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

/* --- the directory ------------------------------------------------------- */

/* Each entry is in the sample with the same chance: the n-th one takes the
 * place of another with AGE_SAMPLE / n. */
static void take(struct sample *s, struct age *a, const char *name)
{
	uint64_t n = a->entries++, at = n;

	s->units += dirblock_need(strlen(name));
	if (n >= AGE_SAMPLE)
		at = draw_below(&s->draw, n + 1);
	if (at < AGE_SAMPLE)
		strlcpy(s->name[at], name, NAME_BUFFER);
}

static int read_names(int dir, struct sample *s, struct age *a)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int before = interrupt_pending(), got;
	struct dirent_entry e;
	struct dirents d;

	if (fd < 0)
		return -errno;
	got = dirents_open(&d, fd);
	if (got == 0)
		while ((got = dirents_next(&d, &e)) > 0) {
			if (interrupt_pending() != before) {
				got = -EINTR;
				break;
			}
			take(s, a, e.name);
		}
	dirents_close(&d);
	close(fd);
	return got;
}

/* Those that have gone meanwhile are left out. */
static int look_at_order(int dir, const struct sample *s, struct age *a)
{
	unsigned int n =
		a->entries < AGE_SAMPLE ? (unsigned int)a->entries : AGE_SAMPLE;
	struct age_pair *pair = calloc(n ? n : 1, sizeof(*pair));

	if (!pair)
		return -ENOMEM;
	for (unsigned int i = 0; i < n; i++) {
		struct stat st;

		if (fstatat(dir, s->name[i], &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		pair[a->sampled++] = (struct age_pair){
			.x = (uint64_t)st.st_mtim.tv_sec * 1000000000 +
			     (uint64_t)st.st_mtim.tv_nsec,
			.y = st.st_ino,
		};
	}
	if (a->sampled >= AGE_LEAST_SAMPLE)
		a->inode_order = age_correlation(pair, a->sampled);
	else
		a->sampled = 0;
	free(pair);
	return 0;
}

static uint64_t new_bytes(const struct environment *e)
{
	return htree_geometry_of(&e->ext).block_size;
}

bool age_was_emptied(int dir, const struct environment *e)
{
	struct dirent_entry entry;
	struct dirents d;
	struct stat st;
	int fd, got;

	if (!e->ext_known || fstat(dir, &st) < 0 ||
	    (uint64_t)st.st_size <= new_bytes(e))
		return false;
	fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = dirents_open(&d, fd);
	if (got == 0)
		got = dirents_next(&d, &entry) == 0;
	dirents_close(&d);
	close(fd);
	return got > 0;
}

static void reckon_fresh(const struct environment *e, uint64_t units,
			 struct age *a)
{
	struct htree_geometry g;
	struct htree_mean m;

	if (!e->ext_known)
		return;
	g = htree_geometry_of(&e->ext);
	if (a->entries == 0)
		a->fresh_bytes = new_bytes(e);
	else if (htree_mean(&g, 4 * (double)units / (double)a->entries,
			    a->entries, &m) == 0)
		a->fresh_bytes = m.bytes;
}

static enum age_verdict judge(const struct age *a)
{
	double grown =
		a->fresh_bytes ? (double)a->bytes / (double)a->fresh_bytes : 0;

	if (a->err || grown <= 0)
		return AGE_UNKNOWN;
	if (grown >= AGE_SHRUNK)
		return AGE_SHRUNKEN;
	if (a->emptied)
		return AGE_REUSED;
	if (!a->sampled)
		return AGE_UNKNOWN;
	return grown > AGE_GROWN || a->inode_order < AGE_ORDER ? AGE_AGED
							       : AGE_FRESH;
}

void age_read(int dir, const struct environment *e, struct age *a)
{
	bool emptied = a->emptied;
	struct sample s = { .name = calloc(AGE_SAMPLE, sizeof(*s.name)) };
	struct stat st;
	int err = s.name ? 0 : -ENOMEM;

	*a = (struct age){ .emptied = emptied };
	draw_init(&s.draw, 1, DRAW_AGING);
	if (!err && fstat(dir, &st) < 0)
		err = -errno;
	if (!err) {
		a->bytes = (uint64_t)st.st_size;
		err = read_names(dir, &s, a);
	}
	if (!err)
		err = look_at_order(dir, &s, a);
	if (!err)
		reckon_fresh(e, s.units, a);
	a->err = -err;
	a->verdict = judge(a);
	free(s.name);
}

const char *age_verdict_name(enum age_verdict v)
{
	static const char *const names[] = { "unknown", "fresh", "aged",
					     "shrunk", "reused" };

	return names[v];
}
