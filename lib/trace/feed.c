/* feed.c: takes rows as slices, samples and processes: gives them tracks, lanes and arrows, and hands them to a writer.
 */
#include "trace/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/vec.h"

enum { PROGRESS_EVERY = 1 << 17, COUNTER_RANK = 1 << 30 };

static int fail_memory(struct mp_error *err)
{
	return mp_fail_memory(err, "a trace");
}

/* The value of a column, or NULL without the column. */
static const struct mp_value *cell(const struct mp_trace_feed *f, int column)
{
	static const struct mp_value none = {.type = MP_NULL};

	return column < 0 ? &none : &f->cells[column];
}

int64_t mp_feed_number(const struct mp_trace_feed *f, int column)
{
	const struct mp_value *v = cell(f, column);

	if (v->type == MP_REAL)
		return v->d >= 0x1p63 ? INT64_MAX : v->d > -0x1p63 ? (int64_t)v->d : INT64_MIN;
	return v->type == MP_INT ? v->i : 0;
}

static bool has_time(const struct mp_trace_feed *f, struct mp_error *err)
{
	enum mp_type type = f->cells[f->columns.time].type;

	return type == MP_INT || type == MP_REAL ||
	       mp_report_refuse_rows(f->report->path, "row without a time", err) == 0;
}

/* Append a value as text. Returns the new length, less than `size`: a long text is cut. */
static size_t append(char *dst, size_t used, size_t size, const struct mp_value *v)
{
	char number[MP_NUMBER_SIZE];
	const char *text = v->type == MP_TEXT ? v->text : v->type == MP_INT ? number : "unknown";
	size_t len = v->type == MP_TEXT ? v->len : v->type == MP_INT ? mp_number_int(number, v->i) : strlen(text);

	if (len >= size - used)
		len = mp_cut(text, size - used - 1);
	memcpy(dst + used, text, len);
	return used + len;
}

/* Take a name from its column, or else from a template with {column} for columns of the row. */
static int put_name(
    struct mp_trace_feed *f, char *dst, size_t size, int column, const char *pattern, struct mp_error *err)
{
	size_t used = 0;

	if (cell(f, column)->type == MP_TEXT) {
		used = append(dst, 0, size, cell(f, column));
		pattern = "";
	}
	while (*pattern) {
		const size_t len = strcspn(pattern, "{"), name_len = strcspn(pattern + len, "}");
		struct mp_value text = mp_text(pattern, len);

		used = append(dst, used, size, &text);
		pattern += len;
		if (!*pattern)
			break;
		column = mp_trace_columns_named(f->rows, pattern + 1, name_len - 1);
		if (column < 0)
			return mp_fail(err, "schema/%s: no column for '%s'", f->report->path, pattern);
		used = append(dst, used, size, &f->cells[column]);
		pattern += name_len + 1;
	}
	dst[used] = '\0';
	return 0;
}

/* The number of the process of the current row; 0 with err. */
static uint32_t process_of(struct mp_trace_feed *f, int name_column, struct mp_error *err)
{
	int64_t layer = mp_feed_number(f, f->columns.layer);
	char name[256];
	bool is_new;
	uint32_t number = mp_trace_tracks_process(&f->tracks, layer, mp_feed_number(f, f->columns.process), &is_new);

	if (!number) {
		fail_memory(err);
		return 0;
	}
	if (is_new) {
		if (put_name(f, name, sizeof(name), name_column, f->report->tracks.process, err))
			return 0;
		f->writer->process(f->writer, number, name, layer);
	}
	return number;
}

/* Numbers beyond 32 bits have the last place. */
static int32_t rank_of(const struct mp_trace_feed *f)
{
	int64_t v = mp_feed_number(f, f->columns.rank < 0 ? f->columns.track : f->columns.rank);

	return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;
}

static struct mp_trace_lane *add_lane(struct mp_trace_feed *f, struct mp_trace_track *track, struct mp_error *err)
{
	struct mp_trace_lane *lane = mp_trace_tracks_add_lane(&f->tracks, track);

	if (lane)
		f->writer->track(f->writer, track->process_number, lane->number, track->name, track->rank, false);
	else
		fail_memory(err);
	return lane;
}

/* Returns NULL without an error when there are too many tracks for the order of recording. */
static struct mp_trace_track *begin_track(
    struct mp_trace_feed *f, int64_t layer, int64_t process, int64_t number, struct mp_error *err)
{
	struct mp_trace_track *track;

	err->text[0] = '\0';
	if (f->order == MP_FEED_SORTED) /* no earlier track returns */
		mp_trace_tracks_clear(&f->tracks);
	else if (f->tracks.count == MP_TRACE_TRACKS_MAX)
		return NULL;
	track = mp_trace_tracks_add(&f->tracks, layer, process, number);
	if (!track) {
		fail_memory(err);
		return NULL;
	}
	track->process_number = process_of(f, f->columns.process_name, err);
	track->rank = rank_of(f);
	if (!track->process_number ||
	    put_name(f, track->name, sizeof(track->name), f->columns.thread_name, f->report->tracks.thread, err))
		return NULL;
	return add_lane(f, track, err) ? track : NULL;
}

