/* btree.c: walks the leaves of a table's b-tree in order. A walk always ends, since rowids must ascend. */
#include "leaf/btree.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "leaf/page.h"

enum {
	DEPTH_MAX = 20,
	/* offsets in the database header: */
	SIZE_AT = 16,
	RESERVED_AT = 20,
	CHANGES_AT = 24,
	COUNT_AT = 28,
	ENCODING_AT = 56,
	COUNTED_AT = 92, /* the change counter when the pages were counted */
	UTF8 = 1,
	SIZE_MIN = 512, /* bytes of a page */
	USABLE_MIN = 480,
	/* offsets in the header of a page: */
	CELLS_AT = 3,
	RIGHT_AT = 8,
	ROW_OVERHEAD = 35, /* a row that leaves fewer bytes of its page free continues in overflow pages */
	NEXT_SIZE = 4      /* an overflow page begins with the number of the next page */
};

struct page {
	uint32_t number; /* 0: none */
	unsigned char *bytes;
	unsigned cells; /* the number of cells */
	unsigned at;    /* the current cell; `cells`: the right-most child, or the end of a leaf */
	bool is_leaf;
};

struct mp_btree {
	sqlite3 *handle;
	const char *path;
	sqlite3_file *file;
	uint32_t root, page_count;
	size_t size, usable;          /* of a page */
	struct page pages[DEPTH_MAX]; /* from the root to the leaf */
	struct page *leaf;            /* the current leaf; NULL: before the first seek */
	int64_t rowid;
	const unsigned char *payload, *end;
	unsigned char *whole; /* the complete row, when the row has overflow pages */
	size_t whole_room;    /* the most bytes so far */
	uint64_t rest_pages;  /* overflow pages since the last seek; each belongs to one row */
};

static int damaged(const struct mp_btree *t, struct mp_error *err)
{
	return mp_fail(err, "cannot query '%s': database disk image is malformed", t->path);
}

/* Returns the page size of the database, or 0 when invalid. */
static size_t page_size(const unsigned char *header)
{
	size_t size = mp_page_get16(header + SIZE_AT);

	if (size == 1)
		size = MP_PAGE_SIZE_MAX;
	return size < SIZE_MIN || size & (size - 1) ? 0 : size;
}

/* Returns the offset after the first `cells` cell pointers: the offset of the next pointer, or of the first cell. */
static size_t pointers_end(const struct page *p, unsigned cells)
{
	return (p->is_leaf ? MP_PAGE_LEAF_HEADER : MP_PAGE_INTERIOR_HEADER) + 2 * (size_t)cells;
}

/* Returns 1 when this program can read the file, 0 when only SQLite can, -1 on error. */
static int read_header(struct mp_btree *t, struct mp_error *err)
{
	unsigned char header[MP_PAGE_DATABASE_HEADER];
	sqlite3_int64 size;
	uint32_t count;

	if (t->file->pMethods->xRead(t->file, header, sizeof(header), 0) ||
	    t->file->pMethods->xFileSize(t->file, &size))
		return mp_fail(err, "cannot read '%s'", t->path);
	t->size = page_size(header);
	if (!t->size || t->size - header[RESERVED_AT] < USABLE_MIN || mp_page_get32(header + ENCODING_AT) != UTF8)
		return 0;
	t->usable = t->size - header[RESERVED_AT];
	t->page_count =
	    size / (sqlite3_int64)t->size < UINT32_MAX ? (uint32_t)(size / (sqlite3_int64)t->size) : UINT32_MAX;
	/* bytes after the last page belong to no table */
	count = mp_page_get32(header + COUNT_AT);
	if (count && count < t->page_count && memcmp(header + CHANGES_AT, header + COUNTED_AT, 4) == 0)
		t->page_count = count;
	return 1;
}

