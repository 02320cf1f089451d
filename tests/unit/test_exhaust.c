/* The parts of lib/exhaust that need no file system. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exhaust.h"
#include "exhaust_family.h"
#include "exhaust_place.h"
#include "exhaust_verdict.h"
#include "exhaust_xfs_facts.h"

static void parse(const char *text, uint64_t id, struct place *p, bool want)
{
	char *line = strdup(text);
	struct mount_line l;

	assert_non_null(line);
	memset(p, 0, sizeof(*p));
	if (mount_line_parse(line, &l) && l.id == id)
		place_take_mount(p, &l);
	assert_int_equal(p->mounted, want);
	free(line);
}

static void mount_line(void **state)
{
	struct place p;

	(void)state;
	parse("36 35 98:7 /r /mnt/a\\040b rw,noatime master:1 shared:2 - ext4 "
	      "/dev/root rw,errors=continue\n",
	      36, &p, true);
	assert_int_equal(p.major, 98);
	assert_int_equal(p.minor, 7);
	assert_string_equal(p.root, "/r");
	assert_string_equal(p.mount, "/mnt/a b");
	assert_string_equal(p.mount_options, "rw,noatime");
	assert_string_equal(p.type, "ext4");
	assert_string_equal(p.source, "/dev/root");
	assert_string_equal(p.super_options, "rw,errors=continue");
	parse("36 35 0:7 / /mnt rw - tmpfs tmpfs rw", 36, &p, true);
	assert_string_equal(p.super_options, "rw");
}

static void mount_line_not_ours(void **state)
{
	struct place p;

	(void)state;
	parse("36 35 0:7 / /mnt rw - tmpfs tmpfs rw", 37, &p, false);
	parse("36 35 0:7 / /mnt rw", 36, &p, false);
	parse("36 35 0:7 / /mnt rw shared:1", 36, &p, false);
	parse("36 35 0:7 / /mnt rw - tmpfs", 36, &p, false);
	parse("36 35 x / /mnt rw - tmpfs tmpfs rw", 36, &p, false);
	parse("", 36, &p, false);
	parse("36", 36, &p, false);
}

static void options(void **state)
{
	char value[64], small[4];
	uint64_t number = 0;
	struct place p;

	(void)state;
	parse("1 0 0:7 / /m rw,relatime - overlay o "
	      "rw,lowerdir=/a,upperdir=/u\\054v,max=12,maxi=x,big="
	      "99999999999999999999",
	      1, &p, true);
	assert_true(place_option(&p, "upperdir", value, sizeof(value)));
	assert_string_equal(value, "/u,v");
	assert_true(place_option(&p, "relatime", value, sizeof(value)));
	assert_string_equal(value, "");
	assert_false(place_option(&p, "upper", value, sizeof(value)));
	assert_false(place_option(&p, "dir", value, sizeof(value)));
	assert_true(place_option(&p, "lowerdir", small, sizeof(small)));
	assert_true(strlen(small) < sizeof(small));
	assert_true(place_option_number(&p, "max", &number));
	assert_int_equal(number, 12);
	assert_false(place_option_number(&p, "maxi", &number));
	assert_false(place_option_number(&p, "relatime", &number));
	assert_false(place_option_number(&p, "big", &number));
}

static void options_to_mount_again(void **state)
{
	char text[128];
	struct place p;

	(void)state;
	parse("1 0 7:0 / /m ro,noatime - ext4 /dev/x "
	      "rw,errors=remount-ro,emergency_ro",
	      1, &p, true);
	place_mount_options(&p, text, sizeof(text));
	assert_string_equal(text, "rw,noatime,errors=remount-ro");
}

static void quoting(void **state)
{
	char text[32];

	(void)state;
	assert_true(place_quote("/mnt/a-b_c.d", text, sizeof(text)));
	assert_string_equal(text, "/mnt/a-b_c.d");
	assert_true(place_quote("/mnt/a b", text, sizeof(text)));
	assert_string_equal(text, "'/mnt/a b'");
	assert_true(place_quote("it's", text, sizeof(text)));
	assert_string_equal(text, "'it'\\''s'");
	assert_true(place_quote("-rf", text, sizeof(text)));
	assert_string_equal(text, "'-rf'");
	assert_false(place_quote("a\nb", text, sizeof(text)));
	assert_string_equal(text, PLACE_UNKNOWN);
	assert_false(place_quote("0123456789012345678901234567890123", text,
				 sizeof(text)));
	assert_string_equal(text, PLACE_UNKNOWN);
	assert_true(place_quote("", text, sizeof(text)));
	assert_string_equal(text, "''");
}

static void thousands(void **state)
{
	char text[28];

	(void)state;
	verdict_group(0, text, sizeof(text));
	assert_string_equal(text, "0");
	verdict_group(999, text, sizeof(text));
	assert_string_equal(text, "999");
	verdict_group(1000, text, sizeof(text));
	assert_string_equal(text, "1,000");
	verdict_group(UINT64_MAX, text, sizeof(text));
	assert_string_equal(text, "18,446,744,073,709,551,615");
}

static void enough(void **state)
{
	(void)state;
	assert_int_equal(exhaust_enough(1000, 0), 2000);
	assert_int_equal(exhaust_enough(1000, 100), 1000 + 100 + 5 + 64);
	assert_true(exhaust_enough(UINT64_MAX - 1, 0) == UINT64_MAX);
}

/* 320 MiB, 4 KiB blocks, 512-byte inodes, as mkfs.xfs makes it. */
static struct xfs_facts xfs(void)
{
	return (struct xfs_facts){
		.block_size = 4096,
		.inode_size = 512,
		.imaxpct = 25,
		.ag_blocks = 20480,
		.dir_block_size = 4096,
		.blocks = 81920,
		.sparse_inodes = true,
	};
}

