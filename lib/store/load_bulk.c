/* load_bulk.c: adds the records of a file to a bulk, without SQLite's interpreter. */
#include <string.h>

#include "store/load.h"
#include "base/pump.h"

enum { MANY_BYTES = 1 << 18 }; /* smaller files are not worth a thread */

static enum mp_type type_of(const struct mp_layout *l, const struct mp_column *c)
{
	const struct mp_field *f = &l->fields[c->from];

	if (c->kind != MP_COLUMN_FIELD)
		return MP_INT;
	if (f->kind == MP_FIELD_BYTES)
		return MP_BLOB;
	return f->kind == MP_FIELD_CHARS || f->kind == MP_FIELD_MIXED ? MP_TEXT : MP_INT;
}

/* Returns the most bytes of a value. A byte of invalid UTF-8 becomes four bytes; the digits of a hash need 20. */
static size_t size_of(const struct mp_layout *l, const struct mp_column *c)
{
	enum { NUMBER_SIZE = 8, DIGITS_SIZE = 20 };
	enum mp_type type = type_of(l, c);

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

int mp_load_find_bulk(struct mp_load *load, const char *table, struct mp_bulk **bulk, struct mp_error *err)
{
	*bulk = NULL;
	if (!load->bulks)
		return 0;
	if (mp_bulk_find(bulk, load->bulks, table, err))
		return -1;
	if (!*bulk || (*bulk)->rows)
		return 0;
	for (size_t i = 0; i < load->layouts->count; i++) {
		const struct mp_layout *l = load->layouts->items[i];

		if (l->family == load->job->family && strcmp(l->table, table) == 0 && !fits(*bulk, l)) {
			(*bulk)->unfit = true;
			*bulk = NULL;
			return 0;
		}
	}
	return 0;
}

/* Records whose columns are all numbers, as rows of a pump. */
struct numbers {
	const struct mp_record_source *source;
	signed char columns[MP_COLUMN_MAX];
	int count;
};

static int next_numbers(void *user, int64_t *values, bool *nulls, struct mp_error *err)
{
	const struct numbers *n = user;
	struct mp_reader *reader = n->source->reader;

	(void)err;
	if (!mp_reader_next(reader))
		return 0;
	mp_reader_numbers(reader, n->columns, n->count, values, nulls);
	if (n->source->see && !n->source->see(n->source->see_user, reader, values))
		return -1; /* `see` has the error */
	return 1;
}

/* The row of a record in its table. */
struct bulk_row {
	struct mp_bulk *bulk;
	const struct mp_record_source *source;
	int to[MP_COLUMN_MAX]; /* for each column of the layout its column in the table */
	struct mp_scalar values[MP_BULK_COLUMN_MAX];
	int64_t count; /* rows so far */
};

static int add_row(struct bulk_row *row, struct mp_error *err)
{
	const struct mp_record_source *source = row->source;

	if (mp_bulk_add(row->bulk, row->values, err))
		return -1;
	if (source->progress && ++row->count % MP_RECORD_PROGRESS == 0)
		source->progress(source->progress_user, row->count);
	return 0;
}

/* Load records of numbers; a thread decodes a large file. */
static int load_numbers(struct mp_load *load, const struct mp_layout *l, struct bulk_row *row, struct mp_error *err)
{
	struct numbers numbers = {.source = row->source, .count = l->column_count};
	const struct mp_pump_rows rows = {.user = &numbers, .columns = l->column_count, .next = next_numbers};
	bool many = !(load->db->plain & MP_PLAIN_THREADS) && mp_reader_tally(row->source->reader)->size >= MANY_BYTES;
	struct mp_pump *pump;
	int status;

	for (int i = 0; i < l->column_count; i++)
		numbers.columns[i] = (signed char)i;
	status = mp_pump_start(&pump, &rows, many, err) ? -1 : 1;
	while (status == 1 && (status = mp_pump_next(pump, err)) == 1) {
		const bool *nulls;
		const int64_t *values = mp_pump_row(pump, &nulls);

		for (int i = 0; i < l->column_count; i++)
			row->values[row->to[i]] = nulls[i] ? mp_null() : mp_int(values[i]);
		if (add_row(row, err))
			status = -1;
	}
	mp_pump_stop(pump);
	return status;
}

static int load_values(const struct mp_layout *l, struct bulk_row *row, struct mp_error *err)
{
	const struct mp_record_source *source = row->source;

	while (mp_reader_next(source->reader)) {
		if (source->see && !source->see(source->see_user, source->reader, NULL))
			return -1; /* `see` has the error */
		for (int i = 0; i < l->column_count; i++) {
			struct mp_value v = mp_reader_value(source->reader, i);

			row->values[row->to[i]] = mp_scalar_from(&v);
			row->values[row->to[i]].type = (uint16_t)v.type; /* mp_scalar_from makes a blob a text */
		}
		if (add_row(row, err))
			return -1;
	}
	return 0;
}

int mp_load_bulk(struct mp_load *load, const struct mp_layout *layout, struct mp_bulk *bulk, struct mp_error *err)
{
	struct bulk_row row = {.bulk = bulk, .source = &load->source, .count = 0};
	bool all_numbers = true;

	for (int i = 0; i < MP_BULK_COLUMN_MAX; i++)
		row.values[i] = mp_null();
	for (int i = 0; i < layout->column_count; i++) {
		row.to[i] = mp_bulk_column(bulk, layout->columns[i].name);
		all_numbers = all_numbers && type_of(layout, &layout->columns[i]) == MP_INT;
	}
	return all_numbers ? load_numbers(load, layout, &row, err) : load_values(layout, &row, err);
}