int mp_btree_open(struct mp_btree **tree, sqlite3 *handle, const char *path, int64_t root, struct mp_error *err)
{
	struct mp_btree *t = *tree = NULL;
	sqlite3_file *file = NULL;
	int status;

	if (sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) || !file || !file->pMethods)
		return 0;
	t = calloc(1, sizeof(*t));
	if (!t)
		return mp_fail_memory(err, "a table");
	t->handle = handle;
	t->path = path;
	t->file = file;
	status = read_header(t, err);
	if (status == 1 && root > 1 && root <= t->page_count) {
		t->root = (uint32_t)root;
		*tree = t;
		return 0;
	}
	free(t);
	return status < 0 ? -1 : 0;
}

void mp_btree_close(struct mp_btree *t)
{
	for (int i = 0; t && i < DEPTH_MAX; i++)
		free(t->pages[i].bytes);
	if (t)
		free(t->whole);
	free(t);
}

/* Load a page at a depth, unless the page is already loaded. */
static int load(struct mp_btree *t, int depth, uint32_t number, struct mp_error *err)
{
	struct page *p = &t->pages[depth];

	if (!number || number > t->page_count)
		return damaged(t, err);
	if (p->number == number)
		return 0;
	p->number = 0;
	if (!p->bytes && !(p->bytes = malloc(t->size + sizeof(int64_t)))) /* integers are read eight bytes at a time */
		return mp_fail_memory(err, "a table");
	if (t->file->pMethods->xRead(
		t->file, p->bytes, (int)t->size, (sqlite3_int64)(number - 1) * (sqlite3_int64)t->size))
		return mp_fail(err, "cannot read '%s'", t->path);
	p->is_leaf = p->bytes[0] == MP_PAGE_LEAF;
	p->cells = mp_page_get16(p->bytes + CELLS_AT);
	if ((!p->is_leaf && p->bytes[0] != MP_PAGE_INTERIOR) || pointers_end(p, p->cells) > t->usable ||
	    (!p->cells && depth))
		return damaged(t, err);
	p->number = number;
	return 0;
}

/* Returns the beginning of a cell, or NULL when the cell is outside the page. */
static const unsigned char *cell_of(const struct mp_btree *t, const struct page *p, unsigned cell)
{
	size_t at = mp_page_get16(p->bytes + pointers_end(p, cell));

	return at < pointers_end(p, p->cells) || at >= t->usable ? NULL : p->bytes + at;
}

/* Get the rowid of a cell of a leaf, or the largest rowid below a cell of another page. */
static bool key_of(const struct mp_btree *t, const struct page *p, unsigned cell, int64_t *key)
{
	const unsigned char *at = cell_of(t, p, cell), *end = p->bytes + t->usable;
	uint64_t v = 0;

	if (!at || end - at < 4)
		return false;
	at = p->is_leaf ? mp_varint_get(at, end, &v) : at + 4;
	at = at ? mp_varint_get(at, end, &v) : NULL;
	*key = (int64_t)v;
	return at != NULL;
}

/* Find the first cell whose key is at least `rowid`. Returns 1, 0 when not found, or -1 when the page is damaged. */
static int find_cell(const struct mp_btree *t, const struct page *p, int64_t rowid, unsigned *cell)
{
	unsigned from = 0, to = p->cells;
	int64_t key;

	while (from < to) {
		unsigned middle = from + (to - from) / 2;

		if (!key_of(t, p, middle, &key))
			return -1;
		if (key < rowid)
			from = middle + 1;
		else
			to = middle;
	}
	*cell = from;
	return from < p->cells;
}

/* Returns the bytes in the leaf of a row with overflow pages. */
static size_t local_size(const struct mp_btree *t, uint64_t size)
{
	uint64_t least = (t->usable - 12) * 32 / 255 - 23, local = least + (size - least) % (t->usable - NEXT_SIZE);

	return (size_t)(local > t->usable - ROW_OVERHEAD ? least : local);
}

/*
 * Read the rest of a row of `size` bytes after the first `done` bytes, from the overflow page `number` on. A page that
 * comes twice, or a next page after the end, is damage.
 */
