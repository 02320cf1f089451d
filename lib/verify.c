#include "verify.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "dirents.h"
#include "interrupt.h"

/* How often, in names, to look whether we shall stop. */
#define PATIENCE 4096

static void add_to_digest(uint64_t digest[2], const char *name)
{
	XXH128_hash_t h = XXH3_128bits(name, strlen(name));

	digest[1] += h.low64;
	digest[0] += h.high64 + (digest[1] < h.low64);
}

static void add_example(struct difference *d, const char *name)
{
	d->count++;
	if (d->examples < VERIFY_EXAMPLES)
		strlcpy(d->example[d->examples++], name, NAME_BUFFER);
}

static bool is_expected(const struct expectation *e, const char *name,
			uint64_t *offset)
{
	uint64_t index;

	if (!name_index(e->scheme, name, &index) || index < e->start ||
	    index - e->start >= e->count)
		return false;
	*offset = index - e->start;
	return true;
}

/* A signal that came before the verification has ended the run; one that
 * comes while it runs ends the verification. */
static bool interrupted(struct verification *v, int before)
{
	if (interrupt_pending() != before)
		v->interrupted = true;
	return v->interrupted;
}

/* Read the directory through: tally it, and mark in the bitmap (if any) the
 * names that are there. */
static int scan(int dir, const struct expectation *e, struct verification *v,
		unsigned char *seen)
{
	int before = interrupt_pending(), got;
	struct dirent_entry entry;
	struct dirents d;
	uint64_t offset, n = 0;
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	got = dirents_open(&d, fd);
	if (got == 0)
		got = 1;
	while (got > 0 && (got = dirents_next(&d, &entry)) > 0) {
		if (++n % PATIENCE == 0 && interrupted(v, before))
			break;
		if (!is_expected(e, entry.name, &offset)) {
			if (!seen)
				v->others++;
			else if (!e->others_allowed)
				add_example(&v->unexpected, entry.name);
		} else if (!seen) {
			v->present++;
			add_to_digest(v->digest, entry.name);
		} else if (e->present == 0) {
			add_example(&v->unexpected, entry.name);
		} else if (seen[offset / 8] & 1u << offset % 8) {
			add_example(&v->twice, entry.name);
		} else {
			seen[offset / 8] |= (unsigned char)(1u << offset % 8);
		}
	}
	dirents_close(&d);
	close(fd);
	return got < 0 ? -got : 0;
}

static void digest_expected(const struct expectation *e, struct verification *v)
{
	int before = interrupt_pending();
	char name[NAME_BUFFER];

	for (uint64_t i = 0; i < e->count; i++) {
		if (i % PATIENCE == 0 && interrupted(v, before))
			return;
		name_make(e->scheme, e->start + i, name);
		add_to_digest(v->expected_digest, name);
	}
}

/* A second reading, for the names behind the difference. */
static void find_differences(int dir, const struct expectation *e,
			     struct verification *v)
{
	unsigned char *seen = calloc(e->count / 8 + 1, 1);
	char name[NAME_BUFFER];

	if (!seen) {
		v->err = ENOMEM;
		return;
	}
	v->err = scan(dir, e, v, seen);
	for (uint64_t i = 0; i < e->count && e->present == e->count; i++) {
		if (seen[i / 8] & 1u << i % 8)
			continue;
		name_make(e->scheme, e->start + i, name);
		add_example(&v->missing, name);
	}
	free(seen);
}

void verify(int dir, const struct expectation *e, struct verification *v)
{
	memset(v, 0, sizeof(*v));
	v->by_count_only = e->present != 0 && e->present != e->count;
	v->err = scan(dir, e, v, NULL);
	if (v->err || v->interrupted)
		return;
	if (e->present == e->count)
		digest_expected(e, v);
	if (v->interrupted)
		return;
	v->passed = v->present == e->present &&
		    (v->others == 0 || e->others_allowed);
	if (e->present == e->count &&
	    memcmp(v->digest, v->expected_digest, sizeof(v->digest)) != 0)
		v->passed = false;
	if (!v->passed)
		find_differences(dir, e, v);
}
