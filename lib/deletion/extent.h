/*
 * extent: how many entries a directory has, told before it has been read to
 * its end.
 */
#ifndef BIGDIR_EXTENT_H
#define BIGDIR_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

/* What has been seen of a directory that is being read. */
struct extent {
	uint64_t file_system; /* f_type of statfs(2) */
	uint64_t bytes; /* its st_size before anything was deleted */
	bool at_end; /* all of it has been read */
	uint64_t entries; /* read so far, "." and ".." not counted */
	uint64_t name_bytes; /* of these, without NULs */
	uint64_t first_offset, last_offset; /* d_off of the first and last */
};

/* Begin with the open directory. 0 or -errno. */
int extent_begin(struct extent *e, int dir);

/* One more entry has been read. */
void extent_see(struct extent *e, const char *name, int64_t offset);

/*
 * About how many entries there are in all; 0: not known. What it goes by:
 *
 * tmpfs	each entry adds 20 bytes to st_size (BOGO_DIRENT_SIZE), and so
 *do
 *		"." and ".."
 * btrfs	each adds twice its name's length; names are taken to be as
 *		long as those read so far
 * ext4		d_off of an indexed directory is the hash of a name, which is
 *		spread evenly over [0, 2^63): the part of it that has been
 *		passed is the part of the entries that has been read
 * xfs		d_off is where an entry is, in units of 8 bytes, and st_size
 *		where they end
 *
 * The last two tell nothing before EXTENT_LEAST of the directory has been
 * read.
 */
#define EXTENT_LEAST 0.01
uint64_t extent_entries(const struct extent *e);

#endif
