/* What several families share; see exhaust_family.h. */
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include "exhaust_family.h"
#include "exhaust_verdict.h"

void exhaust_statfs_evidence(const struct place *p, struct verdict *v)
{
	if (p->fs.f_files)
		verdict_part(v, "free inodes", p->fs.f_ffree, p->fs.f_files,
			     "");
	else
		verdict_text(v, "free inodes", "not counted here");
	if (p->fs.f_blocks)
		verdict_part(v, "free blocks", p->fs.f_bfree, p->fs.f_blocks,
			     "");
	else
		verdict_text(v, "free blocks", "not counted here");
	verdict_number(v, "block size", (uint64_t)p->fs.f_bsize, "bytes");
	if (p->stat_known)
		verdict_number(v, "directory size", (uint64_t)p->st.st_size,
			       "bytes");
}

bool exhaust_makes_inode(const struct refusal *r)
{
	static const char *const makers[] = { "create", "mkdir", "symlink",
					      "mknod" };

	for (size_t i = 0; i < sizeof(makers) / sizeof(*makers); i++) {
		if (strcmp(r->operation, makers[i]) == 0)
			return true;
	}
	return false;
}

bool exhaust_in_group(uint32_t gid)
{
	int count = getgroups(0, NULL);
	gid_t *groups;
	bool found = getegid() == gid;

	if (found || count <= 0)
		return found;
	groups = calloc((size_t)count, sizeof(*groups));
	if (!groups)
		return false;
	count = getgroups(count, groups);
	for (int i = 0; i < count && !found; i++)
		found = groups[i] == gid;
	free(groups);
	return found;
}

uint64_t exhaust_enough(uint64_t had, uint64_t wanted)
{
	uint64_t more = wanted ? wanted + wanted / 20 + 64 : had;

	return had > UINT64_MAX - more ? UINT64_MAX : had + more;
}

bool exhaust_statfs(const struct refusal *r, const struct place *p,
		    struct verdict *v)
{
	if (exhaust_makes_inode(r) && p->fs.f_files && p->fs.f_ffree == 0) {
		verdict_set(v, EXHAUST_INODES, "no inode is left on %.100s",
			    p->mount);
		verdict_advise(v, "Remove files, or use a file system with "
				  "more inodes.");
	} else if (p->fs.f_blocks && p->fs.f_bfree == 0) {
		verdict_set(v, EXHAUST_BLOCKS, "no block is left on %.100s",
			    p->mount);
		verdict_advise(v, "Remove files, or enlarge the file system.");
	} else if (p->fs.f_blocks && p->fs.f_bavail == 0) {
		verdict_set(v, EXHAUST_RESERVED,
			    "only blocks reserved for root are left on %.100s",
			    p->mount);
		verdict_advise(v, "Remove files, or run as root.");
	} else {
		return false;
	}
	exhaust_statfs_evidence(p, v);
	return true;
}
