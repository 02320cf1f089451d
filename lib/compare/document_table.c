#include "document_table.h"

#include <string.h>

#define KEPT 2 /* columns that every part of a table begins with */
#define GAP 2 /* blanks between columns */

static const char *cell(const struct table *t, size_t row, size_t column)
{
	const char *text = t->cell[row * t->columns + column];

	return text ? text : "";
}

/* --- text ---------------------------------------------------------------- */

/* The line of a cell, and its length; past its last line, an empty one. */
static const char *line_of(const char *text, size_t line, size_t *length)
{
	for (; line > 0; line--) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	*length = strcspn(text, "\n");
	return text;
}

static size_t lines_of(const struct table *t, size_t row)
{
	size_t most = 1;

	for (size_t c = 0; c < t->columns; c++) {
		size_t lines = 1;

		for (const char *at = cell(t, row, c); *at; at++)
			lines += *at == '\n';
		if (lines > most)
			most = lines;
	}
	return most;
}

static size_t width_of(const struct table *t, size_t column)
{
	size_t most = 0, length;

	for (size_t r = 0; r < t->rows; r++)
		for (size_t line = 0; line < lines_of(t, r); line++) {
			line_of(cell(t, r, column), line, &length);
			if (length > most)
				most = length;
		}
	return most;
}

/* The first column is set flush left, the others flush right; no blanks at
 * the end. */
static void print_line(FILE *f, const struct table *t, size_t row, size_t line,
		       size_t from, size_t to)
{
	size_t blanks = 0, length, shown;

	for (size_t c = 0; c < to; c++) {
		size_t width = width_of(t, c);
		const char *text = line_of(cell(t, row, c), line, &length);

		if (c >= KEPT && c < from)
			continue;
		blanks += c ? GAP : 0;
		if (c > 0)
			blanks += width - length;
		shown = length;
		while (shown > 0 && text[shown - 1] == ' ')
			shown--;
		if (shown > 0) {
			fprintf(f, "%*s%.*s", (int)blanks, "", (int)shown,
				text);
			blanks = 0;
		}
		blanks += length - shown;
		if (c == 0)
			blanks += width - length;
	}
	fputc('\n', f);
}

static size_t kept_width(const struct table *t)
{
	size_t width = 0;

	for (size_t c = 0; c < KEPT && c < t->columns; c++)
		width += width_of(t, c) + (c ? GAP : 0);
	return width;
}

/* The column after the last that still has room beside those from `from`, but
 * at least one. */
static size_t part_end(const struct table *t, size_t from, size_t width)
{
	size_t used = kept_width(t), c = from;

	while (c < t->columns &&
	       (c == from || used + GAP + width_of(t, c) <= width)) {
		used += GAP + width_of(t, c);
		c++;
	}
	return c;
}

void document_table_text(const struct document *d, const struct table *t,
			 size_t width)
{
	size_t from = KEPT, to;

	do {
		to = from < t->columns ? part_end(t, from, width) : t->columns;
		fputc('\n', d->f);
		for (size_t r = 0; r < t->rows; r++)
			for (size_t line = 0; line < lines_of(t, r); line++)
				print_line(d->f, t, r, line, from, to);
		from = to;
	} while (from < t->columns);
}

/* --- Markdown and HTML --------------------------------------------------- */

/* The lines of a cell without the blanks that set it in a text. */
static void put_cell(const struct document *d, const char *text)
{
	char line[256];

	while (*text) {
		size_t length = strcspn(text, "\n"), from = strspn(text, " ");
		const char *next = text + length;

		text += from;
		length -= from;
		while (length > 0 && text[length - 1] == ' ')
			length--;
		snprintf(line, sizeof(line), "%.*s%s", (int)length, text,
			 *next ? "\n" : "");
		document_put(d, line);
		text = *next ? next + 1 : next;
	}
}

void document_table_markdown(const struct document *d, const struct table *t)
{
	for (size_t r = 0; r < t->rows; r++) {
		for (size_t c = 0; c < t->columns; c++) {
			fputs(c ? " | " : "| ", d->f);
			put_cell(d, cell(t, r, c));
		}
		fputs(" |\n", d->f);
		for (size_t c = 0; r == 0 && c < t->columns; c++)
			fputs(c ? " ---: |" : "| --- |", d->f);
		if (r == 0)
			fputc('\n', d->f);
	}
}

void document_table_html(const struct document *d, const struct table *t)
{
	fputs("<table>\n", d->f);
	for (size_t r = 0; r < t->rows; r++) {
		const char *tag = r == 0 ? "th" : "td";

		fputs(r == 0 ? "<thead>\n<tr>" : "<tr>", d->f);
		for (size_t c = 0; c < t->columns; c++) {
			fprintf(d->f, "<%s>", tag);
			put_cell(d, cell(t, r, c));
			fprintf(d->f, "</%s>", tag);
		}
		fputs(r == 0 ? "</tr>\n</thead>\n<tbody>\n" : "</tr>\n", d->f);
	}
	fputs("</tbody>\n</table>\n", d->f);
}
