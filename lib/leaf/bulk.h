/*
 * bulk.h: rows as pages of a database file, without SQLite's interpreter, for empty tables of which SQLite would only
 * store the rows. The format is SQLite's: https://www.sqlite.org/fileformat2.html.
 *
 * A bulk takes the rows of one table. The bulks of a file own the bulk of each table and all pages; mp_bulks_close
 * frees all. One thread at a time. Functions that return int give 0, or -1 with err.
 *
 * Rows get the rowids 1, 2, ..., or those that the column of the rowid gives: these must ascend. SQLite does not see
 * the rows before mp_bulks_attach. Writing a batch of rows ends SQLite's transaction and begins another one. Therefore
 * no statement may be half done while rows are added. The connection must keep no journal and must not use the
 * exclusive locking mode, and nobody else may use the file.
 */
#ifndef MP_LEAF_BULK_H
#define MP_LEAF_BULK_H

#include <stdbool.h>

#include "base/error.h"
#include "leaf/page.h"
#include "row/columns.h"

enum {
	MP_BULK_COLUMN_MAX = MP_ROW_COLUMN_MAX,
	MP_BULK_VALUE_EXTRA = 5,               /* bytes of a value besides its text, or besides 8 bytes of a number */
	MP_BULK_BATCH = 64,                    /* pages */
	MP_BULK_CELL_HEAD = 3 * MP_VARINT_SIZE /* the most bytes of a cell before the types: three varints */
};

/* A page of a tree. */
struct mp_bulk_page {
	uint32_t number; /* 0 until the page is written */
	int64_t last;    /* the last rowid in or below the page */
};

/* The rows of a table as leaves of the table's tree. */
struct mp_bulk {
	struct mp_bulks *all;
	struct mp_bulk *next;
	char table[64];
	bool unfit; /* SQLite must store the rows */
	int count;  /* of the columns */
	struct mp_row_columns columns;
	/* A bit for each enum mp_type that a column stores unchanged. The column of the rowid takes NULL and integers.
	 */
	unsigned char takes[MP_BULK_COLUMN_MAX];
	int key;             /* the column of the rowid, or -1 */
	size_t row_max;      /* the most bytes of the values of a row */
	int64_t rows;        /* added so far */
	int64_t last;        /* the rowid of the last row; 0: no row */
	bool refused;        /* a row was refused that SQLite may be able to store */
	uint32_t root;       /* number of the root page */
	unsigned char *leaf; /* the page that is being filled */
	size_t cells;        /* rows in the leaf */
	size_t content;      /* offset of the latest row; rows grow down from the end of the leaf */
	unsigned char *cell; /* the row that is being made: MP_BULK_CELL_HEAD bytes for its head, types, values */
	struct mp_bulk_page *leaves; /* the full leaves */
	size_t leaf_count;
};

/* The file whose tables the bulks fill. The caller owns all of it. */
struct mp_bulk_file {
	sqlite3 *handle;    /* in a transaction */
	const char *schema; /* "main", or the name that the file is attached by */
	const char *path;   /* for messages */
	int fd;
	bool *full; /* set when the disk is full */
};

/* The bulks of a file. */
struct mp_bulks {
	struct mp_bulk_file file;
	size_t page_size;
	uint32_t pages_before; /* of the file before the first leaf was written; 0: no leaf was written */
	struct mp_bulk *first;
	struct {
		unsigned char *bytes;
		struct mp_bulk *bulk;
		size_t leaf;      /* the index in bulk->leaves */
	} waiting[MP_BULK_BATCH]; /* full leaves that are not written yet */
	int waiting_count;
};

/* Open the bulks of a file. Close them after an error, too. */
int mp_bulks_open(struct mp_bulks **bulks, const struct mp_bulk_file *file, struct mp_error *err);

/* Free the bulks. NULL is allowed. Rows that were not attached are lost. */
void mp_bulks_close(struct mp_bulks *bulks);

/*
 * Find the bulk of a table. Until mp_bulks_attach, each call gives the same bulk. *bulk is NULL where SQLite must store
 * the rows: a table with indices, triggers, defaults, conditions or conversions.
 */
int mp_bulk_find(struct mp_bulk **bulk, struct mp_bulks *bulks, const char *table, struct mp_error *err);

/* Returns the number of a column, or -1 when not found. */
static inline int mp_bulk_column(const struct mp_bulk *bulk, const char *name)
{
	return mp_row_columns_find(&bulk->columns, name);
}

/* Returns whether a column stores values of this type unchanged. */
static inline bool mp_bulk_takes(const struct mp_bulk *bulk, int column, enum mp_type type)
{
	return bulk->takes[column] >> type & 1;
}

/*
 * Add a row with the place of a value for each column. A value that its column does not take, a row larger than a page,
 * and a rowid that does not ascend are errors that set bulk->refused.
 */
int mp_bulk_add(struct mp_bulk *bulk, const struct mp_value *const *values, struct mp_error *err);

/* Give the rows of all bulks to their tables, and free the bulk of each table. */
int mp_bulks_attach(struct mp_bulks *bulks, struct mp_error *err);

/*
 * Drop the rows of all bulks, and free the bulk of each table. Only right after mp_bulks_attach or the opening, as long
 * as SQLite wrote nothing since: the file gets its earlier size.
 */
int mp_bulks_discard(struct mp_bulks *bulks, struct mp_error *err);

/* For bulk*.c only: */

/* Begin an empty leaf; complete the bytes of the leaf for the file. */
void mp_bulk_begin_leaf(struct mp_bulk *bulk);
void mp_bulk_end_leaf(struct mp_bulk *bulk);

/* Append a full leaf to the list. */
int mp_bulk_add_page(struct mp_bulk *bulk, uint32_t number, int64_t last, struct mp_error *err);

/* Write all waiting leaves. */
int mp_bulks_write(struct mp_bulks *bulks, struct mp_error *err);

/* Returns the number of the page after page `number`. SQLite never uses the page at MP_PAGE_LOCKED_AT. */
static inline uint32_t mp_bulk_page_after(uint32_t number, size_t page_size)
{
	return number == MP_PAGE_LOCKED_AT / page_size ? number + 2 : number + 1;
}

#endif
