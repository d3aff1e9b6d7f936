/* slices.c: reads slices track by track. Knows no family. */
#include "page/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/vec.h"
#include "insight/sweep.h"
#include "report/report.h"

/* The columns of a query of slices. */
enum { ROW, TRACK, KEY, KEYS = 3, START = KEY + KEYS, DURATION, COLUMNS };

enum { NAME_SIZE = 256, STEPS_BACK = 4096 };

/* The last key of a name tells whether the first one is the number of a text. */
enum { IS_TEXT = KEYS };

struct reading {
	struct mp_slices *s;
	const struct mp_page *page;
	const struct mp_report *report;
	const struct mp_report_row *each;
	size_t place; /* of the report */
	int64_t group;
	int clock;
	bool is_sorted;
};

const char *const mp_track_kinds[MP_TRACK_KINDS] = {"step", "host", "device"};

/* The form of its report; that of a device without one. */
static enum mp_track_kind kind_of(const struct mp_report *report)
{
	int kind = 0;

	while (kind < MP_TRACK_DEVICE && strcmp(mp_track_kinds[kind], report->output.form) != 0)
		kind++;
	return (enum mp_track_kind)kind;
}

static struct mp_page_slice *items_of(const struct mp_slices *s)
{
	return s->items.at;
}

/* Whether a slice comes before another one of its track. */
static bool is_before(const struct mp_page_slice *a, const struct mp_page_slice *b)
{
	return a->start_ns != b->start_ns ? a->start_ns < b->start_ns : a->end_ns > b->end_ns;
}

static int in_order(const void *a, const void *b)
{
	const struct mp_page_slice *x = a, *y = b;

	if (is_before(x, y) || is_before(y, x))
		return is_before(x, y) ? -1 : 1;
	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	return x->op < y->op ? -1 : x->op > y->op;
}

/* Move the last slice to its place before others of its track: calls are recorded at their end. */
static bool move_back(struct mp_slices *s)
{
	struct mp_page_slice *items = items_of(s), last = items[s->count - 1];
	size_t at = s->count - 1, before = s->tracks[last.track].count - 1;

	for (size_t i = at, steps = 0; before && i-- > 0; steps++) {
		if (steps == STEPS_BACK)
			return false;
		if (items[i].track != last.track)
			continue;
		if (!is_before(&last, &items[i]))
			break;
		at = i;
		before--;
	}
	memmove(&items[at + 1], &items[at], (s->count - 1 - at) * sizeof(*items));
	items[at] = last;
	return true;
}

static int add_track(struct reading *r, int64_t number, struct mp_error *err)
{
	struct mp_slices *s = r->s;
	struct mp_track *t;
	const char *pattern = r->report->tracks.thread, *mark = strstr(pattern, "{track}");
	char plain[NAME_SIZE], name[NAME_SIZE], group[NAME_SIZE], said[NAME_SIZE];

	if (!mp_vec_room(s->tracks, s->track_count, 1))
		return mp_fail_memory(err, "tracks");
	if (mark)
		snprintf(plain, sizeof(plain), "%.*s%lld%s", (int)(mark - pattern), pattern, (long long)number,
		    mark + strlen("{track}"));
	else
		snprintf(plain, sizeof(plain), "%s", pattern);
	if (mp_report_fill(name, sizeof(name), plain, r->each, err) ||
	    mp_report_fill(group, sizeof(group), r->report->tracks.process, r->each, err))
		return -1;
	t = &s->tracks[s->track_count++];
	*t = (struct mp_track){.name = strdup(mp_say_found(plain, sizeof(plain), name)),
	    .group = strdup(mp_say_found(said, sizeof(said), group)),
	    .kind = kind_of(r->report),
	    .clock = r->clock,
	    .place = (int64_t)r->place,
	    .order = r->group,
	    .number = number,
	    .last_ns = INT64_MIN,
	    .last_end_ns = INT64_MAX};
	return t->name && t->group ? 0 : mp_fail_memory(err, "tracks");
}

