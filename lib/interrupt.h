/*
 * interrupt: SIGINT, SIGTERM and SIGHUP as a wish to stop, not as an end.
 */
#ifndef BIGDIR_INTERRUPT_H
#define BIGDIR_INTERRUPT_H

#include <signal.h>

/* The signal that has come; a handler can reach nothing but such a variable.
 * To be read by interrupt_pending() only. */
extern volatile sig_atomic_t interrupt_signal;

/* Catch the three; also ignore SIGPIPE, whose write error is reported
 * instead. A second signal of these ends the process at once. To be called
 * first in main(), so that no moment is left in which a report would be
 * lost. */
void interrupt_catch(void);

/* The signal that asked to stop, or 0. Inline: asked after every operation. */
static inline int interrupt_pending(void)
{
	return interrupt_signal;
}

#endif
