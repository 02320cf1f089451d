/*
 * dirents: a directory's entries as the kernel returns them, in large reads.
 */
#ifndef BIGDIR_DIRENTS_H
#define BIGDIR_DIRENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One getdents64 call can return some ten thousand short names into this. */
#define DIRENTS_BUFFER ((size_t)256 * 1024)

struct dirents {
	int fd; /* not owned */
	char *buffer;
	size_t filled, at;
	uint64_t calls; /* of getdents64 that returned entries */
	bool prime; /* see dirents_prime() */
};

struct dirent_entry {
	uint64_t inode;
	int64_t offset; /* d_off: the cookie of the entry after this one */
	unsigned char type; /* DT_REG ..., DT_UNKNOWN where not told */
	const char *name; /* valid until the next call */
};

/* Read the directory open at fd from its beginning. The descriptor's file
 * position is used, so it must not be shared. With -1, only the buffer is got
 * ready: d->fd is set, and dirents_rewind() called, for each directory that is
 * read with it. 0 or -errno. */
int dirents_open(struct dirents *d, int fd);
void dirents_close(struct dirents *d);

/* Begin again at the first entry. 0 or -errno. */
int dirents_rewind(struct dirents *d);

/* The next entry but "." and "..": 1, 0 at the end, or -errno. */
int dirents_next(struct dirents *d, struct dirent_entry *e);

/* One more getdents64 into the buffer, dropping what is left in it: the bytes
 * read, 0 at the end, or -errno. For those who time the reading itself. */
long dirents_read(struct dirents *d);

/* For one who deletes what the open directory, and others of its file system,
 * hold: on NFS, each read that follows looks up some of its entries. A client
 * asks its server for the attributes with the names only as long as somebody
 * wants them; without, it has to look up each name before it can remove it,
 * which is a second round trip for each entry. Nothing is done elsewhere. */
void dirents_prime(struct dirents *d);

/* Whether one who deletes entries while reading the open directory is shown all
 * others: known of file systems whose cookies (d_off) outlive a deletion.
 * Remote ones, and those that a process serves, may skip some. False where it
 * is not known. */
bool dirents_steady(int fd);

/* The next entry of the buffer alone: 1, or 0 when it is used up. */
int dirents_buffered(struct dirents *d, struct dirent_entry *e);

#endif
