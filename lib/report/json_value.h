/*
 * json_value: the kinds of values that records are made of.
 */
#ifndef BIGDIR_JSON_VALUE_H
#define BIGDIR_JSON_VALUE_H

#include <jansson.h>
#include <stdint.h>

/* A text, or null for NULL. JSON holds UTF-8 only: other bytes are shown as
 * \ooo. */
json_t *json_text(const char *s);

/* An empty text is one that could not be found out: null. */
json_t *json_known(const char *s);

/* A file name, escaped as in reports. */
json_t *json_name(const char *name);

/* A whole number; as text when it is over 2^63 - 1, as seeds can be. */
json_t *json_number(uint64_t n);

/* Nanoseconds as seconds. */
json_t *json_seconds(uint64_t ns);

/* The name of an errno, or null for a success. */
json_t *json_errno(int err);

/* Set a field; takes the value over. */
void json_set(json_t *object, const char *key, json_t *value);

#endif
