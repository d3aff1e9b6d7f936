/* events.c: rows as trace events, key by key. Knows no kind of event. */
#include "report/events.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json.h"
#include "report/stretches.h"
#include "report/trace_notes.h"

enum { KEY_SIZE = 96, COUNT_EVERY = 1 << 12 };

/* The keys of a query's events. */
struct layer {
	int count;      /* of columns that are shown */
	int empty;      /* the column "args", which is an empty object; or -1 */
	int args_first; /* the columns of "args" */
	int args_end;
	char keys[MP_REPORT_COLUMN_MAX][KEY_SIZE]; /* `"pid":` */
	size_t key_len[MP_REPORT_COLUMN_MAX];
};

struct timeline {
	const struct mp_report *report;
	const struct mp_query *each;
	enum mp_style style;
	const struct mp_timeline_progress *progress;
	atomic_llong written; /* events, by all threads */
	struct mp_stretches stretches;
	struct layer layers[MP_STRETCHES_MAX];
};

/* What one thread writes. */
struct events {
	const struct layer *layer;
	struct mp_query *rows;
	struct mp_out *out;
};

static int prepare_keys(struct layer *l, const struct mp_query *rows, const struct mp_report *report, struct mp_error *err)
{
	int columns = mp_query_column_count(rows);

	l->args_first = l->args_end = 0;
	l->empty = -1;
	if (columns > MP_REPORT_COLUMN_MAX)
		return mp_fail(err, "schema/%s: more than %d columns", report->path, MP_REPORT_COLUMN_MAX);
	for (l->count = 0; l->count < columns; l->count++) {
		const char *title = mp_query_title(rows, l->count);
		bool is_arg = strncmp(title, "args.", 5) == 0;
		int n;

		if (title[0] == '_') /* hidden ones come last */
			break;
		if (strcmp(title, "args") == 0)
			l->empty = l->count;
		if (is_arg && !l->args_end)
			l->args_first = l->args_end = l->count;
		if (is_arg && l->args_end != l->count)
			return mp_fail(err, "schema/%s: the columns of args do not follow each other", report->path);
		l->args_end += is_arg;
		n = snprintf(l->keys[l->count], KEY_SIZE, "\"%s\":", title + (is_arg ? 5 : 0));
		if (n >= KEY_SIZE)
			return mp_fail(err, "schema/%s: key too long: '%s'", report->path, title);
		l->key_len[l->count] = (size_t)n;
	}
	return l->count ? 0 : mp_fail(err, "schema/%s: an event without a key", report->path);
}

/* The columns first..end as members; whether one was written before. */
static bool put_members(const struct events *e, int first, int end, bool any)
{
	for (int i = first; i < end; i++) {
		struct mp_value v = mp_query_value(e->rows, i);

		if (v.type == MP_NULL)
			continue;
		if (any)
			mp_out_char(e->out, ',');
		any = true;
		mp_out_write(e->out, e->layer->keys[i], e->layer->key_len[i]);
		if (i == e->layer->empty)
			mp_out_write(e->out, "{}", 2);
		else
			mp_json_value(e->out, &v);
	}
	return any;
}

static bool has_args(const struct events *e)
{
	for (int i = e->layer->args_first; i < e->layer->args_end; i++)
		if (mp_query_value(e->rows, i).type != MP_NULL)
			return true;
	return false;
}

static void put_event(const struct events *e)
{
	const struct layer *l = e->layer;
	bool any;

	mp_out_char(e->out, '{');
	any = put_members(e, 0, l->args_first, false);
	if (has_args(e)) {
		mp_out_text(e->out, any ? ",\"args\":{" : "\"args\":{");
		put_members(e, l->args_first, l->args_end, false);
		mp_out_char(e->out, '}');
		any = true;
	}
	put_members(e, l->args_end, l->count, any);
	mp_out_text(e->out, "},\n");
}

static int put_metadata(struct mp_out *out, struct mp_db *db, int64_t count, struct mp_error *err)
{
	mp_out_text(out, "{\"name\":\"msprof\",\"ph\":\"M\",\"pid\":0,\"tid\":0,\"args\":{\"events\":");
	mp_out_int(out, count);
	mp_out_text(out, ",\"notes\":");
	if (mp_trace_notes(out, db, err))
		return -1;
	mp_out_text(out, "}}\n]\n");
	return 0;
}

static int open_layer(void *user, int query, struct mp_db *db, struct mp_query **rows, struct mp_error *err)
{
	struct timeline *t = user;

	if (mp_report_rows(rows, db, t->stretches.queries[query], "", "", t->style, err))
		return -1;
	return prepare_keys(&t->layers[query], *rows, t->report, err) || mp_report_bind(*rows, t->each, err) ? -1 : 0;
}

static void tell(void *user)
{
	struct timeline *t = user;

	if (t->progress)
		t->progress->update(t->progress->user, atomic_load(&t->written));
}

/* The rows of a stretch, each an event. */
static int write_layer(void *user, int member, int query, struct mp_query *rows, struct mp_out *out, struct mp_error *err)
{
	struct timeline *t = user;
	struct events e = {.layer = &t->layers[query], .rows = rows, .out = out};
	int count = 0, status;

	while ((status = mp_query_next(rows, err)) == 1) {
		put_event(&e);
		if (++count == COUNT_EVERY) {
			atomic_fetch_add(&t->written, count);
			count = 0;
			if (member == 0)
				tell(t);
		}
	}
	atomic_fetch_add(&t->written, count);
	if (member == 0)
		tell(t);
	return status;
}

int mp_events_write(const struct mp_report *report, struct mp_team *team, const struct mp_query *each, enum mp_style style,
    struct mp_out *out, const struct mp_timeline_progress *progress, struct mp_timeline_stats *stats,
    struct mp_error *err)
{
	struct timeline *t = calloc(1, sizeof(*t));
	int status;

	memset(stats, 0, sizeof(*stats));
	if (!t)
		return mp_fail_memory(err, "a timeline");
	t->report = report;
	t->each = each;
	t->style = style;
	t->progress = progress;
	t->stretches = (struct mp_stretches){.count = 1 + report->layer_count, .queries = {&report->rows}, .open = open_layer,
	    .write = write_layer, .waited = tell, .user = t};
	for (int i = 0; i < report->layer_count; i++)
		t->stretches.queries[1 + i] = &report->layers[i];
	mp_out_text(out, "[\n");
	status = mp_stretches_write(&t->stretches, team, out, err);
	stats->events = atomic_load(&t->written);
	if (!status)
		status = put_metadata(out, team->dbs[0], stats->events, err);
	free(t);
	return status;
}
