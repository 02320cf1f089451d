#include "job_verify.h"

#include <errno.h>

#include "churn_result.h"

/* Names known to have gone: those that were deleted or moved, and those that
 * were not there when it was tried. */
static uint64_t count_gone(const struct record *r)
{
	return record_done(r) + r->missing +
	       r->run.meter[r->steps - 1].errors[ENOENT];
}

/* Names that could not be made because they were there already. */
static uint64_t count_met(const struct record *r)
{
	return r->run.meter[r->steps - 1].errors[EEXIST];
}

static uint64_t expected_present(const struct record *r, enum check_kind kind)
{
	const struct free_check *c = &r->free_check;

	/* only verified when every pass has gone through whole */
	if (r->passes > 1)
		return kind == CHECK_ABSENT ? 0 : r->count;
	switch (kind) {
	case CHECK_PRESENT:
		/* less the one that the free check could not put back */
		return record_done(r) + count_met(r) -
		       (c->done && !c->delete_errno && c->deleted_errno);
	case CHECK_OBJECTS:
		return r->churn->objects;
	case CHECK_ABSENT:
		return r->count - count_gone(r);
	default:
		return r->count;
	}
}

static void check_one(const struct job_check *wanted, struct record *r)
{
	struct check *c = &r->check[r->checks++];

	c->directory = wanted->directory;
	c->expected.scheme = wanted->scheme;
	if (wanted->layout && wanted->layout->kind != LAYOUT_FLAT)
		c->expected.layout = wanted->layout;
	c->expected.start = r->options->start;
	/* of an open end, no name beyond those handed out was tried */
	c->expected.count = wanted->kind == CHECK_OBJECTS
				    ? r->churn->options->keys
			    : r->count ? r->count
				       : r->given;
	c->expected.present = expected_present(r, wanted->kind);
	c->expected.others_allowed =
		wanted->others_allowed || r->options->verify == VERIFY_OURS;
	c->expected.elsewhere_allowed = wanted->elsewhere_allowed;
	verify(wanted->dir, &c->expected, &c->found);
}

void job_verify(const struct job *j, struct record *r)
{
	if (!j->options->verify)
		return;
	if (j->passes > 1 && record_done(r) != r->count * r->passes) {
		r->not_verified = "not every pass went through whole";
		return;
	}
	if (r->aging.err || r->aging.interrupted) {
		r->not_verified = "the aging was not finished";
		return;
	}
	if (j->step[0].op == &op_exchange && record_failed(r)) {
		r->not_verified = "not every exchange went through";
		return;
	}
	for (unsigned int i = 0; i < j->checks; i++)
		check_one(&j->check[i], r);
}