static struct mp_trace_lane *lane_of(
    struct mp_trace_feed *f, struct mp_trace_track *track, int64_t number, struct mp_error *err)
{
	f->stats->moved += number != 0;
	while (track->lane_count <= number)
		if (!add_lane(f, track, err))
			return NULL;
	return &track->lane[number];
}

static bool add_number(struct mp_trace_feed *f, struct mp_trace_slice *s, uint32_t number)
{
	if (!mp_vec_reach(f->numbers, &f->numbers_most, s->arrow_count + 1))
		return false;
	f->numbers[s->arrow_count++] = number;
	s->arrows = f->numbers;
	return true;
}

/* Write a slice, with arrows from its call or to its tasks. */
static int put_slice(struct mp_trace_feed *f, struct mp_trace_slice *s, struct mp_error *err)
{
	const struct mp_value *call = cell(f, f->columns.call), *launch = cell(f, f->columns.launch);
	const struct mp_trace_place place = {s->process, s->track, s->start_ns};
	const struct mp_trace_launch *launches = NULL;
	size_t count = call->type == MP_INT ? mp_trace_arrows_take(&f->arrows, call->i, &launches) : 0;

	if (count == SIZE_MAX)
		return fail_memory(err);
	if (launch->type == MP_INT) {
		const struct mp_trace_launch one = {
		    .call = launch->i, .start_ns = s->start_ns, .process = s->process, .track = s->track};
		uint32_t number = mp_trace_arrows_add(&f->arrows, &one, f->dirfd);

		if (!number || !add_number(f, s, number))
			return fail_memory(err);
	}
	for (size_t i = 0; i < count; i++)
		if (!add_number(f, s, launches[i].number))
			return fail_memory(err);
	if (f->writer->slice(f->writer, s, err))
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct mp_trace_arrow arrow = {
		    launches[i].number, place, {launches[i].process, launches[i].track, launches[i].start_ns}};

		f->writer->arrow(f->writer, &arrow);
	}
	return 0;
}

void mp_feed_see_time(struct mp_trace_feed *f, int64_t time_ns)
{
	if (!f->stats->events++ || time_ns < f->first_ns)
		f->first_ns = time_ns;
	if (f->progress && f->stats->events % PROGRESS_EVERY == 0)
		f->progress->update(f->progress->user, f->stats->events);
}

static const struct mp_value *name_of(const struct mp_trace_feed *f)
{
	static const struct mp_value unknown = {.type = MP_TEXT, .text = "N/A", .len = 3};
	const struct mp_value *v = &f->cells[f->columns.name];

	return v->type == MP_TEXT && v->len ? v : &unknown;
}

static enum mp_feed_outcome take_slice(struct mp_trace_feed *f, struct mp_error *err)
{
	const int64_t layer = mp_feed_number(f, f->columns.layer), process = mp_feed_number(f, f->columns.process),
		      number = mp_feed_number(f, f->columns.track);
	struct mp_trace_track *track = mp_trace_tracks_find(&f->tracks, layer, process, number);
	struct mp_trace_slice s = {.start_ns = mp_feed_number(f, f->columns.time), .name = name_of(f)};
	int64_t dur_ns = mp_feed_number(f, f->columns.dur), from, to, place;
	struct mp_trace_lane *lane;

	if (!has_time(f, err))
		return MP_FEED_FAILED;
	if (!track && !(track = begin_track(f, layer, process, number, err)))
		return err->text[0] ? MP_FEED_FAILED : MP_FEED_OUT_OF_ORDER;
	if (dur_ns < 0) /* an end before the start: the event stays at its start; `check` reports the record */
		dur_ns = 0;
	if (__builtin_add_overflow(s.start_ns, dur_ns, &s.end_ns))
		s.end_ns = INT64_MAX;
	/* ~v reverses time like -v, without overflow */
	from = f->order == MP_FEED_BY_END ? ~s.end_ns : s.start_ns;
	to = f->order == MP_FEED_BY_END ? ~s.start_ns : s.end_ns;
	if (!mp_lanes_in_order(track->lanes, from, to))
		return f->order != MP_FEED_SORTED
			   ? MP_FEED_OUT_OF_ORDER
			   : (mp_report_refuse_rows(f->report->path, "rows are not in order", err), MP_FEED_FAILED);
	place = mp_lanes_place(track->lanes, from, to, err);
	lane = place < 0 ? NULL : lane_of(f, track, place, err);
	if (!lane)
		return MP_FEED_FAILED;
	s.process = track->process_number;
	s.track = lane->number;
	s.pending = f->order == MP_FEED_BY_END ? &lane->pending : NULL;
	s.args = &f->cells[f->columns.keys.first];
	mp_feed_see_time(f, s.start_ns);
	return put_slice(f, &s, err) ? MP_FEED_FAILED : MP_FEED_TAKEN;
}

