/* bulk_leaf.c: makes records and leaves of rows. The format: https://www.sqlite.org/fileformat2.html. */
#include <endian.h>

#include "base/vec.h"
#include "leaf/bulk.h"

enum {
	POINTER_SIZE = 2,
	LOCAL_LESS = 35, /* a record larger than the page size minus 35 would need overflow pages */
	INT48_MAX_BITS = 47
};

/* The size and the serial type of an integer, by the bits of its magnitude / 8. */
static const struct width {
	unsigned char size, type;
} widths[] = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {6, 5}, {6, 5}, {8, 6}, {8, 6}};

static inline unsigned char *put_bits(unsigned char *at, uint64_t bits, size_t size)
{
	bits = htobe64(bits << (64 - 8 * size));
	memcpy(at, &bits, 8); /* there is room; the next value overwrites the excess bytes */
	return at + size;
}

static inline unsigned char *put_int(unsigned char *at, int64_t v, unsigned char *type)
{
	uint64_t magnitude = (uint64_t)(v < 0 ? ~v : v);
	struct width w;

	if ((uint64_t)v <= 1) {
		*type = (unsigned char)(MP_SERIAL_ZERO + v);
		return at;
	}
	w = widths[(64 - __builtin_clzll(magnitude | 1)) / 8];
	*type = w.type;
	return put_bits(at, (uint64_t)v, w.size);
}

/* A column of reals stores a whole number as an integer when the integer is shorter. */
static unsigned char *put_real(unsigned char *at, double d, bool compact, unsigned char *type)
{
	const double limit = (double)(INT64_C(1) << INT48_MAX_BITS);
	uint64_t bits;

	if (compact && d >= -limit && d < limit && d == (double)(int64_t)d)
		return put_int(at, (int64_t)d, type);
	memcpy(&bits, &d, 8);
	*type = MP_SERIAL_REAL;
	return put_bits(at, bits, 8);
}

/* Convert as the affinity INTEGER does: a whole number between the extremes becomes an integer. */
static struct mp_value as_integer(double d)
{
	const double limit = 9223372036854775808.0;

	return d > -limit && d < limit && (double)(int64_t)d == d ? mp_int((int64_t)d) : mp_real(d);
}

/* The most bytes of a record. */
static size_t local_max(const struct mp_bulk *b)
{
	return b->all->page_size - LOCAL_LESS;
}

int mp_bulk_add_page(struct mp_bulk *b, uint32_t number, int64_t last, struct mp_error *err)
{
	if (!mp_vec_room(b->leaves, b->leaf_count, 1))
		return mp_fail_memory(err, "bulk rows");
	b->leaves[b->leaf_count++] = (struct mp_bulk_page){number, last};
	return 0;
}

void mp_bulk_begin_leaf(struct mp_bulk *b)
{
	b->cells = 0;
	b->content = b->all->page_size;
	b->row_max = local_max(b) - 2; /* the size of the types takes up to 2 bytes */
}

void mp_bulk_end_leaf(struct mp_bulk *b)
{
	size_t used = MP_PAGE_LEAF_HEADER + POINTER_SIZE * b->cells;

	memset(b->leaf, 0, MP_PAGE_LEAF_HEADER);
	b->leaf[0] = MP_PAGE_LEAF;
	mp_page_put16(b->leaf + 3, (uint32_t)b->cells);
	mp_page_put16(b->leaf + 5, (uint32_t)b->content); /* 65536 is stored as 0 */
	memset(b->leaf + used, 0, b->content - used);
}

/* Queue the full leaf for writing, and begin a new leaf. */
static int next_leaf(struct mp_bulk *b, struct mp_error *err)
{
	struct mp_bulks *all = b->all;
	unsigned char *free_page;

	if (all->waiting_count == MP_BULK_BATCH && mp_bulks_write(all, err))
		return -1;
	if (mp_bulk_add_page(b, 0, b->last, err))
		return -1;
	mp_bulk_end_leaf(b);
	free_page = all->waiting[all->waiting_count].bytes;
	all->waiting[all->waiting_count].bytes = b->leaf;
	all->waiting[all->waiting_count].bulk = b;
	all->waiting[all->waiting_count++].leaf = b->leaf_count - 1;
	b->leaf = free_page;
	mp_bulk_begin_leaf(b);
	return 0;
}

/* An error that leaves the row to SQLite. `column` is its number, or -1. */
static int refuse(struct mp_bulk *b, const char *why, int column, struct mp_error *err)
{
	b->refused = true;
	return mp_fail(err, "table '%s': %s '%s'", b->table, why, column < 0 ? "rowid" : b->columns.items[column].name);
}

static int refuse_size(struct mp_bulk *b, struct mp_error *err)
{
	b->refused = true;
	return mp_fail(err, "table '%s': a row does not fit a page", b->table);
}

