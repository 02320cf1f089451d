/*
 * Quotas of user, group and project. A new name takes an inode from its
 * future owner (this process, the group of a set-gid directory, the project
 * that the directory hands down), and may take a block from the owner of the
 * directory. ext reports EDQUOT for all; XFS reports a project's limit as
 * ENOSPC.
 */
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/quota.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <errno.h>
#include <fcntl.h>

#include "exhaust_family.h"
#include "exhaust_verdict.h"

#ifndef PRJQUOTA
#define PRJQUOTA 2
#endif

enum {
	ACCOUNTS = 6,
	SPARE_BLOCKS = 8, /* that one new name may charge */
	XFS_SPARE_BLOCKS = 100, /* that XFS asks for, in case, beforehand */
};

static const char setquota_option[] = "ugP", xfs_quota_option[] = "ugp";
static const char *const kind_name[] = { "user", "group", "project" };
static const enum exhaust_cause kind_cause[] = {
	EXHAUST_QUOTA_USER,
	EXHAUST_QUOTA_GROUP,
	EXHAUST_QUOTA_PROJECT,
};

/* One account that the refused name may have been charged to. */
struct account {
	const struct refusal *r;
	const struct place *p;
	int kind;
	uint32_t id;
	bool owner; /* of the directory: pays for its blocks alone */
	int err; /* why the figures could not be read, negative */
	struct dqblk q;
	bool inodes, blocks; /* which limit is met */
	bool grace; /* by a soft limit whose time is over */
};

