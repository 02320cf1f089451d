/*
 * tmpfs: nr_inodes= bounds names (a hard link counts as an inode too, and
 * extended attributes take from the same purse), size= bounds pages. Empty
 * files, directories and symlinks of up to 128 bytes take no page.
 */
#include <inttypes.h>

#include "exhaust_family.h"
#include "exhaust_verdict.h"

static bool no_inodes(const struct refusal *r, const struct place *p,
		      struct verdict *v)
{
	uint64_t had = p->fs.f_files;

	verdict_set(v, EXHAUST_TMPFS_INODES,
		    "all inodes that tmpfs on %.100s may have (nr_inodes=) "
		    "are in use",
		    p->mount);
	exhaust_statfs_evidence(p, v);
	verdict_number(v, "nr_inodes", had, "");
	verdict_remedy(v, REMEDY_ONLINE,
		       "mount -o remount,nr_inodes=%" PRIu64 " %s",
		       exhaust_enough(had, r->wanted) + 64, p->q_mount);
	return true;
}

static bool no_pages(const struct place *p, struct verdict *v)
{
	uint64_t kib = p->fs.f_blocks * (uint64_t)p->fs.f_bsize / 1024;
	uint64_t more = kib < 65536 ? 65536 : kib;

	verdict_set(v, EXHAUST_TMPFS_SIZE,
		    "all memory that tmpfs on %.100s may have (size=) is in "
		    "use",
		    p->mount);
	exhaust_statfs_evidence(p, v);
	verdict_number(v, "size", kib, "KiB");
	verdict_remedy(v, REMEDY_ONLINE,
		       "mount -o remount,size=%" PRIu64 "k %s", kib + more,
		       p->q_mount);
	return true;
}

bool exhaust_tmpfs(const struct refusal *r, const struct place *p,
		   struct verdict *v)
{
	if (p->fs.f_files && p->fs.f_ffree == 0)
		return no_inodes(r, p, v);
	if (p->fs.f_blocks && p->fs.f_bfree == 0)
		return no_pages(p, v);
	return false;
}
