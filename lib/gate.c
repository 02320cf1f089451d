#include "gate.h"

void gate_init(struct gate *g)
{
	pthread_mutex_init(&g->lock, NULL);
	pthread_cond_init(&g->changed, NULL);
	g->waiting = 0;
	g->state = GATE_SHUT;
}

void gate_destroy(struct gate *g)
{
	pthread_cond_destroy(&g->changed);
	pthread_mutex_destroy(&g->lock);
}

bool gate_wait(struct gate *g)
{
	bool open;

	pthread_mutex_lock(&g->lock);
	g->waiting++;
	pthread_cond_broadcast(&g->changed);
	while (g->state == GATE_SHUT)
		pthread_cond_wait(&g->changed, &g->lock);
	open = g->state == GATE_OPEN;
	pthread_mutex_unlock(&g->lock);
	return open;
}

void gate_gather(struct gate *g, unsigned int n)
{
	pthread_mutex_lock(&g->lock);
	while (g->waiting < n)
		pthread_cond_wait(&g->changed, &g->lock);
	pthread_mutex_unlock(&g->lock);
}

void gate_open(struct gate *g, bool cancelled)
{
	pthread_mutex_lock(&g->lock);
	g->state = cancelled ? GATE_CANCELLED : GATE_OPEN;
	pthread_cond_broadcast(&g->changed);
	pthread_mutex_unlock(&g->lock);
}