/* By descriptor where the kernel can (5.14), else by the device's path. */
static int ask(struct account *a)
{
	/* as an unsigned number: QCMD() shifts it out of an int */
	int command = (int)QCMD((unsigned int)Q_GETQUOTA, a->kind);
	int err = ENOSYS;
	int fd = openat(a->p->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
#ifdef SYS_quotactl_fd
	err = syscall(SYS_quotactl_fd, fd, command, a->id, &a->q) == 0 ? 0
								       : errno;
#endif
	close(fd);
	if (err == 0 || !a->p->device_known)
		return -err;
	return quotactl(command, a->p->device, (int)a->id, (char *)&a->q) == 0
		       ? 0
		       : -errno;
}

static bool met(uint64_t used, uint64_t hard, uint64_t soft, uint64_t end,
		bool *grace)
{
	if (hard && used > hard)
		return true;
	if (!soft || used <= soft || end == 0 || (uint64_t)time(NULL) < end)
		return false;
	*grace = true;
	return true;
}

static bool inodes_met(struct account *a)
{
	a->inodes = !a->err && !a->owner && exhaust_makes_inode(a->r) &&
		    met(a->q.dqb_curinodes + 1, a->q.dqb_ihardlimit,
			a->q.dqb_isoftlimit, a->q.dqb_itime, &a->grace);
	return a->inodes;
}

static uint64_t spare_bytes(const struct place *p)
{
	return (strcmp(p->type, "xfs") == 0 ? XFS_SPARE_BLOCKS : SPARE_BLOCKS) *
	       (uint64_t)p->fs.f_bsize;
}

static bool blocks_met(struct account *a)
{
	a->blocks = !a->err &&
		    met(a->q.dqb_curspace + spare_bytes(a->p),
			a->q.dqb_bhardlimit * 1024, a->q.dqb_bsoftlimit * 1024,
			a->q.dqb_btime, &a->grace);
	return a->blocks;
}

static void show(const struct account *a, struct verdict *v)
{
	verdict_number(v, "id", a->id, kind_name[a->kind]);
	verdict_number(v, "inodes used", a->q.dqb_curinodes, "");
	verdict_number(v, "inodes, soft limit", a->q.dqb_isoftlimit, "");
	verdict_number(v, "inodes, hard limit", a->q.dqb_ihardlimit, "");
	verdict_number(v, "bytes used", a->q.dqb_curspace, "");
	verdict_number(v, "blocks, soft limit", a->q.dqb_bsoftlimit, "KiB");
	verdict_number(v, "blocks, hard limit", a->q.dqb_bhardlimit, "KiB");
	exhaust_statfs_evidence(a->p, v);
}

/*
 * New limits: the one that was met as far up as is wanted, the other kept. A
 * soft limit goes up with the hard one, or its grace period would go on.
 */
static void remedy(const struct account *a, struct verdict *v)
{
	uint64_t bsoft = a->q.dqb_bsoftlimit, bhard = a->q.dqb_bhardlimit;
	uint64_t isoft = a->q.dqb_isoftlimit, ihard = a->q.dqb_ihardlimit;
	uint64_t inodes = exhaust_enough(a->q.dqb_curinodes, a->r->wanted) + 64;
	uint64_t kib = a->q.dqb_curspace / 1024 * 2 + 65536;

	if (a->inodes) {
		isoft = isoft ? inodes : 0;
		ihard = ihard ? inodes : 0;
	} else {
		bsoft = bsoft ? kib : 0;
		bhard = bhard ? kib : 0;
	}
	if (strcmp(a->p->type, "xfs") == 0)
		verdict_remedy(v, REMEDY_ONLINE,
			       "xfs_quota -x -c 'limit -%c bsoft=%" PRIu64
			       "k bhard=%" PRIu64 "k isoft=%" PRIu64
			       " ihard=%" PRIu64 " %" PRIu32 "' %s",
			       xfs_quota_option[a->kind], bsoft, bhard, isoft,
			       ihard, a->id, a->p->q_mount);
	else
		verdict_remedy(v, REMEDY_ONLINE,
			       "setquota -%c %" PRIu32 " %" PRIu64 " %" PRIu64
			       " %" PRIu64 " %" PRIu64 " %s",
			       setquota_option[a->kind], a->id, bsoft, bhard,
			       isoft, ihard, a->p->q_mount);
}

static bool explain(const struct account *a, struct verdict *v)
{
	verdict_set(v, kind_cause[a->kind],
		    "%s %" PRIu32 " has reached its %s limit on %s of %.80s",
		    kind_name[a->kind], a->id,
		    a->grace ? "soft (and its grace period is over)" : "hard",
		    a->inodes ? "inodes" : "blocks", a->p->mount);
	show(a, v);
	remedy(a, v);
	return true;
}

/* Asking for a project takes CAP_SYS_ADMIN; statfs shows its limit to all. */
static bool project_by_statfs(const struct place *p, struct verdict *v)
{
	struct statfs whole;
	int fd = p->mounted ? open(p->mount, O_PATH | O_CLOEXEC) : -1;
	bool shaped;

	if (fd < 0)
		return false;
	shaped = fstatfs(fd, &whole) == 0 && (whole.f_files != p->fs.f_files ||
					      whole.f_blocks != p->fs.f_blocks);
	close(fd);
	if (!shaped || (p->fs.f_ffree &&
			(uint64_t)p->fs.f_bavail * (uint64_t)p->fs.f_bsize >
				spare_bytes(p)))
		return false;
	verdict_set(v, EXHAUST_QUOTA_PROJECT,
		    "project %" PRIu32 " has reached its limit on %s of %.80s",
		    p->project, p->fs.f_ffree ? "blocks" : "inodes", p->mount);
	verdict_number(v, "id", p->project, "project");
	exhaust_statfs_evidence(p, v);
	verdict_doubt(v, EXHAUST_LIKELY,
		      "the limit itself may only be read by root");
	if (strcmp(p->type, "xfs") == 0)
		verdict_remedy(v, REMEDY_ONLINE,
			       "xfs_quota -x -c 'limit -p bhard=0 ihard=0 "
			       "bsoft=0 isoft=0 %" PRIu32 "' %s",
			       p->project, p->q_mount);
	else
		verdict_remedy(v, REMEDY_ONLINE,
			       "setquota -P %" PRIu32 " 0 0 0 0 %s", p->project,
			       p->q_mount);
	return true;
}

/* A limit that only root may read has to be taken away blindly. */
static bool unreadable(const struct account *a, struct verdict *v)
{
	if (a->err != -EPERM)
		return false;
	verdict_set(v, kind_cause[a->kind],
		    "%s %" PRIu32 " has reached a limit on %.80s",
		    kind_name[a->kind], a->id, a->p->mount);
	verdict_number(v, "id", a->id, kind_name[a->kind]);
	exhaust_statfs_evidence(a->p, v);
	verdict_doubt(v, EXHAUST_LIKELY,
		      "its figures may only be read by root; this process's "
		      "own limits are not reached");
	if (strcmp(a->p->type, "xfs") == 0)
		verdict_remedy(v, REMEDY_ONLINE,
			       "xfs_quota -x -c 'limit -%c bhard=0 ihard=0 "
			       "bsoft=0 isoft=0 %" PRIu32 "' %s",
			       xfs_quota_option[a->kind], a->id, a->p->q_mount);
	else
		verdict_remedy(v, REMEDY_ONLINE,
			       "setquota -%c %" PRIu32 " 0 0 0 0 %s",
			       setquota_option[a->kind], a->id, a->p->q_mount);
	return true;
}

/* Who may be charged: whoever owns the new name, then the directory's owner. */
static unsigned int list_accounts(const struct refusal *r,
				  const struct place *p, struct account *all)
{
	bool setgid = p->st.st_mode & S_ISGID;
	const struct account list[ACCOUNTS] = {
		{ .kind = PRJQUOTA, .id = p->project },
		{ .kind = USRQUOTA, .id = geteuid() },
		{ .kind = GRPQUOTA, .id = setgid ? p->st.st_gid : getegid() },
		{ .kind = USRQUOTA, .id = p->st.st_uid, .owner = true },
		{ .kind = GRPQUOTA, .id = p->st.st_gid, .owner = true },
		{ .kind = PRJQUOTA, .id = p->project, .owner = true },
	};
	unsigned int count = 0;

	for (unsigned int i = 0; i < ACCOUNTS; i++) {
		bool project = list[i].kind == PRJQUOTA;

		if (project && p->project_inherit == list[i].owner)
			continue;
		if (!project && r->err == ENOSPC)
			continue;
		all[count] = list[i];
		all[count].r = r;
		all[count].p = p;
		all[count].err = ask(&all[count]);
		count++;
	}
	return count;
}

static bool try_all(const struct refusal *r, const struct place *p,
		    struct verdict *v)
{
	struct account all[ACCOUNTS];
	unsigned int count = list_accounts(r, p, all);

	for (unsigned int i = 0; i < count; i++) {
		if (inodes_met(&all[i]))
			return explain(&all[i], v);
	}
	for (unsigned int i = 0; i < count; i++) {
		if (blocks_met(&all[i]))
			return explain(&all[i], v);
	}
	if (p->project_inherit && project_by_statfs(p, v))
		return true;
	for (unsigned int i = 0; i < count && r->err == EDQUOT; i++) {
		if (unreadable(&all[i], v))
			return true;
	}
	return false;
}

bool exhaust_quota(const struct refusal *r, const struct place *p,
		   struct verdict *v)
{
	if (try_all(r, p, v))
		return true;
	if (r->err == ENOSPC)
		return false;
	verdict_set(v, EXHAUST_QUOTA_UNKNOWN,
		    "a disk quota on %.100s has been reached", p->mount);
	exhaust_statfs_evidence(p, v);
	verdict_number(v, "user", geteuid(), "");
	verdict_number(v, "group", getegid(), "");
	verdict_doubt(v, EXHAUST_LIKELY,
		      "no limit that this process may read is reached");
	verdict_advise(v,
		       "As root, repquota -ugPs %.100s lists who is at "
		       "which limit.",
		       p->mount);
	return true;
}
