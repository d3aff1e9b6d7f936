/*
 * bulk.c: finds tables that take bulk rows, writes leaves at the end of the database file, and the trees above the
 * leaves.
 */
#define _GNU_SOURCE /* sync_file_range */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/door.h"
#include "leaf/bulk.h"

enum {
	POINTER_SIZE = 2,
	CHILD_SIZE = 4,
	PAGE_COUNT_MAX = 0x3fffffff, /* every version of SQLite opens as many pages */
	AT_PAGE_SIZE = 16,           /* offsets in the database header: */
	AT_RESERVED = 20,
	AT_CHANGES = 24,
	AT_PAGE_COUNT = 28,
	AT_VACUUM = 52,
	AT_VALID_FOR = 92 /* the change counter when the pages were counted */
};

/* The database file between two transactions of SQLite. */
struct writer {
	struct mp_bulks *all;
	unsigned char header[MP_PAGE_DATABASE_HEADER];
	uint32_t page_count;
};

/* Free the bulk of each table. */
static void clear(struct mp_bulks *all)
{
	while (all->first) {
		struct mp_bulk *b = all->first;

		all->first = b->next;
		free(b->leaves);
		free(b->leaf);
		free(b->cell);
		free(b);
	}
	all->waiting_count = 0;
	all->pages_before = 0;
}

void mp_bulks_close(struct mp_bulks *all)
{
	if (!all)
		return;
	clear(all);
	for (int i = 0; i < MP_BULK_BATCH; i++)
		free(all->waiting[i].bytes);
	free(all);
}

/* Returns the types that a column stores without a conversion by its affinity; 0 when the affinity is not known. */
static unsigned types_of(const struct mp_row_column *c)
{
	static const unsigned char types[] = {[MP_DECLARED_INTEGER] = 1u << MP_INT | 1u << MP_REAL | 1u << MP_BLOB,
	    [MP_DECLARED_NUMERIC] = 1u << MP_INT | 1u << MP_REAL | 1u << MP_BLOB,
	    [MP_DECLARED_REAL] = 1u << MP_REAL | 1u << MP_BLOB,
	    [MP_DECLARED_TEXT] = 1u << MP_TEXT | 1u << MP_BLOB,
	    [MP_DECLARED_BLOB] = 1u << MP_INT | 1u << MP_REAL | 1u << MP_TEXT | 1u << MP_BLOB};
	unsigned own = c->is_key ? 1u << MP_INT : types[c->declared];

	return own && !c->not_null && !c->is_filled ? own | 1u << MP_NULL : 0;
}

static int fail(const struct mp_bulks *all, struct mp_error *err)
{
	return mp_fail_kind(err, mp_sqlite_kind(sqlite3_errcode(all->file.handle)), "cannot query '%s': %s",
	    all->file.path, sqlite3_errmsg(all->file.handle));
}

/*
 * Store the two numbers of the first row of a query, in which "%w" is the schema, and ?1 and ?2 are the table and the
 * schema. Returns 1, 0 without a row, -1 on error.
 */
static int ask(struct mp_bulks *all, const char *format, const char *table, int64_t numbers[2], struct mp_error *err)
{
	const char *schema = all->file.schema;
	char *sql = sqlite3_mprintf(format, schema, schema);
	sqlite3_stmt *q = NULL;
	int status = sql ? sqlite3_prepare_v2(all->file.handle, sql, -1, &q, NULL) : SQLITE_NOMEM;

	sqlite3_free(sql);
	if (!status && sqlite3_bind_parameter_count(q))
		status = mp_bind(q, 1, mp_string(table)) || mp_bind(q, 2, mp_string(schema));
	if (!status)
		status = sqlite3_step(q);
	for (int i = 0; status == SQLITE_ROW && i < 2; i++)
		numbers[i] = sqlite3_column_int64(q, i);
	sqlite3_finalize(q); /* repeats the error of the last step */
	return status == SQLITE_ROW ? 1 : status == SQLITE_DONE ? 0 : fail(all, err);
}

