/*
 * name: naming schemes, each a pair of inverse functions.
 *
 * name_make() turns an index into a file name, name_index() turns a file name
 * back. Only a name that name_make() would write, byte for byte, has an index:
 * that is what keeps deletion away from files that no tool of ours has made.
 */
#ifndef BIGDIR_NAME_H
#define BIGDIR_NAME_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Buffer for one name: NAME_MAX bytes and the terminating NUL. */
#define NAME_BUFFER (NAME_MAX + 1)

enum name_kind {
	NAME_NUMBER, /* before + number + after: hex, dec, templates */
	NAME_HASH, /* 16 hex digits: XXH3 of the index */
	NAME_UUID, /* 8-4-4-4-12 hex digits from the same hash */
	NAME_LONG, /* the number in hex, then filler up to a length */
	NAME_MAILDIR, /* SECONDS.MmicrosecondsP1.bigdir */
};

struct name_scheme {
	enum name_kind kind;
	unsigned int base; /* of the number: 8, 10 or 16 */
	unsigned int width; /* the number's least width, or LEN of long:LEN */
	char pad; /* '0' or ' ' before a shorter number */
	bool upper; /* ABCDEF rather than abcdef */
	bool eight; /* plain hex, %08X: made by a short cut */
	size_t before_length, after_length;
	char before[NAME_BUFFER], after[NAME_BUFFER];
};

/* What name_parse() takes, for help and error texts. */
#define NAME_CHOICES                                                           \
	"hex, dec, hash, uuid, long:LEN, maildir, or a template with one "     \
	"of %d %u %x %X %o"

/*
 * Read a scheme from its name or template, with `prefix` (may be NULL) before
 * each name. 0, or -EINVAL with *why set to a static text that says what is
 * wrong with it.
 */
int name_parse(struct name_scheme *s, const char *text, const char *prefix,
	       const char **why);

/* The length of the longest name for the indices 0 to last, without NUL; over
 * NAME_MAX when one of them cannot be a file name. */
size_t name_longest(const struct name_scheme *s, uint64_t last);

/* Write the name of an index, NUL-terminated; returns its length. The caller
 * has made sure by name_longest() that it fits. */
size_t name_make(const struct name_scheme *s, uint64_t index,
		 char buf[NAME_BUFFER]);

/* The index of a name, or false when the scheme does not make that name. */
bool name_index(const struct name_scheme *s, const char *name, uint64_t *index);

#endif
