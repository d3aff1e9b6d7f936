/*
 * reference_internal.h: what the readers of references share: texts, tables in the making, limits.
 *
 * A reading belongs to one thread. Functions that return int give 0, or -1 with err; `no_memory` of the reading tells
 * whether the file is at fault (refuse it) or the machine (stop).
 */
#ifndef MP_LEARN_REFERENCE_INTERNAL_H
#define MP_LEARN_REFERENCE_INTERNAL_H

#include "learn/arena.h"
#include <time.h>

#include "learn/reference.h"
#include "learn/titles.h"

enum {
	MP_REFERENCE_FILE_MAX = 256 << 20, /* bytes of a file */
	MP_REFERENCE_TEXT_MAX = 256 << 20, /* bytes of all texts */
	MP_REFERENCE_CELL_MAX = 4000000,   /* of all references, with the titles */
	MP_REFERENCE_COLUMN_MAX = 256,
	MP_REFERENCE_FILES = 1000
};

/* The texts of cells and titles. A text that was stored lately is not stored again. */
struct mp_texts;
struct mp_texts *mp_texts_create(void);
void mp_texts_free(struct mp_texts *texts);
/* Store a text of len bytes without a NUL in it. Returns NULL when there is no memory, or no room by the limit. */
const char *mp_texts_put(struct mp_texts *texts, const char *text, size_t len);
/* Whether the limit was what refused a text. */
bool mp_texts_full(const struct mp_texts *texts);
/* What is stored now, and a return to it. */
struct mp_texts_mark {
	struct mp_arena_mark arena;
	size_t total;
};
struct mp_texts_mark mp_texts_mark(const struct mp_texts *texts);
void mp_texts_return(struct mp_texts *texts, struct mp_texts_mark mark);

/* A table while its file is read. */
struct mp_table {
	struct mp_reference ref;
	int column_room;
	size_t cell_room;
	size_t extra_rows; /* rows left out, because they have more cells than the table has titles */
};

struct mp_reading {
	struct mp_references *refs;
	struct mp_titles titles;
	struct mp_texts *texts;
	const char *file; /* the name of the file that is read */
	struct mp_table *tables;
	size_t table_count;
	size_t cell_count; /* of all references and of these tables */
	size_t file_count;
	bool no_memory;
	bool has_own;             /* the job has a database of ours, written at this time: */
	struct timespec own_time; /* later tables of the job are our own exports */
};

/* Fail for lack of memory. */
int mp_reading_no_memory(struct mp_reading *r, struct mp_error *err);

/* Begin a table of the file. `part` is the name of an SQLite table, or NULL. *index receives its place in r->tables. */
int mp_table_begin(
    struct mp_reading *r, const char *part, size_t part_len, bool is_trace, size_t *index, struct mp_error *err);
/* Add a column; before the first row. */
int mp_table_column(struct mp_reading *r, size_t index, const char *title, size_t len, struct mp_error *err);
/* Add a row of empty texts. *row is valid until the next row or table. */
int mp_table_row(struct mp_reading *r, size_t index, struct mp_cell **row, struct mp_error *err);
/* Store a text in a cell; what follows a NUL is left out. */
int mp_table_set(struct mp_reading *r, struct mp_cell *cell, const char *text, size_t len, struct mp_error *err);
/* Move the tables to the list of references, with kinds, meanings and the row of totals. */
int mp_tables_finish(struct mp_reading *r, struct mp_error *err);
/* Free the tables and forget them. */
void mp_tables_drop(struct mp_reading *r);

/* Read a decimal number with at most 9 decimals, exactly: "-12.50", "1.7e+15". Blanks around it are allowed. */
bool mp_decimal_read(const char *text, size_t len, int64_t *value, unsigned char *decimals);

/* Read the tables of a file. `text` has `size` bytes and a NUL behind them; the readers may change it. */
int mp_csv_read(struct mp_reading *r, char *text, size_t size, bool is_tsv, struct mp_error *err);
int mp_json_read(struct mp_reading *r, char *text, size_t size, struct mp_error *err);
int mp_sqlite_read(struct mp_reading *r, int dirfd, const char *name, struct mp_error *err);

/* Read the references below a directory or of a file, and refuse other files. -1: the machine failed. */
int mp_reading_path(struct mp_reading *r, const char *path, struct mp_error *err);
int mp_reading_below(struct mp_reading *r, int dirfd, const char *name, struct mp_error *err);
/* Add a sentence to the list of refused files. */
int mp_reading_refuse(struct mp_reading *r, struct mp_error *err, const char *fmt, ...) MP_PRINTF(3, 4);

#endif