static int find_track(struct reading *r, int64_t number, uint32_t *track, struct mp_error *err)
{
	const int64_t keys[MP_OP_KEYS] = {(int64_t)r->place, r->group, number};

	if (!mp_ops_find(&r->s->ids, keys, 0, track))
		return mp_fail_memory(err, "tracks");
	return *track == r->s->track_count ? add_track(r, number, err) : 0;
}

static int find_op(struct reading *r, const struct mp_value *v, uint32_t *op, struct mp_error *err)
{
	int64_t keys[MP_OP_KEYS];

	for (int i = 0; i < KEYS; i++)
		keys[i] = v[KEY + i].type == MP_INT ? v[KEY + i].i : -1;
	keys[IS_TEXT] = 2 * (int64_t)r->place + (v[KEY].type == MP_TEXT);
	if (v[KEY].type == MP_TEXT) {
		keys[0] = mp_text_set_add(&r->s->keys, v[KEY].text, v[KEY].len);
		if (keys[0] < 0)
			return mp_fail_memory(err, "names");
	}
	if (!mp_ops_find(&r->s->ops, keys, 0, op))
		return mp_fail_memory(err, "names");
	if (!r->s->ops.items[*op].count)
		mp_ops_add(&r->s->ops, *op, (uint32_t)v[ROW].i, 0, NULL); /* its first row */
	return 0;
}

static void widen(struct mp_slices *s, int clock, const struct mp_page_slice *slice)
{
	if (!s->has_clock[clock] || slice->start_ns < s->begin_ns[clock])
		s->begin_ns[clock] = slice->start_ns;
	if (!s->has_clock[clock] || slice->end_ns > s->end_ns[clock])
		s->end_ns[clock] = slice->end_ns;
	s->has_clock[clock] = true;
}

static int add_slice(void *user, const struct mp_value *v, struct mp_error *err)
{
	struct reading *r = user;
	struct mp_slices *s = r->s;
	struct mp_page_slice slice = {.start_ns = v[START].i};
	struct mp_track *t;

	if (v[START].type != MP_INT)
		return 0; /* it never ran, or its time is unknown */
	slice.end_ns = mp_add_ns(slice.start_ns, v[DURATION].type == MP_INT && v[DURATION].i > 0 ? v[DURATION].i : 0);
	if (find_track(r, v[TRACK].type == MP_INT ? v[TRACK].i : -1, &slice.track, err) ||
	    find_op(r, v, &slice.op, err))
		return -1;
	while ((s->count + 1) * sizeof(slice) > s->items.room)
		if (!mp_big_grow(&s->items, r->page->dirfd))
			return mp_fail_memory(err, "slices");
	items_of(s)[s->count++] = slice;
	mp_big_touch(&s->items);
	widen(s, r->clock, &slice);
	t = &s->tracks[slice.track];
	t->count++;
	if (is_before(&slice, &(struct mp_page_slice){.start_ns = t->last_ns, .end_ns = t->last_end_ns})) {
		r->is_sorted = r->is_sorted && move_back(s);
	} else {
		t->last_ns = slice.start_ns;
		t->last_end_ns = slice.end_ns;
	}
	return 0;
}

static int read_each(void *user, const struct mp_report_row *row, struct mp_error *err)
{
	struct reading *r = user;
	char group[NAME_SIZE];

	r->each = row;
	r->clock = 0;
	if (mp_report_fill(group, sizeof(group), r->report->tracks.process, row, err))
		return -1;
	for (int i = 0; i < row->count; i++)
		if (strcmp(row->titles[i], "clock") == 0 && row->values[i].i == 1)
			r->clock = 1;
	r->group = mp_text_set_add(&r->s->groups, group, strlen(group));
	if (r->group < 0)
		return mp_fail_memory(err, "tracks");
	for (int i = -1; i < r->report->layer_count; i++)
		if (mp_report_values(
			i < 0 ? &r->report->rows : &r->report->layers[i], r->page->db, row, COLUMNS, add_slice, r, err))
			return -1;
	return 0;
}

