#include "until_full.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int remove_again(const struct run_failure *f, const char *name)
{
	int flags = f->op == &op_create_dir ? AT_REMOVEDIR : 0;

	return unlinkat(f->place.dir, name, flags) < 0 ? errno : 0;
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
	c->refused_errno = f->op->run(&f->place, f->name, NULL);
	if (c->refused_errno == 0) {
		int err = remove_again(f, f->name);

		if (err) {
			c->deleted_errno = err;
			return;
		}
	}
	c->deleted_errno = f->op->run(&f->place, c->deleted, NULL);
}
