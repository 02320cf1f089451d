/* The run, with operations that are made up: who fails, who is slow, and that
 * all of it is counted once. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "interrupt.h"
#include "run.h"
#include "unit.h"

#define COUNT 2000
#define WORKERS 4

/* What the made-up operations saw and shall do; `dir` of a place tells the
 * step. An operation has no other way to reach it. */
static struct {
	atomic_uint calls[RUN_MAX_STEPS][COUNT];
	atomic_uint all;
	uint64_t fail_every; /* indices that this divides fail ... */
	int fail_step; /* ... in this step */
	int error;
	uint64_t slow_index;
	uint64_t stop_at; /* calls after which a signal comes */
	bool went_back; /* the names were exchanged */
} fake;

static struct name_scheme scheme, to_scheme;

static int operate(const struct place *p, const char *name, const char *to)
{
	uint64_t index;
	unsigned int step = (unsigned int)p->dir;

	if (!name_index(&scheme, name, &index)) {
		assert_true(name_index(&to_scheme, name, &index));
		fake.went_back = true;
	} else if (to) {
		uint64_t other;

		assert_true(name_index(&to_scheme, to, &other));
		assert_int_equal(index, other);
	}
	atomic_fetch_add(&fake.calls[step][index], 1);
	if (index == fake.slow_index)
		nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
	if (fake.stop_at && atomic_fetch_add(&fake.all, 1) + 1 == fake.stop_at)
		raise(SIGTERM);
	if (fake.fail_every && index % fake.fail_every == 0 &&
	    (int)step == fake.fail_step)
		return fake.error;
	return 0;
}

static const struct operation op_first = { "fake", "faked", "create", operate,
					   false };
static const struct operation op_second = { "fake", "faked", "rename", operate,
					    true };

struct setting {
	struct order order;
	struct source_options so;
	struct run_counters counters[WORKERS];
	struct run_plan plan;
	struct run_result result;
};

static void set_up(struct setting *t, const char *order)
{
	const char *why;

	memset(t, 0, sizeof(*t));
	memset(&fake, 0, sizeof(fake));
	fake.slow_index = NO_INDEX;
	fake.error = EIO;
	interrupt_signal = 0;
	assert_int_equal(name_parse(&scheme, "hex", NULL, &why), 0);
	assert_int_equal(name_parse(&to_scheme, "dec", "t", &why), 0);
	assert_int_equal(order_parse(&t->order, order), 0);
	order_bind(&t->order, COUNT, 1);
	t->so = (struct source_options){
		.order = &t->order, .scheme = &scheme, .count = COUNT, .dir = -1
	};
	t->plan = (struct run_plan){ .steps = 1,
				     .batch = 1,
				     .workers = 1,
				     .passes = 1,
				     .expected = COUNT,
				     .stop_on_error = true,
				     .counters = t->counters };
	t->plan.step[0] =
		(struct run_step){ .op = &op_first,
				   .place = { .dir = 0, .to_dir = 0 } };
	t->plan.step[1] =
		(struct run_step){ .op = &op_second,
				   .place = { .dir = 1, .to_dir = 1 } };
}

static void go(struct setting *t)
{
	if (t->plan.steps > 1 || t->plan.step[0].op->takes_two)
		t->so.to = &to_scheme;
	assert_int_equal(source_open(&t->plan.source, &t->so), 0);
	assert_int_equal(run(&t->plan, &t->result), 0);
	source_close(t->plan.source);
}

static uint64_t calls_of(unsigned int step)
{
	uint64_t n = 0;

	for (int i = 0; i < COUNT; i++)
		n += fake.calls[step][i];
	return n;
}

static uint64_t counted(const struct setting *t)
{
	uint64_t n = 0;

	for (int i = 0; i < WORKERS; i++)
		n += t->counters[i].done;
	return n;
}

static void assert_timelines_agree(const struct meter *m)
{
	uint64_t a = 0, b = 0;

	for (size_t i = 0; i < m->by_position.used; i++)
		a += m->by_position.slices[i].count;
	for (size_t i = 0; i < m->by_time.used; i++)
		b += m->by_time.slices[i].count;
	assert_int_equal(a, m->latency.count);
	assert_int_equal(b, m->latency.count);
}

