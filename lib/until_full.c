#include "until_full.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "interrupt.h"

#define PATIENCE UINT64_C(1000000000) /* ns */
#define PAUSE 10000000 /* ns between two tries */

static int remove_again(const struct run_failure *f, const char *name)
{
	int flags = f->op == &op_create_dir ? AT_REMOVEDIR : 0;

	return unlinkat(f->place.dir, name, flags) < 0 ? errno : 0;
}

/* Create it, again and again for a while. 0 or a positive errno. */
static int try_for_a_while(const struct run_failure *f, const char *name,
			   uint64_t *waited)
{
	uint64_t start = clock_now();
	int err;

	for (;;) {
		err = f->op->run(&f->place, name, NULL);
		*waited = clock_now() - start;
		if (!err || *waited >= PATIENCE || interrupt_pending())
			return err;
		nanosleep(&(struct timespec){ .tv_nsec = PAUSE }, NULL);
	}
}

void free_check_run(struct free_check *c, const struct run_result *run)
{
	const struct run_failure *f = &run->first;

	memset(c, 0, sizeof(*c));
	if (!f->err || f->step > 0 || !run->last_name[0])
		return;
	strlcpy(c->deleted, run->last_name, sizeof(c->deleted));
	c->delete_errno = remove_again(f, c->deleted);
	c->done = true;
	if (c->delete_errno)
		return;
	c->refused_errno = try_for_a_while(f, f->name, &c->refused_wait);
	if (c->refused_errno == 0) {
		int err = remove_again(f, f->name);

		if (err) {
			c->deleted_errno = err;
			return;
		}
	}
	c->deleted_errno = try_for_a_while(f, c->deleted, &c->deleted_wait);
}
