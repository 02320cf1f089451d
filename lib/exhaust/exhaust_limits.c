/* EMLINK and ENAMETOOLONG: limits that are built in, with their figures. */
#include <inttypes.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>

#include "exhaust_ext_disk.h"
#include "exhaust_family.h"
#include "exhaust_verdict.h"

enum {
	EXT2_LINKS = 32000, /* by the driver that knows ext2 alone */
	EXT_LINKS = 65000,
	BTRFS_LINKS = 65535,
	XFS_TARGET = 1024,
	PATH_LIMIT = 4096,
};

#define XFS_LINKS INT32_MAX
#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

/* 0: not known. */
static uint64_t links_limit(const struct place *p)
{
	switch (p->fs.f_type) {
	case EXT4_SUPER_MAGIC:
		return ext_driver_is_ext4(p) ? EXT_LINKS : EXT2_LINKS;
	case BTRFS_SUPER_MAGIC:
		return BTRFS_LINKS;
	case XFS_SUPER_MAGIC:
		return XFS_LINKS;
	default:
		return 0;
	}
}

static void show_limit(const struct place *p, struct verdict *v)
{
	if (links_limit(p))
		verdict_number(v, "limit", links_limit(p), "links");
	verdict_number(v, "directory size", (uint64_t)p->st.st_size, "bytes");
}

/*
 * ext counts each subdirectory as a link to its parent, up to the limit. With
 * the feature dir_nlink an indexed directory stops counting instead.
 */
static void remedy_subdirectories(const struct place *p, struct verdict *v)
{
	bool indexed = p->flags_known && p->inode_flags & FS_INDEX_FL;
	struct ext_disk disk;
	bool known = ext_disk_read(p, &disk) == 0;

	if (known)
		verdict_text(v, "feature dir_nlink", "%s",
			     disk.facts.dir_nlink ? "yes" : "no");
	verdict_text(v, "directory indexed", "%s", indexed ? "yes" : "no");
	if (indexed && !(known && disk.facts.dir_nlink)) {
		verdict_remedy(v, REMEDY_ONLINE, "tune2fs -O dir_nlink %s",
			       p->q_device);
		exhaust_offline(p, v, REMEDY_OFFLINE, "tune2fs -O dir_nlink @");
	} else {
		exhaust_offline(p, v, REMEDY_OFFLINE,
				"tune2fs -O dir_index,dir_nlink @ "
				"&& " EXHAUST_E2FSCK("-fyD"));
	}
}

static bool subdirectories(const struct place *p, struct verdict *v)
{
	verdict_set(v, EXHAUST_SUBDIRECTORIES,
		    "the directory has as many subdirectories as this file "
		    "system lets one have");
	verdict_number(v, "links to the directory", (uint64_t)p->st.st_nlink,
		       "");
	show_limit(p, v);
	if (p->fs.f_type == EXT4_SUPER_MAGIC)
		remedy_subdirectories(p, v);
	verdict_advise(v, "Or spread the subdirectories over several parents.");
	return true;
}

/* A copy takes over the name, and with it a link count of its own. */
static void remedy_links(int source_fd, struct verdict *v)
{
	char path[PATH_MAX], quoted[PLACE_QUOTED];

	if (!place_fd_path(source_fd, path, sizeof(path)))
		return;
	place_quote(path, quoted, sizeof(quoted));
	verdict_remedy(v, REMEDY_ONLINE, "cp -a %s %s.copy && mv -T %s.copy %s",
		       quoted, quoted, quoted, quoted);
}

static bool hard_links(const struct refusal *r, const struct place *p,
		       struct verdict *v)
{
	struct stat st;

	verdict_set(v, EXHAUST_HARD_LINKS,
		    "the file has as many names as this file system lets one "
		    "have");
	if (r->source_fd >= 0 && fstat(r->source_fd, &st) == 0)
		verdict_number(v, "links to the file", (uint64_t)st.st_nlink,
			       "");
	show_limit(p, v);
	if (r->source_fd >= 0)
		remedy_links(r->source_fd, v);
	verdict_advise(v, "Take another file as the source after every so "
			  "many links.");
	return true;
}

bool exhaust_links(const struct refusal *r, const struct place *p,
		   struct verdict *v)
{
	if (strcmp(r->operation, "link") == 0)
		return hard_links(r, p, v);
	return subdirectories(p, v);
}

/* 0: not known. ext keeps a target within one block, with a byte to end it. */
static uint64_t target_limit(const struct place *p)
{
	switch (p->fs.f_type) {
	case EXT4_SUPER_MAGIC:
		return (uint64_t)p->fs.f_bsize - 1;
	case XFS_SUPER_MAGIC:
		return XFS_TARGET - 1;
	default:
		return PATH_LIMIT - 1;
	}
}

static bool target_too_long(const struct refusal *r, const struct place *p,
			    struct verdict *v)
{
	uint64_t most = target_limit(p), length = strlen(r->target);

	verdict_set(v, EXHAUST_TARGET_LENGTH,
		    "the symbolic link's target of %" PRIu64
		    " bytes is too long for this file system",
		    length);
	verdict_number(v, "target length", length, "bytes");
	verdict_number(v, "limit", most, "bytes");
	if (length <= most)
		verdict_doubt(v, EXHAUST_LIKELY,
			      "the limit of this file system is not known");
	verdict_advise(v, "Use a target of at most %" PRIu64 " bytes.", most);
	return true;
}

/* A name, or for a symbolic link its contents. */
bool exhaust_lengths(const struct refusal *r, const struct place *p,
		     struct verdict *v)
{
	uint64_t most = (uint64_t)p->fs.f_namelen;
	uint64_t length = r->name ? strlen(r->name) : 0;

	if (length <= most && r->target && strcmp(r->operation, "symlink") == 0)
		return target_too_long(r, p, v);
	verdict_set(v, EXHAUST_NAME_LENGTH,
		    "a name of %" PRIu64
		    " bytes is longer than this file system takes (%" PRIu64
		    ")",
		    length, most);
	verdict_number(v, "name length", length, "bytes");
	verdict_number(v, "limit", most, "bytes");
	verdict_number(v, "limit of a path", PATH_LIMIT - 1, "bytes");
	if (length <= most)
		verdict_doubt(v, EXHAUST_GUESS,
			      "the name itself is within the limit; its form "
			      "on disk (encrypted, encoded) may be longer");
	verdict_advise(v, "Use names of at most %" PRIu64 " bytes.", most);
	return true;
}
