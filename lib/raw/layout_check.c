/* layout_check.c: checks a layout, and a set of layouts, before bytes are decoded with them. */
#include "raw/layout.h"

#include <stdlib.h>
#include <string.h>

int mp_layout_field(const struct mp_layout *layout, const char *name)
{
	for (int i = 0; i < layout->field_count; i++)
		if (strcmp(layout->fields[i].name, name) == 0)
			return i;
	return -1;
}

int mp_layout_column(const struct mp_layout *layout, const char *name)
{
	for (int i = 0; i < layout->column_count; i++)
		if (strcmp(layout->columns[i].name, name) == 0)
			return i;
	return -1;
}

/* Mark bits first..first+count of a record as described. A bit described twice is an error. */
static int claim(const struct mp_layout *l, unsigned char *used, size_t offset, size_t width, unsigned shift,
    uint64_t mask, const char *what, struct mp_error *err)
{
	if (offset > l->size || width > l->size - offset)
		return mp_fail(err, "%s: '%s' ends past the size of %zu bytes", l->origin, what, l->size);
	for (size_t byte = 0; byte < width; byte++) {
		/* byte 0 of a big-endian number holds its highest bits */
		size_t place = l->big_endian ? width - 1 - byte : byte;
		uint64_t all = mask << shift;
		unsigned bits = mask == UINT64_MAX || width > 8 ? 0xff : (unsigned)(all >> (place * 8)) & 0xff;

		if (used[offset + byte] & bits)
			return mp_fail(err, "%s: '%s' overlaps at byte %zu", l->origin, what, offset + byte);
		used[offset + byte] |= (unsigned char)bits;
	}
	return 0;
}

static int check_coverage(const struct mp_layout *l, struct mp_error *err)
{
	unsigned char used[MP_RECORD_SIZE_MAX] = {0};
	unsigned char matched[MP_RECORD_SIZE_MAX] = {0};

	for (int i = 0; i < l->field_count; i++) {
		const struct mp_field *f = &l->fields[i];
		uint64_t mask = f->kind == MP_FIELD_CHARS || f->kind == MP_FIELD_BYTES || f->kind == MP_FIELD_MIXED
				    ? UINT64_MAX
				    : f->mask;

		if (claim(l, used, f->offset, f->width, f->shift, mask, f->name, err))
			return -1;
	}
	for (int i = 0; i < l->pad_count; i++)
		if (claim(l, used, l->pads[i].offset, l->pads[i].width, 0, UINT64_MAX, l->pads[i].zero ? "pad" : "skip",
			err))
			return -1;
	/* match bytes may also be a field, but must not overlap each other */
	for (int i = 0; i < l->match_count; i++)
		if (claim(l, matched, l->matches[i].offset, l->matches[i].width, l->matches[i].shift,
			l->matches[i].mask, "match", err))
			return -1;
	for (size_t i = 0; i < l->size; i++)
		if ((used[i] | matched[i]) != 0xff)
			return mp_fail(err, "%s: byte %zu is not described; declare it with pad or skip", l->origin, i);
	return 0;
}

static bool has_column_of(const struct mp_layout *l, int kind)
{
	for (int i = 0; i < l->column_count; i++)
		if ((int)l->columns[i].kind == kind)
			return true;
	return false;
}

static int check_statements(const struct mp_layout *l, struct mp_error *err)
{
	const struct mp_column *begin = mp_layout_begin(l);

	for (int i = 0; i < l->column_count; i++)
		if (l->columns[i].kind == MP_COLUMN_SHARE && (!begin || begin->unit != MP_UNIT_TICK100))
			return mp_fail(err, "%s: share '%s' needs a layout with follow, of unit=tick100", l->origin,
			    l->columns[i].name);
	if (l->parts > 1 && !has_column_of(l, MP_COLUMN_SHARE))
		return mp_fail(err, "%s: layout '%s' has parts without share", l->origin, l->name);
	return 0;
}

