/* export_rows.c: the rows of INSERT ... SELECT by an engine: as pages, or each only once. Knows no table. */
#include "import/db_export.h"

#include "base/map.h"
#include "store/sql_token.h"

enum { DISTINCT_MAX = 12, PROGRESS_ROWS = 1 << 16 };

/* INSERT INTO schema.table SELECT ... */
struct insert {
	struct mp_token schema;
	char table[64];
	struct mp_range select; /* without DISTINCT */
	bool distinct;
};

static bool take_name(struct mp_range *text, char *name, size_t size)
{
	struct mp_token t = mp_token_next(text);

	if (t.kind != MP_TOKEN_NAME || t.len >= size)
		return false;
	memcpy(name, t.text, t.len);
	name[t.len] = '\0';
	return true;
}

static bool parse(struct insert *insert, const char *sql)
{
	size_t len = strlen(sql);
	struct mp_range text = {sql, sql + (len && sql[len - 1] == ';' ? len - 1 : len)}, rest;
	struct mp_token t = mp_token_next(&text), into = mp_token_next(&text), dot;

	if (!mp_token_is(&t, "INSERT") || !mp_token_is(&into, "INTO"))
		return false;
	insert->schema = mp_token_next(&text);
	dot = mp_token_next(&text);
	if (!mp_token_is(&dot, ".") || !take_name(&text, insert->table, sizeof(insert->table)))
		return false;
	rest = text;
	t = mp_token_next(&rest);
	insert->select = (struct mp_range){t.text, text.end};
	insert->distinct = false;
	if (mp_token_is(&t, "WITH"))
		return true;
	if (!mp_token_is(&t, "SELECT"))
		return false;
	t = mp_token_next(&rest);
	insert->distinct = mp_token_is(&t, "DISTINCT");
	return true;
}

/* Count a row, and tell the progress. The script says in temp.work how many rows to expect. */
static int advance(struct mp_export_rows *e, struct mp_error *err)
{
	if (++e->rows % PROGRESS_ROWS || !e->progress)
		return 0;
	if (!e->rows_total && mp_db_number(e->db, "SELECT max(rows, 1) FROM temp.work", 1, &e->rows_total, err))
		return -1;
	e->progress(e->progress_user, e->rows < e->rows_total ? e->rows : e->rows_total, e->rows_total);
	return 0;
}

/* Add all rows of a query whose first row is there. Returns 1, 0 when SQLite must store them, -1 on error. */
static int put_rows(struct mp_export_rows *e, struct mp_query *q, struct mp_bulk *bulk, struct mp_error *err)
{
	int status = 1;

	while (status == 1) {
		if (mp_bulk_add(bulk, mp_query_rows(q)->values, err))
			return bulk->refused ? 0 : -1;
		status = advance(e, err) ? -1 : mp_query_next(q, err);
	}
	return status < 0 ? -1 : 1;
}

/* Returns 1 when the table has rows, 0 when not, -1 on error. */
static int has_rows(struct mp_export_rows *e, const char *table, struct mp_error *err)
{
	char *sql = sqlite3_mprintf("SELECT EXISTS (SELECT 1 FROM \"%w\".\"%w\")", e->schema, table);
	int64_t any = 0;
	int status = sql ? mp_db_number(e->db, sql, 0, &any, err) : mp_fail_memory(err, "a statement");

	sqlite3_free(sql);
	return status ? -1 : any != 0;
}

/* Run a query, and store its rows by pages, if the engine gives them alone. Returns as put_rows. */
static int store_rows(struct mp_export_rows *e, const struct insert *insert, struct mp_bulk *bulk, struct mp_error *err)
{
	struct mp_query *q;
	int status;

	if (mp_query_open_rows(&q, e->db, insert->select.at, (size_t)(insert->select.end - insert->select.at), err))
		return -1;
	if (!mp_query_engine(q) || !mp_query_engine(q)->alone || mp_query_column_count(q) != bulk->count) {
		mp_query_close(q);
		return 0;
	}
	status = mp_query_next(q, err);
	if (status == 0)
		status = mp_query_engine(q)->alone;
	else if (status == 1)
		status = mp_query_engine(q)->alone ? put_rows(e, q, bulk, err) : 0;
	mp_query_close(q);
	return status;
}

static int run_pages(struct mp_export_rows *e, const struct insert *insert, struct mp_error *err)
{
	struct mp_bulk *bulk;
	int status = e->bulks ? has_rows(e, insert->table, err) : 1;
	int64_t rows = e->rows;

	if (status)
		return status < 0 ? -1 : 0;
	if (mp_bulk_find(&bulk, e->bulks, insert->table, err))
		return -1;
	status = bulk ? store_rows(e, insert, bulk, err) : 0;
	if (status < 0)
		return -1;
	if (!status)
		e->rows = rows;
	if (status ? mp_bulks_attach(e->bulks, err) : mp_bulks_discard(e->bulks, err))
		return -1;
	return status;
}

