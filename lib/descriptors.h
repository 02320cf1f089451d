/*
 * descriptors: 0 to 2 are there, even when a tool is started without them.
 */
#ifndef BIGDIR_DESCRIPTORS_H
#define BIGDIR_DESCRIPTORS_H

/* Open /dev/null on those of standard input, output and error that are closed,
 * so that no file of ours becomes one of them and gets what is printed. Each
 * the wrong way round: to write to standard output still fails (EBADF), as it
 * does when it is closed, and is told. To be called before anything is opened.
 * Ends the process (status 2) where that cannot be done. */
void descriptors_hold(void);

#endif
