/* Records from files: what is taken, what is complained of, and how they are
 * grouped. */
#include <errno.h>
#include <string.h>

#include "grouping.h"
#include "record_hist.h"
#include "record_read.h"
#include "scratch.h"

#define RECORD                                                                 \
	"{\"schema\":\"bigdir-record\",\"schema_version\":1,"                  \
	"\"tool\":\"mkfiles\",\"started\":\"%d\","                             \
	"\"labels\":{\"variant\":\"%s\",\"a.b\":\"c\"},"                       \
	"\"outcome\":{\"end\":\"%s\",\"exit_code\":0},"                        \
	"\"plan\":{\"order\":\"%s\",\"count\":10},"                            \
	"\"host\":{},\"file_system\":{\"type\":\"tmpfs\",\"ext\":null},"       \
	"\"space_before\":{},\"space_after\":{},"                              \
	"\"time\":{\"real_s\":1,\"user_s\":0.5,\"sys_s\":0.25},"               \
	"\"operations\":[{\"operation\":\"create\","                           \
	"\"latency_ns\":{\"p99.9\":7,\"min\":5,\"max\":70}}]}\n"

/* What the last complaint was about; the callback has no argument. */
static struct complaint {
	unsigned int count;
	size_t line;
	char why[256];
} last;

static void complain(const char *file, size_t line, const char *why)
{
	(void)file;
	last.count++;
	last.line = line;
	snprintf(last.why, sizeof(last.why), "%s", why);
}

