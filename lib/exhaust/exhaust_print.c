/* A verdict as text of 80 columns; see exhaust.h. */
#include <errno.h>
#include <string.h>

#include "exhaust.h"

enum {
	COLUMNS = 80,
	INDENT = 4,
	NAME_WIDTH = 26,
};

/* Prints words, breaking before a word that would pass the last column. */
static void print_wrapped(FILE *out, const char *text, size_t indent,
			  size_t column)
{
	while (*text) {
		size_t word = strcspn(text, " ");

		if (column > indent && column + 1 + word > COLUMNS) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", (int)word, text);
		column += word;
		text += word;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

/* The length of the next shell word: up to a blank that is not quoted. */
static size_t shell_word(const char *text)
{
	bool quoted = false;
	size_t length = 0;

	for (; text[length] && (quoted || text[length] != ' '); length++) {
		if (text[length] == '\\' && !quoted && text[length + 1])
			length++;
		else if (text[length] == '\'')
			quoted = !quoted;
	}
	return length;
}

/* After "&&" a newline is free; elsewhere it takes a backslash. */
static void print_command(FILE *out, const char *text)
{
	size_t column = INDENT;
	bool fresh = true, joined = false;

	fprintf(out, "%*s", INDENT, "");
	while (*text) {
		size_t word = shell_word(text);

		if (joined) {
			fprintf(out, "\n%*s", INDENT, "");
			column = INDENT;
		} else if (!fresh && column + word + 3 > COLUMNS) {
			fprintf(out, " \\\n%*s", 2 * INDENT, "");
			column = 2 * INDENT;
		} else if (!fresh) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", (int)word, text);
		joined = word == 2 && memcmp(text, "&&", 2) == 0;
		fresh = false;
		column += word;
		text += word;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

static const char *effect_text(enum remedy_effect effect)
{
	switch (effect) {
	case REMEDY_ONLINE:
		return "stays mounted";
	case REMEDY_OFFLINE:
		return "unmounts meanwhile, contents stay";
	case REMEDY_ANEW:
		break;
	}
	return "makes the file system anew, contents are lost";
}

int verdict_print(FILE *out, const struct verdict *verdict)
{
	fputs("why: ", out);
	print_wrapped(out, verdict->summary, 5, 5);
	fprintf(out, "  cause: %s (%s)\n", verdict->cause_id,
		exhaust_confidence_name(verdict->confidence));
	if (verdict->doubt[0]) {
		fputs("  doubt: ", out);
		print_wrapped(out, verdict->doubt, 9, 9);
	}
	if (verdict->evidence_count)
		fputs("  evidence:\n", out);
	for (unsigned int i = 0; i < verdict->evidence_count; i++) {
		fprintf(out, "%*s%-*s ", INDENT, "", NAME_WIDTH,
			verdict->evidence[i].name);
		print_wrapped(out, verdict->evidence[i].text,
			      INDENT + NAME_WIDTH + 1, INDENT + NAME_WIDTH + 1);
	}
	for (unsigned int i = 0; i < verdict->remedy_count; i++) {
		fprintf(out, "  %s (%s):\n", i == 0 ? "remedy" : "or",
			effect_text(verdict->remedy[i].effect));
		print_command(out, verdict->remedy[i].command);
	}
	if (verdict->advice[0]) {
		fputs("  next: ", out);
		print_wrapped(out, verdict->advice, 8, 8);
	}
	return ferror(out) ? -EIO : 0;
}
