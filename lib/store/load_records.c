/* load_records.c: the records of a file as rows, and the sink that takes them. */
#include <string.h>

#include "row/rows.h"
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
	const char *names[MP_COLUMN_MAX];

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
	bool all_numbers;
	bool looks;                  /* the joiner sees the records, too */
	struct mp_load_order *order; /* or NULL */
	int time;                    /* the column by which it is, or -1 */
	int64_t count;
	size_t record_size; /* in the file; 0 unless the file is binary */
	signed char columns[MP_COLUMN_MAX];
	int64_t numbers[MP_COLUMN_MAX];
	bool nulls[MP_COLUMN_MAX];
	struct mp_value values[MP_COLUMN_MAX];
	const struct mp_value *places[MP_COLUMN_MAX]; /* of the values */
};

static void report_progress(const struct record_rows *r)
{
	struct mp_load *load = r->load;

	if (load->progress)
		load->progress(
		    load->progress_user, load->bytes_done + r->count * (int64_t)r->record_size, load->bytes_total);
}

/* Decode what the joiner sees. Decoding the row counts the values. */
static void look(struct record_rows *r, int count)
{
	mp_reader_count(r->slice->reader, false);
	mp_reader_numbers(r->slice->reader, r->columns, count, r->numbers, r->nulls);
	mp_reader_count(r->slice->reader, true);
}

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
	struct mp_joiner *joiner = r->load->joiner;

	if (!mp_reader_next(r->slice->reader))
		return 0;
	if (r->all_numbers)
		mp_reader_numbers(r->slice->reader, r->columns, l->column_count, r->numbers, r->nulls);
	else if (r->looks)
		look(r, l->column_count);
	if (r->looks && joiner->see(joiner, l, r->numbers, err))
		return -1;
	for (int i = 0; i < l->column_count; i++)
		if (!r->all_numbers)
			r->values[i] = mp_reader_value(r->slice->reader, i);
		else
			r->values[i] = r->nulls[i] ? mp_null() : mp_int(r->numbers[i]);
	if (r->time >= 0)
		see_time(r->order, &r->values[r->time]);
	if (++r->count % PROGRESS_EVERY == 0)
		report_progress(r);
	return 1;
}

int mp_load_records(struct mp_load *load, const struct mp_slice *slice, struct mp_sink *sink, struct mp_error *err)
{
	const struct mp_layout *l = slice->layout;
	struct record_rows r = {.load = load,
	    .slice = slice,
	    .all_numbers = true,
	    .looks = load->joiner && load->joiner->looks(load->joiner, l),
	    .record_size = l->kind == MP_RECORD_BINARY ? l->size : 0};

	r.base = (struct mp_rows){next, r.places};
	if (mp_load_order(load, slice, &r.order, err))
		return -1;
	r.time = r.order && r.order->time[0] ? mp_layout_column(l, r.order->time) : -1;
	for (int i = 0; i < l->column_count; i++) {
		r.columns[i] = (signed char)i;
		r.places[i] = &r.values[i];
		r.all_numbers = r.all_numbers && type_of(l, &l->columns[i]) == MP_INT;
	}
	return mp_sink_take(sink, &r.base, err);
}
