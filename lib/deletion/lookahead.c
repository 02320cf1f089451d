#include "lookahead.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* Blocks that are to be read; as many as there may be entries in the buffer
 * of a directory, or within the distance. */
#define QUEUE 16384

/* After so many calls that read nothing, all is taken to be in memory; then one
 * block in so many is looked at. */
#define WARM_CALLS 64
#define WARM_STEP 16

struct wish {
	uint64_t entry; /* the first that wants the block; counted */
	uint64_t inode;
};

struct lookahead {
	struct inode_reader reader;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more;

	/* of those who tell, without the lock */
	uint64_t told; /* entries, since it began */
	uint64_t block; /* of the last of them */

	/* under the lock */
	struct wish *queue;
	size_t first, count; /* as a ring */
	uint64_t handed_out;
	bool end;
	struct lookahead_figures figures;

	/* of the thread alone */
	bool counts; /* the kernel says what a thread has read */
	unsigned int idle; /* calls in a row that read nothing */
};

/* --- the thread ----------------------------------------------------------- */

static uint64_t blocks_read(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) == 0
		       ? (uint64_t)usage.ru_inblock
		       : 0;
}

/* The next wish whose entry has not been handed out, waiting for one if need
 * be. False: the end. */
static bool next_wish(struct lookahead *l, struct wish *w)
{
	/* where all is in memory, most are passed over */
	size_t step = l->idle >= WARM_CALLS ? WARM_STEP : 1;

	for (;;) {
		while (l->count > 0) {
			*w = l->queue[l->first];
			l->first = (l->first + 1) % QUEUE;
			l->count--;
			if (w->entry >= l->handed_out && --step == 0)
				return !l->end;
		}
		if (l->end)
			return false;
		pthread_cond_wait(&l->more, &l->lock);
	}
}

static void *read_ahead(void *argument)
{
	struct lookahead *l = argument;
	struct wish w;

	pthread_mutex_lock(&l->lock);
	while (!l->figures.err && next_wish(l, &w)) {
		uint64_t before, reads;
		int err;

		pthread_mutex_unlock(&l->lock);
		before = blocks_read();
		err = inode_reader_read(&l->reader, w.inode);
		reads = blocks_read() - before;
		l->idle = reads > 0 || !l->counts ? 0 : l->idle + 1;
		pthread_mutex_lock(&l->lock);
		l->figures.calls++;
		l->figures.reads += reads > 0;
		l->figures.err = -err;
	}
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

/* --- its owner ------------------------------------------------------------ */

/* Signals are for the others: a call that one interrupts would be lost. */
static int start_thread(struct lookahead *l)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	err = pthread_create(&l->thread, NULL, read_ahead, l);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

static void destroy(struct lookahead *l)
{
	pthread_cond_destroy(&l->more);
	pthread_mutex_destroy(&l->lock);
	free(l->queue);
	free(l);
}

int lookahead_start(struct lookahead **out, int dir)
{
	struct lookahead *l = calloc(1, sizeof(*l));
	int err;

	if (!l)
		return -ENOMEM;
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->more, NULL);
	/* the figure of rusage is that of the task's input and output */
	l->counts = access("/proc/self/io", F_OK) == 0;
	l->queue = calloc(QUEUE, sizeof(*l->queue));
	err = l->queue ? inode_reader_init(&l->reader, dir) : -ENOMEM;
	if (!err) {
		lookahead_begin(l);
		err = start_thread(l);
	}
	if (err) {
		destroy(l);
		return err;
	}
	*out = l;
	return 0;
}

void lookahead_stop(struct lookahead *l, struct lookahead_figures *f)
{
	if (!l)
		return;
	pthread_mutex_lock(&l->lock);
	l->end = true;
	pthread_cond_signal(&l->more);
	pthread_mutex_unlock(&l->lock);
	pthread_join(l->thread, NULL);
	if (f)
		*f = l->figures;
	destroy(l);
}

void lookahead_begin(struct lookahead *l)
{
	if (!l)
		return;
	l->told = 0;
	l->block = UINT64_MAX;
	pthread_mutex_lock(&l->lock);
	l->count = 0;
	l->handed_out = 0;
	pthread_mutex_unlock(&l->lock);
}

void lookahead_tell(struct lookahead *l, uint64_t inode)
{
	uint64_t block, entry;

	if (!l)
		return;
	entry = l->told++;
	if (inode == 0)
		return;
	block = inode_reader_block(&l->reader, inode);
	if (block == l->block)
		return;
	l->block = block;
	pthread_mutex_lock(&l->lock);
	if (l->count < QUEUE)
		l->queue[(l->first + l->count++) % QUEUE] =
			(struct wish){ .entry = entry, .inode = inode };
	pthread_mutex_unlock(&l->lock);
}

void lookahead_handed_out(struct lookahead *l, uint64_t entries)
{
	if (!l)
		return;
	pthread_mutex_lock(&l->lock);
	l->handed_out = entries;
	if (l->count > 0)
		pthread_cond_signal(&l->more);
	pthread_mutex_unlock(&l->lock);
}
