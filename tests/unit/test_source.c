/* The source: every order hands out every entry once, also to many at once. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "scratch.h"
#include "source.h"

#define START 50
#define COUNT 3000
#define ROOM 64

struct setting {
	struct order order;
	struct name_scheme scheme, to;
	struct source_options o;
	struct source *source;
};

static void set_up(struct setting *t, const char *order, int dir)
{
	const char *why;

	memset(t, 0, sizeof(*t));
	assert_int_equal(order_parse(&t->order, order), 0);
	order_bind(&t->order, COUNT, 1);
	assert_int_equal(name_parse(&t->scheme, "hex", NULL, &why), 0);
	assert_int_equal(name_parse(&t->to, "dec", "to-", &why), 0);
	t->o = (struct source_options){ .order = &t->order,
					.scheme = &t->scheme,
					.start = START,
					.count = COUNT,
					.dir = dir };
}

static void make_files(const struct setting *t, int dir)
{
	char name[NAME_BUFFER];

	for (uint64_t i = 0; i < COUNT; i++) {
		name_make(&t->scheme, START + i, name);
		scratch_touch(dir, name);
	}
	/* not ours: out of range, and of no scheme */
	name_make(&t->scheme, START - 1, name);
	scratch_touch(dir, name);
	name_make(&t->scheme, START + COUNT, name);
	scratch_touch(dir, name);
	scratch_touch(dir, "000000ff");
}

/* Take all blocks; mark what was seen. */
static void drain(const struct setting *t, atomic_uchar *seen)
{
	struct block b;
	int got;

	assert_int_equal(block_init(&b, ROOM, source_longest(t->source),
				    t->o.to != NULL),
			 0);
	while ((got = source_fill(t->source, &b)) == 1) {
		assert_true(b.count > 0 && b.count <= ROOM);
		for (unsigned int i = 0; i < b.count; i++) {
			char name[NAME_BUFFER];
			uint64_t index = b.index[i];

			assert_true(index >= START && index < START + COUNT);
			atomic_fetch_add(&seen[index - START], 1);
			name_make(&t->scheme, index, name);
			assert_string_equal(block_name(&b, i), name);
			if (!t->o.to)
				continue;
			name_make(&t->to, index, name);
			assert_string_equal(block_to(&b, i), name);
		}
	}
	assert_int_equal(got, 0);
	assert_int_equal(source_fill(t->source, &b), 0);
	block_free(&b);
}

static void assert_once_each(const atomic_uchar *seen, unsigned char times)
{
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(seen[i], times);
}

static const char *const orders[] = { "sequential", "reverse", "random",
				      "stride:17",  "readdir", "inode" };

static void every_order_hands_out_all(void **state)
{
	struct scratch *s = *state;

	for (size_t k = 0; k < COUNT_OF(orders); k++)
		for (int two = 0; two < 2; two++) {
			atomic_uchar seen[COUNT] = { 0 };
			struct setting t;

			set_up(&t, orders[k], s->fd);
			if (k == 0 && !two)
				make_files(&t, s->fd);
			t.o.to = two ? &t.to : NULL;
			assert_int_equal(source_open(&t.source, &t.o), 0);
			drain(&t, seen);
			assert_once_each(seen, 1);
			assert_int_equal(source_given(t.source), COUNT);
			/* and all again, from the beginning */
			assert_int_equal(source_again(t.source, false), 0);
			drain(&t, seen);
			assert_once_each(seen, 2);
			source_close(t.source);
		}
}

static void computed_orders_keep_their_positions(void **state)
{
	struct setting t;
	struct block b;
	uint64_t position = 0;

	(void)state;
	set_up(&t, "random", -1);
	assert_int_equal(source_open(&t.source, &t.o), 0);
	assert_int_equal(block_init(&b, 100, 20, 0), 0);
	while (source_fill(t.source, &b) == 1) {
		assert_int_equal(b.position, position);
		for (unsigned int i = 0; i < b.count; i++)
			assert_int_equal(b.index[i],
					 START + order_at(&t.order,
							  position + i));
		position += b.count;
	}
	assert_int_equal(position, COUNT);
	block_free(&b);
	source_close(t.source);
}

