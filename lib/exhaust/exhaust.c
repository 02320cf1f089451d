/* Which family a refusal belongs to; see exhaust.h. */
#include "exhaust.h"

#include <errno.h>
#include <linux/magic.h>
#include <string.h>

#include "exhaust_family.h"
#include "exhaust_verdict.h"

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

typedef bool family_fn(const struct refusal *r, const struct place *p,
		       struct verdict *v);

static family_fn *space_family(const struct place *p)
{
	switch (p->fs.f_type) {
	case EXT4_SUPER_MAGIC:
		return exhaust_ext;
	case XFS_SUPER_MAGIC:
		return exhaust_xfs;
	case BTRFS_SUPER_MAGIC:
		return exhaust_btrfs;
	case TMPFS_MAGIC:
		return exhaust_tmpfs;
	default:
		return exhaust_statfs;
	}
}

static bool no_space(const struct refusal *r, const struct place *p,
		     struct verdict *v)
{
	if (!p->fs_known)
		return false;
	return (p->project_inherit && exhaust_quota(r, p, v)) ||
	       space_family(p)(r, p, v);
}

static bool over_quota(const struct refusal *r, const struct place *p,
		       struct verdict *v)
{
	return p->fs.f_type == BTRFS_SUPER_MAGIC ? exhaust_qgroup(r, p, v)
						 : exhaust_quota(r, p, v);
}

static family_fn *family_of(int err)
{
	switch (err) {
	case ENOSPC:
		return no_space;
	case EDQUOT:
		return over_quota;
	case EMLINK:
		return exhaust_links;
	case ENAMETOOLONG:
		return exhaust_lengths;
	case EROFS:
		return exhaust_readonly;
	case EIO:
	case EUCLEAN:
	case EBADMSG:
	case ENXIO:
	case ENODEV:
		return exhaust_io;
	default:
		return exhaust_access;
	}
}

/* The errors that an overlay only passes on from the layer below. */
static bool comes_from_below(int err)
{
	family_fn *family = family_of(err);

	return family != exhaust_access;
}

static void set_unknown(const struct refusal *r, struct verdict *v)
{
	verdict_set(v, EXHAUST_UNKNOWN, "%s failed: %s", r->operation,
		    strerror(r->err));
	verdict_doubt(v, EXHAUST_GUESS,
		      "no figure of this file system explains the error");
	verdict_advise(v, "The kernel log (dmesg) may say more.");
}

int exhaust_explain_at(const struct refusal *r, struct verdict *v,
		       unsigned int depth)
{
	struct place place;

	memset(v, 0, sizeof(*v));
	v->err = r->err;
	v->cause_id = exhaust_id(EXHAUST_UNKNOWN);
	if (!r->operation || r->err <= 0)
		return -EINVAL;
	place_find(r->dirfd, &place);
	if (place.fs.f_type == OVERLAYFS_SUPER_MAGIC &&
	    comes_from_below(r->err) && exhaust_overlay(r, &place, v, depth))
		return 0;
	if (!family_of(r->err)(r, &place, v))
		set_unknown(r, v);
	if (place.mounted && v->evidence_count < EXHAUST_EVIDENCE_MAX)
		verdict_text(v, "file system", "%s %.60s on %.40s", place.type,
			     place.source, place.mount);
	return 0;
}

int exhaust_explain(const struct refusal *refusal, struct verdict *verdict)
{
	return exhaust_explain_at(refusal, verdict, 0);
}
