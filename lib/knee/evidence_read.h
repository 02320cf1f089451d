/*
 * evidence_read: the figures of one sample, from the kernel's own files. Inside
 * of evidence.h; nobody else needs it.
 */
#ifndef BIGDIR_EVIDENCE_READ_H
#define BIGDIR_EVIDENCE_READ_H

#include "evidence.h"

/* Read them all; EVIDENCE_UNKNOWN where there is none. */
void evidence_read(const struct run_evidence *e, uint64_t *figure);

/*
 * The parts of it, which are given a file's text:
 * /sys/block/DEVICE/stat: requests, merges, sectors of 512 bytes and ms of
 * reads, then of writes (Documentation/block/stat.rst of the kernel);
 * /proc/self/io; /proc/meminfo; the first line of /proc/stat, in ticks of user,
 * nice, system, idle, iowait, irq, softirq, steal (proc_stat(5)).
 */
void evidence_parse_device(const char *text, uint64_t *figure);
void evidence_parse_io(const char *text, uint64_t *figure);
void evidence_parse_memory(const char *text, uint64_t *figure);
void evidence_parse_processors(const char *text, uint64_t *figure);

#endif
