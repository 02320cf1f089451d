#include "mke2fs_inodes.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define MIB (1024ULL * 1024)
#define TIB (MIB * MIB)

/* The usage types of mke2fs.conf as e2fsprogs ships it. */
struct usage {
	const char *name;
	unsigned int block_size;
	uint32_t bytes_per_inode;
};

static const struct usage usages[] = {
	{ "default", 4096, 16384 },	{ "floppy", 1024, 8192 },
	{ "small", 1024, 4096 },	{ "big", 4096, 32768 },
	{ "huge", 4096, 65536 },	{ "news", 4096, 4096 },
	{ "largefile", 4096, 1048576 }, { "largefile4", 4096, 4194304 },
};

/* The limits are mke2fs's own. */
static const char *usage_by_size(uint64_t bytes)
{
	if (bytes < 3 * MIB)
		return "floppy";
	if (bytes < 512 * MIB)
		return "small";
	if (bytes < 4 * TIB)
		return "default";
	if (bytes < 16 * TIB)
		return "big";
	return "huge";
}

static const struct usage *find_usage(const char *name)
{
	for (size_t i = 0; i < sizeof(usages) / sizeof(*usages); i++) {
		if (strcmp(usages[i].name, name) == 0)
			return &usages[i];
	}
	return NULL;
}

/* A request with all defaults filled in, and the groups it comes to. */
struct layout {
	unsigned int block_size;
	unsigned int inode_size;
	unsigned int desc_size;
	bool resize;
	uint64_t inodes; /* asked for */
	uint64_t device_blocks;
	uint64_t blocks; /* without a last group too small to be one */
	unsigned int first_block;
	uint32_t blocks_per_group;
	uint32_t groups;
	uint32_t desc_blocks;
	uint32_t reserved_desc_blocks;
	uint32_t inodes_per_group;
	uint32_t table_blocks; /* of inodes, in each group */
};

static uint64_t divide_up(uint64_t a, uint64_t b)
{
	return (a + b - 1) / b;
}

static bool valid_size(unsigned int size, unsigned int low, unsigned int high)
{
	return size >= low && size <= high && (size & (size - 1)) == 0;
}

static int fill_in(const struct mke2fs_request *r, struct layout *l)
{
	const struct usage *u =
		find_usage(r->usage ? r->usage : usage_by_size(r->bytes));
	uint64_t ratio;

	if (!u)
		return -EINVAL;
	*l = (struct layout){
		.block_size = r->block_size ? r->block_size : u->block_size,
		.inode_size = r->inode_size ? r->inode_size : 256,
		.desc_size = r->narrow ? 32 : 64,
		.resize = !r->no_resize,
	};
	if (!valid_size(l->block_size, 1024, 65536) ||
	    !valid_size(l->inode_size, 128, l->block_size))
		return -EINVAL;
	l->first_block = l->block_size == 1024 ? 1 : 0;
	l->blocks = r->bytes / l->block_size;
	/* mke2fs rounds a device's size down to whole pages. */
	if (l->block_size < 4096)
		l->blocks -= l->blocks % (4096 / l->block_size);
	l->device_blocks = l->blocks;
	ratio = r->bytes_per_inode ? r->bytes_per_inode : u->bytes_per_inode;
	if (!r->bytes_per_inode && ratio < l->block_size)
		ratio = l->block_size;
	l->inodes = r->inodes ? r->inodes : l->blocks * l->block_size / ratio;
	if (l->inodes > UINT32_MAX)
		l->inodes = UINT32_MAX;
	/* A ratio that comes to none at all: one for every 4 KiB. */
	if (l->inodes == 0)
		l->inodes = l->block_size < 4096
				    ? l->blocks / (4096 / l->block_size)
				    : l->blocks;
	if (l->inodes * l->inode_size >= l->blocks * l->block_size)
		return -ENOSPC;
	/* At least one beyond the reserved ones. */
	if (l->inodes < 12)
		l->inodes = 12;
	l->blocks_per_group = l->block_size * 8;
	if (l->blocks_per_group > 65528)
		l->blocks_per_group = 65528;
	return 0;
}

