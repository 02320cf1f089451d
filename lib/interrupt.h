/*
 * interrupt: SIGINT, SIGTERM and SIGHUP as a wish to stop, not as an end.
 */
#ifndef BIGDIR_INTERRUPT_H
#define BIGDIR_INTERRUPT_H

#include <stdatomic.h>

/* The signal that has come; atomic and without a lock, as the handler sets it
 * in one thread and all threads look at it.
 * To be read by interrupt_pending() only. */
extern atomic_int interrupt_signal;

/* Catch the three; also ignore SIGPIPE, whose write error is reported
 * instead. A second signal of these ends the process at once. To be called
 * first in main(), so that no moment is left in which a report would be
 * lost. */
void interrupt_catch(void);

/* The signal that asked to stop, or 0. Inline: asked after every operation. */
static inline int interrupt_pending(void)
{
	return atomic_load_explicit(&interrupt_signal, memory_order_relaxed);
}

#endif
