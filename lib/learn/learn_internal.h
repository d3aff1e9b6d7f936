/*
 * learn_internal.h: the steps of learn.c that follow when rows are matched with records; what the readers of references
 * share: tables in the making, titles, limits.
 *
 * Functions that return int give 0, or -1 with err. A reading belongs to one thread. The kind of its error tells
 * whether the file is at fault (refuse it) or the machine (stop).
 */
#ifndef MP_LEARN_LEARN_INTERNAL_H
#define MP_LEARN_LEARN_INTERNAL_H

#include <iconv.h>
#include <stdio.h>

#include "base/made.h"
#include "learn/learn.h"
#include "learn/reference.h"

enum {
	MP_REFERENCE_SIZE_MAX = 256 << 20, /* bytes of all files */
	MP_REFERENCE_CELL_MAX = 8000000,   /* of a table, with the titles */
	MP_REFERENCE_COLUMN_MAX = 256,
	MP_REFERENCE_FILES = 1000
};

struct mp_reading {
	struct mp_references *refs;
	struct mp_table table; /* in the making */
	size_t file_count, byte_count;
	struct mp_made made; /* our own exports in the directory that is read */
	iconv_t gbk;         /* from GBK to UTF-8, or (iconv_t)-1 where the C library has no such tables */
	size_t label_at;     /* bytes of the path of the job before the names of its files; 0: of --from */
};

/* Set meanings and units of all columns of the table, and the identity by its name. */
int mp_titles_apply(struct mp_reading *r, struct mp_error *err);

/* Add a cell of the table: its text begins at `text`, which lies in the text of the table and ends with NUL. Cells
 * before the first row are titles. */
int mp_table_add(struct mp_reading *r, const char *text, struct mp_error *err);
/* The titles are complete. */
int mp_table_titles(struct mp_reading *r, struct mp_error *err);

/* Change the text of the table, of *size bytes, to UTF-8 where it is UTF-16 with a mark, or GBK. What is neither stays.
 */
int mp_recode(struct mp_reading *r, size_t *size, struct mp_error *err);

/* Read the cells of r->table.text, which has `size` bytes and a NUL behind them. */
int mp_csv_read(struct mp_reading *r, size_t size, bool is_tsv, struct mp_error *err);
int mp_json_read(struct mp_reading *r, size_t size, struct mp_error *err);

/* Move the table to the list of references. */
int mp_reading_keep(struct mp_reading *r, const char *label, bool is_named, struct mp_error *err);
void mp_table_free(struct mp_table *table);

/*
 * Guess by what must hold in each record that the counters lie behind each other in the order of columns. A finding
 * without a place has the places that one counter may have as its rivals.
 */
int mp_guess_places(struct mp_learn_finding findings[MP_COUNTERS], const struct mp_records *records,
    struct mp_work *work, struct mp_error *err);

/*
 * Write the built-in layout of the records with the counters where they were found; those that were not found have no
 * column. The stream keeps errors.
 */
int mp_emit_layout(const struct mp_learned *learned, FILE *out, struct mp_error *err);

/*
 * Decode the job with `layouts`, compute each cell of the tables that counters, times or task ids make, and compare: to
 * the digit, under one rule of rounding a column. Fills learned->proof.
 */
int mp_prove(struct mp_learned *learned, const char *path, const struct mp_layouts *layouts, struct mp_error *err);

#endif
