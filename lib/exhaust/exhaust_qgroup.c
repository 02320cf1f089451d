/* EDQUOT on btrfs: a quota group's limit on referenced or exclusive bytes. */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/btrfs.h>
#include <linux/btrfs_tree.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "exhaust_btrfs_facts.h"
#include "exhaust_family.h"
#include "exhaust_verdict.h"

enum {
	PARENTS_MAX = 16,
	LEVEL_SHIFT = 48,
};

#define MIB (UINT64_C(1) << 20)

typedef void item_fn(const struct btrfs_ioctl_search_header *head,
		     const void *item, void *context);

/* Calls fn for each item of the quota tree in the key range. */
static int search(int fd, uint32_t type, uint64_t first, uint64_t last,
		  item_fn *fn, void *context)
{
	struct btrfs_ioctl_search_args args = {
		.key = {
			.tree_id = BTRFS_QUOTA_TREE_OBJECTID,
			.min_objectid = type == BTRFS_QGROUP_RELATION_KEY ?
						first :
						0,
			.max_objectid = type == BTRFS_QGROUP_RELATION_KEY ?
						last :
						0,
			.min_type = type,
			.max_type = type,
			.min_offset = type == BTRFS_QGROUP_RELATION_KEY ?
					      0 :
					      first,
			.max_offset = type == BTRFS_QGROUP_RELATION_KEY ?
					      UINT64_MAX :
					      last,
			.max_transid = UINT64_MAX,
			.nr_items = PARENTS_MAX,
		},
	};
	size_t at = 0;

	if (ioctl(fd, BTRFS_IOC_TREE_SEARCH, &args) < 0)
		return -errno;
	for (uint32_t i = 0; i < args.key.nr_items; i++) {
		struct btrfs_ioctl_search_header head;

		memcpy(&head, args.buf + at, sizeof(head));
		at += sizeof(head);
		if (head.type == type)
			fn(&head, args.buf + at, context);
		at += head.len;
	}
	return 0;
}

static void take_info(const struct btrfs_ioctl_search_header *head,
		      const void *item, void *context)
{
	struct btrfs_qgroup *group = context;
	struct btrfs_qgroup_info_item info;

	if (head->len < sizeof(info))
		return;
	memcpy(&info, item, sizeof(info));
	group->referenced = le64toh(info.rfer);
	group->exclusive = le64toh(info.excl);
}

static void take_limit(const struct btrfs_ioctl_search_header *head,
		       const void *item, void *context)
{
	struct btrfs_qgroup *group = context;
	struct btrfs_qgroup_limit_item limit;

	if (head->len < sizeof(limit))
		return;
	memcpy(&limit, item, sizeof(limit));
	if (le64toh(limit.flags) & BTRFS_QGROUP_LIMIT_MAX_RFER)
		group->max_referenced = le64toh(limit.max_rfer);
	if (le64toh(limit.flags) & BTRFS_QGROUP_LIMIT_MAX_EXCL)
		group->max_exclusive = le64toh(limit.max_excl);
}

struct parents {
	uint64_t id[PARENTS_MAX];
	unsigned int count;
};

/* A relation is stored both ways; a parent has the higher level. */
static void take_parent(const struct btrfs_ioctl_search_header *head,
			const void *item, void *context)
{
	struct parents *parents = context;

	(void)item;
	if (head->offset >> LEVEL_SHIFT > head->objectid >> LEVEL_SHIFT &&
	    parents->count < PARENTS_MAX)
		parents->id[parents->count++] = head->offset;
}

static uint64_t room(uint64_t used, uint64_t most)
{
	if (most == 0)
		return UINT64_MAX;
	return used < most ? most - used : 0;
}

static uint64_t group_room(const struct btrfs_qgroup *group)
{
	uint64_t a = room(group->referenced, group->max_referenced);
	uint64_t b = room(group->exclusive, group->max_exclusive);

	return a < b ? a : b;
}

int btrfs_qgroup_nearest(int fd, uint64_t subvolume,
			 struct btrfs_qgroup *nearest)
{
	struct parents all = { .id = { subvolume }, .count = 1 };
	uint64_t least = UINT64_MAX;

	for (unsigned int i = 0; i < all.count; i++) {
		struct btrfs_qgroup group = { .id = all.id[i] };

		int err = search(fd, BTRFS_QGROUP_INFO_KEY, group.id, group.id,
				 take_info, &group);
		if (!err)
			err = search(fd, BTRFS_QGROUP_LIMIT_KEY, group.id,
				     group.id, take_limit, &group);
		if (!err)
			err = search(fd, BTRFS_QGROUP_RELATION_KEY, group.id,
				     group.id, take_parent, &all);
		if (err)
			return err;
		if (group_room(&group) < least) {
			least = group_room(&group);
			*nearest = group;
		}
	}
	return least == UINT64_MAX ? -ENOENT : 0;
}

static void explain_group(const struct place *p, const struct btrfs_qgroup *g,
			  struct verdict *v)
{
	uint64_t number = g->id & ((UINT64_C(1) << LEVEL_SHIFT) - 1);
	bool exclusive = room(g->exclusive, g->max_exclusive) <
			 room(g->referenced, g->max_referenced);
	uint64_t used = exclusive ? g->exclusive : g->referenced;
	uint64_t most = exclusive ? g->max_exclusive : g->max_referenced;
	uint64_t more = most > 64 * MIB ? most : 64 * MIB;

	verdict_set(v, EXHAUST_BTRFS_QGROUP,
		    "quota group %" PRIu64 "/%" PRIu64 " has reached its limit",
		    g->id >> LEVEL_SHIFT, number);
	exhaust_statfs_evidence(p, v);
	verdict_part(v, exclusive ? "exclusive" : "referenced", used, most,
		     "bytes");
	verdict_remedy(v, REMEDY_ONLINE,
		       "btrfs qgroup limit %s%" PRIu64 "M %" PRIu64 "/%" PRIu64
		       " %s",
		       exclusive ? "-e " : "", (most + more) / MIB,
		       g->id >> LEVEL_SHIFT, number, p->q_mount);
}

bool exhaust_qgroup(const struct refusal *r, const struct place *p,
		    struct verdict *v)
{
	int fd = openat(p->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct btrfs_qgroup group = { 0 };
	uint64_t subvolume = 0;
	int err;

	(void)r;
	if (fd < 0)
		return false;
	err = btrfs_subvolume(fd, &subvolume);
	if (!err)
		err = btrfs_qgroup_nearest(fd, subvolume, &group);
	close(fd);
	if (!err) {
		explain_group(p, &group, v);
		return true;
	}
	verdict_set(v, EXHAUST_BTRFS_QGROUP,
		    "a quota group of %.100s has reached its limit", p->mount);
	exhaust_statfs_evidence(p, v);
	verdict_doubt(v, EXHAUST_LIKELY, "the limits could not be read (%s)",
		      strerror(-err));
	if (subvolume)
		verdict_remedy(v, REMEDY_ONLINE,
			       "btrfs qgroup limit none 0/%" PRIu64 " %s",
			       subvolume, p->q_mount);
	return true;
}
