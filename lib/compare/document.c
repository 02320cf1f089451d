#include "document.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "document_table.h"
#include "escape.h"

#define WIDTH 80

static const char html_head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
	"charset=\"utf-8\">\n"
	"<title>";
static const char html_style[] =
	"</title>\n<style>\n"
	"body { font: 16px/1.4 sans-serif; margin: 2em auto; max-width: 70em;\n"
	"  padding: 0 1em; }\n"
	"table { border-collapse: collapse; margin: 1em 0; }\n"
	"th, td { text-align: right; padding: .2em .8em; vertical-align: top;\n"
	"  border-bottom: 1px solid #ccc; }\n"
	"th:first-child, td:first-child { text-align: left; }\n"
	"</style>\n</head>\n<body>\n<main>\n";

static void put_html(FILE *f, const char *s)
{
	for (; *s; s++) {
		switch (*s) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		case '\n':
			fputs("<br>", f);
			break;
		default:
			fputc(*s, f);
		}
	}
}

static void put_markdown(FILE *f, const char *s)
{
	for (; *s; s++) {
		if (*s == '\n') {
			fputs("<br>", f);
			continue;
		}
		if (strchr("\\`*_~|<>[]#", *s))
			fputc('\\', f);
		fputc(*s, f);
	}
}

void document_put(const struct document *d, const char *s)
{
	if (d->format == DOCUMENT_HTML)
		put_html(d->f, s);
	else if (d->format == DOCUMENT_MARKDOWN)
		put_markdown(d->f, s);
	else
		fputs(s, d->f);
}

/* Control characters and the like, as \n and so on. */
static void put_clean(const struct document *d, const char *s)
{
	char *clean = escape_path(s);

	document_put(d, clean ? clean : "(not enough memory)");
	free(clean);
}

/* Words, broken so that lines end before WIDTH where words allow it; all but
 * the first line begin with `indent` blanks. `used`: columns of the first one
 * that are taken. Words are counted by characters of UTF-8. */
static void put_wrapped(FILE *f, const char *text, size_t used, int indent)
{
	char *clean = escape_path(text), *rest = clean, *word;
	bool first = true;

	while ((word = strsep(&rest, " ")) != NULL) {
		size_t length = 0;

		for (const char *at = word; *at; at++)
			length += (*at & 0xC0) != 0x80;
		if (!first && used + 1 + length > WIDTH) {
			fprintf(f, "\n%*s", indent, "");
			used = (size_t)indent;
		} else if (!first) {
			fputc(' ', f);
			used++;
		}
		fputs(word, f);
		used += length;
		first = false;
	}
	fputc('\n', f);
	free(clean);
}

/* --- the parts ----------------------------------------------------------- */

void document_begin(const struct document *d, const char *title)
{
	switch (d->format) {
	case DOCUMENT_TEXT:
		fprintf(d->f, "%s\n", title);
		break;
	case DOCUMENT_MARKDOWN:
		fprintf(d->f, "# ");
		put_clean(d, title);
		fprintf(d->f, "\n");
		break;
	case DOCUMENT_HTML:
		fputs(html_head, d->f);
		put_clean(d, title);
		fputs(html_style, d->f);
		fprintf(d->f, "<h1>");
		put_clean(d, title);
		fprintf(d->f, "</h1>\n");
		break;
	}
}

void document_end(const struct document *d)
{
	if (d->format == DOCUMENT_HTML)
		fputs("</main>\n</body>\n</html>\n", d->f);
}

void document_heading(const struct document *d, const char *text)
{
	static const char *const before[] = { "\n", "\n## ", "<h2>" };
	static const char *const after[] = { "\n", "\n\n", "</h2>\n" };

	fputs(before[d->format], d->f);
	put_clean(d, text);
	fputs(after[d->format], d->f);
}

void document_paragraph(const struct document *d, const char *text)
{
	if (d->format == DOCUMENT_TEXT) {
		fputc('\n', d->f);
		put_wrapped(d->f, text, 0, 0);
		return;
	}
	fputs(d->format == DOCUMENT_HTML ? "<p>" : "\n", d->f);
	put_clean(d, text);
	fputs(d->format == DOCUMENT_HTML ? "</p>\n" : "\n", d->f);
}

void document_list_begin(const struct document *d)
{
	if (d->format == DOCUMENT_HTML)
		fputs("<ul>\n", d->f);
}

void document_item(const struct document *d, const char *label,
		   const char *text)
{
	if (d->format == DOCUMENT_TEXT) {
		fprintf(d->f, "  %-2s ", label);
		put_wrapped(d->f, text,
			    5 + (strlen(label) > 2 ? strlen(label) - 2 : 0), 5);
		return;
	}
	fputs(d->format == DOCUMENT_HTML ? "<li>" : "- ", d->f);
	if (label[0]) {
		bool html = d->format == DOCUMENT_HTML;

		fputs(html ? "<b>" : "**", d->f);
		document_put(d, label);
		fputs(html ? "</b>: " : "**: ", d->f);
	}
	put_clean(d, text);
	fputs(d->format == DOCUMENT_HTML ? "</li>\n" : "\n", d->f);
}

void document_list_end(const struct document *d)
{
	if (d->format == DOCUMENT_HTML)
		fputs("</ul>\n", d->f);
}

void document_table(const struct document *d, const struct table *t)
{
	switch (d->format) {
	case DOCUMENT_TEXT:
		document_table_text(d, t, WIDTH);
		break;
	case DOCUMENT_MARKDOWN:
		document_table_markdown(d, t);
		break;
	case DOCUMENT_HTML:
		document_table_html(d, t);
		break;
	}
}

/* --- making tables ------------------------------------------------------- */

int table_init(struct table *t, size_t rows, size_t columns)
{
	t->rows = rows;
	t->columns = columns;
	t->cell = calloc(rows * columns, sizeof(*t->cell));
	return t->cell ? 0 : -ENOMEM;
}

void table_free(struct table *t)
{
	for (size_t i = 0; t->cell && i < t->rows * t->columns; i++)
		free(t->cell[i]);
	free(t->cell);
	t->cell = NULL;
}

int table_set(struct table *t, size_t row, size_t column, const char *format,
	      ...)
{
	char **cell = &t->cell[row * t->columns + column];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(cell, format, arguments);
	va_end(arguments);
	if (length >= 0)
		return 0;
	*cell = NULL;
	return -ENOMEM;
}
