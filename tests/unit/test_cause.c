/* What a knee is held against: each rule by evidence that is made up. */
#include <string.h>
#include <unistd.h>

#include "cause.h"
#include "evidence_read.h"
#include "unit.h"

#define SAMPLES 101
#define WIDTH 1000
#define KNEE 50 /* slices before it */
#define MIB (UINT64_C(1) << 20)

static struct run_evidence evidence;
static struct cause_scene scene;
static struct cause found[CAUSE_KINDS];

/* A run at which nothing happens, with a knee in the middle. */
static int quiet_run(void **state)
{
	(void)state;
	memset(&evidence, 0, sizeof(evidence));
	evidence.width = WIDTH;
	evidence.of_device = true;
	evidence.used = SAMPLES;
	for (unsigned int i = 0; i < SAMPLES; i++) {
		struct evidence_sample *s = &evidence.sample[i];

		s->position = (uint64_t)i * WIDTH;
		s->time = i * UINT64_C(10000000);
		for (int f = 0; f < EVIDENCE_FIGURES; f++)
			s->figure[f] = 100 * MIB;
		s->figure[EVIDENCE_AVAILABLE] = 900 * MIB;
	}
	scene = (struct cause_scene){ .evidence = &evidence,
				      .low = (KNEE - 1) * WIDTH,
				      .high = (KNEE + 1) * WIDTH,
				      .slice = WIDTH,
				      .reach = 16 * WIDTH,
				      .rises = true,
				      .journal = 8 * MIB,
				      .memory = 1000 * MIB };
	return 0;
}

/* From a slice on, a figure grows by so much at each. */
static void grow(enum evidence_figure f, unsigned int from, uint64_t by)
{
	for (unsigned int i = from + 1; i < SAMPLES; i++)
		evidence.sample[i].figure[f] =
			evidence.sample[i - 1].figure[f] + by;
}

/* The one cause that is found. */
static void finds(enum cause_kind kind, const char *part)
{
	assert_int_equal(cause_find(&scene, found), 1);
	assert_int_equal(found[0].kind, kind);
	assert_non_null(strstr(found[0].text, part));
}

static void finds_none(void)
{
	assert_int_equal(cause_find(&scene, found), 0);
}

static void test_quiet(void **state)
{
	(void)state;
	finds_none();
	scene.evidence = NULL;
	finds_none();
}

static void test_reads(void **state)
{
	(void)state;
	grow(EVIDENCE_READS, KNEE, 200);
	finds(CAUSE_DEVICE_READS, "0 -> 200 for 1,000 operations");
	scene.rises = false;
	finds_none();
}

static void test_reads_all_along(void **state)
{
	(void)state;
	grow(EVIDENCE_READS, 0, 200);
	finds_none();
}

static void test_reads_end(void **state)
{
	(void)state;
	scene.rises = false;
	grow(EVIDENCE_READS, 0, 200);
	grow(EVIDENCE_READS, KNEE, 0);
	finds(CAUSE_DEVICE_READS, "200 -> 0 for 1,000 operations");
}

static void test_writes(void **state)
{
	(void)state;
	scene.journal = 0;
	grow(EVIDENCE_WRITTEN, KNEE, 512 * WIDTH);
	finds(CAUSE_DEVICE_WRITES, "0 B -> 512 B");
}

/* 160 KiB a slice, so that 8 MiB are written by slice 51.2. */
static void test_journal(void **state)
{
	(void)state;
	grow(EVIDENCE_WRITTEN, 0, 160 << 10);
	finds(CAUSE_JOURNAL_FULL, "the journal holds 8.0 MiB");
	scene.journal = 12 * MIB;
	finds_none();
}

static void test_write_back(void **state)
{
	(void)state;
	evidence.dirty_limit = 150 * MIB;
	grow(EVIDENCE_DIRTY, 0, MIB);
	finds(CAUSE_WRITE_BACK, "it begins at 150.0 MiB");
	evidence.dirty_limit = 190 * MIB;
	finds_none();
}

static void test_memory(void **state)
{
	(void)state;
	scene.memory_limit = 150 * MIB;
	grow(EVIDENCE_GROUP, 0, MIB);
	finds(CAUSE_MEMORY_LIMIT, "150.0 MiB");
	scene.memory_limit = 0;
	for (unsigned int i = KNEE; i < SAMPLES; i++)
		evidence.sample[i].figure[EVIDENCE_AVAILABLE] = 10 * MIB;
	finds(CAUSE_MEMORY_SHORT, "900.0 MiB -> 10.0 MiB");
}

