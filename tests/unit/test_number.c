/* Counts and durations as typed, figures as shown. */
#include <errno.h>

#include "number.h"
#include "unit.h"

static void counts_are_read(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {
		{ "0", 0 },
		{ "1", 1 },
		{ "007", 7 },
		{ "300000", 300000 },
		{ "300k", 300000 },
		{ "300K", 300000 },
		{ "1M", 1000000 },
		{ "2G", 2000000000 },
		{ "3T", UINT64_C(3000000000000) },
		{ "1Ki", 1024 },
		{ "1ki", 1024 },
		{ "2Mi", 2097152 },
		{ "1Gi", UINT64_C(1) << 30 },
		{ "1Ti", UINT64_C(1) << 40 },
		{ "18446744073709551615", UINT64_MAX },
		{ "9223372036854775807", INT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(good); i++) {
		uint64_t v = 99;

		if (number_count(good[i].text, 0, UINT64_MAX, &v) != 0)
			fail_msg("'%s' is refused", good[i].text);
		assert_true(v == good[i].value);
	}
}

static void other_counts_are_refused(void **state)
{
	static const struct {
		const char *text;
		int err;
	} bad[] = {
		{ "", -EINVAL },
		{ " 1", -EINVAL },
		{ "1 ", -EINVAL },
		{ "x", -EINVAL },
		{ "1x", -EINVAL },
		{ "k", -EINVAL },
		{ "1kk", -EINVAL },
		{ "1kiB", -EINVAL },
		{ "1kB", -EINVAL },
		{ "1i", -EINVAL },
		{ "1.5k", -EINVAL },
		{ "1e3", -EINVAL },
		{ "0x10", -EINVAL },
		{ "+1", -EINVAL },
		{ "-", -EINVAL },
		{ "1\n", -EINVAL },
		{ "-5", -ERANGE },
		{ "0", -ERANGE },
		{ "101", -ERANGE },
		{ "1k", -ERANGE },
		{ "1m", -EINVAL },
		{ "18446744073709551616", -ERANGE },
		{ "18446744073709551615T", -ERANGE },
		{ "99999999999999999999999999", -ERANGE },
		{ "99999999999999999999999999x", -EINVAL },
		{ "18446744073709552k", -ERANGE },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		uint64_t v = 99;

		if (number_count(bad[i].text, 1, 100, &v) != bad[i].err)
			fail_msg("'%s' gives %d", bad[i].text,
				 number_count(bad[i].text, 1, 100, &v));
		assert_int_equal(v, 99);
	}
}

static void durations_are_read(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "90", UINT64_C(90000000000) },
		{ "2s", 2000000000 },
		{ "500ms", 500000000 },
		{ "1.5h", UINT64_C(5400000000000) },
		{ "7us", 7000 },
		{ "3ns", 3 },
		{ "2m", UINT64_C(120000000000) },
		{ "1d", UINT64_C(86400000000000) },
		{ ".5", 500000000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(good); i++) {
		uint64_t v = 0;

		if (number_duration(good[i].text, &v) != 0)
			fail_msg("'%s' is refused", good[i].text);
		assert_true(v == good[i].ns);
	}
}

static void other_durations_are_refused(void **state)
{
	static const struct {
		const char *text;
		int err;
	} bad[] = {
		{ "", -EINVAL },	 { "s", -EINVAL },
		{ "2 s", -EINVAL },	 { " 2s", -EINVAL },
		{ "2x", -EINVAL },	 { "0x2s", -EINVAL },
		{ "inf", -EINVAL },	 { "nan", -EINVAL },
		{ "2ss", -EINVAL },	 { ".", -EINVAL },
		{ "..5", -EINVAL },	 { "0", -ERANGE },
		{ "0s", -ERANGE },	 { "-1s", -ERANGE },
		{ "0.1ns", -ERANGE },	 { "1e30h", -ERANGE },
		{ "1000000d", -ERANGE },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		uint64_t v = 99;

		if (number_duration(bad[i].text, &v) != bad[i].err)
			fail_msg("'%s' gives %d", bad[i].text,
				 number_duration(bad[i].text, &v));
		assert_int_equal(v, 99);
	}
}

static void shares_are_read(void **state)
{
	static const struct {
		const char *text;
		int err;
		double share;
	} all[] = {
		{ "90%", 0, 0.9 },	 { "0.5", 0, 0.5 },
		{ ".25", 0, 0.25 },	 { "0", 0, 0 },
		{ "1", 0, 1 },		 { "100%", 0, 1 },
		{ "12.5%", 0, 0.125 },	 { "101%", -ERANGE, 9 },
		{ "1.01", -ERANGE, 9 },	 { "", -EINVAL, 9 },
		{ "%", -EINVAL, 9 },	 { ".", -EINVAL, 9 },
		{ "-1%", -EINVAL, 9 },	 { "1e-1", -EINVAL, 9 },
		{ "nan", -EINVAL, 9 },	 { "0x1", -EINVAL, 9 },
		{ "5 %", -EINVAL, 9 },	 { "5%%", -EINVAL, 9 },
		{ "1.2.3", -EINVAL, 9 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(all); i++) {
		double v = 9;
		int err = number_share(all[i].text, &v);

		if (err != all[i].err)
			fail_msg("'%s' gives %d", all[i].text, err);
		assert_true(v > all[i].share - 1e-9 && v < all[i].share + 1e-9);
	}
}

static void figures_are_shown(void **state)
{
	char b[NUMBER_TEXT];

	(void)state;
	assert_string_equal(number_grouped(b, 0), "0");
	assert_string_equal(number_grouped(b, 999), "999");
	assert_string_equal(number_grouped(b, 1000), "1,000");
	assert_string_equal(number_grouped(b, 1234567), "1,234,567");
	assert_string_equal(number_grouped(b, UINT64_MAX),
			    "18,446,744,073,709,551,615");
	assert_string_equal(number_time(b, 0), "0 ns");
	assert_string_equal(number_time(b, 870), "870 ns");
	assert_string_equal(number_time(b, 999.6), "1.00 us");
	assert_string_equal(number_time(b, 3250), "3.25 us");
	assert_string_equal(number_time(b, 9996), "10.0 us");
	assert_string_equal(number_time(b, 99960), "100 us");
	assert_string_equal(number_time(b, 1070000), "1.07 ms");
	assert_string_equal(number_time(b, 12.4e9), "12.4 s");
	assert_string_equal(number_time(b, 86400e9), "86400 s");
	assert_string_equal(number_bytes(b, 0), "0 B");
	assert_string_equal(number_bytes(b, 1023), "1023 B");
	assert_string_equal(number_bytes(b, 4096), "4.0 KiB");
	assert_string_equal(number_bytes(b, (UINT64_C(1) << 30) - 1),
			    "1.0 GiB");
	assert_string_equal(number_bytes(b, UINT64_C(1) << 50), "1.0 PiB");
	assert_string_equal(number_rate(b, 0), "0");
	assert_string_equal(number_rate(b, -1), "0");
	assert_string_equal(number_rate(b, 12.34), "12.3");
	assert_string_equal(number_rate(b, 93428.4), "93,428");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_read),
		cmocka_unit_test(other_counts_are_refused),
		cmocka_unit_test(durations_are_read),
		cmocka_unit_test(other_durations_are_refused),
		cmocka_unit_test(shares_are_read),
		cmocka_unit_test(figures_are_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
