/* The gate: nobody passes before it opens; cancelled, nobody works. */
#include <stdatomic.h>

#include "gate.h"
#include "unit.h"

#define THREADS 8

static struct gate gate;
static atomic_int passed, sent_home;

static void *walk(void *argument)
{
	(void)argument;
	atomic_fetch_add(gate_wait(&gate) ? &passed : &sent_home, 1);
	return NULL;
}

static void go(bool cancelled)
{
	pthread_t t[THREADS];

	gate_init(&gate);
	atomic_store(&passed, 0);
	atomic_store(&sent_home, 0);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&t[i], NULL, walk, NULL), 0);
	gate_gather(&gate, THREADS);
	assert_int_equal(atomic_load(&passed), 0);
	assert_int_equal(atomic_load(&sent_home), 0);
	gate_open(&gate, cancelled);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	gate_destroy(&gate);
}

static void all_pass_when_it_opens(void **state)
{
	(void)state;
	for (int round = 0; round < 50; round++) {
		go(false);
		assert_int_equal(atomic_load(&passed), THREADS);
	}
}

static void all_go_home_when_it_is_cancelled(void **state)
{
	(void)state;
	for (int round = 0; round < 50; round++) {
		go(true);
		assert_int_equal(atomic_load(&sent_home), THREADS);
	}
}

static void an_open_gate_holds_nobody(void **state)
{
	(void)state;
	gate_init(&gate);
	gate_gather(&gate, 0);
	gate_open(&gate, false);
	assert_true(gate_wait(&gate));
	gate_destroy(&gate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_pass_when_it_opens),
		cmocka_unit_test(all_go_home_when_it_is_cancelled),
		cmocka_unit_test(an_open_gate_holds_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
