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
	BLOCK_SPARE = 8 * 4096, /* bytes that one new name may charge */
};

static const char *const kind_name[] = { "user", "group", "project" };
static const enum exhaust_cause kind_cause[] = {
	EXHAUST_QUOTA_USER,
	EXHAUST_QUOTA_GROUP,
	EXHAUST_QUOTA_PROJECT,
};

struct quota_case {
	const struct refusal *r;
	const struct place *p;
	int kind;
	uint32_t id;
	struct dqblk q;
	bool inodes, blocks; /* which limit is met */
	bool grace; /* by a soft limit whose time is over */
};

/* By descriptor where the kernel can (5.14), else by the device's path. */
static int ask(struct quota_case *c)
{
	int command = QCMD(Q_GETQUOTA, c->kind), err;
	int fd = openat(c->p->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	memset(&c->q, 0, sizeof(c->q));
#ifdef SYS_quotactl_fd
	if (fd >= 0 &&
	    syscall(SYS_quotactl_fd, fd, command, c->id, &c->q) == 0) {
		close(fd);
		return 0;
	}
#endif
	err = errno;
	if (fd >= 0)
		close(fd);
	if (!c->p->device_known)
		return -err;
	return quotactl(command, c->p->device, (int)c->id, (char *)&c->q) == 0
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

/* The soft limits' grace ends matter only where the hard ones have room. */
static bool at_limit(struct quota_case *c)
{
	uint64_t takes = exhaust_makes_inode(c->r) ? 1 : 0;

	c->inodes =
		takes && met(c->q.dqb_curinodes + takes, c->q.dqb_ihardlimit,
			     c->q.dqb_isoftlimit, c->q.dqb_itime, &c->grace);
	c->blocks =
		!c->inodes &&
		met(c->q.dqb_curspace + BLOCK_SPARE, c->q.dqb_bhardlimit * 1024,
		    c->q.dqb_bsoftlimit * 1024, c->q.dqb_btime, &c->grace);
	return c->inodes || c->blocks;
}

static void show(const struct quota_case *c, struct verdict *v)
{
	verdict_number(v, "id", c->id, kind_name[c->kind]);
	verdict_number(v, "inodes used", c->q.dqb_curinodes, "");
	verdict_number(v, "inodes, soft limit", c->q.dqb_isoftlimit, "");
	verdict_number(v, "inodes, hard limit", c->q.dqb_ihardlimit, "");
	verdict_number(v, "bytes used", c->q.dqb_curspace, "");
	verdict_number(v, "blocks, soft limit", c->q.dqb_bsoftlimit, "KiB");
	verdict_number(v, "blocks, hard limit", c->q.dqb_bhardlimit, "KiB");
	exhaust_statfs_evidence(c->p, v);
}

/*
 * New limits: the one that was met as far up as is wanted, the other kept. A
 * soft limit goes up with the hard one, or its grace period would go on.
 */
static void remedy(const struct quota_case *c, struct verdict *v)
{
	uint64_t bsoft = c->q.dqb_bsoftlimit, bhard = c->q.dqb_bhardlimit;
	uint64_t isoft = c->q.dqb_isoftlimit, ihard = c->q.dqb_ihardlimit;
	uint64_t inodes = exhaust_enough(c->q.dqb_curinodes, c->r->wanted) + 64;
	uint64_t kib = c->q.dqb_curspace / 1024 * 2 + 65536;
	static const char option[] = "ugp";

	if (c->inodes) {
		isoft = isoft ? inodes : 0;
		ihard = ihard ? inodes : 0;
	} else {
		bsoft = bsoft ? kib : 0;
		bhard = bhard ? kib : 0;
	}
	if (strcmp(c->p->type, "xfs") == 0)
		verdict_remedy(v, REMEDY_ONLINE,
			       "xfs_quota -x -c 'limit -%c bsoft=%" PRIu64
			       "k bhard=%" PRIu64 "k isoft=%" PRIu64
			       " ihard=%" PRIu64 " %" PRIu32 "' %s",
			       option[c->kind], bsoft, bhard, isoft, ihard,
			       c->id, c->p->q_mount);
	else
		verdict_remedy(v, REMEDY_ONLINE,
			       "setquota -%s %" PRIu32 " %" PRIu64 " %" PRIu64
			       " %" PRIu64 " %" PRIu64 " %s",
			       c->kind == PRJQUOTA   ? "P"
			       : c->kind == GRPQUOTA ? "g"
						     : "u",
			       c->id, bsoft, bhard, isoft, ihard,
			       c->p->q_mount);
}

static bool explain(struct quota_case *c, struct verdict *v)
{
	verdict_set(v, kind_cause[c->kind],
		    "%s %" PRIu32 " has reached its %s limit on %s of %.80s",
		    kind_name[c->kind], c->id,
		    c->grace ? "soft (and its grace period is over)" : "hard",
		    c->inodes ? "inodes" : "blocks", c->p->mount);
	show(c, v);
	remedy(c, v);
	return true;
}

static bool try(const struct refusal *r, const struct place *p, int kind,
		uint32_t id, struct verdict *v)
{
	struct quota_case c = { .r = r, .p = p, .kind = kind, .id = id };

	return ask(&c) == 0 && at_limit(&c) && explain(&c, v);
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
	if (!shaped || (p->fs.f_ffree && p->fs.f_bavail > 8))
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

static bool try_all(const struct refusal *r, const struct place *p,
		    struct verdict *v)
{
	bool setgid = p->st.st_mode & S_ISGID;

	if (p->project_inherit &&
	    (try(r, p, PRJQUOTA, p->project, v) || project_by_statfs(p, v)))
		return true;
	if (r->err == ENOSPC)
		return false;
	return try(r, p, USRQUOTA, geteuid(), v) ||
	       try(r, p, GRPQUOTA, setgid ? p->st.st_gid : getegid(), v) ||
	       try(r, p, USRQUOTA, p->st.st_uid, v) ||
	       try(r, p, GRPQUOTA, p->st.st_gid, v) ||
	       try(r, p, PRJQUOTA, p->project, v);
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
