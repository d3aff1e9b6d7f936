/* bulk.c: opens the bulks of a database, and finds tables and columns that take bulk rows. */
#include <stdio.h>
#include <stdlib.h>

#include "fast/bulk_internal.h"

void mp_bulks_clear(struct mp_page_bulks *all)
{
	while (all->first) {
		struct mp_page_bulk *b = all->first;

		all->first = b->next;
		free(b->leaves.items);
		free(b->leaf);
		free(b->cell);
		free(b);
	}
	all->waiting_count = 0;
	all->pages_before = 0;
}

static void close_bulks(struct mp_bulks *bulks)
{
	struct mp_page_bulks *all = (struct mp_page_bulks *)bulks;

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

static bool add_column(struct mp_page_bulk *b, const char *name, const char *declared, bool is_rowid)
{
	unsigned types = is_rowid ? 1u << MP_NULL | 1u << MP_INT : types_of(declared);
	int at = b->base.count;

	if (!types || at == MP_BULK_COLUMN_MAX ||
	    snprintf(b->base.names[at], sizeof(b->base.names[at]), "%s", name) >= (int)sizeof(b->base.names[at]))
		return false;
	b->base.takes[at] = (unsigned char)types;
	b->is_real[at] = strcmp(declared, "REAL") == 0;
	b->is_int[at] = is_numeric(declared);
	if (is_rowid)
		b->base.key = at;
	b->base.count++;
	return true;
}

/* Read the columns of a table. A primary key without an index is the rowid. */
static int read_columns(struct mp_page_bulk *b, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT name, type, pk, \"notnull\" OR dflt_value IS NOT NULL OR hidden FROM pragma_table_xinfo(:table, :schema) ORDER BY cid";
	struct mp_query *q;
	int status;

	b->base.key = -1;
	if (mp_query_open(&q, b->all->db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "table", b->base.table, err) ||
			 mp_query_bind_text(q, "schema", b->all->file.schema, err)
		     ? -1
		     : 0;
	while (!status && (status = mp_query_next(q, err)) == 1) {
		struct mp_value name = mp_query_value(q, 0), type = mp_query_value(q, 1);

		status = 0;
		if (mp_query_int(q, 3) || !add_column(b, name.text, type.text, mp_query_int(q, 2) != 0))
			b->base.unfit = true;
	}
	mp_query_close(q);
	return status;
}

/* Check that SQLite would only store rows. A table without rowids has an index, so it is refused, too. */
static int check_table(struct mp_page_bulk *b, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT rootpage, sql LIKE '%%CHECK%%' OR sql LIKE '%%REFERENCES%%' OR sql LIKE '%%AUTOINCREMENT%%'"
	    " OR EXISTS (SELECT 1 FROM pragma_index_list(s.name, :schema))"
	    " OR EXISTS (SELECT 1 FROM \"%w\".sqlite_schema t WHERE t.tbl_name = s.name AND t.type <> 'table')"
	    " FROM \"%w\".sqlite_schema s WHERE s.type = 'table' AND s.name = :table";
	const char *schema = b->all->file.schema;
	char *text = sqlite3_mprintf(sql, schema, schema);
	struct mp_query *q;
	int status;

	if (!text)
		return mp_fail_memory(err, "a statement");
	status = mp_query_open(&q, b->all->db, text, strlen(text), err);
	sqlite3_free(text);
	if (status)
		return -1;
	status = mp_query_bind_text(q, "table", b->base.table, err) || mp_query_bind_text(q, "schema", schema, err)
		     ? -1
		     : mp_query_next(q, err);
	if (status == 1) {
		b->root = (uint32_t)mp_query_int(q, 0);
		b->base.unfit = mp_query_int(q, 1) != 0;
	}
	mp_query_close(q);
	if (status <= 0)
		return status < 0 ? -1 : mp_fail(err, "table '%s' not found", b->base.table);
	return read_columns(b, err);
}

static int open_bulk(struct mp_page_bulks *all, const char *table, struct mp_error *err)
{
	struct mp_page_bulk *b = calloc(1, sizeof(*b));

	if (!b)
		return mp_fail_memory(err, "bulk rows");
	b->base.all = &all->base;
	b->all = all;
	b->next = all->first;
	all->first = b;
	if (snprintf(b->base.table, sizeof(b->base.table), "%s", table) >= (int)sizeof(b->base.table))
		return mp_fail(err, "table '%s': name too long", table);
	if (check_table(b, err))
		return -1;
	if (b->base.unfit)
		return 0;
	b->leaf = malloc(all->page_size);
	/* sizes are checked only of texts; an integer is written as eight bytes */
	b->cell = malloc(MP_BULK_CELL_HEAD + all->page_size + 8 + MP_BULK_COLUMN_MAX * (8 + MP_BULK_VALUE_EXTRA));
	if (!b->leaf || !b->cell)
		return mp_fail_memory(err, "bulk rows");
	b->base.row_max = mp_bulk_row_max(b);
	mp_bulk_begin_leaf(b);
	return 0;
}

static int find(struct mp_bulk **bulk, struct mp_bulks *bulks, const char *table, struct mp_error *err)
{
	struct mp_page_bulks *all = (struct mp_page_bulks *)bulks;
	struct mp_page_bulk *b = all->first;

	while (b && strcmp(b->base.table, table) != 0)
		b = b->next;
	if (!b) {
		if (open_bulk(all, table, err))
			return -1;
		b = all->first;
	}
	*bulk = b->base.unfit ? NULL : &b->base;
	return 0;
}

static int read_page_size(struct mp_page_bulks *all, struct mp_error *err)
{
	char *sql = sqlite3_mprintf("PRAGMA \"%w\".page_size", all->file.schema);
	int64_t size;
	int status = sql ? mp_db_number(all->db, sql, 0, &size, err) : mp_fail_memory(err, "a statement");

	sqlite3_free(sql);
	all->page_size = status ? 0 : (size_t)size;
	return status;
}

int mp_page_bulks_open(struct mp_bulks **bulks, struct mp_db *db, const struct mp_bulk_file *file, struct mp_error *err)
{
	struct mp_page_bulks *all = calloc(1, sizeof(*all));

	*bulks = NULL;
	if (!all)
		return mp_fail_memory(err, "bulk rows");
	*bulks = &all->base;
	all->base = (struct mp_bulks){close_bulks, find, mp_page_bulk_add, mp_page_bulks_attach, mp_page_bulks_discard};
	all->db = db;
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
