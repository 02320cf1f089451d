/*
 * interrupt: SIGINT, SIGTERM and SIGHUP as a wish to stop, not as an end.
 */
#ifndef BIGDIR_INTERRUPT_H
#define BIGDIR_INTERRUPT_H

/* Catch the three; also ignore SIGPIPE, whose write error is reported
 * instead. A second signal of the same kind ends the process at once. To be
 * called first in main(), so that no moment is left in which a report would
 * be lost. */
void interrupt_catch(void);

/* The signal that asked to stop, or 0. */
int interrupt_pending(void);

#endif
