/* load_bulk.c: adds the records of a file to a bulk, without SQLite's interpreter. */
#include <string.h>

#include "store/load.h"

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

/* The row of a record in its table. */
struct bulk_row {
	struct mp_bulk *bulk;
	const struct mp_record_source *source;
	int to[MP_COLUMN_MAX]; /* for each column of the layout its column in the table */
	struct mp_value values[MP_BULK_COLUMN_MAX];
	const struct mp_value *places[MP_BULK_COLUMN_MAX]; /* of the values */
	int64_t count;                                     /* rows so far */
};

static int add_row(struct bulk_row *row, struct mp_error *err)
{
	const struct mp_record_source *source = row->source;

	if (mp_bulk_add(row->bulk, row->places, err))
		return -1;
	if (source->progress && ++row->count % MP_RECORD_PROGRESS == 0)
		source->progress(source->progress_user, row->count);
	return 0;
}

/* Load records whose columns are all numbers. */
static int load_numbers(const struct mp_layout *l, struct bulk_row *row, struct mp_error *err)
{
	const struct mp_record_source *source = row->source;
	signed char columns[MP_COLUMN_MAX];
	int64_t values[MP_COLUMN_MAX];
	bool nulls[MP_COLUMN_MAX];

	for (int i = 0; i < l->column_count; i++)
		columns[i] = (signed char)i;
	while (mp_reader_next(source->reader)) {
		mp_reader_numbers(source->reader, columns, l->column_count, values, nulls);
		if (source->see && !source->see(source->see_user, source->reader, values))
			return -1; /* `see` has the error */
		for (int i = 0; i < l->column_count; i++)
			row->values[row->to[i]] = nulls[i] ? mp_null() : mp_int(values[i]);
		if (add_row(row, err))
			return -1;
	}
	return 0;
}

static int load_values(const struct mp_layout *l, struct bulk_row *row, struct mp_error *err)
{
	const struct mp_record_source *source = row->source;

	while (mp_reader_next(source->reader)) {
		if (source->see && !source->see(source->see_user, source->reader, NULL))
			return -1; /* `see` has the error */
		for (int i = 0; i < l->column_count; i++)
			row->values[row->to[i]] = mp_reader_value(source->reader, i);
		if (add_row(row, err))
			return -1;
	}
	return 0;
}

int mp_load_bulk(struct mp_load *load, const struct mp_layout *layout, struct mp_bulk *bulk, struct mp_error *err)
{
	struct bulk_row row = {.bulk = bulk, .source = &load->source, .count = 0};
	bool all_numbers = true;

	for (int i = 0; i < MP_BULK_COLUMN_MAX; i++) {
		row.values[i] = mp_null();
		row.places[i] = &row.values[i];
	}
	for (int i = 0; i < layout->column_count; i++) {
		row.to[i] = mp_bulk_column(bulk, layout->columns[i].name);
		all_numbers = all_numbers && type_of(layout, &layout->columns[i]) == MP_INT;
	}
	return all_numbers ? load_numbers(layout, &row, err) : load_values(layout, &row, err);
}
