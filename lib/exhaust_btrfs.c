/*
 * ENOSPC on btrfs. Names and inodes live in metadata chunks; when these are
 * full and no device has room for another chunk, the rest of the space,
 * bound in data chunks, does not help. Deleting needs metadata too, for
 * blocks are copied before they change.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/btrfs_tree.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "exhaust_btrfs_facts.h"
#include "exhaust_family.h"
#include "exhaust_verdict.h"

#define MIB (UINT64_C(1) << 20)

static const char *profile_name(uint64_t flags)
{
	static const struct {
		uint64_t flag;
		const char *name;
	} profiles[] = {
		{ BTRFS_BLOCK_GROUP_DUP, "DUP" },
		{ BTRFS_BLOCK_GROUP_RAID0, "RAID0" },
		{ BTRFS_BLOCK_GROUP_RAID1, "RAID1" },
		{ BTRFS_BLOCK_GROUP_RAID1C3, "RAID1C3" },
		{ BTRFS_BLOCK_GROUP_RAID1C4, "RAID1C4" },
		{ BTRFS_BLOCK_GROUP_RAID10, "RAID10" },
		{ BTRFS_BLOCK_GROUP_RAID5, "RAID5" },
		{ BTRFS_BLOCK_GROUP_RAID6, "RAID6" },
	};

	for (size_t i = 0; i < sizeof(profiles) / sizeof(*profiles); i++) {
		if (flags & profiles[i].flag)
			return profiles[i].name;
	}
	return "single";
}

static void show(const struct place *p, const struct btrfs_facts *f,
		 struct verdict *v)
{
	exhaust_statfs_evidence(p, v);
	verdict_part(v, "metadata used", f->metadata_used, f->metadata_total,
		     "bytes");
	verdict_text(v, "metadata profile", "%s%s",
		     profile_name(f->metadata_flags),
		     f->mixed ? ", mixed with data" : "");
	if (!f->mixed)
		verdict_part(v, "data used", f->data_used, f->data_total,
			     "bytes");
	verdict_number(v, "global reserve", f->global_reserve, "bytes");
	verdict_part(v, "in no chunk yet", f->unallocated, f->device_bytes,
		     "bytes");
	verdict_number(v, "devices", f->devices, "");
}

/*
 * Data chunks that are half empty can be packed together, which frees whole
 * chunks for metadata. Less than two chunks' worth is not worth the try.
 */
static void remedy_balance(const struct place *p, const struct btrfs_facts *f,
			   struct verdict *v)
{
	uint64_t idle = f->data_total - f->data_used;
	uint64_t percent;

	if (f->mixed || f->data_total == 0 || f->data_used > f->data_total ||
	    idle < 128 * MIB || idle < f->data_total / 4)
		return;
	percent = f->data_used * 100 / f->data_total + 25;
	verdict_remedy(v, REMEDY_ONLINE,
		       "btrfs balance start -dusage=%" PRIu64 " %s",
		       percent < 95 ? percent : 95, p->q_mount);
}

static void remedy_device(const struct place *p, struct verdict *v,
			  uint64_t bytes)
{
	verdict_remedy(v, REMEDY_ONLINE,
		       "truncate -s %" PRIu64 "M /var/tmp/btrfs-more.img && "
		       "btrfs device add -f \"$(losetup -f --show "
		       "/var/tmp/btrfs-more.img)\" %s",
		       bytes / MIB, p->q_mount);
}

static void remedies(const struct place *p, const struct btrfs_facts *f,
		     struct verdict *v)
{
	uint64_t more = f->device_bytes / 2 > 512 * MIB ? f->device_bytes / 2
							: 512 * MIB;

	remedy_balance(p, f, v);
	if (f->devices == 1)
		exhaust_grow(p, v, f->device_bytes, f->device_bytes + more);
	remedy_device(p, v, more);
	verdict_advise(v, "Or delete snapshots, or files in small batches with "
			  "a sync after each.");
}

bool exhaust_btrfs(const struct refusal *r, const struct place *p,
		   struct verdict *v)
{
	int fd = openat(p->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct btrfs_facts f;
	int err = fd < 0 ? -1 : btrfs_facts_read(fd, &f);

	if (fd >= 0)
		close(fd);
	if (err < 0)
		return exhaust_statfs(r, p, v);
	if (f.mixed)
		verdict_set(v, EXHAUST_BLOCKS,
			    "no space is left on %.80s, where data and "
			    "metadata share their chunks",
			    p->mount);
	else
		verdict_set(v, EXHAUST_BTRFS_METADATA,
			    "the metadata chunks of %.80s are full and there "
			    "is no room for another",
			    p->mount);
	show(p, &f, v);
	if (f.metadata_used + f.global_reserve + f.metadata_total / 8 <
	    f.metadata_total)
		verdict_doubt(v, EXHAUST_LIKELY,
			      "metadata seems to have room; the kernel may "
			      "hold it for changes not yet written");
	remedies(p, &f, v);
	return true;
}
