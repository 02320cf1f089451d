/*
 * background: give way to everybody else.
 */
#ifndef BIGDIR_BACKGROUND_H
#define BIGDIR_BACKGROUND_H

/* The lowest priority for the processor (nice 19) and the idle class of input
 * and output for this thread and all that it starts later. Never refused for
 * want of rights. 0 or -errno; what can be had is had in any case. */
int background(void);

#endif
