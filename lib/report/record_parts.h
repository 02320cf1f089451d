/*
 * record_parts: the larger fields of a record in JSON. Inside of
 * record_json.h; nobody else needs them.
 */
#ifndef BIGDIR_RECORD_PARTS_H
#define BIGDIR_RECORD_PARTS_H

#include <jansson.h>

#include "record.h"

/* record_where.c */
json_t *host_json(const struct environment *e);
json_t *file_system_json(const struct environment *e);
json_t *space_json(const struct space *s);

/* record_figures.c */
json_t *operations_json(const struct record *r);

/* record_age.c; null where there is none */
json_t *aging_json(const struct aging *a);
json_t *age_json(const struct record *r);

/* record_knees.c; run_evidence_json(): null where there is none */
json_t *knees_json(const struct knees *k);
json_t *run_evidence_json(const struct run_evidence *e);

/* record_churn.c */
json_t *churn_json(const struct churn_result *c);

/* One kind of operation: its name, its figures, and how many a second. */
json_t *meter_json(const char *name, const struct meter *m, double rate);

/* record_layout.c; null of a flat layout */
json_t *layout_json(const struct record *r);

/* record_deletion.c */
json_t *deletion_json(const struct record *r);

/* record_outcome.c */
json_t *outcome_json(const struct record *r);
json_t *checks_json(const struct record *r);

#endif
