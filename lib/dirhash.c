#include "dirhash.h"

#include "extfs.h"

#include <errno.h>
#include <string.h>
#include <sys/statfs.h>
#include <linux/magic.h>
#include <ext2fs/ext2_fs.h>
#include <ext2fs/ext2fs.h>

struct dirhash dirhash_ext(const struct extfs_facts *facts)
{
	struct dirhash h = { .kind = DIRHASH_EXT,
			     .version = facts->hash_version };

	memcpy(h.seed, facts->hash_seed, sizeof(h.seed));
	return h;
}

int dirhash_of(int dirfd, struct dirhash *h)
{
	struct extfs_facts facts;
	struct statfs sfs;
	int err;

	*h = (struct dirhash){ .kind = DIRHASH_NONE };
	if (fstatfs(dirfd, &sfs))
		return -errno;
	switch (sfs.f_type) {
	case EXT4_SUPER_MAGIC:
		err = extfs_read(dirfd, &facts);
		if (!err)
			*h = dirhash_ext(&facts);
		return err;
	case XFS_SUPER_MAGIC:
		h->kind = DIRHASH_XFS;
		return 0;
	case BTRFS_SUPER_MAGIC:
		h->kind = DIRHASH_BTRFS;
		return 0;
	default:
		return -ENOTSUP;
	}
}

static uint32_t hash_ext(const struct dirhash *h, const char *name, size_t len)
{
	ext2_dirhash_t major, minor;

	if (ext2fs_dirhash(h->version, name, (int)len, h->seed, &major, &minor))
		return 0;
	/* The kernel keeps the last value for "end of directory". */
	return major == 0xfffffffeU ? 0xfffffffcU : major;
}

static uint32_t hash_xfs(const char *name, size_t len)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < len; i++)
		hash = ((hash << 7) | (hash >> 25)) ^ (uint8_t)name[i];
	return hash;
}

uint32_t dirhash(const struct dirhash *h, const char *name, size_t len)
{
	switch (h->kind) {
	case DIRHASH_EXT:
		return hash_ext(h, name, len);
	case DIRHASH_XFS:
		return hash_xfs(name, len);
	case DIRHASH_BTRFS:
		return ext2fs_crc32c_le(~1U, (const uint8_t *)name, len);
	case DIRHASH_NONE:
		break;
	}
	return 0;
}
