/* Which key is asked for: as often as the law says, the same everywhere. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "popularity.h"
#include "unit.h"

static struct popularity law(const char *text, uint64_t keys, uint64_t seed)
{
	struct popularity p;

	assert_int_equal(popularity_parse(&p, text), 0);
	popularity_bind(&p, keys, seed);
	return p;
}

static const struct {
	const char *law;
	uint64_t keys, seed;
	uint32_t rank[6];
} golden[] = {
	{ "zipf:0.9",
	  100000000,
	  1,
	  { 92390, 109455, 35954137, 629364, 12699, 2133 } },
	{ "zipf:1", 1000000, 1, { 199, 230, 192652, 1189, 43, 13 } },
	{ "zipf:1.2", 1000, 42, { 2, 13, 2, 349, 15, 21 } },
	{ "zipf:0", 10, 7, { 3, 2, 2, 7, 1, 8 } },
	{ "zipf:0.5",
	  4294967296,
	  3,
	  { 1669678114, 302006069, 372846403, 961670917, 566304458,
	    4157897876 } },
	{ "uniform",
	  1000000,
	  1,
	  { 590929, 580939, 114285, 467315, 696123, 774420 } },
	{ "scan", 4, 1, { 0, 1, 2, 3, 0, 1 } },
};

static void is_the_same_on_every_machine(void **state)
{
	bool same = true;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(golden); i++) {
		struct popularity p =
			law(golden[i].law, golden[i].keys, golden[i].seed);

		print_message("# %s:", golden[i].law);
		for (size_t n = 0; n < 6; n++) {
			uint32_t rank = popularity_next(&p);

			print_message(" %u,", rank);
			same = same && rank == golden[i].rank[n];
		}
		print_message("\n");
	}
	assert_true(same);
}

/* Chi-square over the ranks; with k degrees of freedom its deviation is
 * sqrt(2 k). The seeds are fixed, so the outcome is too. */
static void check_frequencies(const char *text, uint64_t keys)
{
	enum { DRAWS = 1000000 };
	struct popularity p = law(text, keys, 5);
	unsigned int *count = calloc(keys, sizeof(*count));
	double total = 0, x = 0;

	assert_non_null(count);
	for (int i = 0; i < DRAWS; i++) {
		uint32_t rank = popularity_next(&p);

		assert_true(rank < keys);
		count[rank]++;
	}
	for (uint64_t r = 0; r < keys; r++)
		total += popularity_weight(&p, (double)r);
	for (uint64_t r = 0; r < keys; r++) {
		double want = DRAWS * popularity_weight(&p, (double)r) / total;
		double d = count[r] - want;

		x += d * d / want;
	}
	free(count);
	print_message("# %s: chi-square %.1f of %ju\n", text, x, keys - 1);
	assert_true(fabs(x - (double)(keys - 1)) <
		    4 * sqrt(2 * (double)(keys - 1)));
}

static void draws_as_the_law_says(void **state)
{
	(void)state;
	check_frequencies("zipf:0", 1000);
	check_frequencies("zipf:0.5", 1000);
	check_frequencies("zipf:0.9", 1000);
	check_frequencies("zipf:1", 1000);
	check_frequencies("zipf:1.3", 200);
	check_frequencies("zipf:3", 8);
	check_frequencies("zipf:0.9", 2);
	check_frequencies("uniform", 1000);
}

static void one_key_is_always_that(void **state)
{
	static const char *const laws[] = { "zipf:0", "zipf:1", "zipf:10",
					    "uniform", "scan" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(laws); i++) {
		struct popularity p = law(laws[i], 1, 1);

		for (int n = 0; n < 1000; n++)
			assert_int_equal(popularity_next(&p), 0);
	}
}

static void refuses_what_is_no_law(void **state)
{
	static const char *const texts[] = {
		"",	    "zipf",	 "zipf:",      "zipf:-1",
		"zipf:x",   "zipf:1x",	 "zipf:10.01", "zipf:nan",
		"zipf:0x1", "uniform:1", "Scan"
	};
	struct popularity p;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		assert_int_equal(popularity_parse(&p, texts[i]), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_the_same_on_every_machine),
		cmocka_unit_test(draws_as_the_law_says),
		cmocka_unit_test(one_key_is_always_that),
		cmocka_unit_test(refuses_what_is_no_law),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
