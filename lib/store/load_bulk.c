/* load_bulk.c: records that need no interpreter on their way: from their file into pages of their table. */
#include <string.h>

#include "store/load.h"
#include "base/pump.h"

enum { MANY_BYTES = 1 << 18 }; /* for a thread to pay */

static enum mp_type type_of(const struct mp_layout *l, const struct mp_column *c)
{
	const struct mp_field *f = &l->fields[c->from];

	if (c->kind != MP_COLUMN_FIELD)
		return MP_INT;
	if (f->kind == MP_FIELD_BYTES)
		return MP_BLOB;
	return f->kind == MP_FIELD_CHARS || f->kind == MP_FIELD_MIXED ? MP_TEXT : MP_INT;
}

/* At most: a text that is no UTF-8 has four bytes for one, the digits of a hash need as many as they are. */
static size_t size_of(const struct mp_layout *l, const struct mp_column *c)
{
	enum { NUMBER_SIZE = 8, DIGITS_SIZE = 20 };
	enum mp_type type = type_of(l, c);

	if (type == MP_INT)
		return NUMBER_SIZE;
	return type == MP_BLOB ? l->fields[c->from].width : 4 * l->fields[c->from].width + DIGITS_SIZE;
}

/* Whether each record is a row without conversions, in one page. */
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

/* Records of numbers alone as rows of a pump. */
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
		return -1; /* who sees knows why */
	return 1;
}

/* The table's row of a record. */
struct row {
	struct mp_bulk *bulk;
	const struct mp_record_source *source;
	int to[MP_COLUMN_MAX]; /* where a column of the layout goes */
	struct mp_scalar values[MP_BULK_COLUMN_MAX];
	int64_t count; /* so far */
};

static int add_row(struct row *row, struct mp_error *err)
{
	const struct mp_record_source *source = row->source;

	if (mp_bulk_add(row->bulk, row->values, err))
		return -1;
	if (source->progress && ++row->count % MP_RECORD_PROGRESS == 0)
		source->progress(source->progress_user, row->count);
	return 0;
}

/* Decoded by a thread of their own, where there are many. */
static int load_numbers(struct mp_load *load, const struct mp_layout *l, struct row *row, struct mp_error *err)
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

static int load_values(const struct mp_layout *l, struct row *row, struct mp_error *err)
{
	const struct mp_record_source *source = row->source;

	while (mp_reader_next(source->reader)) {
		if (source->see && !source->see(source->see_user, source->reader, NULL))
			return -1; /* who sees knows why */
		for (int i = 0; i < l->column_count; i++) {
			struct mp_value v = mp_reader_value(source->reader, i);

			row->values[row->to[i]] = mp_scalar_from(&v);
			row->values[row->to[i]].type = (uint16_t)v.type; /* a blob stays one */
		}
		if (add_row(row, err))
			return -1;
	}
	return 0;
}

int mp_load_bulk(struct mp_load *load, const struct mp_layout *layout, struct mp_bulk *bulk, struct mp_error *err)
{
	struct row row = {.bulk = bulk, .source = &load->source, .count = 0};
	bool all_numbers = true;

	for (int i = 0; i < MP_BULK_COLUMN_MAX; i++)
		row.values[i] = mp_null();
	for (int i = 0; i < layout->column_count; i++) {
		row.to[i] = mp_bulk_column(bulk, layout->columns[i].name);
		all_numbers = all_numbers && type_of(layout, &layout->columns[i]) == MP_INT;
	}
	return all_numbers ? load_numbers(load, layout, &row, err) : load_values(layout, &row, err);
}
