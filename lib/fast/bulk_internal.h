/* bulk_internal.h: what the files of bulk rows share. */
#ifndef MP_FAST_BULK_INTERNAL_H
#define MP_FAST_BULK_INTERNAL_H

#include "store/bulk.h"
#include "fast/page.h"

enum { MP_BULK_BATCH = 64 /* pages */ };

/* A page of a tree: its number, once it is written, and the last rowid in or below it. */
struct mp_bulk_page {
	uint32_t number;
	int64_t last;
};

struct mp_bulk_pages {
	struct mp_bulk_page *items;
	size_t count, room;
};

/* The rows of a table as leaves of its tree. */
struct mp_page_bulk {
	struct mp_bulk base; /* what the store sees */
	struct mp_page_bulks *all;
	struct mp_page_bulk *next;
	uint32_t root; /* page */
	bool is_real[MP_BULK_COLUMN_MAX], is_int[MP_BULK_COLUMN_MAX];
	unsigned char *leaf;         /* the one that is being filled, */
	size_t cells;                /* rows in it, */
	size_t content;              /* and where they begin: they grow down from its end */
	struct mp_bulk_pages leaves; /* those before */
	unsigned char types[MP_BULK_COLUMN_MAX * MP_BULK_VALUE_EXTRA]; /* of a row that is being made, */
	unsigned char *values;                                         /* and its values */
};

/* Those of a database. */
struct mp_page_bulks {
	struct mp_bulks base; /* what the store sees */
	struct mp_db *db;
	int fd;
	size_t page_size;
	struct mp_page_bulk *first;
	struct {
		unsigned char *bytes;
		struct mp_page_bulk *bulk;
		size_t leaf;      /* its index in bulk->leaves */
	} waiting[MP_BULK_BATCH]; /* full leaves that are not written yet */
	int waiting_count;
};

/* Opens the bulks of a database, for fast.c. fd: of the file of `db`, which is in a transaction; it stays the caller's.
 */
int mp_page_bulks_open(struct mp_bulks **bulks, struct mp_db *db, int fd, struct mp_error *err);

/* The functions of struct mp_bulks. */
int mp_page_bulk_add(struct mp_bulk *bulk, const struct mp_scalar *values, struct mp_error *err);
int mp_page_bulks_attach(struct mp_bulks *bulks, struct mp_error *err);

/* Bytes that the values of a row may have. */
size_t mp_bulk_row_max(const struct mp_page_bulk *bulk);

/* An empty leaf; the one that is there as it stands in a file. */
void mp_bulk_begin_leaf(struct mp_page_bulk *bulk);
void mp_bulk_end_leaf(struct mp_page_bulk *bulk);

/* Write all leaves that wait. */
int mp_bulks_write(struct mp_page_bulks *bulks, struct mp_error *err);

/* All bulks are gone. */
void mp_bulks_clear(struct mp_page_bulks *bulks);

int mp_bulk_pages_add(struct mp_bulk_pages *pages, uint32_t number, int64_t last, struct mp_error *err);

/* The number of the page behind page `number`: one is never used. */
static inline uint32_t mp_bulk_page_after(uint32_t number, size_t page_size)
{
	return number == MP_PAGE_LOCKED_AT / page_size ? number + 2 : number + 1;
}

#endif
