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

struct profile {
	uint64_t flag;
	const char *name;
	unsigned int devices; /* that a chunk is spread over, at least */
};

static const struct profile *profile_of(uint64_t flags)
{
	static const struct profile profiles[] = {
		{ BTRFS_BLOCK_GROUP_DUP, "DUP", 1 },
		{ BTRFS_BLOCK_GROUP_RAID0, "RAID0", 1 },
		{ BTRFS_BLOCK_GROUP_RAID1, "RAID1", 2 },
		{ BTRFS_BLOCK_GROUP_RAID1C3, "RAID1C3", 3 },
		{ BTRFS_BLOCK_GROUP_RAID1C4, "RAID1C4", 4 },
		{ BTRFS_BLOCK_GROUP_RAID10, "RAID10", 2 },
		{ BTRFS_BLOCK_GROUP_RAID5, "RAID5", 2 },
		{ BTRFS_BLOCK_GROUP_RAID6, "RAID6", 3 },
		{ 0, "single", 1 },
	};
	const struct profile *profile = profiles;

	while (profile->flag && !(flags & profile->flag))
		profile++;
	return profile;
}

static void show(const struct place *p, const struct btrfs_facts *f,
		 struct verdict *v)
{
	exhaust_statfs_evidence(p, v);
	verdict_part(v, "metadata used", f->metadata_used, f->metadata_total,
		     "bytes");
	verdict_text(v, "metadata profile", "%s%s",
		     profile_of(f->metadata_flags)->name,
		     f->mixed ? ", mixed with data" : "");
	if (!f->mixed)
		verdict_part(v, "data used", f->data_used, f->data_total,
			     "bytes");
	verdict_number(v, "global reserve", f->global_reserve, "bytes");
	verdict_part(v, "in no chunk yet", f->unallocated, f->device_bytes,
		     "bytes");
	verdict_part(v, "devices with room", f->roomy_devices, f->devices, "");
}

/* A directory for an image that is not on the full file system itself. */
static const char *spare_directory(const struct place *p)
{
	struct stat st;

	if (stat("/var/tmp", &st) == 0 && st.st_dev != p->st.st_dev)
		return "/var/tmp";
	return "/dev/shm";
}

/* Commands that leave the image in $more and its device in $loop. */
static void add_device(const struct place *p, uint64_t bytes, char *text,
		       size_t size)
{
	snprintf(text, size,
		 "more=$(mktemp %s/btrfs-more.XXXXXX) && "
		 "truncate -s %" PRIu64 "M \"$more\" && "
		 "loop=$(losetup -f --show \"$more\") && "
		 "btrfs device add -f \"$loop\" %s",
		 spare_directory(p), bytes / MIB, p->q_mount);
}

/*
 * Data chunks that are half empty can be packed together, which frees whole
 * chunks for metadata. Less than two chunks' worth is not worth the try.
 */
static bool worth_packing(const struct btrfs_facts *f)
{
	uint64_t idle = f->data_total - f->data_used;

	return !f->mixed && f->data_used < f->data_total && idle >= 128 * MIB &&
	       idle >= f->data_total / 4;
}

/* Packing takes metadata, which is what there is none of: lend it some. */
static void remedy_balance(const struct place *p, const struct btrfs_facts *f,
			   struct verdict *v)
{
	uint64_t percent = f->data_used * 100 / f->data_total + 25;
	char add[PLACE_QUOTED + 256];

	add_device(p, 512 * MIB, add, sizeof(add));
	verdict_remedy(v, REMEDY_ONLINE,
		       "%s && btrfs balance start -dusage=%" PRIu64
		       " %s && btrfs device remove \"$loop\" %s && "
		       "losetup -d \"$loop\" && rm \"$more\"",
		       add, percent < 95 ? percent : 95, p->q_mount,
		       p->q_mount);
}

/* As many devices as a chunk of this profile lacks. */
static void remedy_devices(const struct place *p, const struct btrfs_facts *f,
			   struct verdict *v, uint64_t bytes)
{
	uint64_t need = profile_of(f->metadata_flags)->devices;
	char add[PLACE_QUOTED + 256];

	add_device(p, bytes, add, sizeof(add));
	if (need <= f->roomy_devices + 1)
		verdict_remedy(v, REMEDY_ONLINE, "%s", add);
	else
		verdict_remedy(v, REMEDY_ONLINE,
			       "for i in $(seq %" PRIu64
			       "); do %s || break; done",
			       need - f->roomy_devices, add);
}

static void remedies(const struct place *p, const struct btrfs_facts *f,
		     struct verdict *v)
{
	uint64_t half = f->device_bytes / 2;
	uint64_t more = half > 512 * MIB ? half : 512 * MIB;

	if (worth_packing(f))
		remedy_balance(p, f, v);
	if (f->devices == 1)
		exhaust_grow(p, v, f->device_bytes, f->device_bytes + more);
	remedy_devices(p, f, v, more);
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
		verdict_set(v, EXHAUST_BTRFS_METADATA,
			    "no block is left on %.80s: the chunks that data "
			    "and metadata share are full",
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
