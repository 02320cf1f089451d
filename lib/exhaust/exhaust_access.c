/*
 * Errors that no room would cure: permissions, flags, names that exist or do
 * not, descriptors, memory. Each has a sentence and a next step.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "exhaust_family.h"
#include "exhaust_verdict.h"

static bool is(const struct refusal *r, const char *operation)
{
	return strcmp(r->operation, operation) == 0;
}

static bool removes(const struct refusal *r)
{
	return is(r, "unlink") || is(r, "rmdir") || is(r, "rename");
}

static void show_owner(const struct place *p, struct verdict *v)
{
	verdict_text(v, "directory", "%.110s", p->path);
	if (p->stat_known)
		verdict_text(v, "mode and owner", "%04o, user %u, group %u",
			     p->st.st_mode & 07777u, p->st.st_uid,
			     p->st.st_gid);
	verdict_text(v, "this process", "user %u, group %u", geteuid(),
		     getegid());
}

static bool flagged(const struct refusal *r, const struct place *p,
		    struct verdict *v)
{
	if (!p->flags_known)
		return false;
	if (p->inode_flags & FS_IMMUTABLE_FL) {
		verdict_set(v, EXHAUST_IMMUTABLE,
			    "the directory is marked immutable");
		verdict_remedy(v, REMEDY_ONLINE, "chattr -i %s", p->q_path);
	} else if (p->inode_flags & FS_APPEND_FL && removes(r)) {
		verdict_set(v, EXHAUST_APPEND_ONLY,
			    "the directory is marked append-only: names may "
			    "be added, not removed");
		verdict_remedy(v, REMEDY_ONLINE, "chattr -a %s", p->q_path);
	} else {
		return false;
	}
	show_owner(p, v);
	return true;
}

static bool cannot_write(const struct place *p, struct verdict *v)
{
	if (faccessat(p->fd, ".", W_OK | X_OK, AT_EACCESS) == 0)
		return false;
	verdict_set(v, EXHAUST_PERMISSION,
		    "this process may not write to the directory");
	show_owner(p, v);
	if (p->stat_known && p->st.st_uid == geteuid())
		verdict_remedy(v, REMEDY_ONLINE, "chmod u+wx %s", p->q_path);
	else
		verdict_remedy(v, REMEDY_ONLINE, "chown %u %s", geteuid(),
			       p->q_path);
	return true;
}

static bool source_protected(const struct refusal *r, struct verdict *v)
{
	char line[8];

	if (!is(r, "link") ||
	    !place_read_line("/proc/sys/fs/protected_hardlinks", line,
			     sizeof(line)) ||
	    line[0] != '1' || geteuid() == 0)
		return false;
	verdict_set(v, EXHAUST_PERMISSION,
		    "only the owner of a file may link to it here");
	verdict_text(v, "fs.protected_hardlinks", "%s", line);
	verdict_remedy(v, REMEDY_ONLINE, "sysctl fs.protected_hardlinks=0");
	return true;
}

static void denied_otherwise(const struct refusal *r, const struct place *p,
			     struct verdict *v)
{
	if (removes(r) && p->st.st_mode & S_ISVTX) {
		verdict_set(v, EXHAUST_PERMISSION,
			    "in a sticky directory only the owner may remove "
			    "a name");
		verdict_remedy(v, REMEDY_ONLINE, "chmod -t %s", p->q_path);
	} else if (r->err == EPERM &&
		   (is(r, "link") || is(r, "symlink") || is(r, "mknod"))) {
		verdict_set(v, EXHAUST_UNSUPPORTED,
			    "%s is not for this process or not for %.30s",
			    r->operation, p->type);
		verdict_doubt(v, EXHAUST_LIKELY,
			      "the directory itself may be written");
		verdict_advise(v, "Make names of another kind, or run as "
				  "root.");
	} else {
		verdict_set(v, EXHAUST_PERMISSION, "%s is not permitted",
			    r->operation);
		verdict_doubt(v, EXHAUST_GUESS,
			      "mode and flags of the directory allow it; a "
			      "security module or the file's own mode may not");
		verdict_advise(v, "ls -lZd, lsattr -d and dmesg may say who "
				  "forbids it.");
	}
	show_owner(p, v);
}

static bool denied(const struct refusal *r, const struct place *p,
		   struct verdict *v)
{
	if (!flagged(r, p, v) && !cannot_write(p, v) && !source_protected(r, v))
		denied_otherwise(r, p, v);
	return true;
}

static bool missing(const struct refusal *r, const struct place *p,
		    struct verdict *v)
{
	if (p->stat_known && p->st.st_nlink == 0) {
		verdict_set(v, EXHAUST_DIR_REMOVED,
			    "the directory itself has been removed");
		verdict_text(v, "directory", "%.110s", p->path);
		verdict_number(v, "links to the directory", 0, "");
		verdict_advise(v, "Make it again and start over: nothing can "
				  "be put into a removed directory.");
		return true;
	}
	verdict_set(v, EXHAUST_MISSING, "%s",
		    removes(r) || is(r, "lookup")
			    ? "the name does not exist"
		    : is(r, "link") ? "the file to link to does not exist"
				    : "a part of the path does not exist");
	verdict_text(v, "name", "%.110s", r->name ? r->name : "");
	verdict_advise(v, "Another process may be removing names here; see "
			  "that the same naming made them.");
	return true;
}

static bool exists(const struct refusal *r, struct verdict *v)
{
	verdict_set(v, EXHAUST_EXISTS, "the name exists already");
	verdict_text(v, "name", "%.110s", r->name ? r->name : "");
	verdict_advise(v, "Start at a later index, use another name scheme or "
			  "an empty directory.");
	return true;
}

static bool no_descriptors(const struct refusal *r, struct verdict *v)
{
	struct rlimit limit = { 0 };
	uint64_t next;

	if (r->err == ENFILE) {
		char line[64];

		verdict_set(v, EXHAUST_OPEN_FILES,
			    "the whole system has as many files open as it "
			    "may");
		if (place_read_line("/proc/sys/fs/file-nr", line, sizeof(line)))
			verdict_text(v, "fs.file-nr", "%.60s", line);
		verdict_remedy(v, REMEDY_ONLINE,
			       "sysctl fs.file-max=$(($(sysctl -n fs.file-max) "
			       "* 2))");
		return true;
	}
	getrlimit(RLIMIT_NOFILE, &limit);
	verdict_set(v, EXHAUST_OPEN_FILES,
		    "this process has as many files open as it may");
	verdict_number(v, "limit", (uint64_t)limit.rlim_cur, "descriptors");
	verdict_number(v, "hard limit", (uint64_t)limit.rlim_max,
		       "descriptors");
	next = limit.rlim_cur > 256 ? (uint64_t)limit.rlim_cur * 4 : 1024;
	/* without -S or -H it sets both limits, which root may also raise */
	verdict_remedy(v, REMEDY_ONLINE, "ulimit -n %" PRIu64, next);
	return true;
}

