#include "plan.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "directory.h"
#include "forecast.h"
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
	bool to_stdout = o->json && strcmp(o->json, "-") == 0;
	int err;

	if (order_is_observed(&o->order))
		usage_error(o->tool,
			    "--plan needs an order that is known "
			    "beforehand: not %s",
			    o->order_text);
	err = forecast_make(&request, &f);
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
	if (fflush(stdout) != 0)
		return EXIT_FAILED;
	return f.cause == FORECAST_FITS ? EXIT_DONE : EXIT_FULL;
}
