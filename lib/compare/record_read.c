#include "record_read.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "record_json.h"

#define WHY 256

/* --- looking into a record ----------------------------------------------- */

static const json_t *member(const json_t *j, const char *key, size_t length)
{
	if (json_is_object(j))
		return json_object_getn(j, key, length);
	if (json_is_array(j) && length > 0 &&
	    strspn(key, "0123456789") == length)
		return json_array_get(j, strtoul(key, NULL, 10));
	return NULL;
}

const json_t *record_at(const json_t *record, const char *path)
{
	const json_t *found = member(record, path, strlen(path));

	if (found)
		return found;
	for (const char *dot = strchr(path, '.'); dot;
	     dot = strchr(dot + 1, '.')) {
		const json_t *inner =
			member(record, path, (size_t)(dot - path));

		found = inner ? record_at(inner, dot + 1) : NULL;
		if (found)
			return found;
	}
	return NULL;
}

const char *record_string_at(const json_t *record, const char *path)
{
	return json_string_value(record_at(record, path));
}

double record_number_at(const json_t *record, const char *path,
			double otherwise)
{
	const json_t *j = record_at(record, path);

	return json_is_number(j) ? json_number_value(j) : otherwise;
}

/* What a key leads to, other than the file. */
static const json_t *value_of(const struct read_record *r, const char *key)
{
	const json_t *j =
		json_object_get(json_object_get(r->json, "labels"), key);

	return j || strcmp(key, "file") == 0 ? j : record_at(r->json, key);
}

bool record_has_key(const struct read_record *r, const char *key)
{
	return value_of(r, key) != NULL;
}

char *record_key(const struct read_record *r, const char *key)
{
	const json_t *j = value_of(r, key);

	if (!j && strcmp(key, "file") == 0)
		return strdup(r->file);
	if (!j || json_is_null(j))
		return strdup("none");
	if (json_is_string(j))
		return strdup(json_string_value(j));
	return json_dumps(j, JSON_COMPACT | JSON_ENCODE_ANY |
				     JSON_REAL_PRECISION(9));
}

/* --- what makes a record ------------------------------------------------- */

static const struct {
	const char *path;
	json_type type;
} needed[] = {
	{ "tool", JSON_STRING },
	{ "labels", JSON_OBJECT },
	{ "outcome", JSON_OBJECT },
	{ "outcome.end", JSON_STRING },
	{ "outcome.exit_code", JSON_INTEGER },
	{ "plan", JSON_OBJECT },
	{ "host", JSON_OBJECT },
	{ "file_system", JSON_OBJECT },
	{ "space_before", JSON_OBJECT },
	{ "space_after", JSON_OBJECT },
	{ "time", JSON_OBJECT },
	{ "time.real_s", JSON_REAL },
	{ "time.user_s", JSON_REAL },
	{ "time.sys_s", JSON_REAL },
	{ "operations", JSON_ARRAY },
	{ "operations.0.operation", JSON_STRING },
};

static bool has_type(const json_t *j, json_type type)
{
	if (type == JSON_REAL)
		return json_is_number(j);
	return j && json_typeof(j) == type;
}

/* Why it is none that we could use: true, and the reason in `why`. */
static bool unusable(const json_t *j, char why[WHY])
{
	const char *schema = record_string_at(j, "schema");
	const json_t *version = json_object_get(j, "schema_version");

	if (!schema || strcmp(schema, RECORD_SCHEMA) != 0) {
		snprintf(why, WHY, "no %s", RECORD_SCHEMA);
		return true;
	}
	if (!json_is_integer(version) ||
	    json_integer_value(version) != RECORD_SCHEMA_VERSION) {
		snprintf(why, WHY,
			 "a %s of another version (%lld) than this program "
			 "knows (%d)",
			 RECORD_SCHEMA, (long long)json_integer_value(version),
			 RECORD_SCHEMA_VERSION);
		return true;
	}
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (has_type(record_at(j, needed[i].path), needed[i].type))
			continue;
		snprintf(why, WHY, "%s is missing or not what it should be",
			 needed[i].path);
		return true;
	}
	return false;
}

/* --- files --------------------------------------------------------------- */

static int add(struct record_set *s, json_t *j, const char *file, size_t line)
{
	struct read_record *more =
		reallocarray(s->record, s->count + 1, sizeof(*more));

	if (!more) {
		json_decref(j);
		return -ENOMEM;
	}
	s->record = more;
	more[s->count++] = (struct read_record){ j, file, line };
	return 0;
}

/* A run that is in two files, or in one twice, is one run all the same. */
static const struct read_record *find_same(const struct record_set *s,
					   const json_t *j)
{
	const char *started = record_string_at(j, "started");

	for (size_t i = 0; started && i < s->count; i++) {
		const char *other =
			record_string_at(s->record[i].json, "started");

		if (other && strcmp(started, other) == 0 &&
		    json_equal(j, s->record[i].json))
			return &s->record[i];
	}
	return NULL;
}

/* Why it is not taken: true, and the reason in `why`. */
static bool refused(const struct record_set *s, const json_t *j, char why[WHY])
{
	const struct read_record *same;

	if (unusable(j, why))
		return true;
	same = find_same(s, j);
	if (same)
		snprintf(why, WHY, "the same record as %s:%zu", same->file,
			 same->line);
	return same != NULL;
}

static int take_line(struct record_set *s, const char *file, size_t line,
		     const char *text, size_t length)
{
	json_error_t error;
	char why[WHY];
	json_t *j;

	j = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
	if (!j) {
		if (json_error_code(&error) == json_error_out_of_memory)
			return -ENOMEM;
		snprintf(why, sizeof(why), "no JSON: %s (byte %d)", error.text,
			 error.position);
		s->complain(file, line, why);
		return 0;
	}
	if (refused(s, j, why)) {
		s->complain(file, line, why);
		json_decref(j);
		return 0;
	}
	return add(s, j, file, line);
}

static bool is_blank(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isspace((unsigned char)text[i]))
			return false;
	return true;
}

static int read_lines(struct record_set *s, const char *path, FILE *f)
{
	char *text = NULL;
	size_t room = 0, line = 0, taken = 0;
	ssize_t length;
	int err = 0;

	errno = 0;
	while (!err && (length = getline(&text, &room, f)) >= 0) {
		line++;
		if (is_blank(text, (size_t)length))
			continue;
		taken++;
		err = take_line(s, path, line, text, (size_t)length);
		errno = 0;
	}
	if (!err && errno == ENOMEM)
		err = -ENOMEM;
	else if (!err && ferror(f))
		s->complain(path, line, strerror(errno));
	else if (!err && taken == 0)
		s->complain(path, 0, "the file is empty");
	free(text);
	return err;
}

int record_set_read(struct record_set *s, const char *path)
{
	FILE *f = stdin;
	int err;

	if (strcmp(path, "-") != 0)
		f = fopen(path, "re");
	if (!f) {
		s->complain(path, 0, strerror(errno));
		return 0;
	}
	err = read_lines(s, path, f);
	if (f != stdin)
		fclose(f);
	return err;
}

void record_set_free(struct record_set *s)
{
	for (size_t i = 0; i < s->count; i++)
		json_decref(s->record[i].json);
	free(s->record);
	s->record = NULL;
	s->count = 0;
}
