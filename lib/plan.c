#include "plan.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "directory.h"
#include "extfs.h"
#include "forecast.h"
#include "mount_info.h"
#include "output.h"
#include "record_json.h"

#define FORECAST_SCHEMA "bigdir-forecast"
#define FORECAST_SCHEMA_VERSION 1

/* The name that is created at a position. */
static size_t name_at(void *argument, uint64_t position, char buf[256])
{
	const struct options *o = argument;

	return name_make(&o->scheme, o->start + order_at(&o->order, position),
			 buf);
}

static mode_t file_type(enum entry_type type)
{
	static const mode_t types[] = { S_IFREG, S_IFDIR, S_IFLNK, S_IFREG,
					S_IFIFO };

	return types[type];
}

static json_t *known(uint64_t value)
{
	return value == FORECAST_UNKNOWN ? json_null()
					 : json_integer((json_int_t)value);
}

static json_t *supply_json(const struct forecast_supply *s)
{
	return json_pack("{s:o,s:o,s:o}", "needed", known(s->needed),
			 "available", known(s->available), "total",
			 known(s->total));
}

static char *forecast_json(const struct forecast *f, const struct options *o)
{
	json_t *j = json_pack(
		"{s:s,s:i,s:s,s:s,s:s,s:o,s:o,s:b,s:b,s:b,s:s,s:o,s:o,s:o,"
		"s:o,s:o,s:i,s:i,s:o,s:o,s:o,s:o,s:o}",
		"schema", FORECAST_SCHEMA, "schema_version",
		FORECAST_SCHEMA_VERSION, "tool", o->tool->name, "version",
		BIGDIR_VERSION, "file_system", f->fs_name, "count",
		known(f->count), "present", known(f->present), "superblock",
		f->superblock, "exact", f->exact, "all_exact", f->all_exact,
		"cause", forecast_cause_id(f->cause), "at", known(f->at), "low",
		known(f->low), "high", known(f->high), "directory_bytes_now",
		known(f->directory_now), "directory_bytes", known(f->directory),
		"index_levels", (int)f->levels, "index_levels_most",
		(int)f->max_levels, "index_leaves", known(f->leaves), "inodes",
		supply_json(&f->inodes), "blocks", supply_json(&f->blocks),
		"journal_bytes", known(f->journal), "journal_bytes_wanted",
		known(f->journal_wanted));
	char *dump = j ? json_dumps(j, JSON_COMPACT) : NULL;

	json_decref(j);
	return dump;
}

static int keep_json(const struct forecast *f, const struct options *o)
{
	char *json = forecast_json(f, o);
	int fd = record_file_open(o->json);
	int err = !json ? -ENOMEM : fd < 0 ? fd : 0;

	if (!err)
		err = record_file_append(fd, json);
	if (fd >= 0)
		close(fd);
	free(json);
	if (err)
		fprintf(stderr, "%s: cannot append the forecast to %s: %s\n",
			o->tool->name, o->json, strerror(-err));
	return err;
}

/* Why not even the first name would go in, or NULL. */
static const char *refused_at_once(int dir)
{
	struct stat st;
	int flags = 0;

	if (fstat(dir, &st) == 0 && st.st_nlink == 0)
		return "it has been removed";
	if (faccessat(dir, ".", W_OK | X_OK, AT_EACCESS) < 0)
		return strerror(errno);
	if (ioctl(dir, FS_IOC_GETFLAGS, &flags) == 0 &&
	    (flags & FS_IMMUTABLE_FL))
		return "it is immutable (chattr -i lets it change)";
	return NULL;
}

/* What playing names through one after the other cannot know. */
static void refuse_exact(const struct options *o)
{
	if (o->workers > 1)
		usage_error(o->tool,
			    "--plan=exact plays one name after the "
			    "other, and --jobs %u makes several at "
			    "a time: use --plan",
			    o->workers);
	if (o->staged && !o->stage)
		usage_error(o->tool, "--plan=exact cannot know the name of "
				     "the stage in DIR, which is a name in "
				     "its index too: give --stage=DIR, or "
				     "use --plan");
}

/* What the forecast does not reckon with, so that nobody relies on it. */
static void print_cautions(const struct options *o, int dir,
			   const struct forecast *f)
{
	const char *name = o->tool->name;
	struct extfs_facts facts;
	struct mount_info mount;

	if (f->fs == FORECAST_FS_OTHER)
		fprintf(stderr,
			"%s: the limits of this file system (%s) are "
			"not known here\n",
			name, f->fs_name);
	if (extfs_read(dir, &facts) == 0 && facts.bigalloc)
		fprintf(stderr,
			"%s: bigalloc: blocks are reckoned singly and "
			"not by cluster, so they\n"
			"  may run out sooner\n",
			name);
	if (mount_info_read(dir, &mount) == 0 &&
	    strstr(mount.options, "max_dir_size_kb="))
		fprintf(stderr,
			"%s: the mount option max_dir_size_kb is not "
			"reckoned with\n",
			name);
	if (f->fs == FORECAST_FS_XFS)
		fprintf(stderr,
			"%s: free space that is fragmented, or nearly "
			"gone, is not reckoned with\n",
			name);
}

int plan_entries(const struct options *o, const struct creation *c, bool exact)
{
	int dir = directory_open(o->tool, c->path, DIRECTORY_READ);
	struct forecast_request request = {
		.dirfd = dir,
		.count = c->count,
		.name = name_at,
		.arg = (void *)(uintptr_t)o,
		.type = file_type(o->type),
		.links = o->type == TYPE_HARDLINK,
		/* what symbolic links lead to is part of their cost */
		.file_bytes = o->type == TYPE_SYMLINK ? OP_TARGET_LENGTH : 0,
		.exact = exact,
	};
	struct forecast f;
	const char *why;
	bool to_stdout = o->json && strcmp(o->json, "-") == 0;
	int err;

	if (order_is_observed(&o->order))
		usage_error(o->tool,
			    "--plan needs an order that is known "
			    "beforehand: not %s",
			    o->order_text);
	if (exact)
		refuse_exact(o);
	why = refused_at_once(dir);
	if (why) {
		fprintf(stderr, "%s: %s takes no new names: %s\n",
			o->tool->name, c->path, why);
		return EXIT_FAILED;
	}
	err = forecast_make(&request, &f);
	if (!err && !o->quiet)
		print_cautions(o, dir, &f);
	close(dir);
	if (err) {
		fprintf(stderr, "%s: cannot forecast for %s: %s\n",
			o->tool->name, c->path, strerror(-err));
		return EXIT_FAILED;
	}
	if (!o->quiet && !to_stdout)
		forecast_print(stdout, &f);
	if (o->json && keep_json(&f, o) < 0)
		return EXIT_FAILED;
	if (!output_written())
		return EXIT_FAILED;
	return f.cause == FORECAST_FITS ? EXIT_DONE : EXIT_FULL;
}
