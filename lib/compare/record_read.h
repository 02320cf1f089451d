/*
 * record_read: records from files, as JSON values.
 */
#ifndef BIGDIR_RECORD_READ_H
#define BIGDIR_RECORD_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct read_record {
	json_t *json;
	const char *file; /* as it was named to record_set_read() */
	size_t line; /* from 1 */
};

struct record_set {
	struct read_record *record;
	size_t count;
	/* Told of what cannot be used; line is 0 for the file as a whole. */
	void (*complain)(const char *file, size_t line, const char *why);
};

/*
 * Add the records of a file ("-": standard input), one on each line. Lines
 * that are no JSON, no record, or a record of another schema version are
 * complained of and left out, and so are records that the set has already,
 * and files that are empty or cannot be read. `path` must live as long as the
 * set. 0 or -ENOMEM.
 */
int record_set_read(struct record_set *s, const char *path);
void record_set_free(struct record_set *s);

/*
 * The value at a dotted path, such as "file_system.type" or "operations.0
 * .latency_ns.p99.9" (keys may hold dots themselves); NULL when there is none.
 * Borrowed.
 */
const json_t *record_at(const json_t *record, const char *path);

/* The same as a string or a number; NULL or `otherwise` if it is none. */
const char *record_string_at(const json_t *record, const char *path);
double record_number_at(const json_t *record, const char *path,
			double otherwise);

/*
 * The value that a user's KEY has in a record, as text: of the label of that
 * name, or else at that path; "file" is the file it came from; "none" if
 * there is no such value, or it is null. Allocated; NULL for want of memory.
 */
char *record_key(const struct read_record *r, const char *key);

/* Whether it has any, null or not. */
bool record_has_key(const struct read_record *r, const char *key);

#endif
