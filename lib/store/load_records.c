/*
 * load_records.c: the records of a slice as rows of a sink: pages where each record fits one. Records become rows as
 * they are read. When all files are loaded, schema/sql/prof/order.sql puts the tables in the order of their times that
 * have a record that came too late.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "base/vec.h"
#include "store/load.h"
#include "store/sink.h"

enum { PROGRESS_EVERY = 1 << 17 /* records */ };

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

/* Returns the order of a table's records of a device; NULL with an error when memory is short. */
static struct mp_load_order *order_of(struct mp_load *load, const char *table, int64_t device_id, struct mp_error *err)
{
	struct mp_load_order *o;

	for (size_t i = 0; i < load->order_count; i++)
		if (load->orders[i].device_id == device_id && strcmp(load->orders[i].table, table) == 0)
			return &load->orders[i];
	if (!mp_vec_room(load->orders, load->order_count, 1)) {
		mp_error_set_memory(err, "the order of records");
		return NULL;
	}
	o = &load->orders[load->order_count++];
	*o = (struct mp_load_order){.device_id = device_id, .last = INT64_MIN};
	snprintf(o->table, sizeof(o->table), "%s", table);
	return o;
}

/* Asks which column has the time; none: rows stay as they are recorded. */
static int ask(struct mp_load *load, struct mp_load_order *o, struct mp_error *err)
{
	static const char sql[] = "SELECT time FROM temp.record_order WHERE records = ?";
	struct mp_query *q;
	int status = mp_query_ask(&q, load->db, sql, MP_VALUES(mp_string(o->table)), err);
	struct mp_value name = status == 1 ? mp_query_value(q, 0) : mp_null();

	if (name.type == MP_TEXT && name.len < sizeof(o->time))
		memcpy(o->time, name.text, name.len);
	o->is_known = true;
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

/* The order of the records of a slice: NULL where records are not put in order. */
static int find_order(
    struct mp_load *load, const struct mp_slice *slice, struct mp_load_order **order, struct mp_error *err)
{
	*order = NULL;
	if (load->job->family != MP_FAMILY_PROF)
		return 0;
	*order = order_of(load, slice->layout->table, slice->file->identity.device_id, err);
	return !*order || (!(*order)->is_known && ask(load, *order, err)) ? -1 : 0;
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
	if (find_order(load, slice, &r.order, err))
		return -1;
	r.time = r.order && r.order->time[0] ? mp_layout_column(l, r.order->time) : -1;
	for (int i = 0; i < l->column_count; i++)
		r.places[i] = &r.values[i];
	return mp_sink_take(sink, &r.base, err);
}

static int put_in_order(struct mp_db *db, const char *table, struct mp_error *err)
{
	struct mp_query *q;
	int status = mp_query_ask(&q, db, mp_schema_text("sql/prof/order.sql"), MP_VALUES(mp_string(table)), err);
	char *statements = status == 1 ? strdup(mp_query_text(q, 0)) : NULL;

	mp_query_close(q); /* an open query would lock the table */
	if (status == 1)
		status = statements ? mp_db_run(db, statements, err) : mp_fail_memory(err, "a statement");
	free(statements);
	return status;
}

int mp_load_put_in_order(struct mp_load *load, struct mp_error *err)
{
	for (size_t i = 0; i < load->order_count; i++) {
		struct mp_load_order *o = &load->orders[i];

		if (o->is_late && put_in_order(load->db, o->table, err))
			return -1;
		for (size_t k = i + 1; o->is_late && k < load->order_count; k++) /* all devices are done */
			if (strcmp(load->orders[k].table, o->table) == 0)
				load->orders[k].is_late = false;
	}
	return 0;
}
