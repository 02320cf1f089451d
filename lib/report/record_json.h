/*
 * record_json: a record as JSON, for programs.
 *
 * One object on one line; doc/record.schema.json describes it. Fields are
 * added under the same version; a change of meaning is a new one.
 */
#ifndef BIGDIR_RECORD_JSON_H
#define BIGDIR_RECORD_JSON_H

#include "record.h"

#define RECORD_SCHEMA "bigdir-record"
#define RECORD_SCHEMA_VERSION 1

/* The record as text without a newline, to be freed; NULL for want of
 * memory. */
char *record_json(const struct record *r);

/*
 * Open the file that records are appended to ("-": standard output), creating
 * it if need be. A descriptor, or -errno.
 */
int record_file_open(const char *path);

/*
 * Append the record as one line, or not at all: what a full disk has cut off
 * is taken back. 0 or -errno.
 */
int record_file_append(int fd, const char *json);

#endif
