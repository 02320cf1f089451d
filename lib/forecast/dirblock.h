/*
 * dirblock: one block of an ext2/3/4 directory, reduced to what decides where
 * the next name goes: for each entry its hash, the bytes it needs and the
 * bytes it holds.  Names themselves are not kept.
 */
#ifndef BIGDIR_DIRBLOCK_H
#define BIGDIR_DIRBLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sizes are in units of 4 bytes, as on disk every entry begins on such a
 * boundary; so a block of 64 KiB still fits.
 */
struct dirslot {
	uint32_t hash;
	uint16_t need; /* 0: a hole, left by a name that was deleted */
	uint16_t room; /* up to the next entry */
};

/* Slots in the order in which they lie in the block. */
struct dirblock {
	struct dirslot *slot;
	unsigned int count;
	unsigned int allocated;
};

/*
 * dirblock_need: units that a name of len bytes takes: 8 bytes of inode
 * number, lengths and type, then the name, rounded up.
 */
static inline unsigned int dirblock_need(size_t len)
{
	return (unsigned int)((8 + len + 3) / 4);
}

/*
 * dirblock_init: an empty block of the given room, which is one hole.
 * The caller frees it with dirblock_free.  0 or -ENOMEM.
 */
int dirblock_init(struct dirblock *b, unsigned int room);
void dirblock_free(struct dirblock *b);

/*
 * dirblock_append: add a slot at the end as it is, to copy a block that
 * exists.  0 or -ENOMEM.
 */
int dirblock_append(struct dirblock *b, struct dirslot slot);

/*
 * dirblock_add: put an entry where the kernel would, which is the first place
 * that is large enough.  0; -ENOSPC if there is none; -ENOMEM.
 */
int dirblock_add(struct dirblock *b, unsigned int need, uint32_t hash);

/*
 * dirblock_fill: let the last entry reach to the end of a block of the given
 * room.
 */
void dirblock_fill(struct dirblock *b, unsigned int room);

/*
 * dirblock_split: move the upper half of b by hash, where a half is half of
 * block (the units of the whole block, with any checksum), into the
 * uninitialised block upper; both then have the given room.
 *
 * *boundary is the lowest hash in upper; *continued says that the same hash
 * also remains in b.  0; or with b unchanged -ENOMEM, or -EUCLEAN if b holds
 * fewer than two entries, which a block without damage never does when full.
 */
int dirblock_split(struct dirblock *b, unsigned int block, unsigned int room,
		   struct dirblock *upper, uint32_t *boundary, bool *continued);

#endif
