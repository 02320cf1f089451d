/*
 * dirhash: the hash by which a file system files a directory's names.  Names
 * in the order of this hash are in the order in which the file system keeps
 * (ext4: and reads) them.
 */
#ifndef BIGDIR_DIRHASH_H
#define BIGDIR_DIRHASH_H

#include <stddef.h>
#include <stdint.h>

struct extfs_facts;

enum dirhash_kind {
	DIRHASH_NONE, /* no hash is known: every name hashes to 0 */
	DIRHASH_EXT, /* ext3/ext4 htree: half MD4, TEA or legacy */
	DIRHASH_XFS, /* rotate left by 7, exclusive-or the next byte */
	DIRHASH_BTRFS, /* CRC-32C that starts at ~1 */
};

struct dirhash {
	enum dirhash_kind kind;
	uint8_t version; /* DIRHASH_EXT: EXT2_HASH_*, signedness included */
	uint32_t seed[4]; /* DIRHASH_EXT: the file system's own */
};

/*
 * dirhash_ext: the hash that new directories of an ext file system use.
 */
struct dirhash dirhash_ext(const struct extfs_facts *facts);

/*
 * dirhash_of: the hash of the file system that dirfd is on.
 *
 * 0; -ENOTSUP if that file system has none that is known (h is DIRHASH_NONE
 * then); or extfs_read's errors, as ext needs the seed from the super block.
 */
int dirhash_of(int dirfd, struct dirhash *h);

/*
 * dirhash: the hash of a name of len bytes.  For ext the major hash, which is
 * always even; a version that libext2fs does not know hashes to 0.
 */
uint32_t dirhash(const struct dirhash *h, const char *name, size_t len);

#endif
