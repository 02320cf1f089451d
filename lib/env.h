/*
 * env: what the reader of a figure must know about the machine, the file
 * system and the device it was measured on.
 */
#ifndef BIGDIR_ENV_H
#define BIGDIR_ENV_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "extfs.h"
#include "mount_info.h"

/* The block device under a file system. Empty texts: not told. */
struct block_device {
	bool known;
	char name[64]; /* "vda", "loop0" */
	char model[96];
	uint64_t bytes;
	char rotational[8]; /* "yes", "no" */
	char scheduler[64]; /* the one in use */
	char write_cache[32]; /* "write back", "write through" */
	char backing_file[PATH_MAX]; /* of a loop device */
	char backing_type[64]; /* the file system that file is on */
};

struct environment {
	char host[128], kernel[256], machine[65], cpu[128], clock_source[64];
	long cpus; /* online */
	uint64_t memory; /* bytes */
	uint64_t memory_limit; /* of the control group; 0: none */
	bool clock_counter; /* see stopwatch.h */
	double clock_cost; /* ns a reading */
	struct mount_info mount;
	struct block_device device;
	bool ext_known; /* the super block could be read */
	struct extfs_facts ext;
};

/* Find out all that can be found for the open directory. What cannot, stays
 * empty or 0: a figure without it is better than none. `stopwatch`: whether
 * times are taken by one, or by the clock alone. */
void env_read(int dir, bool stopwatch, struct environment *e);

#endif