static void every_entry_is_done_once(void **state)
{
	static const char *const orders[] = { "sequential", "reverse", "random",
					      "stride:7", "interleave:3" };

	(void)state;
	for (size_t k = 0; k < COUNT_OF(orders); k++)
		for (unsigned int workers = 1; workers <= WORKERS; workers++) {
			struct setting t;

			set_up(&t, orders[k]);
			t.plan.workers = workers;
			go(&t);
			for (int i = 0; i < COUNT; i++)
				assert_int_equal(fake.calls[0][i], 1);
			assert_int_equal(t.result.end, RUN_COMPLETE);
			assert_int_equal(t.result.meter[0].latency.count,
					 COUNT);
			assert_int_equal(t.result.tried, COUNT);
			assert_int_equal(t.result.first.err, 0);
			assert_int_equal(counted(&t), COUNT);
			assert_timelines_agree(&t.result.meter[0]);
			run_result_free(&t.result);
		}
}

static void both_steps_are_done_in_turn(void **state)
{
	static const unsigned int batches[] = { 1, 2, 7, 256, 300, 5000 };

	(void)state;
	for (size_t k = 0; k < COUNT_OF(batches); k++)
		for (unsigned int workers = 1; workers <= WORKERS;
		     workers += WORKERS - 1) {
			struct setting t;

			set_up(&t, "random");
			t.plan.steps = 2;
			t.plan.batch = batches[k];
			t.plan.workers = workers;
			go(&t);
			for (int i = 0; i < COUNT; i++) {
				assert_int_equal(fake.calls[0][i], 1);
				assert_int_equal(fake.calls[1][i], 1);
			}
			for (int n = 0; n < 2; n++)
				assert_int_equal(
					t.result.meter[n].latency.count, COUNT);
			assert_int_equal(counted(&t), COUNT);
			run_result_free(&t.result);
		}
}

static void the_first_failure_stops_it(void **state)
{
	struct setting t;

	(void)state;
	set_up(&t, "reverse");
	/* reverse order from 1999: 1500 is the first that fails */
	fake.fail_every = 500;
	go(&t);
	assert_int_equal(t.result.end, RUN_FAILED);
	assert_int_equal(t.result.first.err, EIO);
	assert_int_equal(t.result.first.index, 1500);
	assert_int_equal(t.result.first.position, 499);
	assert_string_equal(t.result.first.name, "000005DC");
	assert_int_equal(t.result.meter[0].latency.count, 499);
	assert_int_equal(t.result.meter[0].failed, 1);
	assert_int_equal(t.result.meter[0].errors[EIO], 1);
	assert_int_equal(t.result.tried, 500);
	assert_int_equal(calls_of(0), 500);
	run_result_free(&t.result);
}

static void failures_are_counted_apart(void **state)
{
	(void)state;
	for (unsigned int workers = 1; workers <= WORKERS; workers++) {
		struct setting t;

		set_up(&t, "random");
		t.plan.workers = workers;
		t.plan.stop_on_error = false;
		fake.fail_every = 10;
		fake.error = EEXIST;
		go(&t);
		assert_int_equal(t.result.end, RUN_COMPLETE);
		assert_int_equal(t.result.meter[0].failed, COUNT / 10);
		assert_int_equal(t.result.meter[0].errors[EEXIST], COUNT / 10);
		assert_int_equal(t.result.meter[0].latency.count,
				 COUNT - COUNT / 10);
		assert_int_equal(t.result.first.index % 10, 0);
		assert_int_equal(t.result.tried, COUNT);
		assert_int_equal(calls_of(0), COUNT);
		assert_timelines_agree(&t.result.meter[0]);
		run_result_free(&t.result);
	}
}

/* What failed the first step does not reach the second. */
static void a_failed_entry_goes_no_further(void **state)
{
	struct setting t;

	(void)state;
	set_up(&t, "sequential");
	t.plan.steps = 2;
	t.plan.batch = 16;
	t.plan.stop_on_error = false;
	fake.fail_every = 4;
	go(&t);
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(fake.calls[0][i], 1);
		assert_int_equal(fake.calls[1][i], i % 4 != 0);
	}
	assert_int_equal(t.result.meter[1].latency.count, COUNT / 4 * 3);
	run_result_free(&t.result);
}