static void xfs_chunks(void **state)
{
	struct xfs_facts facts = xfs();
	struct xfs_chunk chunk = xfs_chunk_of(&facts);

	(void)state;
	assert_int_equal(chunk.whole, 8);
	assert_int_equal(chunk.least, 4);
	assert_int_equal(chunk.align, 4);
	assert_true(xfs_chunk_fits(&chunk, 8, 4));
	assert_false(xfs_chunk_fits(&chunk, 8, 3));
	assert_false(xfs_chunk_fits(&chunk, 9, 6));
	assert_true(xfs_chunk_fits(&chunk, 9, 7));
	assert_false(xfs_chunk_fits(&chunk, 9, 1));
	facts.sparse_inodes = false;
	chunk = xfs_chunk_of(&facts);
	assert_int_equal(chunk.least, 8);
	facts.block_size = 65536;
	chunk = xfs_chunk_of(&facts);
	assert_int_equal(chunk.whole, 1);
	assert_int_equal(chunk.align, 1);
}

static void xfs_inode_limit(void **state)
{
	struct xfs_facts facts = xfs();

	(void)state;
	assert_int_equal(xfs_inodes_max(&facts), 163840);
	facts.blocks = 76800;
	assert_int_equal(xfs_inodes_max(&facts), 153600);
	facts.imaxpct = 1;
	assert_int_equal(xfs_inodes_max(&facts), 6144);
	facts.imaxpct = 0;
	assert_int_equal(xfs_inodes_max(&facts), 0);
}

static void names(void **state)
{
	(void)state;
	for (int i = 0; i < EXHAUST_CAUSES; i++) {
		const char *id = exhaust_id((enum exhaust_cause)i);

		assert_non_null(id);
		assert_true(strlen(id) > 0);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(
				id, exhaust_id((enum exhaust_cause)j));
	}
	assert_string_equal(exhaust_id(EXHAUST_CAUSES), "unknown");
	assert_true(exhaust_is_limit(ENOSPC));
	assert_true(exhaust_is_limit(EDQUOT));
	assert_false(exhaust_is_limit(EIO));
}

static void evidence_is_bounded(void **state)
{
	struct verdict *v = calloc(1, sizeof(*v));

	(void)state;
	assert_non_null(v);
	for (unsigned int i = 0; i < EXHAUST_EVIDENCE_MAX + 5; i++)
		verdict_number(v, "figure", i, "things");
	assert_int_equal(v->evidence_count, EXHAUST_EVIDENCE_MAX);
	assert_string_equal(v->evidence[1].text, "1 things");
	assert_true(v->evidence[1].numeric);
	free(v);
}

static void remedies_are_whole(void **state)
{
	struct verdict *v = calloc(1, sizeof(*v));
	char *longest = malloc(EXHAUST_COMMAND_SIZE + 1);

	(void)state;
	assert_non_null(v);
	assert_non_null(longest);
	memset(longest, 'x', EXHAUST_COMMAND_SIZE);
	longest[EXHAUST_COMMAND_SIZE] = '\0';
	verdict_remedy(v, REMEDY_ONLINE, "do %s", PLACE_UNKNOWN);
	verdict_remedy(v, REMEDY_ONLINE, "do %s", longest);
	assert_int_equal(v->remedy_count, 0);
	for (int i = 0; i < EXHAUST_REMEDY_MAX + 2; i++)
		verdict_remedy(v, REMEDY_ANEW, "do %d", i);
	assert_int_equal(v->remedy_count, EXHAUST_REMEDY_MAX);
	assert_string_equal(v->remedy[0].command, "do 0");
	free(longest);
	free(v);
}

static char *printed(const struct verdict *v)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(verdict_print(out, v), 0);
	fclose(out);
	return text;
}

