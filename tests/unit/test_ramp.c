/* The search for the highest good rate; when requests come. */
#include <errno.h>
#include <math.h>

#include "arrivals.h"
#include "ramp.h"
#include "unit.h"

/* Up to `limit` is good: the steps it took, and where the search has ended. */
static unsigned int search(const char *text, double limit, double *found)
{
	unsigned int steps = 0;
	struct ramp r;
	double rate;

	assert_int_equal(ramp_parse(&r, text), 0);
	while (ramp_next(&r, &rate)) {
		assert_true(++steps < 100);
		assert_true(rate >= r.from && rate <= r.to);
		ramp_tell(&r, rate, rate <= limit);
	}
	*found = r.good;
	return steps;
}

static void finds_the_highest_good_rate(void **state)
{
	static const char *const ramps[] = { "1000:50000:x1.5", "1k:50k:x2",
					     "1000:50000:+3000", "10:1M:x10" };
	double found;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(ramps); i++)
		for (double limit = 1000; limit < 50000; limit *= 1.07) {
			unsigned int steps = search(ramps[i], limit, &found);

			assert_true(found <= limit);
			assert_true(found * (1 + RAMP_RESOLUTION) >=
				    limit * 0.9999);
			assert_true(steps < 40);
		}
}

static void ends_at_both_ends(void **state)
{
	double found;

	(void)state;
	assert_int_equal(search("1000:50000:x1.5", 999, &found), 1);
	assert_true(found == 0);
	search("1000:50000:x1.5", 1e6, &found);
	assert_true(found == 50000);
	assert_int_equal(search("700:700:x2", 1e6, &found), 1);
	assert_true(found == 700);
}

static void refuses_what_is_no_ramp(void **state)
{
	static const char *const texts[] = {
		"",
		"1000",
		"1000:50000",
		"1000:50000:",
		"1000:50000:2",
		"1000:50000:x1",
		"1000:50000:x0.5",
		"1000:50000:+0",
		"5000:1000:x2",
		"0:1000:x2",
		"-1:1000:x2",
		"1000:2000:x2,",
		"1000:2000:x2,often",
		"1:1e12:x2",
		"0x1:5:x2",
	};
	struct ramp r;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		assert_int_equal(ramp_parse(&r, texts[i]), -EINVAL);
	assert_int_equal(ramp_parse(&r, "1000:2000:x2,poisson"), 0);
	assert_true(r.poisson);
}

static void reads_rates(void **state)
{
	static const char *const texts[] = { "",	"x",	"0",
					     "-5",	"5/m",	"5000/s,",
					     "5,often", "0x10", "2e9" };
	struct arrivals a;

	(void)state;
	assert_int_equal(arrivals_parse(&a, "5000"), 0);
	assert_true(a.rate == 5000 && !a.poisson);
	assert_int_equal(arrivals_parse(&a, "0.5/s"), 0);
	assert_true(a.rate == 0.5);
	assert_int_equal(arrivals_parse(&a, "5k/s,poisson"), 0);
	assert_true(a.rate == 5000 && a.poisson);
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		assert_int_equal(arrivals_parse(&a, texts[i]), -EINVAL);
}

/* Times between arrivals: their mean and deviation are both 1 / rate. */
static void arrives_as_a_poisson_process(void **state)
{
	enum { COUNT = 200000 };
	double sum = 0, squares = 0, gap, mean, sd;
	struct arrivals a;
	uint64_t last = 0;

	(void)state;
	assert_int_equal(arrivals_parse(&a, "1000,poisson"), 0);
	arrivals_start(&a, a.rate, 3);
	for (int i = 0; i < COUNT; i++) {
		uint64_t at = arrivals_next(&a);

		assert_true(at >= last);
		gap = (double)(at - last);
		last = at;
		sum += gap;
		squares += gap * gap;
	}
	mean = sum / COUNT;
	sd = sqrt(squares / COUNT - mean * mean);
	assert_true(fabs(mean - 1e6) < 1e4);
	assert_true(fabs(sd - 1e6) < 1e4);
}

static void arrives_without_drift(void **state)
{
	struct arrivals a;
	uint64_t at = 1;

	(void)state;
	assert_int_equal(arrivals_parse(&a, "3"), 0);
	arrivals_start(&a, a.rate, 3);
	assert_int_equal(arrivals_next(&a), 0);
	for (int i = 1; i <= 3000000; i++)
		at = arrivals_next(&a);
	assert_int_equal(at, UINT64_C(1000000000000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_highest_good_rate),
		cmocka_unit_test(ends_at_both_ends),
		cmocka_unit_test(refuses_what_is_no_ramp),
		cmocka_unit_test(reads_rates),
		cmocka_unit_test(arrives_as_a_poisson_process),
		cmocka_unit_test(arrives_without_drift),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
