/*
 * document: headings, paragraphs, lists and tables, as text of 80 columns, as
 * Markdown or as HTML.
 *
 * Texts are shown as they are in every format: what has a meaning there is
 * escaped, and so is what no terminal should get.
 */
#ifndef BIGDIR_DOCUMENT_H
#define BIGDIR_DOCUMENT_H

#include <stddef.h>
#include <stdio.h>

enum document_format {
	DOCUMENT_TEXT,
	DOCUMENT_MARKDOWN,
	DOCUMENT_HTML, /* a whole page, its content in <main> */
};

struct document {
	FILE *f;
	enum document_format format;
};

/* A table of texts. A cell may have several lines; NULL is an empty one. */
struct table {
	size_t rows, columns;
	char **cell; /* row after row, the first being titles; owned */
};

void document_begin(const struct document *d, const char *title);
void document_end(const struct document *d);
void document_heading(const struct document *d, const char *text);
void document_paragraph(const struct document *d, const char *text);

/* A list: each item has a short label, which may be "". */
void document_list_begin(const struct document *d);
void document_item(const struct document *d, const char *label,
		   const char *text);
void document_list_end(const struct document *d);

/* As text, a table too wide for 80 columns becomes several that begin with the
 * same two columns. */
void document_table(const struct document *d, const struct table *t);

/* An empty table; 0 or -ENOMEM. table_free() in both cases. */
int table_init(struct table *t, size_t rows, size_t columns);
void table_free(struct table *t);

/* Set a cell, as by printf(), once. 0 or -ENOMEM. */
int table_set(struct table *t, size_t row, size_t column, const char *format,
	      ...) __attribute__((format(printf, 4, 5)));

#endif
