/* The walk through a tree: all of it, children first, links never followed. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "block.h"
#include "scratch.h"
#include "tree.h"

/* Delete what the walk hands out, as its user would; names in `keep` stay and
 * count as failed. Returns the entries that went. */
static uint64_t empty(struct tree *t, const char *keep)
{
	struct block b;
	uint64_t gone = 0;
	int got;

	assert_int_equal(block_init(&b, 32, NAME_MAX, 0), 0);
	while ((got = tree_fill(t, &b)) == 1) {
		uint64_t failed = 0;
		int flags = b.step == TREE_RMDIR ? AT_REMOVEDIR : 0;

		for (unsigned int i = 0; i < b.count; i++) {
			const char *name = block_name(&b, i);

			if ((keep && strcmp(name, keep) == 0) ||
			    unlinkat(b.dir, name, flags) < 0)
				failed++;
			else
				gone++;
		}
		tree_release(t, &b, failed, 0);
	}
	assert_int_equal(got, 0);
	block_free(&b);
	return gone;
}

static struct tree *open_tree(int dir, bool recursive, bool by_inode)
{
	struct tree_options o = { .dir = dir,
				  .recursive = recursive,
				  .by_inode = by_inode,
				  .window = by_inode ? 7 : 0 };
	struct tree *t;

	assert_int_equal(tree_open(&t, &o), 0);
	return t;
}

/* 40 files here and in each of 3 directories, of which each has one more. */
static uint64_t plant(int dir, int depth)
{
	uint64_t made = 0;
	char name[32];

	for (int i = 0; i < 40; i++, made++) {
		snprintf(name, sizeof(name), "f%d", i);
		scratch_touch(dir, name);
	}
	for (int i = 0; i < 3 && depth > 0; i++) {
		int fd;

		snprintf(name, sizeof(name), "d%d", i);
		scratch_mkdir(dir, name);
		fd = openat(dir, name, O_RDONLY | O_DIRECTORY);
		made += 1 + plant(fd, depth - 1);
		close(fd);
	}
	return made;
}

/* Only an empty directory can be removed. */
static int is_empty(const struct scratch *s)
{
	return rmdir(s->path) == 0 && mkdir(s->path, 0700) == 0;
}

static void a_tree_goes_whole(void **state)
{
	struct scratch *s = *state;

	for (int by_inode = 0; by_inode < 2; by_inode++) {
		struct tree *t;
		uint64_t made;
		int fd;

		scratch_mkdir(s->fd, "top");
		fd = openat(s->fd, "top", O_RDONLY | O_DIRECTORY);
		made = plant(fd, 3);
		t = open_tree(fd, true, by_inode);
		assert_int_equal(empty(t, NULL), made);
		assert_int_equal(tree_given(t), made);
		assert_int_equal(tree_left(t)->directories, 0);
		tree_close(t);
		close(fd);
		/* only an empty directory can be removed */
		assert_int_equal(unlinkat(s->fd, "top", AT_REMOVEDIR), 0);
	}
}

static void subdirectories_stay_unless_asked_for(void **state)
{
	struct scratch *s = *state;
	struct tree *t;

	plant(s->fd, 1);
	t = open_tree(s->fd, false, false);
	assert_int_equal(empty(t, NULL), 40);
	assert_int_equal(tree_left(t)->directories, 3);
	assert_int_equal(tree_left(t)->directory_name[0], 'd');
	assert_true(scratch_has(s->fd, "d0/f0"));
	tree_close(t);
}

static void links_are_not_followed(void **state)
{
	struct scratch *s = *state;
	struct tree *t;
	int fd;

	scratch_mkdir(s->fd, "outside");
	scratch_touch(s->fd, "outside/precious");
	scratch_mkdir(s->fd, "top");
	assert_int_equal(symlinkat("../outside", s->fd, "top/link"), 0);
	assert_int_equal(symlinkat(".", s->fd, "top/self"), 0);
	fd = openat(s->fd, "top", O_RDONLY | O_DIRECTORY);
	t = open_tree(fd, true, false);
	assert_int_equal(empty(t, NULL), 2);
	tree_close(t);
	close(fd);
	assert_true(scratch_has(s->fd, "outside/precious"));
	assert_int_equal(unlinkat(s->fd, "top", AT_REMOVEDIR), 0);
}

/* A directory exchanged for a link between being read and being entered. */
static void a_swapped_directory_is_not_entered(void **state)
{
	struct scratch *s = *state;
	struct block b;
	struct tree *t;
	int fd;

	scratch_mkdir(s->fd, "outside");
	scratch_touch(s->fd, "outside/precious");
	scratch_mkdir(s->fd, "top");
	scratch_mkdir(s->fd, "top/sub");
	scratch_touch(s->fd, "top/file");
	fd = openat(s->fd, "top", O_RDONLY | O_DIRECTORY);
	t = open_tree(fd, true, false);
	assert_int_equal(block_init(&b, 32, NAME_MAX, 0), 0);
	assert_int_equal(tree_fill(t, &b), 1);
	assert_string_equal(block_name(&b, 0), "file");
	assert_int_equal(unlinkat(b.dir, "file", 0), 0);
	assert_int_equal(unlinkat(s->fd, "top/sub", AT_REMOVEDIR), 0);
	assert_int_equal(symlinkat("../outside", s->fd, "top/sub"), 0);
	tree_release(t, &b, 0, 0);
	empty(t, NULL);
	block_free(&b);
	tree_close(t);
	close(fd);
	assert_true(scratch_has(s->fd, "outside/precious"));
}

