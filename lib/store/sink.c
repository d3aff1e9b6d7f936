/* sink.c: adds rows to a table by a bulk or by INSERT; the records of a file are such rows. Knows no table. */
#include "store/sink.h"

#include <string.h>

#include "store/load.h"

enum { PROGRESS_EVERY = 1 << 17 /* records */ };

int mp_db_open_bulks(
    struct mp_bulks **bulks, struct mp_db *db, const char *schema, const char *path, int fd, struct mp_error *err)
{
	const struct mp_bulk_file file = {db->handle, schema, path, fd, &db->full};

	*bulks = NULL;
	return db->plain & MP_PLAIN_PAGES ? 0 : mp_bulks_open(bulks, &file, err);
}

static int open_insert(
    struct mp_sink *s, struct mp_db *db, const char *table, const char *const *columns, struct mp_error *err)
{
	sqlite3_str *sql = sqlite3_str_new(db->handle);
	char *text;
	int status;

	sqlite3_str_appendf(sql, "INSERT INTO \"%w\"(", table);
	for (int i = 0; i < s->count; i++)
		sqlite3_str_appendf(sql, "%s\"%w\"", i ? ", " : "", columns[i]);
	for (int i = 0; i < s->count; i++)
		sqlite3_str_appendall(sql, i ? ", ?" : ") VALUES(?");
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	if (!text)
		return mp_fail_memory(err, "a statement");
	status = mp_query_open(&s->insert, db, text, strlen(text), err);
	sqlite3_free(text);
	return status;
}

static int open_bulk(struct mp_sink *s, const char *table, const char *const *columns, struct mp_error *err)
{
	static const struct mp_value null = {.i = 0, .type = MP_NULL};

	for (int i = 0; i < MP_BULK_COLUMN_MAX; i++)
		s->row[i] = &null;
	s->is_whole = s->count == s->bulk->count;
	for (int i = 0; i < s->count; i++) {
		s->to[i] = mp_bulk_column(s->bulk, columns[i]);
		s->is_whole = s->is_whole && s->to[i] == i;
		if (s->to[i] < 0)
			return mp_fail(err, "table '%s': column '%s' not found", table, columns[i]);
	}
	return 0;
}

int mp_sink_open(struct mp_sink *s, struct mp_db *db, struct mp_bulks *bulks, const char *table,
    const char *const *columns, int count, struct mp_error *err)
{
	s->count = count;
	s->is_whole = false;
	s->insert = NULL;
	s->bulk = NULL;
	if (count > MP_BULK_COLUMN_MAX)
		return mp_fail(err, "table '%s': too many columns", table);
	if (bulks && mp_bulk_find(&s->bulk, bulks, table, err))
		return -1;
	return s->bulk ? open_bulk(s, table, columns, err) : open_insert(s, db, table, columns, err);
}

int mp_sink_put(struct mp_sink *s, const struct mp_value *const *values, struct mp_error *err)
{
	if (s->is_whole)
		return mp_bulk_add(s->bulk, values, err);
	if (!s->bulk)
		return mp_query_put_row(s->insert, values, s->count, err);
	for (int i = 0; i < s->count; i++)
		s->row[s->to[i]] = values[i];
	return mp_bulk_add(s->bulk, s->row, err);
}

int mp_sink_take(struct mp_sink *s, struct mp_rows *rows, struct mp_error *err)
{
	int status;

	while ((status = rows->next(rows, err)) == 1)
		if (mp_sink_put(s, rows->values, err))
			return -1;
	return status;
}

void mp_sink_close(struct mp_sink *s)
{
	mp_query_close(s->insert);
	s->insert = NULL;
}

int mp_sink_query(struct mp_db *db, struct mp_bulks *bulks, const char *table, struct mp_query *q, struct mp_error *err)
{
	const char *columns[MP_BULK_COLUMN_MAX] = {NULL};
	int count = mp_query_column_count(q), status;
	struct mp_sink sink;

	for (int i = 0; i < count && i < MP_BULK_COLUMN_MAX; i++)
		columns[i] = mp_query_title(q, i);
	if (mp_sink_open(&sink, db, bulks, table, columns, count, err))
		return -1;
	status = mp_sink_take(&sink, mp_query_rows(q), err);
	mp_sink_close(&sink);
	return status;
}

static enum mp_type type_of(const struct mp_layout *l, const struct mp_column *c)
{
	const struct mp_field *f = &l->fields[c->from];

	if (c->kind != MP_COLUMN_FIELD)
		return c->is_text ? MP_TEXT : MP_INT;
	if (f->kind == MP_FIELD_BYTES)
		return MP_BLOB;
	return f->kind == MP_FIELD_CHARS || f->kind == MP_FIELD_MIXED ? MP_TEXT : MP_INT;
}