static int check_items(const struct mp_layout *l, struct mp_error *err)
{
	if (!l->form_count || !l->each)
		return mp_fail(err, "%s: layout '%s' has no tag or each line", l->origin, l->name);
	if (l->is_model ? !l->match_count : l->match_count)
		return mp_fail(err, "%s: layout '%s': a model file, and nothing else of items, has match lines",
		    l->origin, l->name);
	if (l->is_model && l->file_count)
		return mp_fail(err, "%s: layout '%s' of a model file has a file line", l->origin, l->name);
	return 0;
}

int mp_layout_check(const struct mp_layout *l, struct mp_error *err)
{
	if (!l->file_count && !l->is_model)
		return mp_fail(err, "%s: layout '%s' has no file line", l->origin, l->name);
	if (!l->table[0])
		return mp_fail(err, "%s: layout '%s' has no table line", l->origin, l->name);
	if (l->kind == MP_RECORD_TEXT && !l->line_count)
		return mp_fail(err, "%s: layout '%s' has no line pattern", l->origin, l->name);
	if (l->kind == MP_RECORD_BINARY && !l->size)
		return mp_fail(err, "%s: layout '%s' has no size line", l->origin, l->name);
	if (!l->column_count)
		return mp_fail(err, "%s: layout '%s' stores no column", l->origin, l->name);
	if ((l->series_count || l->socs != UINT32_MAX) && l->family != MP_FAMILY_SVP)
		return mp_fail(err, "%s: layout '%s' has series or a soc, which only svp knows", l->origin, l->name);
	if (l->kind == MP_RECORD_ITEMS && check_items(l, err))
		return -1;
	if ((l->kind == MP_RECORD_BINARY || l->size) && check_coverage(l, err))
		return -1;
	return check_statements(l, err);
}

/* The shortest names that the patterns of a layout match. */
struct samples {
	char names[MP_FILE_PATTERN_MAX][512];
	size_t lens[MP_FILE_PATTERN_MAX];
	int count;
};

static size_t sample_name(const struct mp_pattern *p, char name[512])
{
	size_t len = 0;

	for (int i = 0; i < p->piece_count; i++) {
		const struct mp_piece *piece = &p->pieces[i];
		const char *text = piece->kind == MP_PIECE_LITERAL ? piece->text
				   : piece->kind == MP_PIECE_TEXT  ? "m"
								   : "1";
		size_t n = piece->kind == MP_PIECE_LITERAL ? piece->len : 1;

		if (n > 511 - len)
			n = 511 - len;
		memcpy(name + len, text, n);
		len += n;
	}
	return len;
}

static void take_samples(struct samples *s, const struct mp_layout *l)
{
	s->count = l->file_count;
	for (int i = 0; i < l->file_count; i++)
		s->lens[i] = sample_name(&l->files[i], s->names[i]);
}

/* Whether b matches a sample of another layout. */
static bool same_files(const struct samples *samples, const struct mp_layout *b)
{
	struct mp_capture captures[MP_PIECE_MAX];

	for (int i = 0; i < samples->count; i++)
		for (int k = 0; k < b->file_count; k++)
			if (mp_pattern_match(&b->files[k], samples->names[i], samples->lens[i], captures))
				return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct mp_layout *const *)a)->name, (*(struct mp_layout *const *)b)->name);
}

static bool same_names(const struct mp_layout *a, const struct mp_layout *b)
{
	if (a->file_count != b->file_count)
		return false;
	for (int i = 0; i < a->file_count; i++) {
		char x[512], y[512];
		size_t len = sample_name(&a->files[i], x);

		if (sample_name(&b->files[i], y) != len || memcmp(x, y, len) != 0)
			return false;
	}
	return true;
}

static bool same_place(const struct mp_match *x, const struct mp_match *y)
{
	return x->offset == y->offset && x->width == y->width && x->shift == y->shift && x->mask == y->mask;
}

/*
 * No record fits both layouts: they require different values of the same bits, or b requires all that a requires, and
 * more.
 */
static bool tells_apart(const struct mp_layout *a, const struct mp_layout *b)
{
	int shared = 0;

	for (int i = 0; i < a->match_count; i++)
		for (int k = 0; k < b->match_count; k++) {
			if (!same_place(&a->matches[i], &b->matches[k]))
				continue;
			if (a->matches[i].value != b->matches[k].value)
				return true;
			shared++;
		}
	return shared == a->match_count && b->match_count > a->match_count;
}

