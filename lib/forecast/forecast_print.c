/* A forecast as text. */
#include "forecast.h"

#include <inttypes.h>
#include <string.h>
#include <libutil.h>

struct text {
	char s[32];
};

static struct text number(uint64_t n)
{
	struct text digits, out;
	size_t len, at = 0;

	if (n == FORECAST_UNKNOWN)
		return (struct text){ "unknown" };
	len = (size_t)snprintf(digits.s, sizeof(digits.s), "%" PRIu64, n);
	for (size_t i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			out.s[at++] = ',';
		out.s[at++] = digits.s[i];
	}
	out.s[at] = '\0';
	return out;
}

static struct text size(uint64_t bytes)
{
	struct text out;

	if (bytes == FORECAST_UNKNOWN)
		return (struct text){ "unknown" };
	if (bytes > INT64_MAX ||
	    humanize_number(out.s, 8, (int64_t)bytes, "B", HN_AUTOSCALE,
			    HN_DECIMAL | HN_IEC_PREFIXES) < 0)
		return (struct text){ "too many" };
	return out;
}

static const struct {
	const char *id, *name;
} causes[] = {
	[FORECAST_FITS] = { "nothing", "nothing" },
	[FORECAST_INODES] = { "inodes", "inodes" },
	[FORECAST_BLOCKS] = { "blocks", "blocks" },
	[FORECAST_RESERVE] = { "reserved-blocks",
			       "blocks (but for root's reserve)" },
	[FORECAST_INDEX] = { "directory-index", "directory index" },
	[FORECAST_LINKS] = { "subdirectories", "links of the directory" },
	[FORECAST_HARD_LINKS] = { "hard-links", "links to one file" },
	[FORECAST_TMPFS_INODES] = { "tmpfs-inodes",
				    "inodes (mount option nr_inodes)" },
	[FORECAST_XFS_IMAXPCT] = { "xfs-imaxpct", "inodes (imaxpct)" },
	[FORECAST_BTRFS_METADATA] = { "btrfs-metadata", "metadata space" },
};

const char *forecast_cause_id(enum forecast_cause cause)
{
	return causes[cause].id;
}

const char *forecast_cause_name(enum forecast_cause cause)
{
	return causes[cause].name;
}

static void print_verdict(FILE *out, const struct forecast *f)
{
	if (f->cause == FORECAST_FITS) {
		fprintf(out, "  %-12s nothing: all names go in\n", "runs out");
		return;
	}
	fprintf(out, "  %-12s %s, after %s names\n", "runs out",
		forecast_cause_name(f->cause), number(f->at).s);
	if (f->low != f->high)
		fprintf(out, "  %-12s between %s and %s\n", "",
			number(f->low).s, number(f->high).s);
}

static void print_directory(FILE *out, const struct forecast *f)
{
	fprintf(out, "  %-12s %s now", "directory", number(f->directory_now).s);
	if (f->directory != FORECAST_UNKNOWN)
		fprintf(out, ", %s bytes then (%s)", number(f->directory).s,
			size(f->directory).s);
	fputc('\n', out);
	if (f->fs != FORECAST_FS_EXT)
		return;
	if (f->max_levels == 0)
		fprintf(out, "  %-12s none: every name is searched for\n",
			"index");
	else if (f->levels)
		fprintf(out, "  %-12s %u of %u levels over %s leaves\n",
			"index", f->levels, f->max_levels, number(f->leaves).s);
}

static void print_supply(FILE *out, const char *what,
			 const struct forecast_supply *s)
{
	fprintf(out, "  %-12s %s needed", what, number(s->needed).s);
	if (s->available == FORECAST_UNKNOWN)
		fprintf(out, ", not counted here\n");
	else
		fprintf(out, ", %s to be had of %s\n", number(s->available).s,
			number(s->total).s);
}

static void print_source(FILE *out, const struct forecast *f)
{
	fprintf(out, "  %-12s %s; ", "by",
		f->exact ? "playing every name through" : "formula");
	if (f->superblock)
		fprintf(out, "super block and statvfs\n");
	else if (f->superblock_error)
		fprintf(out, "statvfs and defaults\n  %-12s (%s: %s)\n", "",
			"super block not read", strerror(-f->superblock_error));
	else
		fprintf(out, "statvfs\n");
}

void forecast_print(FILE *out, const struct forecast *f)
{
	uint64_t each = (uint64_t)f->dentry_bytes + f->inode_bytes;

	fprintf(out, "forecast for %s names of %.1f bytes on %s\n",
		number(f->count).s, f->mean_name, f->fs_name);
	print_verdict(out, f);
	if (f->present)
		fprintf(out, "  %-12s %s names\n", "present",
			number(f->present).s);
	print_directory(out, f);
	print_supply(out, "inodes", &f->inodes);
	if (f->blocks.needed != FORECAST_UNKNOWN)
		print_supply(out, "blocks", &f->blocks);
	if (f->journal_wanted != FORECAST_UNKNOWN &&
	    f->journal != FORECAST_UNKNOWN && f->journal)
		fprintf(out, "  %-12s %s; %s asked for, %s\n", "journal",
			size(f->journal).s, size(f->journal_wanted).s,
			"4 x (directory + inode table)");
	fprintf(out, "  %-12s %s for %u B of dentry, %u B of inode each%s\n",
		"memory", size(each * f->at).s, f->dentry_bytes, f->inode_bytes,
		f->slab_read ? "" : " (usual)");
	print_source(out, f);
}