static void write_file(const struct scratch *s, const char *text)
{
	FILE *f = fdopen(openat(s->fd, "r", O_WRONLY | O_CREAT | O_TRUNC, 0600),
			 "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* Read the text as a file; it stays in the set under a name of `path`. */
static void read_text(struct record_set *set, const struct scratch *s,
		      char path[4200], const char *text)
{
	snprintf(path, 4200, "%s/r", s->path);
	write_file(s, text);
	set->complain = complain;
	memset(&last, 0, sizeof(last));
	assert_int_equal(record_set_read(set, path), 0);
}

static void one_complaint(const struct scratch *s, const char *text,
			  size_t line, const char *why)
{
	struct record_set set = { 0 };
	char path[4200];

	read_text(&set, s, path, text);
	assert_int_equal(set.count, 0);
	assert_int_equal(last.count, 1);
	assert_int_equal(last.line, line);
	if (!strstr(last.why, why))
		fail_msg("'%s' is not in '%s'", why, last.why);
	record_set_free(&set);
}

static void what_is_none(void **state)
{
	const struct scratch *s = *state;

	one_complaint(s, "", 0, "empty");
	one_complaint(s, "\n  \n", 0, "empty");
	one_complaint(s, "\n{\"a\":\n", 2, "no JSON");
	one_complaint(s, "{\"a\":1,\"a\":2}", 1, "no JSON");
	one_complaint(s, "{\"a\":1} x", 1, "no JSON");
	one_complaint(s, "[]", 1, "no bigdir-record");
	one_complaint(s, "{\"schema\":\"other\"}", 1, "no bigdir-record");
	one_complaint(s, "{\"schema\":\"bigdir-record\"}", 1, "version");
	one_complaint(s, "{\"schema\":\"bigdir-record\",\"schema_version\":2}",
		      1, "version (2)");
	one_complaint(s, "{\"schema\":\"bigdir-record\",\"schema_version\":1}",
		      1, "tool is missing");
}

static void what_cannot_be_read(void **state)
{
	struct record_set set = { .complain = complain };

	(void)state;
	memset(&last, 0, sizeof(last));
	assert_int_equal(record_set_read(&set, "/nonexistent/r"), 0);
	assert_int_equal(last.count, 1);
	assert_string_equal(last.why, strerror(ENOENT));
	assert_int_equal(record_set_read(&set, "/"), 0);
	assert_int_equal(last.count, 2);
	assert_string_equal(last.why, strerror(EISDIR));
	record_set_free(&set);
}

static void the_rest_is_used(void **state)
{
	struct record_set set = { 0 };
	char path[4200], text[4096], *at = text;

	at += sprintf(at, RECORD, 1, "x", "complete", "random");
	at += sprintf(at, "broken\n");
	at += sprintf(at, RECORD, 2, "x", "complete", "random");
	sprintf(at, RECORD, 1, "x", "complete", "random");
	read_text(&set, *state, path, text);
	assert_int_equal(set.count, 2);
	assert_int_equal(set.record[1].line, 3);
	assert_int_equal(last.count, 2);
	assert_int_equal(last.line, 4);
	assert_non_null(strstr(last.why, "the same record as"));
	record_set_free(&set);
}

static void check_key(const struct read_record *r, const char *key,
		      const char *wanted)
{
	char *got = record_key(r, key);

	assert_string_equal(got, wanted);
	free(got);
}

static void values_are_found(void **state)
{
	struct record_set set = { 0 };
	char path[4200], text[4096];
	const json_t *j;

	sprintf(text, RECORD, 1, "x", "complete", "random");
	read_text(&set, *state, path, text);
	j = set.record[0].json;
	assert_true(record_number_at(j, "time.user_s", -1) == 0.5);
	assert_true(record_number_at(j, "operations.0.latency_ns.p99.9", -1) ==
		    7);
	assert_true(record_number_at(j, "operations.1.latency_ns.max", -1) ==
		    -1);
	assert_null(record_at(j, "time."));
	assert_null(record_at(j, "operations.x"));
	assert_string_equal(record_string_at(j, "labels.a.b"), "c");
	check_key(&set.record[0], "a.b", "c");
	check_key(&set.record[0], "plan.count", "10");
	check_key(&set.record[0], "time.user_s", "0.5");
	check_key(&set.record[0], "file_system.ext", "none");
	check_key(&set.record[0], "nothing", "none");
	check_key(&set.record[0], "file", path);
	record_set_free(&set);
}

static void groups(void **state)
{
	static const char *const by_order[] = { "plan.order", NULL };
	struct record_set set = { 0 };
	struct grouping g;
	char path[4200], text[8192], *at = text;

	at += sprintf(at, RECORD, 1, "x", "complete", "random");
	at += sprintf(at, RECORD, 2, "y", "complete", "random");
	at += sprintf(at, RECORD, 3, "y", "time-limit", "random");
	sprintf(at, RECORD, 4, "x", "complete", "sequential");
	read_text(&set, *state, path, text);

	assert_int_equal(grouping_make(&g, &set, NULL), 0);
	assert_int_equal(g.variants, 2);
	assert_int_equal(g.phases, 2);
	assert_string_equal(g.variant[0].name, "x");
	assert_string_equal(g.variant[1].letter, "B");
	assert_int_equal(g.variant[0].runs, 2);
	assert_int_equal(g.variant[1].runs, 1);
	assert_int_equal(g.variant[1].left_out, 1);
	assert_true(g.place[2].left_out);
	assert_int_equal(grouping_baseline(&g, "variant", "z"), -ENOENT);
	assert_int_equal(grouping_baseline(&g, "tool", "mkfiles"), -EEXIST);
	assert_int_equal(grouping_baseline(&g, "plan.order", "sequential"),
			 -EINVAL);
	assert_int_equal(grouping_baseline(&g, "variant", "y"), 0);
	assert_string_equal(g.variant[0].name, "y");
	assert_string_equal(g.variant[0].letter, "A");
	assert_int_equal(g.place[0].variant, 1);
	assert_int_equal(g.place[1].variant, 0);
	grouping_free(&g);

	/* what tells variants apart does not tell phases apart */
	assert_int_equal(grouping_make(&g, &set, by_order), 0);
	assert_int_equal(g.variants, 2);
	assert_int_equal(g.phases, 1);
	grouping_free(&g);
	record_set_free(&set);
}

static void histograms_are_merged(void **state)
{
	struct hist *h = malloc(sizeof(*h));
	json_t *o = json_pack("{s{sisi}s{sis[[ii][ii]]}}", "latency_ns", "min",
			      5, "max", 70, "histogram", "sub_bits", 6,
			      "buckets", 5, 3, 70, 1);

	(void)state;
	assert_non_null(h);
	assert_non_null(o);
	hist_reset(h);
	assert_true(record_hist_add(h, o));
	assert_true(record_hist_add(h, o));
	assert_int_equal(h->count, 8);
	assert_int_equal(hist_quantile(h, 0.5), 5);
	assert_int_equal(hist_quantile(h, 0.9), 70);
	/* 129 is in the middle of a bucket: no bucket starts there */
	json_object_set_new(json_object_get(o, "histogram"), "buckets",
			    json_pack("[[ii]]", 129, 1));
	assert_false(record_hist_add(h, o));
	assert_int_equal(h->count, 8);
	json_decref(o);
	free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_none),
		cmocka_unit_test(what_cannot_be_read),
		cmocka_unit_test(the_rest_is_used),
		cmocka_unit_test(values_are_found),
		cmocka_unit_test(groups),
		cmocka_unit_test(histograms_are_merged),
	};

	return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