/* With a window: sorted within it, and still all there. */
static void inode_order_is_by_inode(void **state)
{
	struct scratch *s = *state;
	static const uint64_t windows[] = { 0, 100, COUNT, 1 };
	struct setting t;
	struct stat st;
	struct block b;

	set_up(&t, "inode", s->fd);
	make_files(&t, s->fd);
	for (size_t w = 0; w < COUNT_OF(windows); w++) {
		uint64_t window = windows[w] ? windows[w] : COUNT;
		uint64_t given = 0;
		ino_t last = 0;

		t.o.window = windows[w];
		assert_int_equal(source_open(&t.source, &t.o), 0);
		assert_int_equal(block_init(&b, ROOM, 20, 0), 0);
		while (source_fill(t.source, &b) == 1)
			for (unsigned int i = 0; i < b.count; i++) {
				assert_int_equal(fstatat(s->fd,
							 block_name(&b, i), &st,
							 0),
						 0);
				if (given++ % window)
					assert_true(st.st_ino > last);
				last = st.st_ino;
			}
		assert_int_equal(given, COUNT);
		assert_true(source_memory(t.source) >= window * 16);
		block_free(&b);
		source_close(t.source);
	}
}

static void any_name_is_taken_without_a_scheme(void **state)
{
	static const char *const observed[] = { "readdir", "inode" };
	struct scratch *s = *state;
	struct setting t;
	struct block b;

	scratch_touch(s->fd, "new\nline");
	scratch_touch(s->fd, "\xff");
	scratch_mkdir(s->fd, "-rf");
	for (size_t k = 0; k < COUNT_OF(observed); k++) {
		set_up(&t, observed[k], s->fd);
		t.o.scheme = NULL;
		assert_int_equal(source_open(&t.source, &t.o), 0);
		assert_int_equal(source_longest(t.source), NAME_MAX);
		assert_int_equal(block_init(&b, ROOM, NAME_MAX, 0), 0);
		assert_int_equal(source_fill(t.source, &b), 1);
		assert_int_equal(b.count, 3);
		for (unsigned int i = 0; i < b.count; i++) {
			assert_true(b.index[i] == NO_INDEX);
			assert_true(scratch_has(s->fd, block_name(&b, i)));
		}
		block_free(&b);
		source_close(t.source);
	}
}

#define THREADS 8

struct drainer {
	struct setting *setting;
	atomic_uchar *seen;
};

static void *drain_thread(void *argument)
{
	struct drainer *d = argument;

	drain(d->setting, d->seen);
	return NULL;
}

static void workers_share_without_overlap(void **state)
{
	struct scratch *s = *state;

	for (size_t k = 0; k < COUNT_OF(orders); k++) {
		atomic_uchar seen[COUNT] = { 0 };
		pthread_t thread[THREADS];
		struct setting t;
		struct drainer d = { &t, seen };

		set_up(&t, orders[k], s->fd);
		if (k == 0)
			make_files(&t, s->fd);
		assert_int_equal(source_open(&t.source, &t.o), 0);
		for (int i = 0; i < THREADS; i++)
			assert_int_equal(pthread_create(&thread[i], NULL,
							drain_thread, &d),
					 0);
		for (int i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
		assert_once_each(seen, 1);
		source_close(t.source);
	}
}

static void swapping_exchanges_the_schemes(void **state)
{
	struct setting t;
	struct block b;

	(void)state;
	set_up(&t, "sequential", -1);
	t.o.to = &t.to;
	assert_int_equal(source_open(&t.source, &t.o), 0);
	assert_int_equal(block_init(&b, ROOM, source_longest(t.source), 1), 0);
	assert_int_equal(source_fill(t.source, &b), 1);
	assert_string_equal(block_name(&b, 0), "00000032");
	assert_string_equal(block_to(&b, 0), "to-50");
	assert_int_equal(source_again(t.source, true), 0);
	assert_int_equal(source_fill(t.source, &b), 1);
	assert_string_equal(block_name(&b, 0), "to-50");
	assert_string_equal(block_to(&b, 0), "00000032");
	block_free(&b);
	source_close(t.source);
}

#define TEST(f)                                                                \
	cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)

