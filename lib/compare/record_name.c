#include "record_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

/* --- text that grows ----------------------------------------------------- */

struct growing {
	FILE *f;
	char *text;
	size_t length;
};

static bool begin(struct growing *g)
{
	g->text = NULL;
	g->f = open_memstream(&g->text, &g->length);
	return g->f != NULL;
}

static char *finish(struct growing *g)
{
	bool failed = ferror(g->f);

	if (fclose(g->f) == 0 && !failed)
		return g->text;
	free(g->text);
	return NULL;
}

static const char *string_or(const json_t *record, const char *path,
			     const char *otherwise)
{
	const char *s = record_string_at(record, path);

	return s ? s : otherwise;
}

/* --- file system and machine --------------------------------------------- */

static void print_ext(FILE *f, const json_t *ext)
{
	static const char *const features[] = {
		"dir_index",   "large_dir", "metadata_csum",
		"inline_data", "extents",   "bigalloc",
	};
	double journal = record_number_at(ext, "journal_bytes", 0);
	char text[NUMBER_TEXT];

	if (!json_is_object(ext))
		return;
	fprintf(f, "; journal %s",
		journal > 0 ? number_bytes(text, (uint64_t)journal) : "none");
	fprintf(f, ", blocks of %s",
		number_bytes(text,
			     (uint64_t)record_number_at(ext, "block_size", 0)));
	fprintf(f, ", inodes of %.0f B",
		record_number_at(ext, "inode_size", 0));
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		if (json_is_true(record_at(ext, features[i])))
			fprintf(f, ", %s", features[i]);
}

char *record_file_system(const struct read_record *r)
{
	const json_t *fs = json_object_get(r->json, "file_system");
	const char *source = record_string_at(fs, "source");
	double blocks = record_number_at(r->json, "space_before.blocks", 0);
	double size = record_number_at(r->json, "space_before.block_size", 0);
	char text[NUMBER_TEXT];
	struct growing g;

	if (!begin(&g))
		return NULL;
	fprintf(g.f, "%s", string_or(fs, "type", "unknown file system"));
	if (source)
		fprintf(g.f, " on %s", source);
	if (record_string_at(fs, "device.backing_file"))
		fprintf(g.f, ", a file on %s",
			string_or(fs, "device.backing_file_system", "another"));
	else if (record_string_at(fs, "device.model"))
		fprintf(g.f, ", %s", record_string_at(fs, "device.model"));
	fprintf(g.f, "; %s; %s", number_bytes(text, (uint64_t)(blocks * size)),
		string_or(fs, "options", "mount options unknown"));
	print_ext(g.f, json_object_get(fs, "ext"));
	return finish(&g);
}

char *record_machine(const struct read_record *r)
{
	const json_t *host = json_object_get(r->json, "host");
	double memory = record_number_at(host, "memory_bytes", 0);
	double limit = record_number_at(host, "memory_limit_bytes", 0);
	char text[NUMBER_TEXT];
	struct growing g;

	if (!begin(&g))
		return NULL;
	fprintf(g.f, "%s on %s, %.0f x %s, %s of memory",
		string_or(host, "kernel", "unknown kernel"),
		string_or(host, "machine", "unknown machine"),
		record_number_at(host, "cpus", 0),
		string_or(host, "cpu", "unknown CPU"),
		memory > 0 ? number_bytes(text, (uint64_t)memory) : "?");
	if (limit > 0)
		fprintf(g.f, " (limited to %s)",
			number_bytes(text, (uint64_t)limit));
	fprintf(g.f, "; host %s", string_or(host, "name", "unknown"));
	return finish(&g);
}

/* --- the variant --------------------------------------------------------- */

/* A file system made anew may come on another loop device each time. */
static char *variant_by_default(const struct read_record *r)
{
	const json_t *fs = json_object_get(r->json, "file_system");
	const char *label = record_string_at(r->json, "labels.variant");
	struct growing g;

	if (label)
		return strdup(label);
	if (!begin(&g))
		return NULL;
	fprintf(g.f, "%s", string_or(fs, "type", "unknown file system"));
	if (!record_string_at(fs, "device.backing_file"))
		fprintf(g.f, " on %s", string_or(fs, "source", "unknown"));
	fprintf(g.f, " (%s)", string_or(fs, "options", "options unknown"));
	print_ext(g.f, json_object_get(fs, "ext"));
	return finish(&g);
}