static int read_rest(struct mp_btree *t, size_t done, size_t size, uint32_t number, struct mp_error *err)
{
	uint32_t seen = 0; /* an earlier page of this row, replaced after 1, 2, 4, ... pages: finds any circle */

	for (uint64_t pages = 1; done < size; pages++) {
		size_t part = size - done < t->usable - NEXT_SIZE ? size - done : t->usable - NEXT_SIZE;
		sqlite3_int64 at = ((sqlite3_int64)number - 1) * (sqlite3_int64)t->size;
		unsigned char next[NEXT_SIZE];

		if (!number || number > t->page_count || number == seen || ++t->rest_pages > t->page_count)
			return damaged(t, err);
		if (!(pages & (pages - 1)))
			seen = number;
		if (t->file->pMethods->xRead(t->file, next, NEXT_SIZE, at) ||
		    t->file->pMethods->xRead(t->file, t->whole + done, (int)part, at + NEXT_SIZE))
			return mp_fail(err, "cannot read '%s'", t->path);
		number = mp_page_get32(next);
		done += part;
	}
	return number ? damaged(t, err) : 0;
}

/* Take a row of `size` bytes that begins at `at` and continues in overflow pages. */
static int take_long_row(
    struct mp_btree *t, const unsigned char *at, const unsigned char *end, uint64_t size, struct mp_error *err)
{
	size_t local = local_size(t, size);

	if (size > (uint64_t)sqlite3_limit(t->handle, SQLITE_LIMIT_LENGTH, -1))
		return mp_fail(err, "cannot query '%s': string or blob too big", t->path);
	if ((size_t)(end - at) < local + NEXT_SIZE)
		return damaged(t, err);
	/* integers are read eight bytes at a time */
	if (!mp_vec_reach(t->whole, &t->whole_room, (size_t)size + sizeof(int64_t)))
		return mp_fail_memory(err, "a row");
	memcpy(t->whole, at, local);
	t->payload = t->whole;
	t->end = t->whole + size;
	return read_rest(t, local, (size_t)size, mp_page_get32(at + local), err) ? -1 : 1;
}

/* Take the row of the current cell. */
static int take_row(struct mp_btree *t, struct mp_error *err)
{
	const unsigned char *at = cell_of(t, t->leaf, t->leaf->at), *end = t->leaf->bytes + t->usable;
	uint64_t size, rowid;

	at = at ? mp_varint_get(at, end, &size) : NULL;
	at = at ? mp_varint_get(at, end, &rowid) : NULL;
	if (!at)
		return damaged(t, err);
	t->rowid = (int64_t)rowid;
	if (size > t->usable - ROW_OVERHEAD)
		return take_long_row(t, at, end, size, err);
	if (size > (uint64_t)(end - at))
		return damaged(t, err);
	t->payload = at;
	t->end = at + size;
	return 1;
}

/* Returns the number of the page below the current cell, or 0 when the cell is outside the page. */
static uint32_t child_of(const struct mp_btree *t, const struct page *p)
{
	const unsigned char *at = p->at < p->cells ? cell_of(t, p, p->at) : p->bytes + RIGHT_AT;

	return at && p->bytes + t->usable - at >= 4 ? mp_page_get32(at) : 0;
}

/* Descend from a page to the leaf where `rowid` belongs. */
static int descend(struct mp_btree *t, int depth, uint32_t number, int64_t rowid, struct mp_error *err)
{
	t->leaf = NULL;
	for (; depth < DEPTH_MAX; depth++) {
		struct page *p = &t->pages[depth];

		if (load(t, depth, number, err))
			return -1;
		if (find_cell(t, p, rowid, &p->at) < 0)
			return damaged(t, err);
		if (p->is_leaf) {
			t->leaf = p;
			return 0;
		}
		number = child_of(t, p);
	}
	return damaged(t, err);
}

