/*
 * bulk_internal.h: makes pages of rows and writes them to the database file, for bulk*.c and fast.c only.
 *
 * The bulks of a database own the bulk of each table and all pages. One thread at a time. Functions that return int
 * give 0, or -1 with err.
 */
#ifndef MP_FAST_BULK_INTERNAL_H
#define MP_FAST_BULK_INTERNAL_H

#include "store/bulk.h"
#include "fast/page.h"

enum {
	MP_BULK_BATCH = 64,                    /* pages */
	MP_BULK_CELL_HEAD = 3 * MP_VARINT_SIZE /* the most bytes of a cell before the types: three varints */
};

/* A page of a tree. */
struct mp_bulk_page {
	uint32_t number; /* 0 until the page is written */
	int64_t last;    /* the last rowid in or below the page */
};

struct mp_bulk_pages {
	struct mp_bulk_page *items;
	size_t count, room;
};

/* The rows of a table as leaves of the table's tree. */
struct mp_page_bulk {
	struct mp_bulk base; /* the part that the store sees */
	struct mp_page_bulks *all;
	struct mp_page_bulk *next;
	uint32_t root; /* number of the root page */
	bool is_real[MP_BULK_COLUMN_MAX], is_int[MP_BULK_COLUMN_MAX];
	unsigned char *leaf;         /* the page that is being filled */
	size_t cells;                /* rows in the leaf */
	size_t content;              /* offset of the latest row; rows grow down from the end of the leaf */
	struct mp_bulk_pages leaves; /* the full leaves */
	unsigned char *cell; /* the row that is being made: MP_BULK_CELL_HEAD bytes for its head, types, values */
};

/* The bulks of a database. */
struct mp_page_bulks {
	struct mp_bulks base; /* the part that the store sees */
	struct mp_db *db;
	struct mp_bulk_file file;
	size_t page_size;
	uint32_t pages_before; /* of the file before the first leaf was written; 0: no leaf was written */
	struct mp_page_bulk *first;
	struct {
		unsigned char *bytes;
		struct mp_page_bulk *bulk;
		size_t leaf;      /* the index in bulk->leaves */
	} waiting[MP_BULK_BATCH]; /* full leaves that are not written yet */
	int waiting_count;
};

/* Open the bulks of a file of `db`, which is in a transaction. */
int mp_page_bulks_open(
    struct mp_bulks **bulks, struct mp_db *db, const struct mp_bulk_file *file, struct mp_error *err);

/* The functions of struct mp_bulks (store/bulk.h). */
int mp_page_bulk_add(struct mp_bulk *bulk, const struct mp_value *const *values, struct mp_error *err);
int mp_page_bulks_attach(struct mp_bulks *bulks, struct mp_error *err);
int mp_page_bulks_discard(struct mp_bulks *bulks, struct mp_error *err);

/* Returns the most bytes that the values of a row may have. */
size_t mp_bulk_row_max(const struct mp_page_bulk *bulk);

/* Begin an empty leaf. */
void mp_bulk_begin_leaf(struct mp_page_bulk *bulk);
/* Complete the bytes of the leaf for the file. */
void mp_bulk_end_leaf(struct mp_page_bulk *bulk);

/* Write all waiting leaves. */
int mp_bulks_write(struct mp_page_bulks *bulks, struct mp_error *err);

/* Free the bulk of each table. */
void mp_bulks_clear(struct mp_page_bulks *bulks);

/* Append a page to a list. */
int mp_bulk_pages_add(struct mp_bulk_pages *pages, uint32_t number, int64_t last, struct mp_error *err);

/* Returns the number of the page after page `number`. SQLite never uses the page at MP_PAGE_LOCKED_AT. */
static inline uint32_t mp_bulk_page_after(uint32_t number, size_t page_size)
{
	return number == MP_PAGE_LOCKED_AT / page_size ? number + 2 : number + 1;
}

#endif