/* Read the columns of a table. A primary key without an index is the rowid. */
static int read_columns(struct mp_bulk *b, struct mp_error *err)
{
	const struct mp_bulk_file *file = &b->all->file;
	int status = mp_row_columns_read(&b->columns, file->handle, file->schema, b->table);

	if (status && status != SQLITE_TOOBIG)
		return fail(b->all, err);
	b->unfit = b->unfit || status;
	b->count = b->columns.count;
	b->key = -1;
	for (int i = 0; i < b->count; i++) {
		b->takes[i] = (unsigned char)types_of(&b->columns.items[i]);
		b->unfit = b->unfit || !b->takes[i];
		if (b->columns.items[i].is_key)
			b->key = i;
	}
	return 0;
}

/* Check that SQLite would only store rows. A table without rowids has an index, so it is refused, too. */
static int check_table(struct mp_bulk *b, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT rootpage, sql LIKE '%%CHECK%%' OR sql LIKE '%%REFERENCES%%' OR sql LIKE '%%AUTOINCREMENT%%'"
	    " OR EXISTS (SELECT 1 FROM pragma_index_list(s.name, ?2))"
	    " OR EXISTS (SELECT 1 FROM \"%w\".sqlite_schema t WHERE t.tbl_name = s.name AND t.type <> 'table')"
	    " FROM \"%w\".sqlite_schema s WHERE s.type = 'table' AND s.name = ?1";
	int64_t numbers[2];
	int status = ask(b->all, sql, b->table, numbers, err);

	if (status <= 0)
		return status < 0 ? -1 : mp_fail(err, "table '%s' not found", b->table);
	b->root = (uint32_t)numbers[0];
	b->unfit = numbers[1] != 0;
	return read_columns(b, err);
}

static int open_bulk(struct mp_bulks *all, const char *table, struct mp_error *err)
{
	struct mp_bulk *b = calloc(1, sizeof(*b));

	if (!b)
		return mp_fail_memory(err, "bulk rows");
	b->all = all;
	b->next = all->first;
	all->first = b;
	if (snprintf(b->table, sizeof(b->table), "%s", table) >= (int)sizeof(b->table))
		return mp_fail(err, "table '%s': name too long", table);
	if (check_table(b, err))
		return -1;
	if (b->unfit)
		return 0;
	b->leaf = malloc(all->page_size);
	/* sizes are checked only of texts; an integer is written as eight bytes */
	b->cell = malloc(MP_BULK_CELL_HEAD + all->page_size + 8 + MP_BULK_COLUMN_MAX * (8 + MP_BULK_VALUE_EXTRA));
	if (!b->leaf || !b->cell)
		return mp_fail_memory(err, "bulk rows");
	mp_bulk_begin_leaf(b);
	return 0;
}

int mp_bulk_find(struct mp_bulk **bulk, struct mp_bulks *all, const char *table, struct mp_error *err)
{
	struct mp_bulk *b = all->first;

	while (b && strcmp(b->table, table) != 0)
		b = b->next;
	if (!b) {
		if (open_bulk(all, table, err))
			return -1;
		b = all->first;
	}
	*bulk = b->unfit ? NULL : b;
	return 0;
}

int mp_bulks_open(struct mp_bulks **bulks, const struct mp_bulk_file *file, struct mp_error *err)
{
	struct mp_bulks *all = *bulks = calloc(1, sizeof(*all));
	int64_t numbers[2];

	if (!all)
		return mp_fail_memory(err, "bulk rows");
	all->file = *file;
	if (ask(all, "PRAGMA \"%w\".page_size", NULL, numbers, err) != 1)
		return -1;
	all->page_size = (size_t)numbers[0];
	for (int i = 0; i < MP_BULK_BATCH; i++) {
		all->waiting[i].bytes = malloc(all->page_size);
		if (!all->waiting[i].bytes)
			return mp_fail_memory(err, "bulk rows");
	}
	return 0;
}

static int write_at(struct mp_bulks *all, const unsigned char *bytes, size_t size, off_t at, struct mp_error *err)
{
	if (mp_file_write(all->file.fd, bytes, size, at) == 0)
		return 0;
	*all->file.full = errno == ENOSPC;
	return mp_fail_errno(err, "cannot write '%s'", all->file.path);
}