/* Take the first row of the next leaf. */
static int take_next_leaf(struct mp_btree *t, struct mp_error *err)
{
	struct page *p = t->leaf;

	while (p > t->pages) {
		p--;
		if (p->at == p->cells)
			continue;
		p->at++;
		return descend(t, (int)(p - t->pages) + 1, child_of(t, p), INT64_MIN, err) ? -1 : take_row(t, err);
	}
	return 0;
}

int mp_btree_seek(struct mp_btree *t, int64_t rowid, struct mp_error *err)
{
	t->rest_pages = 0;
	if (descend(t, 0, t->root, rowid, err))
		return -1;
	return t->leaf->at < t->leaf->cells ? take_row(t, err) : take_next_leaf(t, err);
}

int mp_btree_next(struct mp_btree *t, struct mp_error *err)
{
	int64_t before = t->rowid;
	int status;

	if (t->leaf->at + 1 < t->leaf->cells) {
		t->leaf->at++;
		status = take_row(t, err);
	} else {
		status = take_next_leaf(t, err);
	}
	return status == 1 && t->rowid <= before ? damaged(t, err) : status;
}

int64_t mp_btree_rowid(const struct mp_btree *t)
{
	return t->rowid;
}

/* Decode a value that lies completely in the row. */
static inline void take_value(const struct mp_wanted *column, uint64_t serial, const unsigned char *at, size_t size)
{
	bool is_stored = serial > MP_SERIAL_NULL && serial <= MP_SERIAL_INT64;
	struct mp_value *v = column->value;
	int64_t bits;

	if (is_stored || serial == MP_SERIAL_ZERO || serial == MP_SERIAL_ONE) {
		bits = is_stored ? mp_serial_int(at, serial) : (int64_t)serial - MP_SERIAL_ZERO;
		if (column->real)
			*v = (struct mp_value){.d = (double)bits, .type = MP_REAL};
		else
			*v = mp_int(bits);
	} else if (serial == MP_SERIAL_REAL) {
		double d;

		bits = mp_serial_int(at, MP_SERIAL_INT64);
		memcpy(&d, &bits, sizeof(d));
		mp_set_real(v, d);
	} else if (serial < MP_SERIAL_BLOB) {
		*v = mp_null();
	} else {
		*v = (struct mp_value){
		    .text = (const char *)at, .type = serial & 1 ? MP_TEXT : MP_BLOB, .len = (uint32_t)size};
	}
}

int mp_btree_columns(const struct mp_btree *t, const struct mp_wanted *columns, int count, struct mp_error *err)
{
	const unsigned char *type = t->payload, *types_end;
	const struct mp_wanted *last = columns + count;
	uint64_t header, serial, body, row = (uint64_t)(t->end - t->payload); /* body: offset of the next value */
	int column;

	for (; columns < last && columns->column == MP_BTREE_ROWID; columns++)
		*columns->value = mp_int(t->rowid);
	if (columns == last)
		return 0;
	type = mp_varint_get(type, t->end, &header);
	if (!type || header > row || header == 1) /* a header contains its own size; SQLite reads 0 as a row of NULLs */
		return damaged(t, err);
	types_end = t->payload + header;
	body = header;
	for (column = 0; columns < last && type < types_end; column++) {
		uint64_t size;

		if (column < columns->column && *type < MP_SERIAL_BLOB) { /* mostly numbers, and most are not wanted */
			body += mp_serial_size(*type++);
			continue;
		}
		serial = *type;
		type = serial < 0x80 ? type + 1 : mp_varint_get(type, types_end, &serial); /* mostly one byte */
		if (!type || body > row || (size = mp_serial_size(serial)) > row - body)
			return damaged(t, err);
		for (; columns < last && columns->column == column; columns++)
			take_value(columns, serial, t->payload + body, (size_t)size);
		body += size;
	}
	if (column && type == types_end && body != row) /* the values must end with the row */
		return damaged(t, err);
	for (; columns < last; columns++) /* rows stored before a column was added lack the column */
		*columns->value = mp_null();
	return 0;
}