/* Room for the descriptors of a file system 1024 times as large. */
static uint32_t reserved_desc_blocks(const struct layout *l)
{
	uint64_t max = UINT32_MAX, groups, blocks;
	uint32_t addresses = l->block_size / 4;

	if (!l->resize)
		return 0;
	if (l->blocks < max / 1024)
		max = l->blocks * 1024;
	if (max < l->blocks)
		return 0;
	groups = divide_up(max - l->first_block, l->blocks_per_group);
	blocks = divide_up(groups, l->block_size / l->desc_size) -
		 l->desc_blocks;
	return blocks > addresses ? addresses : (uint32_t)blocks;
}

static bool is_power(uint32_t n, uint32_t base)
{
	while (n > 1 && n % base == 0)
		n /= base;
	return n == 1;
}

/* With sparse_super, groups 0, 1 and the powers of 3, 5, 7 have a copy of
 * the super block and the descriptors. */
static bool has_super_block(uint32_t group)
{
	return group <= 1 || is_power(group, 3) || is_power(group, 5) ||
	       is_power(group, 7);
}

/* As many for each group, in full table blocks, in eights. */
static void round_inodes(struct layout *l, uint64_t per_group)
{
	do {
		uint64_t table =
			divide_up(per_group * l->inode_size, l->block_size);
		uint64_t n = table * l->block_size / l->inode_size;

		n = n < 8 ? 8 : n / 8 * 8;
		l->inodes_per_group = (uint32_t)n;
		l->table_blocks =
			(uint32_t)divide_up(n * l->inode_size, l->block_size);
		per_group--;
	} while ((uint64_t)l->inodes_per_group * l->groups > UINT32_MAX);
}

/*
 * Lay out the groups.  0; -EAGAIN if the last group was too small to be one
 * and was dropped, or the groups were too large for so many inodes, so that
 * all is to be done again; -ENOSPC.
 */
static int lay_out(struct layout *l)
{
	/* No group has more inodes than its bitmap has bits. */
	uint32_t most = 65536 - l->block_size / l->inode_size;
	uint64_t per_group, rest;
	uint32_t overhead;

	l->groups = (uint32_t)divide_up(l->blocks - l->first_block,
					l->blocks_per_group);
	if (l->groups == 0)
		return -ENOSPC;
	l->desc_blocks =
		(uint32_t)divide_up(l->groups, l->block_size / l->desc_size);
	l->reserved_desc_blocks = reserved_desc_blocks(l);
	per_group = divide_up(l->inodes, l->groups);
	if (per_group > (uint64_t)l->block_size * 8) {
		if (l->blocks_per_group < 256)
			return -ENOSPC;
		l->blocks_per_group -= 8;
		l->blocks = l->device_blocks;
		return -EAGAIN;
	}
	round_inodes(l, per_group > most ? most : per_group);

	overhead = 2 + l->table_blocks;
	if (has_super_block(l->groups - 1))
		overhead += 1 + l->desc_blocks + l->reserved_desc_blocks;
	if (overhead > l->blocks_per_group)
		return -ENOSPC;
	rest = (l->blocks - l->first_block) % l->blocks_per_group;
	if (rest == 0 || rest >= overhead + 50)
		return 0;
	if (l->groups == 1)
		return rest < overhead ? -ENOSPC : 0;
	l->blocks -= rest;
	return -EAGAIN;
}

int mke2fs_inodes(const struct mke2fs_request *request,
		  struct mke2fs_result *result)
{
	struct layout l;
	int err = fill_in(request, &l);

	if (err)
		return err;
	do
		err = lay_out(&l);
	while (err == -EAGAIN);
	if (err)
		return err;
	*result = (struct mke2fs_result){
		.inodes = l.inodes_per_group * l.groups,
		.inodes_per_group = l.inodes_per_group,
		.groups = l.groups,
		.blocks = l.blocks,
		.block_size = l.block_size,
	};
	return 0;
}

int mke2fs_inodes_wanted(const struct mke2fs_request *request, uint64_t wanted,
			 uint32_t *n)
{
	/* Reserved: 10; lost+found and the new directory: one each. */
	const uint64_t taken = 12;
	struct mke2fs_request r = *request;
	struct mke2fs_result result = { 0 };
	uint64_t ask = wanted + taken;
	int err;

	for (;;) {
		if (ask > UINT32_MAX)
			return -ENOSPC;
		r.inodes = (uint32_t)ask;
		err = mke2fs_inodes(&r, &result);
		if (err)
			return err;
		if (result.inodes >= wanted + taken)
			break;
		/* The last group may be dropped: ask for its share too. */
		ask += wanted + taken - result.inodes;
	}
	*n = r.inodes;
	return 0;
}
