/* reader_derived.c: gives the columns that are computed from fields, exactly: times, durations, values, shares, maps.
 */
#include "raw/reader_internal.h"

static struct mp_value number(int64_t v)
{
	return (struct mp_value){.type = MP_INT, .i = v};
}

/* count * by.num / by.den, rounded half to even; what does not fit is counted. */
static int64_t scaled(struct mp_reader *r, struct mp_scale by, uint64_t count)
{
	int64_t value;

	if (!mp_scale_ns(by, count, &value))
		r->tally.out_of_range += !r->uncounted;
	return value;
}

static struct mp_value value_of(struct mp_reader *r, const struct mp_column *c, struct mp_scale by)
{
	uint64_t to = mp_reader_bits(r, c->to), from = c->from == c->to ? 0 : mp_reader_bits(r, c->from);

	return number(to < from ? -scaled(r, by, from - to) : scaled(r, by, to - from));
}

/* A number of parts of the cycles of the record. */
static struct mp_value share_of(struct mp_reader *r, const struct mp_column *c, struct mp_scale by)
{
	uint64_t ticks = mp_reader_bits(r, mp_layout_begin(r->layout)->from), parts;

	if (__builtin_mul_overflow(ticks, by.num, &parts)) {
		r->tally.out_of_range += !r->uncounted;
		return number(INT64_MAX);
	}
	by.num = parts;
	return number(scaled(r, by, mp_reader_bits(r, c->from)));
}

static int64_t time_at(struct mp_reader *r, struct mp_scale by, int field)
{
	int64_t ns;

	if (!mp_scale_time(by, mp_reader_bits(r, field), &ns))
		r->tally.out_of_range += !r->uncounted;
	return ns;
}

/* The difference of two rounded moments, so that what follows without a gap never overlaps. */
static struct mp_value duration_of(struct mp_reader *r, const struct mp_column *c, struct mp_scale by)
{
	int64_t from = time_at(r, by, c->from), to = time_at(r, by, c->to), ns;

	r->tally.negative += mp_reader_bits(r, c->to) < mp_reader_bits(r, c->from) && !r->uncounted;
	return number(__builtin_sub_overflow(to, from, &ns) ? INT64_MAX : ns);
}

/* The entry of a number in the map of a column, or NULL. */
static const struct mp_map *entry_of(const struct mp_layout *l, int column, uint64_t from)
{
	for (int i = 0; i < l->map_count; i++)
		if (l->maps[i].column == column && l->maps[i].from == from)
			return &l->maps[i];
	return NULL;
}

/* Of several maps of a field that lack a number, the first one counts it. */
static bool counts_unknown(const struct mp_reader *r, int index, uint64_t from)
{
	const struct mp_column *columns = r->layout->columns;

	for (int i = 0; i < index; i++)
		if (columns[i].kind == MP_COLUMN_MAP && columns[i].from == columns[index].from &&
		    !entry_of(r->layout, i, from))
			return false;
	return !r->uncounted;
}

/* A number that the map lacks is counted. A map of texts gives its digits. */
static struct mp_value map_of(struct mp_reader *r, int index)
{
	const struct mp_column *c = &r->layout->columns[index];
	uint64_t from = mp_reader_bits(r, c->from);
	const struct mp_map *m = entry_of(r->layout, index, from);

	if (m && m->text)
		return mp_text(m->text, (size_t)m->to);
	if (m)
		return number((int64_t)m->to);
	r->tally.unmapped += counts_unknown(r, index, from);
	return c->is_text ? mp_reader_digits(r, from) : (struct mp_value){.type = MP_NULL};
}

struct mp_value mp_reader_derived(struct mp_reader *r, int index)
{
	const struct mp_column *c = &r->layout->columns[index];
	struct mp_scale by = r->scales[index];

	if (c->kind == MP_COLUMN_MAP)
		return map_of(r, index);
	if (c->kind == MP_COLUMN_CONSTANT)
		return number((int64_t)c->num);
	if (!by.den)
		return (struct mp_value){.type = MP_NULL};
	switch (c->kind) {
	case MP_COLUMN_BEGIN:
		return number(r->begin_ns);
	case MP_COLUMN_SPAN:
		return number(r->span_ns);
	case MP_COLUMN_VALUE:
		return value_of(r, c, by);
	case MP_COLUMN_SHARE:
		return share_of(r, c, by);
	case MP_COLUMN_DURATION:
		return duration_of(r, c, by);
	default:
		return number(time_at(r, by, c->from));
	}
}