static int64_t part_of(const struct mp_map *map, struct mp_value v)
{
	if (v.type == MP_REAL && v.d >= -9007199254740992.0 && v.d <= 9007199254740992.0 && v.d == (double)(int64_t)v.d)
		return (int64_t)v.d; /* equal to the integer */
	return v.type >= MP_TEXT ? mp_map_text(map, v.text, v.len) : v.i;
}

/* Returns the number of a row in the map, 0 for a new one; NULL: out of memory. */
static int64_t *find_row(struct mp_map *map, const struct mp_value *const *values, int count, bool *is_new)
{
	int64_t parts[DISTINCT_MAX + 1] = {0};

	for (int i = 0; i < count; i++) {
		parts[i + 1] = part_of(map, *values[i]);
		parts[0] = parts[0] << 2 | (values[i]->type == MP_NULL ? 0 : values[i]->type >= MP_TEXT ? 2 : 1);
	}
	return mp_map_number(map, &(struct mp_key){parts, count + 1}, is_new);
}

/* Insert each row of a query once; the first is there. Returns as put_rows. */
static int put_distinct(
    struct mp_export_rows *e, struct mp_query *q, struct mp_query *insert, struct mp_map *map, struct mp_error *err)
{
	const struct mp_value *const *values = mp_query_rows(q)->values;
	int count = mp_query_column_count(q), status = 1;
	struct mp_value cells[DISTINCT_MAX];

	while (status == 1) {
		bool is_new;

		if (!find_row(map, values, count, &is_new))
			return mp_fail_memory(err, "rows");
		for (int i = 0; i < count; i++)
			cells[i] = *values[i];
		if (is_new && mp_query_put(insert, cells, count, err))
			return -1;
		status = advance(e, err) ? -1 : mp_query_next(q, err);
	}
	return status < 0 ? -1 : 1;
}

/* Open INSERT INTO temp.TABLE VALUES(?, ...). */
static int open_insert(struct mp_query **q, struct mp_db *db, const char *table, int count, struct mp_error *err)
{
	sqlite3_str *sql = sqlite3_str_new(db->handle);
	char *text;
	int status;

	sqlite3_str_appendf(sql, "INSERT INTO temp.\"%w\" VALUES(?", table);
	for (int i = 1; i < count; i++)
		sqlite3_str_appendall(sql, ", ?");
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	status = text ? mp_query_open(q, db, text, strlen(text), err) : mp_fail_memory(err, "a statement");
	sqlite3_free(text);
	return status;
}

static int store_distinct(
    struct mp_export_rows *e, const struct insert *insert, struct mp_query *q, struct mp_error *err)
{
	struct mp_map *map = mp_maps_find(e->db->maps, "distinct");
	struct mp_query *into;
	int status;

	if (!map || !mp_query_engine(q) || !mp_query_engine(q)->alone || mp_query_column_count(q) > DISTINCT_MAX)
		return 0;
	status = mp_query_next(q, err);
	if (status < 0 || !mp_query_engine(q)->alone)
		return status < 0 ? -1 : 0;
	if (status == 0)
		return 1;
	mp_map_clear(map);
	if (open_insert(&into, e->db, insert->table, mp_query_column_count(q), err))
		return -1;
	status = put_distinct(e, q, into, map, err);
	mp_query_close(into);
	mp_map_clear(map);
	return status;
}

static int run_distinct(struct mp_export_rows *e, const struct insert *insert, struct mp_error *err)
{
	struct mp_range text = insert->select;
	struct mp_query *q;
	char *sql;
	int status;

	mp_token_next(&text); /* SELECT */
	mp_token_next(&text); /* DISTINCT */
	sql = sqlite3_mprintf("SELECT %.*s", (int)(text.end - text.at), text.at);
	status = sql ? mp_query_open_rows(&q, e->db, sql, strlen(sql), err) : mp_fail_memory(err, "a statement");
	sqlite3_free(sql);
	if (status)
		return -1;
	status = store_distinct(e, insert, q, err);
	mp_query_close(q);
	return status;
}

int mp_export_rows_run(void *rows, const char *sql, struct mp_error *err)
{
	struct mp_export_rows *e = rows;
	struct insert insert;

	if (!parse(&insert, sql))
		return 0;
	if (mp_token_is_name(&insert.schema, e->schema, strlen(e->schema)))
		return insert.distinct ? 0 : run_pages(e, &insert, err);
	return insert.distinct && mp_token_is(&insert.schema, "temp") ? run_distinct(e, &insert, err) : 0;
}