static int add_name(struct mp_slices *s, size_t op, const char *text, size_t len, struct mp_error *err)
{
	int64_t number = mp_text_set_add(&s->names, text, len);

	s->op_names[op] = (uint32_t)number;
	return number < 0 ? mp_fail_memory(err, "names") : 0;
}

static int ask_name(struct mp_slices *s, struct mp_query *q, size_t op, const char *form, struct mp_error *err)
{
	static const char *const keys[KEYS] = {"k1", "k2", "k3"};
	const struct mp_op *o = &s->ops.items[op];
	struct mp_value name = {.type = MP_NULL};
	int status = mp_query_bind_int(q, "row", o->first_row, err) || mp_query_bind_text(q, "form", form, err);

	for (int i = 0; i < KEYS && !status; i++)
		status = mp_query_bind_int(q, keys[i], o->keys[i], err);
	status = status ? -1 : mp_query_next(q, err);
	if (status == 1)
		name = mp_query_value(q, 0);
	if (status >= 0)
		status = name.type == MP_TEXT ? add_name(s, op, name.text, name.len, err)
					      : add_name(s, op, "unnamed", strlen("unnamed"), err);
	mp_query_rewind(q);
	return status;
}

/* Find the names of all slices. */
static int read_names(
    struct mp_slices *s, const struct mp_page *page, const struct mp_reports *tracks, struct mp_error *err)
{
	struct mp_reports names;
	struct mp_query *q = NULL;
	int status = 0;

	s->op_names = calloc(s->ops.count + 1, sizeof(*s->op_names));
	if (!s->op_names)
		return mp_fail_memory(err, "names");
	if (mp_reports_load_folder(&names, "page/names", page->family, MP_STYLE_DEFAULT, err))
		return -1;
	if (names.count != 1)
		status = mp_fail(err, "there is no report for data of the family '%s' yet", page->family);
	if (!status)
		status = mp_report_query(&q, page->db, &names.items[0].each, "", "", MP_STYLE_DEFAULT, err);
	for (size_t i = 0; i < s->ops.count && !status; i++) {
		const struct mp_op *o = &s->ops.items[i];
		const char *text = o->keys[IS_TEXT] & 1 ? s->keys.items[o->keys[0]] : "others";

		if (o->is_rest || (o->keys[IS_TEXT] & 1))
			status = add_name(s, i, text, strlen(text), err);
		else
			status = ask_name(s, q, i, tracks->items[o->keys[IS_TEXT] / 2].output.form, err);
	}
	mp_query_close(q);
	mp_reports_free(&names);
	return status;
}

int mp_slices_read(struct mp_slices *s, const struct mp_page *page, struct mp_error *err)
{
	struct reading r = {.s = s, .page = page, .is_sorted = true};
	struct mp_reports tracks;
	int status = 0;

	memset(s, 0, sizeof(*s));
	if (mp_reports_load_folder(&tracks, "page/tracks", page->family, MP_STYLE_DEFAULT, err))
		return -1;
	for (r.place = 0; r.place < tracks.count && !status; r.place++) {
		r.report = &tracks.items[r.place];
		status = mp_report_each(r.report, page->db, read_each, &r, err);
	}
	if (!status)
		status = read_names(s, page, &tracks, err);
	if (!status && !r.is_sorted)
		qsort(items_of(s), s->count, sizeof(struct mp_page_slice), in_order);
	mp_reports_free(&tracks);
	return status;
}

void mp_slices_free(struct mp_slices *s)
{
	for (size_t i = 0; i < s->track_count; i++) {
		free(s->tracks[i].name);
		free(s->tracks[i].group);
	}
	free(s->tracks);
	free(s->op_names);
	mp_text_set_free(&s->keys);
	mp_text_set_free(&s->groups);
	mp_text_set_free(&s->names);
	mp_ops_free(&s->ids);
	mp_ops_free(&s->ops);
	mp_big_free(&s->items);
}