/* The cell that is being made: types grow up to the values. */
struct cell {
	unsigned char *type; /* of the next value */
	unsigned char *at;   /* the next value */
};

/* Put a text or blob. A type of several bytes moves the values. */
static int put_text(struct mp_bulk *b, int column, const struct mp_value *v, struct cell *cell, struct mp_error *err)
{
	unsigned char type[MP_VARINT_SIZE], *values = cell->type + (b->count - column);
	size_t used = (size_t)(cell->at - values), extra;
	uint64_t serial = 2 * (uint64_t)v->len + (v->type == MP_TEXT ? MP_SERIAL_TEXT : MP_SERIAL_BLOB);

	if (used > local_max(b) || v->len > local_max(b) - used)
		return refuse_size(b, err);
	extra = (size_t)(mp_varint_put(type, serial) - type) - 1;
	if (extra)
		memmove(values + extra, values, used);
	memcpy(cell->type, type, extra + 1);
	cell->type += extra + 1;
	memcpy(cell->at + extra, v->text, v->len);
	cell->at += extra + v->len;
	return 0;
}

/* Put a value that is neither NULL nor an integer. */
static int put_value(struct mp_bulk *b, int column, const struct mp_value *v, struct cell *cell, struct mp_error *err)
{
	const enum mp_declared declared = b->columns.items[column].declared;
	struct mp_value number;

	if (!(b->takes[column] >> v->type & 1))
		return refuse(b, "invalid type of value for column", column, err);
	if (v->type != MP_REAL)
		return put_text(b, column, v, cell, err);
	number = declared == MP_DECLARED_INTEGER || declared == MP_DECLARED_NUMERIC ? as_integer(v->d) : *v;
	cell->at = number.type == MP_INT ? put_int(cell->at, number.i, cell->type++)
					 : put_real(cell->at, number.d, declared == MP_DECLARED_REAL, cell->type++);
	return 0;
}

/* Encode the types and values of a row. Returns the end of the types, and *end receives that of the values; or NULL. */
static unsigned char *make_record(
    struct mp_bulk *b, const struct mp_value *const *values, unsigned char **end, struct mp_error *err)
{
	int count = b->count, key = b->key;
	struct cell cell = {b->cell + MP_BULK_CELL_HEAD, b->cell + MP_BULK_CELL_HEAD + count};

	for (int i = 0; i < count; i++) {
		const struct mp_value *v = values[i];

		if (v->type == MP_NULL || i == key) /* the cell has the rowid */
			*cell.type++ = MP_SERIAL_NULL;
		else if (v->type == MP_INT && b->takes[i] >> MP_INT & 1)
			cell.at = put_int(cell.at, v->i, cell.type++);
		else if (put_value(b, i, v, &cell, err))
			return NULL;
	}
	*end = cell.at;
	return cell.type;
}

/* Find the rowid of a row. */
static int find_rowid(struct mp_bulk *b, const struct mp_value *const *values, int64_t *rowid, struct mp_error *err)
{
	const struct mp_value *v = b->key < 0 ? NULL : values[b->key];
	bool is_given = v && v->type != MP_NULL;

	if (is_given && v->type != MP_INT)
		return refuse(b, "invalid type of value for column", b->key, err);
	if (b->rows && (is_given ? v->i <= b->last : b->last == INT64_MAX))
		return refuse(b, "rowids do not ascend in column", b->key, err);
	*rowid = is_given ? v->i : b->last + 1;
	return 0;
}

int mp_bulk_add(struct mp_bulk *b, const struct mp_value *const *values, struct mp_error *err)
{
	unsigned char *types = b->cell + MP_BULK_CELL_HEAD, *types_end, *end, *at;
	size_t before, record, size;
	int64_t rowid;

	if (find_rowid(b, values, &rowid, err) || !(types_end = make_record(b, values, &end, err)))
		return -1;
	before = (size_t)(types_end - types);
	record = (size_t)(end - types) + (before < 127 ? 1 : 2); /* the header contains its own size */
	before += before < 127 ? 1 : 2;
	if (record > local_max(b))
		return refuse_size(b, err);
	at = mp_varint_put_before(types, before);
	at = mp_varint_put_before(at, (uint64_t)rowid);
	at = mp_varint_put_before(at, record);
	size = (size_t)(end - at);
	if (b->content < MP_PAGE_LEAF_HEADER + POINTER_SIZE * (b->cells + 1) + size && next_leaf(b, err))
		return -1;
	b->content -= size;
	mp_page_put16(b->leaf + MP_PAGE_LEAF_HEADER + POINTER_SIZE * b->cells++, (uint32_t)b->content);
	memcpy(b->leaf + b->content, at, size);
	b->rows++;
	b->last = rowid;
	return 0;
}