/* No file fits both layouts: they are for different chips, or for different values of a control file. */
static bool exclude_each_other(const struct mp_layout *a, const struct mp_layout *b)
{
	const struct mp_when *x = &a->when, *y = &b->when;

	if (!(a->chips & b->chips) || !(a->socs & b->socs))
		return true;
	if (!x->file[0] || strcmp(x->file, y->file) != 0 || strcmp(x->key, y->key) != 0)
		return false;
	return strcmp(x->value, y->value) == 0 ? x->is != y->is : x->is && y->is;
}

static bool same_condition(const struct mp_layout *a, const struct mp_layout *b)
{
	return a->chips == b->chips && a->socs == b->socs && memcmp(&a->when, &b->when, sizeof(a->when)) == 0;
}

static bool may_be_peers(const struct mp_layout *a, const struct mp_layout *b)
{
	return a->kind == MP_RECORD_BINARY && b->kind == MP_RECORD_BINARY && a->size == b->size &&
	       a->big_endian == b->big_endian && same_condition(a, b) && a->match_count && b->match_count &&
	       same_names(a, b) && (tells_apart(a, b) || tells_apart(b, a));
}

/* Insert b into the ring of a, in order of name. */
static void make_peers(struct mp_layout *a, struct mp_layout *b)
{
	if (b->peer != b)
		return;
	while (a->peer != a && strcmp(a->peer->name, a->name) > 0 && strcmp(a->peer->name, b->name) < 0)
		a = a->peer;
	b->peer = a->peer;
	a->peer = b;
}

/* Whether both layouts claim a file; the samples are those of a. */
static bool share_files(const struct samples *samples, const struct mp_layout *a, const struct mp_layout *b)
{
	return a != b && a->family == b->family && !exclude_each_other(a, b) && same_files(samples, b);
}

static bool is_replaced(const struct mp_layouts *set, const struct mp_layout *l, size_t from, size_t to)
{
	struct samples samples;

	for (size_t i = from; i < to && !l->is_given; i++) {
		const struct mp_layout *given = set->items[i];

		if (!given->is_given)
			continue;
		take_samples(&samples, given);
		if (share_files(&samples, given, l) && !may_be_peers(given, l))
			return true;
	}
	return false;
}

/* Built-in layouts stand aside where a given one claims their files. */
static void drop_replaced(struct mp_layouts *set)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->count; i++) {
		struct mp_layout *l = set->items[i];

		if (is_replaced(set, l, 0, kept) || is_replaced(set, l, i + 1, set->count))
			free(l);
		else
			set->items[kept++] = l;
	}
	set->count = kept;
}

/* Compare layout i with all. */
static int compare(const struct mp_layouts *set, size_t i, struct mp_error *err)
{
	struct mp_layout *a = set->items[i];
	struct samples samples;

	take_samples(&samples, a);
	for (size_t k = 0; k < set->count; k++) {
		struct mp_layout *b = set->items[k];

		if (a->family != b->family)
			continue;
		if ((a->socs & b->socs) && a->parts != b->parts && strcmp(a->table, b->table) == 0)
			return mp_fail(err, "%s: layouts '%s' and '%s' (%s) fill one table with other parts", a->origin,
			    a->name, b->name, b->origin);
		if (!share_files(&samples, a, b))
			continue;
		if (!may_be_peers(a, b))
			return mp_fail(err, "%s: layouts '%s' and '%s' (%s) claim the same files", a->origin, a->name,
			    b->name, b->origin);
		if (i < k)
			make_peers(a, b);
	}
	return 0;
}

int mp_layouts_finish(struct mp_layouts *set, struct mp_error *err)
{
	if (!set->count)
		return mp_fail(err, "no layout at all");
	qsort(set->items, set->count, sizeof(set->items[0]), by_name);
	drop_replaced(set);
	for (size_t i = 0; i < set->count; i++)
		if (compare(set, i, err))
			return -1;
	return 0;
}

void mp_layouts_free(struct mp_layouts *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->items[i]);
	for (size_t i = 0; i < set->text_count; i++)
		free(set->texts[i]);
	free(set->items);
	free(set->texts);
	memset(set, 0, sizeof(*set));
}
