/* bulk.c: opens the bulks of a file, and finds tables and columns that take bulk rows. */
#include "leaf/bulk.h"

#include <stdio.h>
#include <stdlib.h>

void mp_bulks_clear(struct mp_bulks *all)
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
	mp_bulks_clear(all);
	for (int i = 0; i < MP_BULK_BATCH; i++)
		free(all->waiting[i].bytes);
	free(all);
}

static bool is_numeric(const char *declared)
{
	return strcmp(declared, "INTEGER") == 0 || strcmp(declared, "NUMERIC") == 0;
}

/* Returns the types that a column stores without a conversion by its affinity; 0 for an unknown declared type. */
static unsigned types_of(const char *declared)
{
	if (is_numeric(declared))
		return 1u << MP_NULL | 1u << MP_INT | 1u << MP_REAL | 1u << MP_BLOB;
	if (strcmp(declared, "REAL") == 0)
		return 1u << MP_NULL | 1u << MP_REAL | 1u << MP_BLOB;
	if (strcmp(declared, "TEXT") == 0)
		return 1u << MP_NULL | 1u << MP_TEXT | 1u << MP_BLOB;
	return strcmp(declared, "BLOB") == 0
		   ? 1u << MP_NULL | 1u << MP_INT | 1u << MP_REAL | 1u << MP_TEXT | 1u << MP_BLOB
		   : 0;
}

static bool add_column(struct mp_bulk *b, const char *name, const char *declared, bool is_rowid)
{
	unsigned types = is_rowid ? 1u << MP_NULL | 1u << MP_INT : types_of(declared);
	int at = b->count;

	if (!types || at == MP_BULK_COLUMN_MAX ||
	    snprintf(b->names[at], sizeof(b->names[at]), "%s", name) >= (int)sizeof(b->names[at]))
		return false;
	b->takes[at] = (unsigned char)types;
	b->is_real[at] = strcmp(declared, "REAL") == 0;
	b->is_int[at] = is_numeric(declared);
	if (is_rowid)
		b->key = at;
	b->count++;
	return true;
}

static int fail(const struct mp_bulks *all, struct mp_error *err)
{
	return mp_fail_kind(err, mp_sqlite_kind(sqlite3_errcode(all->file.handle)), "cannot query '%s': %s",
	    all->file.path, sqlite3_errmsg(all->file.handle));
}

/* Prepare a statement, in which "%w" is the schema, and ?1 and ?2 are the table and the schema. */
static int prepare(struct mp_bulks *all, sqlite3_stmt **q, const char *format, const char *table, struct mp_error *err)
{
	const char *schema = all->file.schema;
	char *sql = sqlite3_mprintf(format, schema, schema);
	int status;

	*q = NULL;
	status = sql ? sqlite3_prepare_v2(all->file.handle, sql, -1, q, NULL) : SQLITE_NOMEM;

	sqlite3_free(sql);
	if (!status && sqlite3_bind_parameter_count(*q))
		status = mp_bind(*q, 1, mp_string(table)) || mp_bind(*q, 2, mp_string(schema));
	if (!status)
		return 0;
	sqlite3_finalize(*q);
	return fail(all, err);
}

/* Returns 1 for a row, 0 at the end; -1 on error. */
static int step(const struct mp_bulks *all, sqlite3_stmt *q, struct mp_error *err)
{
	int status = sqlite3_step(q);

	return status == SQLITE_ROW ? 1 : status == SQLITE_DONE ? 0 : fail(all, err);
}

/* Read the columns of a table. A primary key without an index is the rowid. */
static int read_columns(struct mp_bulk *b, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT name, type, pk, \"notnull\" OR dflt_value IS NOT NULL OR hidden FROM pragma_table_xinfo(?1, ?2) ORDER BY cid";
	sqlite3_stmt *q;
	int status;

	b->key = -1;
	if (prepare(b->all, &q, sql, b->table, err))
		return -1;
	while ((status = step(b->all, q, err)) == 1)
		if (sqlite3_column_int(q, 3) ||
		    !add_column(b, (const char *)sqlite3_column_text(q, 0), (const char *)sqlite3_column_text(q, 1),
			sqlite3_column_int(q, 2) != 0))
			b->unfit = true;
	sqlite3_finalize(q); /* repeats the error of the last step */
	return status;
}

/* Check that SQLite would only store rows. A table without rowids has an index, so it is refused, too. */
static int check_table(struct mp_bulk *b, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT rootpage, sql LIKE '%%CHECK%%' OR sql LIKE '%%REFERENCES%%' OR sql LIKE '%%AUTOINCREMENT%%'"
	    " OR EXISTS (SELECT 1 FROM pragma_index_list(s.name, ?2))"
	    " OR EXISTS (SELECT 1 FROM \"%w\".sqlite_schema t WHERE t.tbl_name = s.name AND t.type <> 'table')"
	    " FROM \"%w\".sqlite_schema s WHERE s.type = 'table' AND s.name = ?1";
	sqlite3_stmt *q;
	int status;

	if (prepare(b->all, &q, sql, b->table, err))
		return -1;
	status = step(b->all, q, err);
	if (status == 1) {
		b->root = (uint32_t)sqlite3_column_int64(q, 0);
		b->unfit = sqlite3_column_int(q, 1) != 0;
	}
	sqlite3_finalize(q); /* repeats the error of the last step */
	if (status <= 0)
		return status < 0 ? -1 : mp_fail(err, "table '%s' not found", b->table);
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

static int read_page_size(struct mp_bulks *all, struct mp_error *err)
{
	sqlite3_stmt *q;
	int status;

	if (prepare(all, &q, "PRAGMA \"%w\".page_size", NULL, err))
		return -1;
	status = step(all, q, err);
	all->page_size = status == 1 ? (size_t)sqlite3_column_int64(q, 0) : 0;
	sqlite3_finalize(q); /* repeats the error of the last step */
	return status == 1 ? 0 : -1;
}

int mp_bulks_open(struct mp_bulks **bulks, const struct mp_bulk_file *file, struct mp_error *err)
{
	struct mp_bulks *all = *bulks = calloc(1, sizeof(*all));

	if (!all)
		return mp_fail_memory(err, "bulk rows");
	all->file = *file;
	if (read_page_size(all, err))
		return -1;
	for (int i = 0; i < MP_BULK_BATCH; i++) {
		all->waiting[i].bytes = malloc(all->page_size);
		if (!all->waiting[i].bytes)
			return mp_fail_memory(err, "bulk rows");
	}
	return 0;
}
