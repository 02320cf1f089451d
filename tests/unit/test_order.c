/* Orders: every one a permutation of the positions, and which. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "unit.h"

static void bind(struct order *o, const char *text, uint64_t n)
{
	assert_int_equal(order_parse(o, text), 0);
	order_bind(o, n, 1);
}

static void check(const char *text, uint64_t n, const uint64_t *want)
{
	struct order o;

	bind(&o, text, n);
	for (uint64_t i = 0; i < n; i++)
		if (order_at(&o, i) != want[i])
			fail_msg("%s of %ju: %ju at %ju", text, n,
				 order_at(&o, i), i);
}

static void orders_are_as_described(void **state)
{
	(void)state;
	check("sequential", 4, (uint64_t[]){ 0, 1, 2, 3 });
	check("reverse", 4, (uint64_t[]){ 3, 2, 1, 0 });
	check("stride:3", 7, (uint64_t[]){ 0, 3, 6, 1, 4, 2, 5 });
	check("stride:1", 3, (uint64_t[]){ 0, 1, 2 });
	check("stride:9", 3, (uint64_t[]){ 0, 1, 2 });
	check("stride:4", 8, (uint64_t[]){ 0, 4, 1, 5, 2, 6, 3, 7 });
	check("interleave:2", 7, (uint64_t[]){ 0, 4, 1, 5, 2, 6, 3 });
	check("interleave:1", 3, (uint64_t[]){ 0, 1, 2 });
	check("interleave:9", 3, (uint64_t[]){ 0, 1, 2 });
	check("interleave:3", 7, (uint64_t[]){ 0, 3, 5, 1, 4, 6, 2 });
}

static const char *const computed[] = {
	"sequential",	   "reverse",	   "random",	   "stride:1",
	"stride:2",	   "stride:7",	   "stride:64",	   "stride:1000",
	"interleave:1",	   "interleave:2", "interleave:7", "interleave:64",
	"interleave:1000",
};

static void every_order_has_every_entry_once(void **state)
{
	(void)state;
	for (size_t k = 0; k < COUNT_OF(computed); k++)
		for (uint64_t n = 1; n <= 300; n++) {
			unsigned char seen[300] = { 0 };
			struct order o;

			bind(&o, computed[k], n);
			for (uint64_t i = 0; i < n; i++) {
				uint64_t v = order_at(&o, i);

				assert_true(v < n);
				assert_int_equal(seen[v]++, 0);
			}
		}
}

/* Near 2^63 nothing overflows: the ends are where they belong. */
static void huge_orders_have_their_ends(void **state)
{
	const uint64_t n = INT64_MAX;
	struct order o;

	(void)state;
	bind(&o, "reverse", n);
	assert_true(order_at(&o, 0) == n - 1 && order_at(&o, n - 1) == 0);
	bind(&o, "stride:10", n);
	assert_true(order_at(&o, 0) == 0 && order_at(&o, 1) == 10);
	/* n is 7 modulo 10: the last residue is 9, its last member n - 8 */
	assert_true(order_at(&o, n - 1) == n - 8);
	bind(&o, "interleave:10", n);
	assert_true(order_at(&o, 0) == 0 && order_at(&o, 10) == 1);
	assert_true(order_at(&o, 1) == n / 10 + 1);
	bind(&o, "stride:9223372036854775807", n);
	assert_true(order_at(&o, 12345) == 12345);
	bind(&o, "interleave:9223372036854775807", n);
	assert_true(order_at(&o, 12345) == 12345);
}

static void filling_is_the_same(void **state)
{
	uint64_t index[100];

	(void)state;
	for (size_t k = 0; k < COUNT_OF(computed); k++) {
		struct order o;

		bind(&o, computed[k], 1000);
		order_fill(&o, 300, 5000, 100, index);
		for (uint64_t i = 0; i < 100; i++)
			assert_true(index[i] == 5000 + order_at(&o, 300 + i));
	}
}

static void observed_orders_are_known(void **state)
{
	static const char *const observed[] = { "readdir", "inode", "hash" };
	struct order o;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(observed); i++) {
		assert_int_equal(order_parse(&o, observed[i]), 0);
		assert_true(order_is_observed(&o));
		assert_string_equal(order_name(&o), observed[i]);
	}
	for (size_t i = 0; i < COUNT_OF(computed); i++) {
		assert_int_equal(order_parse(&o, computed[i]), 0);
		assert_false(order_is_observed(&o));
		assert_memory_equal(order_name(&o), computed[i],
				    strlen(order_name(&o)));
	}
}

static void bad_orders_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"seq",
		"Random",
		"random:3",
		"stride",
		"stride:",
		"stride:0",
		"stride:-1",
		"stride:x",
		"stride:1:2",
		"stride:2.5",
		"interleave",
		"interleave:",
		"interleave:0",
		"readdir:1",
		"random ",
		"stride:9223372036854775808",
	};
	struct order o;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		if (order_parse(&o, bad[i]) >= 0)
			fail_msg("'%s' is taken", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_are_as_described),
		cmocka_unit_test(every_order_has_every_entry_once),
		cmocka_unit_test(huge_orders_have_their_ends),
		cmocka_unit_test(filling_is_the_same),
		cmocka_unit_test(observed_orders_are_known),
		cmocka_unit_test(bad_orders_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
