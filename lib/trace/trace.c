/*
 * trace.c: reads the reports of a trace and feeds a writer. Slices need an order within their track: that of a report's
 * @started or @recorded, where rows keep it; else they are sorted.
 */
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "trace/arrows.h"
#include "trace/curves.h"
#include "trace/rows.h"
#include "trace/tracks.h"

enum { PROGRESS_EVERY = 1 << 17, COUNTER_RANK = 1 << 30 };

enum order { BY_START, BY_END, SORTED };
enum outcome { WRITTEN, OUT_OF_ORDER, FAILED };

struct trace {
	const struct mp_reports *reports;
	bool *sorted; /* the reports whose rows did not come in order */
	struct mp_db *db;
	enum mp_style style;
	const struct mp_timeline_progress *progress;
	struct mp_timeline_stats *stats;
	struct mp_trace_writer *writer;
	struct mp_trace_tracks tracks;
	struct mp_trace_arrows arrows;
	struct mp_trace_curves curves;
	int64_t first_ns;
	/* the current query */
	const struct mp_report *report;
	enum order order;
	struct mp_query *rows;
	struct mp_trace_columns columns;
	struct mp_value cells[MP_REPORT_COLUMN_MAX];
	uint32_t *numbers; /* of the arrows of a slice */
	size_t number_room;
};

static int fail_memory(struct mp_error *err)
{
	return mp_fail_memory(err, "a trace");
}

/* The value of a column, or NULL without the column. */
static const struct mp_value *cell(const struct trace *t, int column)
{
	static const struct mp_value none = {.type = MP_NULL};

	return column < 0 ? &none : &t->cells[column];
}

/* A number beyond 64 bits is a real in SQL: the largest or the smallest number stands for it. */
static int64_t number_in(const struct trace *t, int column)
{
	const struct mp_value *v = cell(t, column);

	if (v->type == MP_REAL)
		return v->d >= 0x1p63 ? INT64_MAX : v->d > -0x1p63 ? (int64_t)v->d : INT64_MIN;
	return v->type == MP_INT ? v->i : 0;
}

static bool has_time(const struct trace *t, struct mp_error *err)
{
	enum mp_type type = t->cells[t->columns.time].type;

	return type == MP_INT || type == MP_REAL || mp_fail(err, "schema/%s: row without a time", t->report->path) == 0;
}

/* Take a name from its column, or else from a template. */
static int put_name(struct trace *t, char *dst, size_t size, int column, const char *pattern, struct mp_error *err)
{
	const struct mp_value *v = cell(t, column);
	size_t len = v->type == MP_TEXT ? v->len : 0;

	if (v->type != MP_TEXT)
		return mp_report_name(dst, size, pattern, t->rows, err);
	if (len >= size)
		len = mp_cut(v->text, size - 1);
	memcpy(dst, v->text, len);
	dst[len] = '\0';
	return 0;
}

/* The number of the process of the current row; 0 with err. */
static uint32_t process_of(struct trace *t, int name_column, struct mp_error *err)
{
	int64_t layer = number_in(t, t->columns.layer);
	char name[256];
	bool is_new;
	uint32_t number = mp_trace_tracks_process(&t->tracks, layer, number_in(t, t->columns.process), &is_new);

	if (!number) {
		fail_memory(err);
		return 0;
	}
	if (is_new) {
		if (put_name(t, name, sizeof(name), name_column, t->report->process, err))
			return 0;
		t->writer->process(t->writer, number, name, layer);
	}
	return number;
}

/* Numbers beyond 32 bits have the last place. */
static int32_t rank_of(const struct trace *t)
{
	int64_t v = number_in(t, t->columns.rank < 0 ? t->columns.track : t->columns.rank);

	return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;
}

static struct mp_trace_lane *add_lane(struct trace *t, struct mp_trace_track *track, struct mp_error *err)
{
	struct mp_trace_lane *lane = mp_trace_tracks_add_lane(&t->tracks, track);

	if (lane)
		t->writer->track(t->writer, track->process_number, lane->number, track->name, track->rank, false);
	else
		fail_memory(err);
	return lane;
}

/* Returns NULL without an error when there are too many tracks for the order of recording. */
static struct mp_trace_track *begin_track(
    struct trace *t, int64_t layer, int64_t process, int64_t number, struct mp_error *err)
{
	struct mp_trace_track *track;

	err->text[0] = '\0';
	if (t->order == SORTED) /* no earlier track returns */
		mp_trace_tracks_clear(&t->tracks);
	else if (t->tracks.count == MP_TRACE_TRACKS_MAX)
		return NULL;
	track = mp_trace_tracks_add(&t->tracks, layer, process, number);
	if (!track) {
		fail_memory(err);
		return NULL;
	}
	track->process_number = process_of(t, t->columns.process_name, err);
	track->rank = rank_of(t);
	if (!track->process_number ||
	    put_name(t, track->name, sizeof(track->name), t->columns.thread_name, t->report->thread, err))
		return NULL;
	return add_lane(t, track, err) ? track : NULL;
}