char *record_variant_name(const struct read_record *r, const char *const *by)
{
	struct growing g;
	bool enough = true;

	if (!by || !*by)
		return variant_by_default(r);
	if (!begin(&g))
		return NULL;
	for (size_t i = 0; by[i]; i++) {
		char *value = record_key(r, by[i]);

		enough = enough && value;
		fprintf(g.f, "%s%s=%s", i ? ", " : "", by[i],
			value ? value : "");
		free(value);
	}
	if (enough)
		return finish(&g);
	free(finish(&g));
	return NULL;
}

/* --- the phase ----------------------------------------------------------- */

/* Whether variants are told apart by this part of the plan: phases must not
 * be, or no variant would share a phase with another. */
static bool is_by(const char *const *by, const char *path)
{
	const char *last = strrchr(path, '.');

	for (; by && *by; by++)
		if (strcmp(*by, path) == 0 ||
		    (last && strcmp(*by, last + 1) == 0))
			return true;
	return false;
}

/* A cache has many kinds of operations; what it is tells more. */
static void print_cache(FILE *f, const json_t *cache, const char *const *by)
{
	static const char *const parts[] = { "policy", "popularity" };
	double capacity = record_number_at(cache, "capacity", 0);
	double rate = record_number_at(cache, "open_loop.rate_per_s", 0);
	char text[NUMBER_TEXT];

	fprintf(f, "cache of %s", number_grouped(text, (uint64_t)capacity));
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		char path[32];

		snprintf(path, sizeof(path), "churn.%s", parts[i]);
		if (!is_by(by, path))
			fprintf(f, ", %s", string_or(cache, parts[i], "?"));
	}
	if (json_is_object(record_at(cache, "ramp")))
		fprintf(f, ", ramp");
	else if (rate > 0)
		fprintf(f, ", %s per s", number_rate(text, rate));
}

static void print_operations(FILE *f, const json_t *record)
{
	const json_t *operations = record_at(record, "operations");

	for (size_t i = 0; i < json_array_size(operations); i++)
		fprintf(f, "%s%s", i ? "+" : "",
			string_or(json_array_get(operations, i), "operation",
				  "?"));
}

static void print_count(FILE *f, const json_t *record)
{
	double count = record_number_at(record, "plan.count", 0);
	char text[NUMBER_TEXT];

	if (count > 0)
		fprintf(f, " %s", number_grouped(text, (uint64_t)count));
}

/* What is not the default, in the plan's own words. */
static void print_plan(FILE *f, const json_t *record, const char *const *by)
{
	static const struct {
		const char *path, *usual, *what;
	} words[] = {
		{ "plan.type", "file", "type" },
		{ "plan.name", "hex", "names" },
		{ "plan.fsync", "end", "fsync" },
	};
	static const struct {
		const char *path, *what;
		double usual;
	} numbers[] = {
		{ "plan.workers", "workers", 1 },
		{ "plan.passes", "passes", 1 },
		{ "plan.stage_batch", "stage batch", 1 },
		{ "plan.window", "window", 0 },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *value = record_string_at(record, words[i].path);

		/* the keys of a cache are hashes */
		if (value && strcmp(value, words[i].usual) != 0 &&
		    !(record_at(record, "churn") &&
		      strcmp(value, "hash") == 0) &&
		    !is_by(by, words[i].path))
			fprintf(f, ", %s %s", words[i].what, value);
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		double value = record_number_at(record, numbers[i].path,
						numbers[i].usual);

		if (value != numbers[i].usual && !is_by(by, numbers[i].path))
			fprintf(f, ", %s %.0f", numbers[i].what, value);
	}
}

char *record_phase_name(const struct read_record *r, const char *const *by)
{
	const char *label = record_string_at(r->json, "labels.phase");
	struct growing g;

	if (label && !is_by(by, "labels.phase"))
		return strdup(label);
	if (!begin(&g))
		return NULL;
	if (record_at(r->json, "churn"))
		print_cache(g.f, record_at(r->json, "churn"), by);
	else
		print_operations(g.f, r->json);
	if (!is_by(by, "plan.count"))
		print_count(g.f, r->json);
	/* that of a command is its own, and a cache has none */
	if (!record_at(r->json, "command") && !record_at(r->json, "churn") &&
	    !is_by(by, "plan.order"))
		fprintf(g.f, ", %s", string_or(r->json, "plan.order", "?"));
	print_plan(g.f, r->json, by);
	if (!is_by(by, "tool"))
		fprintf(g.f, " (%s)", string_or(r->json, "tool", "?"));
	return finish(&g);
}
