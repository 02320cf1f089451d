/* The rank correlation that tells a directory's age; how it is made old. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "age.h"
#include "aging.h"
#include "draw.h"
#include "op.h"
#include "scratch.h"
#include "unit.h"

#define PAIRS 1000

static double correlation_of(uint64_t (*y)(unsigned int i, struct draw *d))
{
	struct age_pair *pair = calloc(PAIRS, sizeof(*pair));
	struct draw d;
	double found;

	assert_non_null(pair);
	draw_init(&d, 1, DRAW_AGING);
	for (unsigned int i = 0; i < PAIRS; i++)
		pair[i] = (struct age_pair){ .x = i, .y = y(i, &d) };
	found = age_correlation(pair, PAIRS);
	free(pair);
	return found;
}

static uint64_t rising(unsigned int i, struct draw *d)
{
	(void)d;
	return (uint64_t)i * i;
}

static uint64_t falling(unsigned int i, struct draw *d)
{
	(void)d;
	return UINT64_MAX - i;
}

static uint64_t anything(unsigned int i, struct draw *d)
{
	(void)i;
	return draw_bits(d);
}

static uint64_t constant(unsigned int i, struct draw *d)
{
	(void)i;
	(void)d;
	return 7;
}

static uint64_t half_is_anything(unsigned int i, struct draw *d)
{
	return i % 2 ? i : draw_below(d, PAIRS);
}

static void orders_are_compared(void **state)
{
	(void)state;
	assert_true(fabs(correlation_of(rising) - 1) < 1e-12);
	assert_true(fabs(correlation_of(falling) + 1) < 1e-12);
	/* the deviation by chance is 1 / sqrt(PAIRS - 1) = 0.032 */
	assert_true(fabs(correlation_of(anything)) < 0.1);
	assert_true(correlation_of(constant) == 0);
	assert_true(fabs(correlation_of(half_is_anything) - 0.5) < 0.1);
}

/* By hand: x ranks 0, 1.5, 1.5, 3 and y ranks 1, 0, 2, 3 of a mean of 1.5;
 * their products sum to 3, their squares to 4.5 and 5. */
static void ties_have_their_mean_rank(void **state)
{
	struct age_pair pair[] = { { .x = 9, .y = 40 },
				   { .x = 5, .y = 30 },
				   { .x = 5, .y = 10 },
				   { .x = 1, .y = 20 } };

	(void)state;
	assert_true(fabs(age_correlation(pair, 4) - 3 / sqrt(4.5 * 5)) < 1e-12);
}

static unsigned int count_entries(int dir)
{
	DIR *d = fdopendir(openat(dir, ".", O_RDONLY | O_DIRECTORY));
	unsigned int n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void check_aging(int dir, unsigned int passes)
{
	enum { COUNT = 300 };
	char name[NAME_BUFFER];
	struct name_scheme scheme;
	struct place place = { .dir = dir };
	struct aging a = { .passes = passes,
			   .dir = dir,
			   .start = 5,
			   .count = COUNT,
			   .mode = 0600,
			   .seed = 1,
			   .scheme = &scheme };
	const char *why;

	assert_int_equal(name_parse(&scheme, "dec", NULL, &why), 0);
	for (unsigned int i = 0; i < COUNT; i++) {
		name_make(&scheme, 5 + i, name);
		scratch_touch(dir, name);
	}
	aging_run(&a);
	assert_int_equal(a.err, 0);
	assert_int_equal(a.deleted, COUNT * passes);
	assert_int_equal(a.created, COUNT * passes);
	assert_int_equal(count_entries(dir), COUNT);
	for (unsigned int i = 0; i < COUNT; i++) {
		name_make(&scheme, 5 + i, name);
		assert_int_equal(op_unlink.run(&place, name, NULL), 0);
	}
}

static void aging_ends_with_the_same_names(void **state)
{
	const struct scratch *s = *state;

	check_aging(s->fd, 1);
	check_aging(s->fd, 2);
	check_aging(s->fd, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_are_compared),
		cmocka_unit_test(ties_have_their_mean_rank),
		cmocka_unit_test_setup_teardown(aging_ends_with_the_same_names,
						scratch_setup,
						scratch_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
