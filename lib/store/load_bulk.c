/* load_bulk.c: records that need no interpreter on their way: from their file into pages of their table. */
#include <string.h>

#include "store/load.h"

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
	size_t size = (size_t)mp_bulk_column_count(bulk) * MP_BULK_VALUE_EXTRA;

	if (l->kind != MP_RECORD_BINARY)
		return false;
	for (int i = 0; i < l->column_count; i++) {
		int at = mp_bulk_column(bulk, l->columns[i].name);

		if (at < 0 || !mp_bulk_takes(bulk, at, type_of(l, &l->columns[i])))
			return false;
		size += size_of(l, &l->columns[i]);
	}
	return size <= mp_bulk_row_max(bulk);
}

int mp_load_find_bulk(struct mp_load *load, const char *table, struct mp_bulk **bulk, struct mp_error *err)
{
	*bulk = NULL;
	if (!load->bulks)
		return 0;
	if (mp_bulk_find(bulk, load->bulks, table, err))
		return -1;
	if (!*bulk || mp_bulk_rows(*bulk))
		return 0;
	for (size_t i = 0; i < load->layouts->count; i++) {
		const struct mp_layout *l = load->layouts->items[i];

		if (l->family == load->job->family && strcmp(l->table, table) == 0 && !fits(*bulk, l)) {
			mp_bulk_refuse(*bulk);
			*bulk = NULL;
			return 0;
		}
	}
	return 0;
}

int mp_load_bulk(struct mp_load *load, const struct mp_layout *layout, struct mp_bulk *bulk, struct mp_error *err)
{
	const struct mp_record_source *source = &load->source;
	struct mp_scalar row[MP_BULK_COLUMN_MAX];
	int to[MP_COLUMN_MAX];
	int64_t records = 0;

	for (int i = 0; i < MP_BULK_COLUMN_MAX; i++)
		row[i] = mp_null();
	for (int i = 0; i < layout->column_count; i++)
		to[i] = mp_bulk_column(bulk, layout->columns[i].name);
	while (mp_reader_next(source->reader)) {
		if (source->see && !source->see(source->see_user, source->reader))
			return -1; /* who sees knows why */
		for (int i = 0; i < layout->column_count; i++) {
			struct mp_value v = mp_reader_value(source->reader, i);

			row[to[i]] = mp_scalar_from(&v);
			row[to[i]].type = v.type; /* a blob stays one */
		}
		if (mp_bulk_add(bulk, row, err))
			return -1;
		if (source->progress && ++records % MP_RECORD_PROGRESS == 0)
			source->progress(source->progress_user, records);
	}
	return 0;
}
