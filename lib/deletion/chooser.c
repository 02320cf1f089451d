#include "chooser.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "block.h"
#include "dirents.h"

/* Entries that a worker takes at once where two go side by side through a
 * sorted window: enough for each to stay in blocks of inodes of its own. */
#define SORTED_BLOCK 1024

/* Workers that one directory can keep busy: while one holds it, another frees
 * the inode of what it has unlinked. A third only waits. */
#define SIDE_BY_SIDE 2

/* Reads of the directory that are looked at. */
#define LOOKS 2

/* Whether a second worker helps. */
enum second {
	SECOND_HELPS,
	SECOND_SLOWS,
	SECOND_WAITS, /* a client of NFS holds the directory until the server
		       * has answered: no second call is under way */
	SECOND_UNKNOWN,
};

/* What is known to help, and where; measured with scripts/race-delete, and on
 * NFS with the lab's delete-race. */
struct rule {
	uint64_t file_system;
	const char *name;
	bool sort; /* where names come in another order than inodes */
	enum second second;
	bool look_ahead; /* inodes that are not in memory are waited for */
};

static const struct rule rules[] = {
	{ TMPFS_MAGIC, "tmpfs", false, SECOND_HELPS, false },
	{ EXT4_SUPER_MAGIC, "ext4", true, SECOND_HELPS, false },
	{ XFS_SUPER_MAGIC, "xfs", true, SECOND_SLOWS, true },
	{ BTRFS_SUPER_MAGIC, "btrfs", true, SECOND_SLOWS, true },
	{ NFS_SUPER_MAGIC, "nfs", true, SECOND_WAITS, false },
};

static const struct rule unknown = { 0, "this file system", true,
				     SECOND_UNKNOWN, false };

static const struct rule *rule_of(uint64_t file_system)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].file_system == file_system)
			return &rules[i];
	return &unknown;
}

/* Names come in the order of their inodes already, if most do. */
static bool is_ordered(const struct chooser_facts *f)
{
	return f->near * 2 > f->pairs;
}

static const char *why_order(const struct rule *rule, bool by_inode, bool few)
{
	if (!rule->sort)
		return "has no inodes to be read";
	if (few)
		return "may return the names of subdirectories in any order";
	if (by_inode)
		return "returns names far from the order of their inodes";
	return "returns names in the order of their inodes";
}

static const char *why_workers(const struct rule *rule,
			       const struct chooser_facts *f)
{
	static const char *const why[] = {
		[SECOND_HELPS] = ", and frees them beside the next unlink",
		[SECOND_SLOWS] = ", and a second worker slows it down",
		[SECOND_WAITS] = ", and a second worker would only wait",
		[SECOND_UNKNOWN] = ", and one worker is safe anywhere",
	};

	if (f->gentle)
		return ", and one worker is gentler than two";
	return f->processors > 1 ? why[rule->second] : "";
}

void choose(const struct chooser_facts *f, struct choice *c)
{
	const struct rule *rule = rule_of(f->file_system);
	bool few = f->whole && f->entries < CHOOSER_FEW;

	c->by_inode = false;
	c->workers = 1;
	c->look_ahead = false;
	c->block = BLOCK_ENTRIES;
	if (few && !f->deep) {
		snprintf(c->reason, sizeof(c->reason),
			 "so few entries that it does not matter");
		return;
	}
	c->look_ahead = rule->look_ahead && !f->gentle;
	c->by_inode = rule->sort && (few || !is_ordered(f));
	if (rule->second == SECOND_HELPS && f->processors > 1 && !f->gentle) {
		c->workers = SIDE_BY_SIDE;
		c->block = c->by_inode ? SORTED_BLOCK : BLOCK_ENTRIES;
	}
	snprintf(c->reason, sizeof(c->reason), "%s %s%s", rule->name,
		 why_order(rule, c->by_inode, few), why_workers(rule, f));
}

static void look_at(struct chooser_facts *f, const struct dirent_entry *e,
		    uint64_t *last)
{
	if (e->type == DT_DIR) {
		f->directories++;
		return;
	}
	if (f->entries++ > 0) {
		f->pairs++;
		f->near += e->inode > *last && e->inode - *last <= CHOOSER_NEAR;
	}
	*last = e->inode;
}

int chooser_look(int dir, struct chooser_facts *f)
{
	struct dirent_entry e;
	struct dirents d;
	struct statfs fs;
	cpu_set_t cpus;
	uint64_t last = 0;
	long got = 0;
	int fd, err;

	memset(f, 0, sizeof(*f));
	f->processors = 1;
	if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0)
		f->processors = (unsigned int)CPU_COUNT(&cpus);
	if (fstatfs(dir, &fs) < 0)
		return -errno;
	f->file_system = (uint64_t)fs.f_type;
	fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = dirents_open(&d, fd);
	dirents_prime(&d); /* what it reads is cached, for the deletion too */
	for (int i = 0; !err && i < LOOKS; i++) {
		got = dirents_read(&d);
		if (got <= 0)
			break;
		while (dirents_buffered(&d, &e))
			look_at(f, &e, &last);
	}
	f->whole = got == 0;
	dirents_close(&d);
	close(fd);
	return err ? err : got < 0 ? (int)got : 0;
}
