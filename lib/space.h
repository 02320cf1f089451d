/*
 * space: what a file system has left, and how large a directory is.
 */
#ifndef BIGDIR_SPACE_H
#define BIGDIR_SPACE_H

#include <stdbool.h>
#include <stdint.h>

struct space {
	uint64_t block_size; /* bytes; unit of the next three */
	uint64_t blocks, free, available; /* available: not only to root */
	bool inodes_counted; /* false: f_files is 0, and the file
			      * system makes inodes as needed */
	uint64_t inodes, inodes_free;
	uint64_t directory_bytes; /* st_size of the directory itself */
	uint64_t directory_blocks; /* its st_blocks, of 512 bytes */
};

/* Ask the file system of the open directory. 0 or -errno; what could not be
 * asked is 0. */
int space_read(int dir, struct space *s);

#endif