static struct mp_trace_lane *lane_of(
    struct trace *t, struct mp_trace_track *track, int64_t number, struct mp_error *err)
{
	t->stats->moved += number != 0;
	while (track->lane_count <= number)
		if (!add_lane(t, track, err))
			return NULL;
	return &track->lane[number];
}

static bool add_number(struct trace *t, struct mp_trace_slice *s, uint32_t number)
{
	if (s->arrow_count == t->number_room) {
		size_t room = t->number_room ? 2 * t->number_room : 16;
		uint32_t *numbers = realloc(t->numbers, room * sizeof(*numbers));

		if (!numbers)
			return false;
		t->numbers = numbers;
		t->number_room = room;
	}
	t->numbers[s->arrow_count++] = number;
	s->arrows = t->numbers;
	return true;
}

/* Write a slice, with arrows from its call or to its tasks. */
static int put_slice(struct trace *t, struct mp_trace_slice *s, struct mp_error *err)
{
	const struct mp_value *call = cell(t, t->columns.call), *launch = cell(t, t->columns.launch);
	const struct mp_trace_place place = {s->process, s->track, s->start_ns};
	const struct mp_trace_launch *launches = NULL;
	size_t count = call->type == MP_INT ? mp_trace_arrows_take(&t->arrows, call->i, &launches) : 0;

	if (launch->type == MP_INT) {
		const struct mp_trace_launch one = {
		    .call = launch->i, .start_ns = s->start_ns, .process = s->process, .track = s->track};
		uint32_t number = mp_trace_arrows_add(&t->arrows, &one);

		if (!number || !add_number(t, s, number))
			return fail_memory(err);
	}
	for (size_t i = 0; i < count; i++)
		if (!add_number(t, s, launches[i].number))
			return fail_memory(err);
	if (t->writer->slice(t->writer, s, err))
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct mp_trace_arrow arrow = {
		    launches[i].number, place, {launches[i].process, launches[i].track, launches[i].start_ns}};

		t->writer->arrow(t->writer, &arrow);
	}
	return 0;
}

static void see_time(struct trace *t, int64_t time_ns)
{
	if (!t->stats->events++ || time_ns < t->first_ns)
		t->first_ns = time_ns;
	if (t->progress && t->stats->events % PROGRESS_EVERY == 0)
		t->progress->update(t->progress->user, t->stats->events);
}

static const struct mp_value *name_of(const struct trace *t)
{
	static const struct mp_value unknown = {.type = MP_TEXT, .text = "N/A", .len = 3};
	const struct mp_value *v = &t->cells[t->columns.name];

	return v->type == MP_TEXT && v->len ? v : &unknown;
}

static enum outcome take_slice(struct trace *t, struct mp_error *err)
{
	const int64_t layer = number_in(t, t->columns.layer), process = number_in(t, t->columns.process),
		      number = number_in(t, t->columns.track);
	struct mp_trace_track *track = mp_trace_tracks_find(&t->tracks, layer, process, number);
	struct mp_trace_slice s = {.start_ns = number_in(t, t->columns.time), .name = name_of(t)};
	int64_t dur_ns = number_in(t, t->columns.dur), from, to, place;
	struct mp_trace_lane *lane;

	if (!has_time(t, err))
		return FAILED;
	if (!track && !(track = begin_track(t, layer, process, number, err)))
		return err->text[0] ? FAILED : OUT_OF_ORDER;
	if (dur_ns < 0) /* an end before the start: the event stays at its start; `check` reports the record */
		dur_ns = 0;
	if (__builtin_add_overflow(s.start_ns, dur_ns, &s.end_ns))
		s.end_ns = INT64_MAX;
	/* ~v reverses time like -v, without overflow */
	from = t->order == BY_END ? ~s.end_ns : s.start_ns;
	to = t->order == BY_END ? ~s.start_ns : s.end_ns;
	if (!mp_lanes_in_order(track->lanes, from, to))
		return t->order != SORTED ? OUT_OF_ORDER
					  : (mp_fail(err, "schema/%s: rows are not in order", t->report->path), FAILED);
	place = mp_lanes_place(track->lanes, from, to, err);
	lane = place < 0 ? NULL : lane_of(t, track, place, err);
	if (!lane)
		return FAILED;
	s.process = track->process_number;
	s.track = lane->number;
	s.pending = t->order == BY_END ? &lane->pending : NULL;
	s.args = &t->cells[t->columns.keys.first];
	see_time(t, s.start_ns);
	return put_slice(t, &s, err) ? FAILED : WRITTEN;
}

