/*
 * guard: directories that must never be emptied.
 */
#ifndef BIGDIR_GUARD_H
#define BIGDIR_GUARD_H

/* Why the open directory must not be emptied - it is /, a mount point, the
 * user's home or above it, the current directory or above it - as a static
 * text that follows its name; or NULL. What cannot be found out is a reason,
 * too: *err is the errno then, and 0 otherwise. */
const char *guard_refuses(int dir, int *err);

#endif