static int read_at(const struct mp_bulks *all, unsigned char *bytes, size_t size, off_t at, struct mp_error *err)
{
	ssize_t n = mp_file_read(all->file.fd, bytes, size, at);

	if (n < 0)
		return mp_fail_errno(err, "cannot read '%s'", all->file.path);
	return n < (ssize_t)size ? mp_fail(err, "'%s' was changed meanwhile", all->file.path) : 0;
}

static off_t offset_of(const struct mp_bulks *all, uint32_t page)
{
	return (off_t)(page - 1) * (off_t)all->page_size;
}

static int append(struct writer *w, const unsigned char *bytes, uint32_t *number, struct mp_error *err)
{
	*number = w->page_count = mp_bulk_page_after(w->page_count, w->all->page_size);
	if (*number > PAGE_COUNT_MAX)
		return mp_fail(err, "'%s': too many pages", w->all->file.path);
	return write_at(w->all, bytes, w->all->page_size, offset_of(w->all, *number), err);
}

static int run(struct mp_bulks *all, const char *sql, struct mp_error *err)
{
	int status = sqlite3_exec(all->file.handle, sql, NULL, NULL, NULL);

	if (status)
		return mp_fail_kind(
		    err, mp_sqlite_kind(status), "database '%s': %s", all->file.path, sqlite3_errmsg(all->file.handle));
	return 0;
}

/*
 * End SQLite's transaction, and read the database header. The next transaction reads the file anew, because `end`
 * changes the change counter.
 */
static int begin(struct writer *w, struct mp_bulks *all, struct mp_error *err)
{
	const unsigned char *h = w->header;

	w->all = all;
	if (run(all, "COMMIT", err))
		return -1;
	if (sqlite3_txn_state(all->file.handle, all->file.schema) != SQLITE_TXN_NONE)
		return mp_fail(err, "'%s': a query is still open", all->file.path);
	if (read_at(all, w->header, sizeof(w->header), 0, err))
		return -1;
	w->page_count = mp_page_get32(h + AT_PAGE_COUNT);
	/* the header stores the page size 65536 as 1 */
	if (mp_page_get16(h + AT_PAGE_SIZE) % 65535 != all->page_size % 65535 || h[AT_RESERVED] ||
	    mp_page_get32(h + AT_VACUUM) || !w->page_count ||
	    mp_page_get32(h + AT_CHANGES) != mp_page_get32(h + AT_VALID_FOR))
		return mp_fail(err, "'%s' was changed meanwhile", all->file.path);
	return 0;
}

static int end(struct writer *w, struct mp_error *err)
{
	uint32_t changes = mp_page_get32(w->header + AT_CHANGES) + 1;

	mp_page_put32(w->header + AT_CHANGES, changes);
	mp_page_put32(w->header + AT_VALID_FOR, changes);
	mp_page_put32(w->header + AT_PAGE_COUNT, w->page_count);
	return write_at(w->all, w->header, sizeof(w->header), 0, err) ? -1 : run(w->all, "BEGIN", err);
}

static int write_waiting(struct writer *w, struct mp_error *err)
{
	struct mp_bulks *all = w->all;

	for (int i = 0; i < all->waiting_count; i++)
		if (append(w, all->waiting[i].bytes, &all->waiting[i].bulk->leaves[all->waiting[i].leaf].number, err))
			return -1;
	all->waiting_count = 0;
	return 0;
}

/* Start writing the pages to the disk, so that the final sync waits less. Errors of sync_file_range do not matter. */
int mp_bulks_write(struct mp_bulks *all, struct mp_error *err)
{
	struct writer w;
	off_t from;

	if (begin(&w, all, err))
		return -1;
	if (!all->pages_before)
		all->pages_before = w.page_count;
	from = offset_of(all, w.page_count + 1);
	if (write_waiting(&w, err) || end(&w, err))
		return -1;
	sync_file_range(all->file.fd, from, offset_of(all, w.page_count + 1) - from, SYNC_FILE_RANGE_WRITE);
	return 0;
}

