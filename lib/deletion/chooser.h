/*
 * chooser: --order auto: in which order, and by how many workers, a directory
 * is emptied fastest.
 *
 * Two things decide. Where the names come in an order that has little to do
 * with where their inodes are, each unlink reads, or dirties, another block of
 * inodes: then the entries are sorted by inode number. And where the kernel
 * frees an inode after it has let go of the directory, a second worker can do
 * the one while the first does the other.
 */
#ifndef BIGDIR_CHOOSER_H
#define BIGDIR_CHOOSER_H

#include <stdbool.h>
#include <stdint.h>

/* What is known of a directory before anything is deleted from it. */
struct chooser_facts {
	uint64_t file_system; /* f_type of statfs(2) */
	unsigned int processors; /* that we may run on */
	bool gentle; /* others shall not notice: set by the caller */
	bool deep; /* its subdirectories go too, and nothing is known of what
		    * they hold: set by the caller */
	bool whole; /* all of its entries have been looked at: */
	uint64_t entries; /* looked at, subdirectories not counted */
	uint64_t directories; /* subdirectories among them */
	uint64_t pairs; /* neighbours among them */
	uint64_t near; /* of those, whose inodes are near: see below */
};

struct choice {
	bool by_inode; /* or else as the directory is read */
	unsigned int workers;
	unsigned int block; /* entries that a worker takes at a time */
	bool look_ahead; /* have inodes read before their turn: lookahead.h */
	char reason[160]; /* one sentence without its end */
};

/* An inode is near the one before it when its number is higher by at most
 * this: some blocks of an inode table further (16 inodes to a block of 4 KiB
 * on ext4, 8 on xfs), which one read ahead brings in. */
#define CHOOSER_NEAR 64

/* Directories of fewer entries are deleted before a choice would matter. */
#define CHOOSER_FEW 4096

void choose(const struct chooser_facts *f, struct choice *c);

/* Read the facts of the open directory: the entries that the first
 * calls of getdents64(2) return are looked at, their inodes are not touched. 0
 * or -errno. */
int chooser_look(int dir, struct chooser_facts *f);

#endif