/* The track of a curve; 0 with err. */
static uint32_t curve_track(
    struct trace *t, uint32_t process, int column, const struct mp_value *name, struct mp_error *err)
{
	uint32_t *track = mp_trace_curves_find(&t->curves, process, column, name);
	const char *key = t->columns.keys.titles[column];
	char title[256];

	if (!track) {
		mp_fail(err, "schema/%s: too many curves", t->report->path);
		return 0;
	}
	if (!*track) {
		*track = mp_trace_tracks_number(&t->tracks);
		snprintf(title, sizeof(title), "%.*s%s%s", (int)(name->len < 200 ? name->len : mp_cut(name->text, 200)),
		    name->text, *key ? " " : "", key);
		t->writer->track(t->writer, process, *track, title, COUNTER_RANK + (int32_t)*track / 2, true);
	}
	return *track;
}

static enum outcome take_sample(struct trace *t, struct mp_error *err)
{
	uint32_t tracks[MP_REPORT_COLUMN_MAX] = {0}, process = process_of(t, t->columns.process_name, err);
	const struct mp_value *values = &t->cells[t->columns.keys.first], *name = name_of(t);

	if (!process)
		return FAILED;
	if (!has_time(t, err))
		return FAILED;
	for (int i = 0; i < t->columns.keys.count; i++)
		if (values[i].type == MP_INT || values[i].type == MP_REAL) {
			tracks[i] = curve_track(t, process, i, name, err);
			if (!tracks[i])
				return FAILED;
		}
	see_time(t, number_in(t, t->columns.time));
	t->writer->sample(t->writer, process, name, tracks, number_in(t, t->columns.time), values);
	return WRITTEN;
}

static enum outcome take_row(struct trace *t, struct mp_error *err)
{
	mp_query_row(t->rows, t->cells, t->columns.count);
	switch (t->columns.kind) {
	case MP_TRACE_SLICES:
		return take_slice(t, err);
	case MP_TRACE_SAMPLES:
		return take_sample(t, err);
	default:
		return process_of(t, t->columns.name, err) ? WRITTEN : FAILED;
	}
}

/* Begins that still wait. */
static int end_tracks(struct trace *t, struct mp_out *out, struct mp_error *err)
{
	bool done = true;

	for (int i = 0; i < t->tracks.count; i++)
		for (int64_t lane = 0; lane < t->tracks.items[i]->lane_count; lane++) {
			struct mp_trace_pending *pending = &t->tracks.items[i]->lane[lane].pending;

			done = done && mp_trace_pending_reach(pending, out, INT64_MIN);
			mp_trace_pending_release(pending, out);
		}
	mp_trace_tracks_clear(&t->tracks);
	return done ? 0 : fail_memory(err);
}

static const char *order_of(const struct trace *t, const char *sorted, char *order, size_t size)
{
	const char *by = t->order == BY_START ? t->report->started : t->order == BY_END ? t->report->recorded : sorted;

	snprintf(order, size, "ORDER BY %s", by);
	return *by ? order : "";
}

/* Open the rows. Samples and processes keep the order of their query. */
static int open_rows(struct trace *t, const struct mp_report_row *each, struct mp_error *err)
{
	char order[160];
	bool is_slices = t->report->thread[0] != '\0';

	t->order = t->sorted[t->report - t->reports->items] ? SORTED
		   : t->report->started[0]                  ? BY_START
		   : t->report->recorded[0]                 ? BY_END
							    : SORTED;
	order_of(t, is_slices ? "layer, process, track, start_ns, dur_ns DESC" : "", order, sizeof(order));
	return mp_report_rows(&t->rows, t->db, &t->report->rows, "", is_slices ? order : "", t->style, err) ||
		       mp_report_bind(t->rows, each, err) || mp_trace_columns_find(&t->columns, t->rows, t->report, err)
		   ? -1
		   : 0;
}

static enum outcome write_rows(
    struct trace *t, const struct mp_report_row *each, struct mp_out *out, struct mp_error *err)
{
	enum outcome outcome = WRITTEN;
	int status;

	t->rows = NULL;
	if (open_rows(t, each, err) || t->writer->begin_rows(t->writer, &t->columns.keys, err))
		outcome = FAILED;
	while (outcome == WRITTEN && (status = mp_query_next(t->rows, err)) != 0)
		outcome = status < 0 || mp_out_error(out, err) ? FAILED : take_row(t, err);
	if (end_tracks(t, out, err) && outcome == WRITTEN)
		outcome = FAILED;
	mp_query_close(t->rows);
	return outcome;
}