/* Make a page above `count` pages. */
static void make_parent(unsigned char *page, size_t page_size, const struct mp_bulk_page *children, size_t count)
{
	unsigned char *pointer = page + MP_PAGE_INTERIOR_HEADER, cell[CHILD_SIZE + MP_VARINT_SIZE];
	size_t content = page_size;

	memset(page, 0, page_size);
	for (size_t i = 0; i + 1 < count; i++) {
		size_t size = (size_t)(mp_varint_put(cell + CHILD_SIZE, (uint64_t)children[i].last) - cell);

		mp_page_put32(cell, children[i].number);
		content -= size;
		memcpy(page + content, cell, size);
		mp_page_put16(pointer, (uint32_t)content);
		pointer += POINTER_SIZE;
	}
	page[0] = MP_PAGE_INTERIOR;
	mp_page_put16(page + 3, (uint32_t)count - 1);
	mp_page_put16(page + 5, (uint32_t)content);
	mp_page_put32(page + 8, children[count - 1].number);
}

/* Replace pages by their parents. The children are spread evenly, because a page above a single page is invalid. */
static int add_level(struct writer *w, struct mp_bulk *b, size_t fan, struct mp_error *err)
{
	struct mp_bulk_page *pages = b->leaves;
	size_t parents = (b->leaf_count + fan - 1) / fan, done = 0;

	for (size_t i = 0; i < parents; i++) {
		size_t count = (b->leaf_count - done) / (parents - i);
		int64_t last = pages[done + count - 1].last;

		make_parent(b->leaf, w->all->page_size, &pages[done], count);
		if (append(w, b->leaf, &pages[i].number, err))
			return -1;
		pages[i].last = last;
		done += count;
	}
	b->leaf_count = parents;
	return 0;
}

/* Give the rows to the table: write the root page over the empty leaf that SQLite made. */
static int attach(struct writer *w, struct mp_bulk *b, struct mp_error *err)
{
	size_t size = w->all->page_size,
	       fan = (size - MP_PAGE_INTERIOR_HEADER) / (POINTER_SIZE + CHILD_SIZE + MP_VARINT_SIZE) + 1;
	unsigned char root[MP_PAGE_LEAF_HEADER];
	uint32_t number;

	if (read_at(w->all, root, sizeof(root), offset_of(w->all, b->root), err))
		return -1;
	if (root[0] != MP_PAGE_LEAF || mp_page_get16(root + 3))
		return mp_fail(err, "table '%s' has rows already", b->table);
	mp_bulk_end_leaf(b);
	if (b->leaf_count) {
		if (append(w, b->leaf, &number, err) || mp_bulk_add_page(b, number, b->last, err))
			return -1;
		while (b->leaf_count > fan)
			if (add_level(w, b, fan, err))
				return -1;
		make_parent(b->leaf, size, b->leaves, b->leaf_count);
	}
	return write_at(w->all, b->leaf, size, offset_of(w->all, b->root), err);
}

int mp_bulks_attach(struct mp_bulks *all, struct mp_error *err)
{
	struct writer w;
	bool any = false;

	for (const struct mp_bulk *b = all->first; b; b = b->next)
		any = any || b->rows;
	if (any && (begin(&w, all, err) || write_waiting(&w, err)))
		return -1;
	for (struct mp_bulk *b = all->first; b; b = b->next)
		if (b->rows && attach(&w, b, err))
			return -1;
	if (any && end(&w, err))
		return -1;
	clear(all);
	return 0;
}

int mp_bulks_discard(struct mp_bulks *all, struct mp_error *err)
{
	struct writer w;

	if (all->pages_before) {
		if (begin(&w, all, err))
			return -1;
		w.page_count = all->pages_before;
		if (ftruncate(all->file.fd, offset_of(all, w.page_count + 1)))
			return mp_fail_errno(err, "cannot write '%s'", all->file.path);
		if (end(&w, err))
			return -1;
	}
	clear(all);
	return 0;
}