/* Returns the most bytes of a value. A byte of invalid UTF-8 becomes four bytes; the digits of a hash need 20. */
static size_t size_of(const struct mp_layout *l, const struct mp_column *c)
{
	enum { NUMBER_SIZE = 8, DIGITS_SIZE = 20 };
	enum mp_type type = type_of(l, c);
	size_t longest = DIGITS_SIZE;

	for (int i = 0; c->kind == MP_COLUMN_MAP && c->is_text && i < l->map_count; i++)
		if (l->maps[i].text && l->maps[i].to > longest)
			longest = (size_t)l->maps[i].to;
	if (c->kind == MP_COLUMN_MAP && c->is_text)
		return longest;
	if (type == MP_INT)
		return NUMBER_SIZE;
	return type == MP_BLOB ? l->fields[c->from].width : 4 * l->fields[c->from].width + DIGITS_SIZE;
}

/* Returns whether each record fits a page as a row without conversions. */
static bool fits(const struct mp_bulk *bulk, const struct mp_layout *l)
{
	size_t size = (size_t)bulk->count * MP_BULK_VALUE_EXTRA;

	if (l->kind != MP_RECORD_BINARY)
		return false;
	for (int i = 0; i < l->column_count; i++) {
		int at = mp_bulk_column(bulk, l->columns[i].name);

		if (at < 0 || !mp_bulk_takes(bulk, at, type_of(l, &l->columns[i])))
			return false;
		size += size_of(l, &l->columns[i]);
	}
	return size <= bulk->row_max;
}

/* Leave a table to SQLite unless the records of all its layouts fit pages. */
static int choose_pages(struct mp_load *load, const char *table, struct mp_error *err)
{
	struct mp_bulk *bulk;

	if (mp_bulk_find(&bulk, load->bulks, table, err))
		return -1;
	for (size_t i = 0; bulk && !bulk->rows && !bulk->unfit && i < load->layouts->count; i++) {
		const struct mp_layout *l = load->layouts->items[i];

		bulk->unfit = l->family == load->job->family && strcmp(l->table, table) == 0 && !fits(bulk, l);
	}
	return 0;
}

int mp_load_open_sink(struct mp_load *load, const struct mp_layout *l, struct mp_sink *sink, struct mp_error *err)
{
	const char *names[MP_COLUMN_MAX] = {NULL};

	for (int i = 0; i < l->column_count; i++)
		names[i] = l->columns[i].name;
	if (load->bulks && choose_pages(load, l->table, err))
		return -1;
	return mp_sink_open(sink, load->db, load->bulks, l->table, names, l->column_count, err);
}

/* The records of a slice. */
struct record_rows {
	struct mp_rows base;
	struct mp_load *load;
	const struct mp_slice *slice;
	bool looks;                  /* the joiner sees the records, too */
	struct mp_load_order *order; /* or NULL */
	int time;                    /* the column by which it is, or -1 */
	int64_t count;
	struct mp_value values[MP_COLUMN_MAX];
	const struct mp_value *places[MP_COLUMN_MAX]; /* of the values */
};

static void see_time(struct mp_load_order *o, const struct mp_value *time)
{
	if (time->type != MP_INT)
		return;
	o->is_late = o->is_late || time->i < o->last;
	o->last = time->i;
}

static int next(struct mp_rows *rows, struct mp_error *err)
{
	struct record_rows *r = (struct record_rows *)rows;
	const struct mp_layout *l = r->slice->layout;
	struct mp_load *load = r->load;
	int64_t numbers[MP_COLUMN_MAX];

	if (!mp_reader_next(r->slice->reader))
		return 0;
	mp_reader_row(r->slice->reader, r->values);
	if (r->time >= 0)
		see_time(r->order, &r->values[r->time]);
	for (int i = 0; r->looks && i < l->column_count; i++)
		numbers[i] = mp_int_of(r->values[i]);
	if (r->looks && load->joiner->see(load->joiner, l, numbers, err))
		return -1;
	if (++r->count % PROGRESS_EVERY == 0 && load->progress)
		load->progress(load->progress_user,
		    load->bytes_done + (l->kind == MP_RECORD_BINARY ? r->count * (int64_t)l->size : 0),
		    load->bytes_total);
	return 1;
}

int mp_load_records(struct mp_load *load, const struct mp_slice *slice, struct mp_sink *sink, struct mp_error *err)
{
	const struct mp_layout *l = slice->layout;
	struct record_rows r = {
	    .load = load, .slice = slice, .looks = load->joiner && load->joiner->looks(load->joiner, l)};

	r.base = (struct mp_rows){next, r.places};
	if (mp_load_order(load, slice, &r.order, err))
		return -1;
	r.time = r.order && r.order->time[0] ? mp_layout_column(l, r.order->time) : -1;
	for (int i = 0; i < l->column_count; i++)
		r.places[i] = &r.values[i];
	return mp_sink_take(sink, &r.base, err);
}