/* A run that stops leaves nothing between two steps. */
static void nothing_stays_half_done(void **state)
{
	static const unsigned int batches[] = { 1, 10, 256 };

	(void)state;
	for (size_t k = 0; k < COUNT_OF(batches); k++)
		for (uint64_t stop = 1; stop < 1000; stop = stop * 2 + 1) {
			struct setting t;

			set_up(&t, "random");
			t.plan.steps = 2;
			t.plan.batch = batches[k];
			t.plan.workers = 2;
			fake.stop_at = stop;
			go(&t);
			assert_int_equal(t.result.end, RUN_SIGNAL);
			assert_int_equal(t.result.signal, SIGTERM);
			for (int i = 0; i < COUNT; i++)
				assert_int_equal(fake.calls[0][i],
						 fake.calls[1][i]);
			assert_int_equal(t.result.meter[0].latency.count,
					 calls_of(0));
			assert_int_equal(t.result.meter[1].latency.count,
					 calls_of(1));
			assert_true(calls_of(0) < COUNT);
			run_result_free(&t.result);
		}
	interrupt_signal = 0;
}

static void the_slow_one_is_told(void **state)
{
	struct setting t;

	(void)state;
	set_up(&t, "reverse");
	t.plan.workers = WORKERS;
	fake.slow_index = 777;
	go(&t);
	assert_true(t.result.meter[0].slowest[0].latency >= 20000000);
	assert_true(t.result.meter[0].latency.max >= 20000000);
	/* on a busy machine others may take as long, but not be lost */
	for (unsigned int i = 0; i < t.result.meter[0].slow_count; i++) {
		const struct slow_operation *s = &t.result.meter[0].slowest[i];

		if (s->index != 777)
			continue;
		assert_int_equal(s->position, COUNT - 1 - 777);
		assert_string_equal(s->name, "00000309");
		assert_true(s->start + s->latency <= t.result.real);
		run_result_free(&t.result);
		return;
	}
	fail_msg("the slow one is not among the slowest");
}

static void the_time_is_up(void **state)
{
	struct setting t;

	(void)state;
	set_up(&t, "sequential");
	t.plan.time_limit = 5000000;
	fake.slow_index = 100;
	go(&t);
	assert_int_equal(t.result.end, RUN_TIME_LIMIT);
	/* the one that was under way is still counted */
	assert_true(t.result.tried <= 101);
	assert_int_equal(t.result.tried, calls_of(0));
	assert_int_equal(t.result.first.err, 0);
	run_result_free(&t.result);
}

static void passes_go_there_and_back(void **state)
{
	struct setting t;

	(void)state;
	set_up(&t, "random");
	t.plan.passes = 3;
	t.plan.step[0].op = &op_second;
	go(&t);
	assert_true(fake.went_back);
	assert_int_equal(t.result.meter[0].latency.count, 3 * COUNT);
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(fake.calls[0][i], 3);
	assert_timelines_agree(&t.result.meter[0]);
	run_result_free(&t.result);
}

static void a_signal_before_it_stops_it_at_once(void **state)
{
	struct setting t;

	(void)state;
	set_up(&t, "sequential");
	interrupt_signal = SIGHUP;
	go(&t);
	assert_int_equal(t.result.end, RUN_SIGNAL);
	assert_int_equal(t.result.signal, SIGHUP);
	assert_int_equal(t.result.tried, 0);
	interrupt_signal = 0;
	run_result_free(&t.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_entry_is_done_once),
		cmocka_unit_test(both_steps_are_done_in_turn),
		cmocka_unit_test(the_first_failure_stops_it),
		cmocka_unit_test(failures_are_counted_apart),
		cmocka_unit_test(a_failed_entry_goes_no_further),
		cmocka_unit_test(nothing_stays_half_done),
		cmocka_unit_test(the_slow_one_is_told),
		cmocka_unit_test(the_time_is_up),
		cmocka_unit_test(passes_go_there_and_back),
		cmocka_unit_test(a_signal_before_it_stops_it_at_once),
	};

	interrupt_catch();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