static void test_preempted(void **state)
{
	(void)state;
	grow(EVIDENCE_PREEMPTED, KNEE, 2);
	finds(CAUSE_PREEMPTED, "0 -> 200 times a second");
}

static void test_others(void **state)
{
	(void)state;
	/* its own time is not that of others */
	grow(EVIDENCE_PROCESSOR, KNEE, 5000000);
	grow(EVIDENCE_BUSY, KNEE, 8000000);
	finds_none();
	grow(EVIDENCE_BUSY, KNEE, 9000000);
	finds(CAUSE_OTHERS_BUSY, "kept 0.0 -> 0.4 processors");
	scene.rises = false;
	finds_none();
}

static void test_index(void **state)
{
	const struct index_step steps[] = {
		{ 0, 1, 2000, 2000, 2000 },
		{ 1, 2, 50100, 49900, 50300 },
	};

	(void)state;
	scene.steps = steps;
	scene.step_count = 2;
	finds(CAUSE_INDEX_DEPTH, "levels 1 -> 2 at 50,100 by the model");
	scene.low = 60000;
	scene.high = 62000;
	finds_none();
}

/* What is not known is no cause. */
static void test_unknown(void **state)
{
	(void)state;
	grow(EVIDENCE_READS, KNEE, 200);
	evidence.sample[KNEE + 1].figure[EVIDENCE_READS] = EVIDENCE_UNKNOWN;
	finds_none();
}

static void test_per_operation(void **state)
{
	double before, after;

	(void)state;
	grow(EVIDENCE_PROCESSOR, 0, 3000 * WIDTH);
	assert_true(cause_per_operation(&scene, EVIDENCE_PROCESSOR, &before,
					&after));
	assert_true(before == 3000 && after == 3000);
}

static void test_parsing(void **state)
{
	uint64_t figure[EVIDENCE_FIGURES] = { 0 };

	(void)state;
	evidence_parse_device("  12 3 40 5  6 7 80 9 0 10 11\n", figure);
	assert_int_equal(figure[EVIDENCE_READS], 12);
	assert_int_equal(figure[EVIDENCE_READ], 40 * 512);
	assert_int_equal(figure[EVIDENCE_WRITES], 6);
	assert_int_equal(figure[EVIDENCE_WRITTEN], 80 * 512);
	evidence_parse_io("rchar: 1\nread_bytes: 4096\nwrite_bytes: 512\n",
			  figure);
	assert_int_equal(figure[EVIDENCE_READ], 4096);
	assert_int_equal(figure[EVIDENCE_WRITTEN], 512);
	evidence_parse_processors("cpu  1 2 3 1000 1000 4 5 6 7 8\n", figure);
	assert_int_equal(figure[EVIDENCE_BUSY],
			 21 * (1000000000 / sysconf(_SC_CLK_TCK)));
	evidence_parse_memory("MemTotal: 9 kB\nMemAvailable:   7 kB\n"
			      "Cached:  3 kB\nSwapCached: 8 kB\nDirty: 1 kB\n",
			      figure);
	assert_int_equal(figure[EVIDENCE_AVAILABLE], 7 * 1024);
	assert_int_equal(figure[EVIDENCE_CACHED], 3 * 1024);
	assert_int_equal(figure[EVIDENCE_DIRTY], 1024);
	assert_int_equal(figure[EVIDENCE_RECLAIMABLE], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_quiet, quiet_run),
		cmocka_unit_test_setup(test_reads, quiet_run),
		cmocka_unit_test_setup(test_reads_all_along, quiet_run),
		cmocka_unit_test_setup(test_reads_end, quiet_run),
		cmocka_unit_test_setup(test_writes, quiet_run),
		cmocka_unit_test_setup(test_journal, quiet_run),
		cmocka_unit_test_setup(test_write_back, quiet_run),
		cmocka_unit_test_setup(test_memory, quiet_run),
		cmocka_unit_test_setup(test_preempted, quiet_run),
		cmocka_unit_test_setup(test_others, quiet_run),
		cmocka_unit_test_setup(test_index, quiet_run),
		cmocka_unit_test_setup(test_unknown, quiet_run),
		cmocka_unit_test_setup(test_per_operation, quiet_run),
		cmocka_unit_test(test_parsing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