/* Into the directories of a layout, and one of them into a wrong one. */
static void directories_of_a_layout_are_read_in_turn(void **state)
{
	static const char *const observed[] = { "readdir", "inode" };
	struct scratch *s = *state;
	struct layout l;
	struct setting t;
	const char *why;
	char name[NAME_BUFFER], path[LAYOUT_PATH];

	set_up(&t, "readdir", s->fd);
	assert_int_equal(layout_parse(&l, "levels:2", &why), 0);
	for (uint64_t i = 0; i < COUNT; i++) {
		size_t length = name_make(&t.scheme, START + i, name);
		int dir;

		layout_path(&l, START + i, name, length, path, sizeof(path));
		mkdirat(s->fd, path, 0700);
		dir = openat(s->fd, i == 5 ? "00" : path,
			     O_RDONLY | O_DIRECTORY);
		if (dir < 0 && i == 5) {
			scratch_mkdir(s->fd, "00");
			dir = openat(s->fd, "00", O_RDONLY | O_DIRECTORY);
		}
		scratch_touch(dir, name);
		close(dir);
	}
	scratch_touch(s->fd, "00000037"); /* START + 5, but in no directory */
	for (size_t k = 0; k < COUNT_OF(observed); k++) {
		atomic_uchar seen[COUNT] = { 0 };

		set_up(&t, observed[k], s->fd);
		t.o.layout = &l;
		assert_int_equal(source_open(&t.source, &t.o), 0);
		drain(&t, seen);
		assert_int_equal(seen[5], 0);
		atomic_store(&seen[5], 1);
		assert_once_each(seen, 1);
		assert_int_equal(source_again(t.source, false), 0);
		drain(&t, seen);
		atomic_store(&seen[5], 2);
		assert_once_each(seen, 2);
		source_close(t.source);
	}
}

static void a_mix_has_exactly_its_share_of_hits(void **state)
{
	static unsigned char seen[COUNT];
	struct mix mix = { .hits = COUNT / 3, .beyond = COUNT };
	unsigned int hits = 0, count = 0, changes = 0;
	bool before = false;
	struct setting t;
	struct block b;

	(void)state;
	memset(seen, 0, sizeof(seen));
	set_up(&t, "random", -1);
	permute_init(&mix.permutation, COUNT, 7);
	t.o.mix = &mix;
	assert_int_equal(source_open(&t.source, &t.o), 0);
	assert_int_equal(block_init(&b, ROOM, source_longest(t.source), 0), 0);
	while (source_fill(t.source, &b) == 1)
		for (unsigned int i = 0; i < b.count; i++, count++) {
			bool hit = b.index[i] < START + COUNT;
			char name[NAME_BUFFER];

			seen[(b.index[i] - START) % COUNT]++;
			name_make(&t.scheme, b.index[i], name);
			assert_string_equal(block_name(&b, i), name);
			hits += hit;
			changes += hit != before;
			before = hit;
		}
	assert_int_equal(count, COUNT);
	assert_int_equal(hits, COUNT / 3);
	/* 2 * 1/3 * 2/3 of the steps are changes, if all are independent */
	assert_in_range(changes, COUNT * 4 / 9 - 150, COUNT * 4 / 9 + 150);
	for (unsigned int i = 0; i < COUNT; i++)
		assert_int_equal(seen[i], 1);
	block_free(&b);
	source_close(t.source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_order_hands_out_all),
		TEST(computed_orders_keep_their_positions),
		TEST(inode_order_is_by_inode),
		TEST(any_name_is_taken_without_a_scheme),
		TEST(workers_share_without_overlap),
		TEST(swapping_exchanges_the_schemes),
		TEST(directories_of_a_layout_are_read_in_turn),
		TEST(a_mix_has_exactly_its_share_of_hits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