/* The track of a curve; 0 with err. */
static uint32_t curve_track(
    struct mp_trace_feed *f, uint32_t process, int column, const struct mp_value *name, struct mp_error *err)
{
	uint32_t *track = mp_trace_curves_find(&f->curves, process, column, name);
	const char *key = f->columns.keys.titles[column];
	char title[256];

	if (!track) {
		mp_fail(err, "schema/%s: too many curves", f->report->path);
		return 0;
	}
	if (!*track) {
		*track = mp_trace_tracks_number(&f->tracks);
		if (!*track) {
			fail_memory(err);
			return 0;
		}
		snprintf(title, sizeof(title), "%.*s%s%s", (int)(name->len < 200 ? name->len : mp_cut(name->text, 200)),
		    name->text, *key ? " " : "", key);
		f->writer->track(f->writer, process, *track, title, COUNTER_RANK + (int32_t)*track / 2, true);
	}
	return *track;
}

static enum mp_feed_outcome take_sample(struct mp_trace_feed *f, struct mp_error *err)
{
	uint32_t tracks[MP_REPORT_COLUMN_MAX] = {0}, process = process_of(f, f->columns.process_name, err);
	const struct mp_value *values = &f->cells[f->columns.keys.first], *name = name_of(f);

	if (!process)
		return MP_FEED_FAILED;
	if (!has_time(f, err))
		return MP_FEED_FAILED;
	for (int i = 0; i < f->columns.keys.count; i++)
		if (values[i].type == MP_INT || values[i].type == MP_REAL) {
			tracks[i] = curve_track(f, process, i, name, err);
			if (!tracks[i])
				return MP_FEED_FAILED;
		}
	mp_feed_see_time(f, mp_feed_number(f, f->columns.time));
	f->writer->sample(f->writer, process, name, tracks, mp_feed_number(f, f->columns.time), values);
	return MP_FEED_TAKEN;
}

enum mp_feed_outcome mp_feed_row(struct mp_trace_feed *f, struct mp_error *err)
{
	switch (f->columns.kind) {
	case MP_TRACE_SLICES:
		return take_slice(f, err);
	case MP_TRACE_SAMPLES:
		return take_sample(f, err);
	default:
		return process_of(f, f->columns.name, err) ? MP_FEED_TAKEN : MP_FEED_FAILED;
	}
}

int mp_feed_end_rows(struct mp_trace_feed *f, struct mp_out *out, struct mp_error *err)
{
	bool done = true;

	for (int i = 0; i < f->tracks.count; i++)
		for (int64_t lane = 0; lane < f->tracks.items[i]->lane_count; lane++) {
			struct mp_trace_pending *pending = &f->tracks.items[i]->lane[lane].pending;

			done = done && mp_trace_pending_reach(pending, out, INT64_MIN);
			mp_trace_pending_release(pending, out);
		}
	mp_trace_tracks_clear(&f->tracks);
	return done ? 0 : fail_memory(err);
}

void mp_feed_free(struct mp_trace_feed *f)
{
	mp_trace_tracks_free(&f->tracks);
	mp_trace_arrows_free(&f->arrows);
	mp_trace_curves_free(&f->curves);
	free(f->numbers);
	f->numbers = NULL;
	f->numbers_most = 0;
}

/* Launches by the key of their call. */

uint32_t mp_trace_arrows_add(struct mp_trace_arrows *a, const struct mp_trace_launch *launch, int dirfd)
{
	struct mp_trace_launch *launches;

	if (a->count == UINT32_MAX - 1)
		return 0;
	if ((a->count + 1) * sizeof(*launches) > a->launches.room && !mp_big_grow(&a->launches, dirfd))
		return 0;
	launches = a->launches.at;
	mp_big_touch(&a->launches);
	a->unsorted = a->unsorted || (a->count && launches[a->count - 1].call > launch->call);
	launches[a->count] = *launch;
	launches[a->count].number = (uint32_t)a->count + 1;
	a->count++;
	a->dirfd = dirfd;
	return (uint32_t)a->count;
}

static int by_call(const void *a, const void *b)
{
	const struct mp_trace_launch *x = a, *y = b;

	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

size_t mp_trace_arrows_take(struct mp_trace_arrows *a, int64_t call, const struct mp_trace_launch **launches)
{
	const struct mp_trace_launch *at;
	size_t low, high = a->count, count = 0;

	if (!a->count)
		return 0;
	if (a->unsorted && !mp_big_sort(&a->launches, a->count, sizeof(*at), by_call, a->dirfd))
		return SIZE_MAX;
	a->next = a->unsorted ? 0 : a->next;
	a->unsorted = false;
	at = a->launches.at;
	low = a->next;
	if (low && at[low - 1].call >= call)
		low = 0;
	for (size_t step = 1; low + step < high; step *= 2) /* usually the next */
		if (at[low + step].call >= call)
			high = low + step + 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (at[middle].call < call)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + count < a->count && at[low + count].call == call)
		count++;
	a->next = low + count;
	mp_big_touch(&a->launches);
	*launches = at + low;
	return count;
}

void mp_trace_arrows_free(struct mp_trace_arrows *a)
{
	mp_big_free(&a->launches);
	memset(a, 0, sizeof(*a));
}
