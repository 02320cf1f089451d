/*
 * gate: a start line. Workers wait at it until all have come, and then leave
 * together; unlike a barrier, it can also send them home.
 */
#ifndef BIGDIR_GATE_H
#define BIGDIR_GATE_H

#include <pthread.h>
#include <stdbool.h>

struct gate {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned int waiting;
	enum { GATE_SHUT, GATE_OPEN, GATE_CANCELLED } state;
};

void gate_init(struct gate *g);
void gate_destroy(struct gate *g);

/* Wait at the gate. False: it was cancelled, so do nothing. */
bool gate_wait(struct gate *g);

/* Wait until n threads are at the gate. */
void gate_gather(struct gate *g, unsigned int n);

/* Let go all that wait, to work or not. */
void gate_open(struct gate *g, bool cancelled);

#endif