static void print_is_narrow(void **state)
{
	struct verdict *v = calloc(1, sizeof(*v));
	char *text, *rest;

	(void)state;
	assert_non_null(v);
	verdict_set(v, EXHAUST_DIR_INDEX,
		    "a sentence of many words that goes on %s %s",
		    "and on and on and on, well past the eightieth column,",
		    "and a little further than even that");
	verdict_doubt(v, EXHAUST_LIKELY, "the %s could not be %s, %s %s",
		      "decisive figure of all the figures", "read",
		      "so that this is only judged from",
		      "the other figures that there are");
	verdict_text(v, "name", "%s",
		     "some text that is wide enough to need a second line of "
		     "the figures' column");
	verdict_remedy(v, REMEDY_ONLINE,
		       "umount /a/rather/long/mount/point/of/some/image && "
		       "tune2fs -O large_dir '/dev/some device' && mount -t "
		       "ext4 -o rw,noatime,errors=remount-ro '/dev/some "
		       "device' /a/rather/long/mount/point/of/some/image");
	text = rest = printed(v);
	for (char *line; (line = strsep(&rest, "\n"));)
		assert_true(strlen(line) <= 80);
	free(text);
	free(v);
}

/* What is printed is still the same command for a shell. */
static void printed_command_runs(void **state)
{
	struct verdict *v = calloc(1, sizeof(*v));
	char file[] = "/tmp/bigdir-verdict.XXXXXX", *text, *start;
	int fd = mkstemp(file), status;

	(void)state;
	assert_non_null(v);
	assert_true(fd >= 0);
	verdict_set(v, EXHAUST_BLOCKS, "x");
	verdict_remedy(v, REMEDY_ONLINE,
		       "test 'a  blank && more' = 'a  blank && more' && "
		       "{ false || [ $? -lt 4 ]; } && test 1 = 1 -a 2 = 2 -a "
		       "3 = 3 -a 4 = 4 -a 5 = 5 -a 6 = 6 -a 7 = 7 -a 8 = 8 -a "
		       "9 = 9 -a '1 0' = '1 0' && exit 42");
	text = printed(v);
	start = strstr(text, "):\n    ");
	assert_non_null(start);
	assert_true(write(fd, start + 3, strlen(start + 3)) > 0);
	assert_null(strstr(start + 3, "     &&"));
	close(fd);
	status = fork();
	assert_true(status >= 0);
	if (status == 0) {
		execl("/bin/sh", "sh", file, NULL);
		_exit(1);
	}
	wait(&status);
	assert_int_equal(WEXITSTATUS(status), 42);
	unlink(file);
	free(text);
	free(v);
}

static void explain_always_answers(void **state)
{
	struct verdict *v = calloc(1, sizeof(*v));
	struct refusal r = { .dirfd = -1, .source_fd = -1, .err = ENOSPC };

	(void)state;
	assert_non_null(v);
	assert_int_equal(exhaust_explain(&r, v), -EINVAL);
	r.operation = "create";
	r.err = 0;
	assert_int_equal(exhaust_explain(&r, v), -EINVAL);
	for (r.err = 1; r.err < 135; r.err++) {
		assert_int_equal(exhaust_explain(&r, v), 0);
		assert_true(v->summary[0] != '\0');
		assert_string_equal(v->cause_id, exhaust_id(v->cause));
		assert_int_equal(v->err, r.err);
	}
	free(v);
}

/* Each sentence comes with a next step. */
static void every_error_has_a_next_step(void **state)
{
	struct verdict *v = calloc(1, sizeof(*v));
	struct refusal r = {
		.operation = "unlink",
		.name = "name",
		.source_fd = -1,
	};

	(void)state;
	assert_non_null(v);
	r.dirfd = open("/tmp", O_PATH | O_DIRECTORY);
	assert_true(r.dirfd >= 0);
	for (r.err = 1; r.err < 135; r.err++) {
		assert_int_equal(exhaust_explain(&r, v), 0);
		assert_true(v->advice[0] || v->remedy_count);
	}
	close(r.dirfd);
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mount_line),
		cmocka_unit_test(mount_line_not_ours),
		cmocka_unit_test(options),
		cmocka_unit_test(options_to_mount_again),
		cmocka_unit_test(quoting),
		cmocka_unit_test(thousands),
		cmocka_unit_test(enough),
		cmocka_unit_test(xfs_chunks),
		cmocka_unit_test(xfs_inode_limit),
		cmocka_unit_test(names),
		cmocka_unit_test(evidence_is_bounded),
		cmocka_unit_test(remedies_are_whole),
		cmocka_unit_test(print_is_narrow),
		cmocka_unit_test(printed_command_runs),
		cmocka_unit_test(explain_always_answers),
		cmocka_unit_test(every_error_has_a_next_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