static bool no_memory(struct verdict *v)
{
	verdict_set(v, EXHAUST_MEMORY,
		    "the kernel has no memory for it, by a limit of the "
		    "control group or of the machine");
	verdict_doubt(v, EXHAUST_LIKELY, "which of the two is not known");
	verdict_advise(v, "Raise memory.max of the control group, or drop "
			  "unused entries: sync; sysctl vm.drop_caches=2");
	return true;
}

static bool stale(const struct place *p, struct verdict *v)
{
	verdict_set(v, EXHAUST_STALE,
		    "the directory is gone from the server or its file system "
		    "was replaced");
	verdict_text(v, "directory", "%.110s", p->path);
	verdict_advise(v, "Mount it again and open the directory anew.");
	return true;
}

/* Those that need no look at anything. */
static bool by_sentence(const struct refusal *r, struct verdict *v)
{
	static const struct {
		int err;
		enum exhaust_cause cause;
		const char *summary, *advice;
	} table[] = {
		{ ENOTDIR, EXHAUST_NOT_DIRECTORY,
		  "a part of the path is not a directory",
		  "Look at each part of the path with namei -l." },
		{ EISDIR, EXHAUST_NOT_DIRECTORY,
		  "the name is a directory's, where a file's was expected",
		  "Remove directories with rmdir, not unlink." },
		{ ENOTEMPTY, EXHAUST_NOT_EMPTY, "the directory is not empty",
		  "Remove what is in it first." },
		{ EXDEV, EXHAUST_OTHER_FS,
		  "source and target are on different file systems, mounts or "
		  "projects",
		  "Keep both on one mount; a directory that hands down a "
		  "project takes only files of that project." },
		{ EBUSY, EXHAUST_BUSY,
		  "the name is in use, as a mount point "
		  "or by the kernel",
		  "findmnt shows what is mounted there." },
		{ EINVAL, EXHAUST_NAME_INVALID,
		  "this file system does not take such a name or operation",
		  "Use plain names of letters and digits." },
		{ EILSEQ, EXHAUST_NAME_INVALID,
		  "the name is not valid in the file system's encoding",
		  "Use names in UTF-8." },
		{ ENOKEY, EXHAUST_KEY_MISSING,
		  "the directory is encrypted and its key is not loaded",
		  "Unlock it first (fscrypt unlock DIRECTORY)." },
		{ EOPNOTSUPP, EXHAUST_UNSUPPORTED,
		  "this file system does not know the operation",
		  "Choose another way or another file system." },
		{ ENOSYS, EXHAUST_UNSUPPORTED,
		  "this file system or kernel does not know the operation",
		  "Choose another way or another file system." },
		{ ELOOP, EXHAUST_NOT_DIRECTORY,
		  "too many symbolic links, or one where none may be",
		  "Look at each part of the path with namei -l." },
		{ EOVERFLOW, EXHAUST_UNSUPPORTED,
		  "user or group of this process has no number on this mount",
		  "Map them in the user namespace or the id-mapped mount." },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (table[i].err != r->err)
			continue;
		verdict_set(v, table[i].cause, "%s", table[i].summary);
		verdict_text(v, "name", "%.110s", r->name ? r->name : "");
		verdict_advise(v, "%s", table[i].advice);
		return true;
	}
	return false;
}

bool exhaust_access(const struct refusal *r, const struct place *p,
		    struct verdict *v)
{
	switch (r->err) {
	case EACCES:
	case EPERM:
		return denied(r, p, v);
	case ENOENT:
		return missing(r, p, v);
	case EEXIST:
		return exists(r, v);
	case EMFILE:
	case ENFILE:
		return no_descriptors(r, v);
	case ENOMEM:
		return no_memory(v);
	case ESTALE:
		return stale(p, v);
	default:
		return by_sentence(r, v);
	}
}
