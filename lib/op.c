#include "op.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h> /* renameat2() */
#include <sys/stat.h>
#include <unistd.h>

#include "selection.h"

#define SYMLINK_TARGET "bigdir"
_Static_assert(sizeof(SYMLINK_TARGET) - 1 == OP_TARGET_LENGTH,
	       "the length that others reckon with");

static int result(int rc)
{
	return rc < 0 ? errno : 0;
}

/* --- create -------------------------------------------------------------- */

static int create_open(const struct place *p, const char *name,
		       const char *to __attribute__((unused)))
{
	int err = 0;
	int fd = openat(p->dir, name,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC |
				O_NOCTTY,
			p->mode);

	if (fd < 0)
		return errno;
	if ((p->durability == DURABLE_FILE || p->durability == DURABLE_DIR) &&
	    fsync(fd) < 0)
		err = errno;
	if (close(fd) < 0 && !err)
		err = errno;
	return err;
}

static int create_mknod(const struct place *p, const char *name,
			const char *to __attribute__((unused)))
{
	return result(mknodat(p->dir, name, S_IFREG | p->mode, 0));
}

static int create_dir(const struct place *p, const char *name,
		      const char *to __attribute__((unused)))
{
	return result(mkdirat(p->dir, name, p->mode));
}

static int create_symlink(const struct place *p, const char *name,
			  const char *to __attribute__((unused)))
{
	return result(symlinkat(SYMLINK_TARGET, p->dir, name));
}

static int create_hardlink(const struct place *p, const char *name,
			   const char *to __attribute__((unused)))
{
	return result(linkat(AT_FDCWD, p->link_source, p->dir, name,
			     AT_SYMLINK_FOLLOW));
}

static int create_fifo(const struct place *p, const char *name,
		       const char *to __attribute__((unused)))
{
	return result(mknodat(p->dir, name, S_IFIFO | p->mode, 0));
}

/* --- delete -------------------------------------------------------------- */

static int remove_file(const struct place *p, const char *name,
		       const char *to __attribute__((unused)))
{
	return result(unlinkat(p->dir, name, 0));
}

/* What may go is judged by what has the name now, not when it was read. */
static int remove_selected(const struct place *p, const char *name,
			   const char *to __attribute__((unused)))
{
	struct stat st;

	if (fstatat(p->dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno;
	if (S_ISDIR(st.st_mode) ||
	    !selection_time(p->selection, name, &st.st_mtim))
		return OP_KEPT;
	return result(unlinkat(p->dir, name, 0));
}

static int remove_dir(const struct place *p, const char *name,
		      const char *to __attribute__((unused)))
{
	return result(unlinkat(p->dir, name, AT_REMOVEDIR));
}

/* --- rename -------------------------------------------------------------- */

static int rename_new(const struct place *p, const char *name, const char *to)
{
	return result(renameat2(p->dir, name, p->to_dir, to, RENAME_NOREPLACE));
}

static int rename_over(const struct place *p, const char *name, const char *to)
{
	return result(renameat(p->dir, name, p->to_dir, to));
}

static int exchange(const struct place *p, const char *name, const char *to)
{
	return result(renameat2(p->dir, name, p->to_dir, to, RENAME_EXCHANGE));
}

/* --- look up ------------------------------------------------------------- */

static int lookup_stat(const struct place *p, const char *name,
		       const char *to __attribute__((unused)))
{
	struct stat st;

	return result(fstatat(p->dir, name, &st, AT_SYMLINK_NOFOLLOW));
}

static int lookup_open(const struct place *p, const char *name,
		       const char *to __attribute__((unused)))
{
	/* O_NONBLOCK: a fifo without a writer must not hold us up */
	int fd = openat(p->dir, name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC |
				O_NOCTTY);

	if (fd < 0)
		return errno;
	return result(close(fd));
}

static int lookup_access(const struct place *p, const char *name,
			 const char *to __attribute__((unused)))
{
	return result(faccessat(p->dir, name, F_OK, AT_SYMLINK_NOFOLLOW));
}

static int lookup_statx(const struct place *p, const char *name,
			const char *to __attribute__((unused)))
{
	struct statx st;

	return result(statx(p->dir, name, AT_SYMLINK_NOFOLLOW,
			    STATX_TYPE | STATX_INO, &st));
}

static int missing(int err)
{
	return err == ENOENT ? 0 : err == 0 ? EEXIST : err;
}

static int missing_stat(const struct place *p, const char *name, const char *to)
{
	return missing(lookup_stat(p, name, to));
}

static int missing_open(const struct place *p, const char *name, const char *to)
{
	return missing(lookup_open(p, name, to));
}

static int missing_access(const struct place *p, const char *name,
			  const char *to)
{
	return missing(lookup_access(p, name, to));
}

static int missing_statx(const struct place *p, const char *name,
			 const char *to)
{
	return missing(lookup_statx(p, name, to));
}

#define OPERATION(symbol, name, did, kind, run, two)                           \
	const struct operation symbol = { name, did, kind, run, two }

OPERATION(op_create_open, "create", "created", "create", create_open, false);
OPERATION(op_create_mknod, "mknod", "made", "mknod", create_mknod, false);
OPERATION(op_create_dir, "mkdir", "made", "mkdir", create_dir, false);
OPERATION(op_create_symlink, "symlink", "made", "symlink", create_symlink,
	  false);
OPERATION(op_create_hardlink, "link", "linked", "link", create_hardlink, false);
OPERATION(op_create_fifo, "mkfifo", "made", "mknod", create_fifo, false);
OPERATION(op_unlink, "unlink", "deleted", "unlink", remove_file, false);
OPERATION(op_unlink_selected, "unlink", "deleted", "unlink", remove_selected,
	  false);
OPERATION(op_rmdir, "rmdir", "removed", "rmdir", remove_dir, false);
OPERATION(op_rename, "rename", "renamed", "rename", rename_new, true);
OPERATION(op_rename_over, "rename-over", "renamed", "rename", rename_over,
	  true);
OPERATION(op_exchange, "exchange", "exchanged", "rename", exchange, true);
OPERATION(op_stat, "stat", "looked up", "lookup", lookup_stat, false);
OPERATION(op_open, "open", "opened", "lookup", lookup_open, false);
OPERATION(op_access, "access", "looked up", "lookup", lookup_access, false);
OPERATION(op_statx, "statx", "looked up", "lookup", lookup_statx, false);
OPERATION(op_stat_missing, "stat-missing", "looked up", "lookup", missing_stat,
	  false);
OPERATION(op_open_missing, "open-missing", "looked up", "lookup", missing_open,
	  false);
OPERATION(op_access_missing, "access-missing", "looked up", "lookup",
	  missing_access, false);
OPERATION(op_statx_missing, "statx-missing", "looked up", "lookup",
	  missing_statx, false);
