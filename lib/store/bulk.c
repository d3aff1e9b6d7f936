/* bulk.c: which tables take bulk rows, and with what columns. */
#include "store/bulk.h"

#include <stdio.h>
#include <stdlib.h>

#include "store/bulk_internal.h"

int mp_bulks_open(struct mp_bulks **bulks, struct mp_db *db, int fd, struct mp_error *err)
{
	struct mp_bulks *all = *bulks = calloc(1, sizeof(*all));
	int64_t size;

	if (!all)
		return mp_fail_memory(err, "bulk rows");
	all->db = db;
	all->fd = fd;
	if (mp_db_number(db, "PRAGMA page_size", 0, &size, err))
		return -1;
	all->page_size = (size_t)size;
	for (int i = 0; i < MP_BULK_BATCH; i++) {
		all->waiting[i].bytes = malloc(all->page_size);
		if (!all->waiting[i].bytes)
			return mp_fail_memory(err, "bulk rows");
	}
	return 0;
}

void mp_bulks_clear(struct mp_bulks *all)
{
	while (all->first) {
		struct mp_bulk *b = all->first;

		all->first = b->next;
		free(b->leaves.items);
		free(b->leaf);
		free(b->values);
		free(b);
	}
	all->waiting_count = 0;
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

/* What a column stores as it is, without a conversion by its affinity; 0: no column of ours. */
static unsigned types_of(const char *declared)
{
	if (strcmp(declared, "INTEGER") == 0)
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
	unsigned types = is_rowid ? 1u << MP_NULL : types_of(declared);
	int at = b->count;

	if (!types || at == MP_BULK_COLUMN_MAX ||
	    snprintf(b->names[at], sizeof(b->names[at]), "%s", name) >= (int)sizeof(b->names[at]))
		return false;
	b->takes[at] = (unsigned char)types;
	b->is_real[at] = strcmp(declared, "REAL") == 0;
	b->is_int[at] = strcmp(declared, "INTEGER") == 0;
	b->count++;
	return true;
}

/* A primary key without an index is the rowid. */
static int read_columns(struct mp_bulk *b, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT name, type, pk, \"notnull\" OR dflt_value IS NOT NULL OR hidden FROM pragma_table_xinfo(:table, 'main') ORDER BY cid";
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, b->all->db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "table", b->table, err);
	while (!status && (status = mp_query_next(q, err)) == 1) {
		struct mp_value name = mp_query_value(q, 0), type = mp_query_value(q, 1);

		status = 0;
		if (mp_query_value(q, 3).i || !add_column(b, name.text, type.text, mp_query_value(q, 2).i != 0))
			b->unfit = true;
	}
	mp_query_close(q);
	return status;
}

/* What is said of the whole table; one without rowids has an index of its own. */
static int judge(struct mp_bulk *b, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT rootpage, sql LIKE '%CHECK%' OR sql LIKE '%REFERENCES%' OR sql LIKE '%AUTOINCREMENT%'"
	    " OR EXISTS (SELECT 1 FROM pragma_index_list(s.name, 'main'))"
	    " OR EXISTS (SELECT 1 FROM main.sqlite_schema t WHERE t.tbl_name = s.name AND t.type <> 'table')"
	    " FROM main.sqlite_schema s WHERE s.type = 'table' AND s.name = :table";
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, b->all->db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "table", b->table, err) ? -1 : mp_query_next(q, err);
	if (status == 1) {
		b->root = (uint32_t)mp_query_value(q, 0).i;
		b->unfit = mp_query_value(q, 1).i != 0;
	}
	mp_query_close(q);
	if (status <= 0)
		return status < 0 ? -1 : mp_fail(err, "there is no table '%s'", b->table);
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
		return mp_fail(err, "table '%s': its name is too long", table);
	if (judge(b, err))
		return -1;
	if (b->unfit)
		return 0;
	b->leaf = malloc(all->page_size);
	b->values = malloc(all->page_size + 8 * MP_BULK_COLUMN_MAX); /* all but texts are known to fit */
	if (!b->leaf || !b->values)
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

int mp_bulk_column_count(const struct mp_bulk *b)
{
	return b->count;
}

int mp_bulk_column(const struct mp_bulk *b, const char *name)
{
	int at = b->count;

	while (at-- && strcmp(b->names[at], name) != 0)
		continue;
	return at;
}

bool mp_bulk_takes(const struct mp_bulk *b, int column, enum mp_type type)
{
	return b->takes[column] >> type & 1;
}

void mp_bulk_refuse(struct mp_bulk *b)
{
	b->unfit = true;
}

int64_t mp_bulk_rows(const struct mp_bulk *b)
{
	return b->rows;
}
