/*
 * The families of causes. Each function looks for its own and returns true
 * if it has set the verdict, or false to leave it to the next.
 */
#ifndef BIGDIR_EXHAUST_FAMILY_H
#define BIGDIR_EXHAUST_FAMILY_H

#include "exhaust.h"
#include "exhaust_place.h"

/* ENOSPC, by file system. */
bool exhaust_ext(const struct refusal *r, const struct place *p,
		 struct verdict *v);
bool exhaust_xfs(const struct refusal *r, const struct place *p,
		 struct verdict *v);
bool exhaust_btrfs(const struct refusal *r, const struct place *p,
		   struct verdict *v);
bool exhaust_tmpfs(const struct refusal *r, const struct place *p,
		   struct verdict *v);
/* ENOSPC where the file system is known by nothing but statfs. */
bool exhaust_statfs(const struct refusal *r, const struct place *p,
		    struct verdict *v);

/* EDQUOT; and ENOSPC from a project's limit. */
bool exhaust_quota(const struct refusal *r, const struct place *p,
		   struct verdict *v);
bool exhaust_qgroup(const struct refusal *r, const struct place *p,
		    struct verdict *v);

/* Hands the refusal down to the upper layer's own file system. */
bool exhaust_overlay(const struct refusal *r, const struct place *p,
		     struct verdict *v, unsigned int depth);

/* EMLINK and ENAMETOOLONG. */
bool exhaust_links(const struct refusal *r, const struct place *p,
		   struct verdict *v);
bool exhaust_lengths(const struct refusal *r, const struct place *p,
		     struct verdict *v);

/* EROFS, and EIO with its kin. */
bool exhaust_readonly(const struct refusal *r, const struct place *p,
		      struct verdict *v);
bool exhaust_io(const struct refusal *r, const struct place *p,
		struct verdict *v);
/* A loop device whose image can grow no further. Used by the two above. */
bool exhaust_backing(const struct place *p, struct verdict *v);

/* EACCES, EPERM, EEXIST, ENOENT and all the rest. */
bool exhaust_access(const struct refusal *r, const struct place *p,
		    struct verdict *v);

/* exhaust_explain at a depth of layers (overlay, loop image). */
int exhaust_explain_at(const struct refusal *r, struct verdict *v,
		       unsigned int depth);

/* Adds the free and total inodes and blocks that statfs gives. */
void exhaust_statfs_evidence(const struct place *p, struct verdict *v);

/* True if the operation makes a new inode. */
bool exhaust_makes_inode(const struct refusal *r);

/* True if the refused process may use the blocks reserved for uid or gid. */
bool exhaust_in_group(uint32_t gid);

/*
 * How many of a thing to provide where there were `had`: enough for what is
 * still wanted with a twentieth to spare, or twice as many if not known.
 */
uint64_t exhaust_enough(uint64_t had, uint64_t wanted);

/*
 * Adds the commands that make the file system at place larger: fs_bytes is
 * its size now, bytes what it should have. Online where this process's
 * capabilities let it, else with an unmount between. Nothing is added where
 * the device is one that no command can enlarge.
 */
void exhaust_grow(const struct place *p, struct verdict *v, uint64_t fs_bytes,
		  uint64_t bytes);

/*
 * Adds "unmount, do the steps, mount again". In steps, "@" stands for the
 * device, or the image file where unmounting frees the loop device. NULL: no
 * steps.
 */
void exhaust_offline(const struct place *p, struct verdict *v,
		     enum remedy_effect effect, const char *steps);

/* A file system check that counts as done if it has repaired everything. */
#define EXHAUST_E2FSCK(flags) "{ e2fsck " flags " @ || [ $? -lt 4 ]; }"

#endif
