/*
 * record_name: what a run is called among others: its phase, its variant, its
 * machine and file system.
 *
 * All texts are allocated; NULL for want of memory.
 */
#ifndef BIGDIR_RECORD_NAME_H
#define BIGDIR_RECORD_NAME_H

#include "record_read.h"

/* Its variant and its phase, as grouping.h says; `by` ends with NULL or is
 * NULL. */
char *record_variant_name(const struct read_record *r, const char *const *by);
char *record_phase_name(const struct read_record *r, const char *const *by);

/* "ext4 on /dev/loop0, a file on xfs; 1.0 GiB; rw,noatime; journal 64.0 MiB,
 * ..." */
char *record_file_system(const struct read_record *r);

/* "Linux 6.1.0 on x86_64, 4 x CPU model, 8.0 GiB of memory (name)" */
char *record_machine(const struct read_record *r);

#endif
