#include "empty_dry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "escape.h"
#include "interrupt.h"
#include "number.h"
#include "output.h"

struct tally {
	uint64_t entries, directories, kept;
};

/* Whether an entry would go, judged as right before its unlink. */
static bool goes(const struct tree_options *walk, const struct block *b,
		 unsigned int i)
{
	struct stat st;

	if (!walk->selection || !selection_is_timed(walk->selection))
		return true;
	return fstatat(b->dir, block_name(b, i), &st, AT_SYMLINK_NOFOLLOW) ==
		       0 &&
	       !S_ISDIR(st.st_mode) &&
	       selection_time(walk->selection, block_name(b, i), &st.st_mtim);
}

static void count_block(const struct tree_options *walk, const struct block *b,
			struct tally *t)
{
	if (b->step == TREE_RMDIR) {
		t->directories += b->count;
		return;
	}
	for (unsigned int i = 0; i < b->count; i++)
		*(goes(walk, b, i) ? &t->entries : &t->kept) += 1;
}

/* All is given back as still there, so that nothing is read twice. */
static int count_all(struct tree *tree, const struct tree_options *walk,
		     struct tally *t)
{
	struct block b;
	int got = block_init(&b, BLOCK_ENTRIES, NAME_MAX, 0);

	while (got == 0 && (got = tree_fill(tree, &b)) > 0) {
		count_block(walk, &b, t);
		tree_release(tree, &b, b.count, 0);
		got = interrupt_pending() ? -EINTR : 0;
	}
	block_free(&b);
	return got;
}

static void print_stays(const char *what, uint64_t count)
{
	char n[NUMBER_TEXT];

	if (count)
		printf("  %s %s\n", number_grouped(n, count), what);
}

static void print_tally(const struct tally *t, const struct tree_left *left,
			const struct tree_options *walk, const char *path)
{
	char n[NUMBER_TEXT], m[NUMBER_TEXT];

	printf("would delete %s entries of %s", number_grouped(n, t->entries),
	       path);
	if (walk->recursive)
		printf(" and below%s%s%s",
		       t->directories ? ", and remove " : "",
		       t->directories ? number_grouped(m, t->directories) : "",
		       t->directories ? " subdirectories" : "");
	printf("\n");
	print_stays("subdirectories would stay", left->directories);
	print_stays("would stay for their names", left->unmatched);
	print_stays("would stay for their age", t->kept);
	print_stays("mount points would not be entered", left->mounts);
	print_stays("directories cannot be read", left->unreadable);
}

int empty_dry_run(const struct options *o, const struct tree_options *walk,
		  const char *path)
{
	struct tally tally = { 0 };
	struct tree *tree = NULL;
	char *shown = escape_path(path);
	int err = tree_open(&tree, walk);

	if (!err)
		err = count_all(tree, walk, &tally);
	if (err)
		fprintf(stderr, "%s: cannot read %s: %s\n", o->tool->name,
			shown ? shown : path, strerror(-err));
	else
		print_tally(&tally, tree_left(tree), walk,
			    shown ? shown : path);
	tree_close(tree);
	free(shown);
	if (err == -EINTR)
		return EXIT_SIGNAL + interrupt_pending();
	return err || !output_written() ? EXIT_FAILED : EXIT_DONE;
}
