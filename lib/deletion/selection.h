/*
 * selection: which entries of a directory are to be deleted.
 *
 * Two questions, asked at two times: the name is looked at when it is read,
 * the time of last modification right before the entry would be deleted, so
 * that one which has been replaced meanwhile is judged by what is there now.
 */
#ifndef BIGDIR_SELECTION_H
#define BIGDIR_SELECTION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "name.h"

struct selection {
	const char *const *match; /* globs, ends with NULL; NULL: any name */
	bool by_age; /* only what was modified ... */
	struct timespec before; /* ... earlier than this */
	bool by_place; /* only what is older than the oldest that is kept: */
	bool keep_all; /* there are not more than shall be kept */
	struct timespec oldest;
	char oldest_name[NAME_BUFFER];
};

/* Whether the time of last modification matters. */
static inline bool selection_is_timed(const struct selection *s)
{
	return s->by_age || s->by_place;
}

/* Whether anything at all is left out. */
static inline bool selection_is_some(const struct selection *s)
{
	return s->match || selection_is_timed(s);
}

/* Whether the name matches one of the globs, as in a shell: "*" matches no
 * leading dot. One that fnmatch(3) cannot read matches nothing. */
bool selection_name(const struct selection *s, const char *name);

/* Whether an entry that was last modified then may go. */
bool selection_time(const struct selection *s, const char *name,
		    const struct timespec *modified);

/* Bound it to what was modified longer ago than `age` before `now`. */
void selection_older(struct selection *s, const struct timespec *now,
		     uint64_t age);

/*
 * Bound it to all but the `keep` entries of the directory that were modified
 * last, of those that match; subdirectories are not counted. (Of several with
 * the same time, see newest.h.) With `keep` entries or fewer, all stay. Reads
 * the directory and looks at each entry. *memory: bytes that it took at most.
 * 0; -EINTR when a signal asked to stop; -errno.
 */
int selection_keep(struct selection *s, int dir, uint64_t keep,
		   uint64_t *memory);

#endif
