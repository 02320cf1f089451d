/* A directory read in large pieces: every entry once, never "." or "..". */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "dirents.h"
#include "scratch.h"

static void an_empty_directory_has_none(void **state)
{
	struct scratch *s = *state;
	struct dirent_entry e;
	struct dirents d;

	assert_int_equal(dirents_open(&d, s->fd), 0);
	assert_int_equal(dirents_next(&d, &e), 0);
	assert_int_equal(dirents_next(&d, &e), 0);
	dirents_close(&d);
}

static void every_entry_comes_once(void **state)
{
	enum { COUNT = 20000 }; /* more than one buffer holds */
	static unsigned char seen[COUNT];
	struct scratch *s = *state;
	struct dirent_entry e;
	struct dirents d;
	char name[32];
	int got;

	for (int i = 0; i < COUNT; i++) {
		snprintf(name, sizeof(name), "%d", i);
		scratch_touch(s->fd, name);
	}
	assert_int_equal(dirents_open(&d, s->fd), 0);
	for (int round = 1; round <= 2; round++) {
		int count = 0;

		d.prime = round == 2; /* as it would be on NFS */
		while ((got = dirents_next(&d, &e)) == 1) {
			struct stat st;
			int i = atoi(e.name);

			assert_int_equal(seen[i]++, round - 1);
			if (count++ % 500 == 0) {
				fstatat(s->fd, e.name, &st, 0);
				assert_int_equal(st.st_ino, e.inode);
			}
		}
		assert_int_equal(got, 0);
		assert_int_equal(count, COUNT);
		assert_int_equal(dirents_rewind(&d), 0);
	}
	assert_true(d.calls > 2);
	dirents_close(&d);
}

static void types_are_told(void **state)
{
	struct scratch *s = *state;
	struct dirent_entry e;
	struct dirents d;
	int seen = 0;

	scratch_mkdir(s->fd, "dir");
	scratch_touch(s->fd, "file");
	assert_int_equal(symlinkat("nowhere", s->fd, "link"), 0);
	assert_int_equal(dirents_open(&d, s->fd), 0);
	while (dirents_next(&d, &e) == 1) {
		unsigned char want = e.name[0] == 'd'	? DT_DIR
				     : e.name[0] == 'f' ? DT_REG
							: DT_LNK;

		assert_true(e.type == want || e.type == DT_UNKNOWN);
		seen++;
	}
	assert_int_equal(seen, 3);
	dirents_close(&d);
}

static void names_of_any_bytes_come_as_they_are(void **state)
{
	struct scratch *s = *state;
	struct dirent_entry e;
	struct dirents d;
	char longest[256];

	memset(longest, '\n', 255);
	longest[255] = '\0';
	scratch_touch(s->fd, longest);
	assert_int_equal(dirents_open(&d, s->fd), 0);
	assert_int_equal(dirents_next(&d, &e), 1);
	assert_string_equal(e.name, longest);
	assert_int_equal(dirents_next(&d, &e), 0);
	dirents_close(&d);
}

static void a_removed_directory_is_at_its_end(void **state)
{
	struct scratch *s = *state;
	struct dirent_entry e;
	struct dirents d;
	int fd;

	scratch_mkdir(s->fd, "gone");
	fd = openat(s->fd, "gone", O_RDONLY | O_DIRECTORY);
	assert_int_equal(unlinkat(s->fd, "gone", AT_REMOVEDIR), 0);
	assert_int_equal(dirents_open(&d, fd), 0);
	assert_int_equal(dirents_next(&d, &e), 0);
	dirents_close(&d);
	close(fd);
}

static void a_file_is_an_error(void **state)
{
	struct scratch *s = *state;
	struct dirent_entry e;
	struct dirents d;
	int fd;

	scratch_touch(s->fd, "file");
	fd = openat(s->fd, "file", O_RDONLY);
	assert_int_equal(dirents_open(&d, fd), 0);
	assert_int_equal(dirents_next(&d, &e), -ENOTDIR);
	dirents_close(&d);
	close(fd);
}

#define TEST(f)                                                                \
	cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_directory_has_none),
		TEST(every_entry_comes_once),
		TEST(types_are_told),
		TEST(names_of_any_bytes_come_as_they_are),
		TEST(a_removed_directory_is_at_its_end),
		TEST(a_file_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
