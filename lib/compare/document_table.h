/*
 * document_table: the tables of a document, in each of its formats.
 */
#ifndef BIGDIR_DOCUMENT_TABLE_H
#define BIGDIR_DOCUMENT_TABLE_H

#include "document.h"

/* As text, at most `width` columns wide where the cells allow it. */
void document_table_text(const struct document *d, const struct table *t,
			 size_t width);
void document_table_markdown(const struct document *d, const struct table *t);
void document_table_html(const struct document *d, const struct table *t);

/* Text inside a line, escaped as the format wants it. */
void document_put(const struct document *d, const char *s);

#endif