static void what_does_not_match_is_not_handed_out(void **state)
{
	static const char *const globs[] = { "*.tmp", NULL };
	const struct selection selection = { .match = globs };
	struct scratch *s = *state;
	struct tree_options o = { .dir = s->fd,
				  .recursive = true,
				  .selection = &selection };
	struct tree *t;

	scratch_mkdir(s->fd, "sub.tmp");
	scratch_touch(s->fd, "a.tmp");
	scratch_touch(s->fd, "a.log");
	scratch_touch(s->fd, "sub.tmp/b.tmp");
	scratch_touch(s->fd, "sub.tmp/b.log");
	assert_int_equal(tree_open(&t, &o), 0);
	assert_int_equal(empty(t, NULL), 2);
	/* not even tried */
	assert_int_equal(tree_given(t), 2);
	assert_int_equal(tree_left(t)->unmatched, 2);
	assert_int_equal(tree_left(t)->directories, 0);
	tree_close(t);
	assert_int_equal(unlinkat(s->fd, "sub.tmp/b.log", 0), 0);
	/* nor is the directory when it is empty */
	assert_int_equal(tree_open(&t, &o), 0);
	assert_int_equal(empty(t, NULL), 0);
	tree_close(t);
	assert_true(scratch_has(s->fd, "sub.tmp"));
	assert_true(scratch_has(s->fd, "a.log"));
}

static void how_many_there_are_is_known_at_the_end(void **state)
{
	static const char *const globs[] = { "f1*", NULL };
	const struct selection selection = { .match = globs };
	struct scratch *s = *state;
	struct tree_options o = { .dir = s->fd, .selection = &selection };
	struct tree *t;

	plant(s->fd, 0);
	assert_int_equal(tree_open(&t, &o), 0);
	assert_int_equal(tree_expected(t), 0);
	/* f1, f10 to f19 */
	assert_int_equal(empty(t, NULL), 11);
	assert_int_equal(tree_expected(t), 11);
	tree_close(t);
}

/* Delete what begins with f1 and keep the rest; returns how often an entry that
 * is kept was handed out, of which *again in a later reading. */
static uint64_t keep_most(struct tree *t, uint64_t *again)
{
	struct block b;
	uint64_t looks = 0;

	*again = 0;
	assert_int_equal(block_init(&b, 32, NAME_MAX, 0), 0);
	while (tree_fill(t, &b) == 1) {
		uint64_t kept = 0;

		for (unsigned int i = 0; i < b.count; i++) {
			if (strncmp(block_name(&b, i), "f1", 2) != 0)
				kept++;
			else
				unlinkat(b.dir, block_name(&b, i), 0);
		}
		tree_release(t, &b, 0, kept);
		looks += kept;
		*again += b.again ? kept : 0;
	}
	block_free(&b);
	return looks;
}

static void what_is_kept_is_looked_at_once_where_none_is_skipped(void **state)
{
	struct scratch *s = *state;

	for (int steady = 0; steady < 2; steady++) {
		const struct tree_options o = { .dir = s->fd,
						.steady = steady };
		struct tree *t;
		uint64_t again;

		plant(s->fd, 0);
		assert_int_equal(tree_open(&t, &o), 0);
		assert_int_equal(keep_most(t, &again), steady ? 29 : 2 * 29);
		assert_int_equal(again, steady ? 0 : 29);
		assert_int_equal(tree_left(t)->kept, 29);
		tree_close(t);
		t = open_tree(s->fd, false, false);
		empty(t, NULL);
		tree_close(t);
	}
}

static void what_fails_is_not_asked_for_ever(void **state)
{
	struct scratch *s = *state;
	struct tree *t;

	plant(s->fd, 1);
	t = open_tree(s->fd, true, false);
	/* f7 stays in four directories, so the three below the top stay too */
	assert_int_equal(empty(t, "f7"), 4 * 39);
	assert_true(scratch_has(s->fd, "d2/f7"));
	tree_close(t);
}

#define DEPTH 2000

static void depth_takes_no_descriptors(void **state)
{
	struct scratch *s = *state;
	int fd = dup(s->fd);
	struct tree *t;

	for (int i = 0; i < DEPTH; i++) {
		int below;

		scratch_mkdir(fd, "down");
		below = openat(fd, "down", O_RDONLY | O_DIRECTORY);
		assert_true(below >= 0);
		close(fd);
		fd = below;
	}
	scratch_touch(fd, "bottom");
	close(fd);
	t = open_tree(s->fd, true, false);
	assert_int_equal(empty(t, NULL), DEPTH + 1);
	tree_close(t);
	assert_true(is_empty(s));
}

#define THREADS 4

static atomic_uint_least64_t gone;

static void *empty_thread(void *argument)
{
	atomic_fetch_add(&gone, empty(argument, NULL));
	return NULL;
}

static void workers_share_a_tree(void **state)
{
	struct scratch *s = *state;
	pthread_t thread[THREADS];
	struct tree *t;
	uint64_t made = plant(s->fd, 4);

	atomic_store(&gone, 0);
	t = open_tree(s->fd, true, false);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(
			pthread_create(&thread[i], NULL, empty_thread, t), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(atomic_load(&gone), made);
	assert_int_equal(tree_given(t), made);
	tree_close(t);
	assert_true(is_empty(s));
}

#define TEST(f)                                                                \
	cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_tree_goes_whole),
		TEST(subdirectories_stay_unless_asked_for),
		TEST(links_are_not_followed),
		TEST(a_swapped_directory_is_not_entered),
		TEST(what_does_not_match_is_not_handed_out),
		TEST(how_many_there_are_is_known_at_the_end),
		TEST(what_is_kept_is_looked_at_once_where_none_is_skipped),
		TEST(what_fails_is_not_asked_for_ever),
		TEST(depth_takes_no_descriptors),
		TEST(workers_share_a_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
