/*
 * layout: where below the directory an entry lives, from its index and name.
 *
 *   flat             in the directory itself
 *   fanout:L1:...    by number, as squid's ufs and aufs stores do it
 *   levels:N1:...    by the end of the name, as nginx's proxy_cache_path does
 *   prefix:N1:...    by the beginning of the name, as object stores do
 *
 * A layout is a pure function: it reads no directory, and two programs that
 * know it agree on every path. The name itself is never shortened.
 */
#ifndef BIGDIR_LAYOUT_H
#define BIGDIR_LAYOUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Buffer for the path of a directory below the base, with its NUL; the path
 * of an entry in it, base aside, is still a path to the kernel. */
#define LAYOUT_PATH (PATH_MAX - NAME_MAX - 1)

/* Each level takes a byte and a slash at least. */
#define LAYOUT_DEPTH (LAYOUT_PATH / 2)

/* Buffer that takes the text of every layout whose numbers are as short as
 * they can be; longer ones are cut. */
#define LAYOUT_TEXT (8 + 11 * LAYOUT_DEPTH)

enum layout_kind { LAYOUT_FLAT, LAYOUT_FANOUT, LAYOUT_LEVELS, LAYOUT_PREFIX };

struct layout {
	enum layout_kind kind;
	unsigned int depth; /* directories from the base to an entry */
	size_t longest; /* see layout_longest() */
	uint32_t level[LAYOUT_DEPTH]; /* fanout: directories in each one of
				       * the level above; else: bytes of the
				       * name */
};

/* What layout_parse() takes, for help and error texts. */
#define LAYOUT_CHOICES                                                         \
	"flat, fanout:N[:N...], levels:N[:N...] or prefix:N[:N...]"

/*
 * Read a layout. 0, or -EINVAL with *why set to a static text that says what
 * is wrong with it: no such kind, a number that is none (1 to 2^32 - 1 of
 * fanout, 1 to 255 of the others, which all together can take 255 bytes), or
 * a path that would be longer than the kernel takes.
 */
int layout_parse(struct layout *l, const char *text, const char **why);

/* Write it as layout_parse() reads it, cut to `size` bytes with the NUL (see
 * LAYOUT_TEXT). Returns buf. */
char *layout_print(const struct layout *l, char *buf, size_t size);

/*
 * How many directories it has: those that hold entries (1 of flat: the base),
 * and all, without the base. False when that is not fixed, as it depends on
 * which names there are (levels, prefix), or is over 2^64 - 1.
 */
bool layout_directories(const struct layout *l, uint64_t *leaves,
			uint64_t *all);

/* The longest path that layout_path() writes, without the NUL; 0 of flat. */
size_t layout_longest(const struct layout *l);

/* Bytes that a name must have for layout_path() to place it. */
size_t layout_least_name(const struct layout *l);

/*
 * Write the path, relative to the base and NUL-terminated, of the directory
 * that the entry of that index and name lives in: "" when it is the base
 * itself. Returns its length; -EINVAL when the name is too short, or would
 * make "." or ".." a directory of the layout; -ENAMETOOLONG when the path
 * takes more than `size` bytes with its NUL (LAYOUT_PATH always do).
 *
 * fanout:L1:L2 is (index / L2 / L2) % L1, then (index / L2) % L2, each as two
 * or more upper-case hex digits, which is squid's own formula: as many entries
 * as the last level is wide share a directory, so neighbours are together, and
 * the next ones go to the directory beside it. With more levels, the number is
 * divided by the width of one level after the other, from the last to the
 * first; with one, it is (index / L1) % L1.
 *
 * levels:1:2 of "...d65029c" is "c/29": counted from the end of the name, the
 * last byte, then the two before it. prefix:2:2 of "b7f54b..." is "b7/f5".
 */
int layout_path(const struct layout *l, uint64_t index, const char *name,
		size_t length, char *buf, size_t size);

/* Whether the layout could make a directory of that name at a level, counted
 * from 0 below the base. */
bool layout_is_level(const struct layout *l, unsigned int level,
		     const char *name);

#endif
