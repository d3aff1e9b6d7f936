/* events.c: rows as trace events, key by key. Knows no kind of event. */
#include "report/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json.h"
#include "report/trace_notes.h"

enum { KEY_SIZE = 96, PROGRESS_EVERY = 1 << 17 };

struct events {
	struct mp_query *rows;
	struct mp_out *out;
	int count;      /* of columns that are shown */
	int empty;      /* the column "args", which is an empty object; or -1 */
	int args_first; /* the columns of "args" */
	int args_end;
	char keys[MP_REPORT_COLUMN_MAX][KEY_SIZE]; /* `"pid":` */
	size_t key_len[MP_REPORT_COLUMN_MAX];
};

static int prepare_keys(struct events *e, const struct mp_report *report, struct mp_error *err)
{
	int columns = mp_query_column_count(e->rows);

	e->args_first = e->args_end = 0;
	e->empty = -1;
	if (columns > MP_REPORT_COLUMN_MAX)
		return mp_fail(err, "schema/%s: more than %d columns", report->path, MP_REPORT_COLUMN_MAX);
	for (e->count = 0; e->count < columns; e->count++) {
		const char *title = mp_query_title(e->rows, e->count);
		bool is_arg = strncmp(title, "args.", 5) == 0;
		int n;

		if (title[0] == '_') /* hidden ones come last */
			break;
		if (strcmp(title, "args") == 0)
			e->empty = e->count;
		if (is_arg && !e->args_end)
			e->args_first = e->args_end = e->count;
		if (is_arg && e->args_end != e->count)
			return mp_fail(err, "schema/%s: the columns of args do not follow each other", report->path);
		e->args_end += is_arg;
		n = snprintf(e->keys[e->count], KEY_SIZE, "\"%s\":", title + (is_arg ? 5 : 0));
		if (n >= KEY_SIZE)
			return mp_fail(err, "schema/%s: key too long: '%s'", report->path, title);
		e->key_len[e->count] = (size_t)n;
	}
	return e->count ? 0 : mp_fail(err, "schema/%s: an event without a key", report->path);
}

/* The columns first..end as members; whether one was written before. */
static bool put_members(struct events *e, int first, int end, bool any)
{
	for (int i = first; i < end; i++) {
		struct mp_value v = mp_query_value(e->rows, i);

		if (v.type == MP_NULL)
			continue;
		if (any)
			mp_out_char(e->out, ',');
		any = true;
		mp_out_write(e->out, e->keys[i], e->key_len[i]);
		if (i == e->empty)
			mp_out_write(e->out, "{}", 2);
		else
			mp_json_value(e->out, &v);
	}
	return any;
}

static bool has_args(const struct events *e)
{
	for (int i = e->args_first; i < e->args_end; i++)
		if (mp_query_value(e->rows, i).type != MP_NULL)
			return true;
	return false;
}

static void put_event(struct events *e)
{
	bool any;

	mp_out_char(e->out, '{');
	any = put_members(e, 0, e->args_first, false);
	if (has_args(e)) {
		mp_out_text(e->out, any ? ",\"args\":{" : "\"args\":{");
		put_members(e, e->args_first, e->args_end, false);
		mp_out_char(e->out, '}');
		any = true;
	}
	put_members(e, e->args_end, e->count, any);
	mp_out_text(e->out, "},\n");
}

static int put_metadata(struct events *e, struct mp_db *db, int64_t count, struct mp_error *err)
{
	mp_out_text(e->out, "{\"name\":\"msprof\",\"ph\":\"M\",\"pid\":0,\"tid\":0,\"args\":{\"events\":");
	mp_out_int(e->out, count);
	mp_out_text(e->out, ",\"notes\":");
	if (mp_trace_notes(e->out, db, err))
		return -1;
	mp_out_text(e->out, "}}\n]\n");
	return 0;
}

/* One query's rows, each an event. */
static int write_layer(struct events *e, const struct mp_report *report, const struct mp_sql *sql, struct mp_db *db,
    const struct mp_query *each, enum mp_style style, const struct mp_timeline_progress *progress,
    struct mp_timeline_stats *stats, struct mp_error *err)
{
	int status = -1;

	if (mp_report_rows(&e->rows, db, sql, "", "", style, err) == 0 && prepare_keys(e, report, err) == 0 &&
	    mp_report_bind(e->rows, each, err) == 0)
		while ((status = mp_query_next(e->rows, err)) == 1) {
			put_event(e);
			stats->events++;
			if (progress && stats->events % PROGRESS_EVERY == 0)
				progress->update(progress->user, stats->events);
		}
	mp_query_close(e->rows);
	e->rows = NULL;
	return status;
}

int mp_events_write(const struct mp_report *report, struct mp_db *db, const struct mp_query *each, enum mp_style style,
    struct mp_out *out, const struct mp_timeline_progress *progress, struct mp_timeline_stats *stats,
    struct mp_error *err)
{
	struct events *e = calloc(1, sizeof(*e));
	int status;

	memset(stats, 0, sizeof(*stats));
	if (!e)
		return mp_fail_memory(err, "a timeline");
	e->out = out;
	mp_out_text(out, "[\n");
	status = write_layer(e, report, &report->rows, db, each, style, progress, stats, err);
	for (int i = 0; !status && i < report->layer_count; i++)
		status = write_layer(e, report, &report->layers[i], db, each, style, progress, stats, err);
	if (!status)
		status = put_metadata(e, db, stats->events, err);
	free(e);
	return status;
}