/* Run a function for each row of @each of every report. */
static enum outcome for_each(struct trace *t, struct mp_out *out,
    enum outcome (*run)(struct trace *t, const struct mp_report_row *each, struct mp_out *out, struct mp_error *err),
    struct mp_error *err)
{
	enum outcome outcome = WRITTEN;
	struct mp_report_row *row = malloc(sizeof(*row));

	if (!row)
		return fail_memory(err), FAILED;
	for (size_t i = 0; outcome == WRITTEN && i < t->reports->count; i++) {
		struct mp_query *each;
		int status;

		t->report = &t->reports->items[i];
		if (mp_report_query(&each, t->db, &t->report->each, "", "", t->style, err)) {
			outcome = FAILED;
			break;
		}
		while (outcome == WRITTEN && (status = mp_query_next(each, err)) != 0)
			outcome = status < 0 || mp_report_row(row, each, err) ? FAILED : run(t, row, out, err);
		mp_query_close(each);
		if (outcome == OUT_OF_ORDER)
			t->sorted[i] = true;
	}
	free(row);
	return outcome;
}

/* Find the earliest time of the rows. */
static enum outcome see_rows(
    struct trace *t, const struct mp_report_row *each, struct mp_out *out, struct mp_error *err)
{
	const struct mp_sql *sql = &t->report->rows;
	struct mp_query *q = NULL;
	enum outcome outcome = WRITTEN;
	int status = -1;

	(void)out;
	t->rows = NULL;
	if (open_rows(t, each, err))
		outcome = FAILED;
	else if (t->columns.kind == MP_TRACE_SLICES || t->columns.kind == MP_TRACE_SAMPLES) {
		const char *before =
		    t->columns.kind == MP_TRACE_SLICES ? "SELECT min(start_ns) FROM (" : "SELECT min(time_ns) FROM (";

		if (!mp_report_query(&q, t->db, sql, before, ")", t->style, err) && !mp_report_bind(q, each, err))
			status = mp_query_next(q, err);
		if (status < 0)
			outcome = FAILED;
		else if (status == 1 && mp_query_value(q, 0).type != MP_NULL) {
			t->columns.time = 0;
			t->cells[0] = mp_query_value(q, 0);
			see_time(t, number_in(t, 0));
		}
	}
	mp_query_close(q);
	mp_query_close(t->rows);
	return outcome;
}

static enum outcome write_trace(struct trace *t, struct mp_out *out, enum mp_trace_format format, struct mp_error *err)
{
	enum outcome outcome = WRITTEN;
	int64_t base_ns = t->first_ns;

	memset(t->stats, 0, sizeof(*t->stats));
	mp_trace_tracks_init(&t->tracks);
	t->writer = format == MP_TRACE_JSON ? mp_trace_json(out) : mp_trace_perfetto(out);
	if (!t->writer)
		return fail_memory(err), FAILED;
	t->writer->base_ns = base_ns;
	outcome = for_each(t, out, write_rows, err);
	if (outcome == WRITTEN) {
		const struct mp_trace_end end = {t->stats, t->first_ns, t->tracks.next_number};

		if (t->writer->end(t->writer, t->db, &end, err))
			outcome = FAILED;
	}
	t->writer->free(t->writer);
	mp_trace_tracks_free(&t->tracks);
	mp_trace_arrows_free(&t->arrows);
	mp_trace_curves_free(&t->curves);
	t->first_ns = base_ns;
	return outcome;
}

int mp_trace_write(const struct mp_reports *reports, struct mp_db *db, enum mp_style style, enum mp_trace_format format,
    struct mp_out *out, const struct mp_timeline_progress *progress, struct mp_timeline_stats *stats,
    struct mp_error *err)
{
	struct trace *t = calloc(1, sizeof(*t));
	enum outcome outcome = FAILED;

	if (!t)
		return fail_memory(err);
	t->reports = reports;
	t->db = db;
	t->style = style;
	t->progress = NULL;
	t->stats = stats;
	memset(stats, 0, sizeof(*stats));
	t->sorted = calloc(reports->count + 1, sizeof(*t->sorted));
	if (!t->sorted)
		fail_memory(err);
	else
		outcome = format == MP_TRACE_JSON ? for_each(t, out, see_rows, err) : WRITTEN;
	t->progress = progress;
	if (outcome == WRITTEN)
		outcome = write_trace(t, out, format, err);
	while (outcome == OUT_OF_ORDER) { /* each time one more report is sorted */
		mp_out_restart(out);
		outcome = write_trace(t, out, format, err);
	}
	free(t->sorted);
	free(t->numbers);
	free(t);
	return outcome == WRITTEN ? 0 : -1;
}
