/* events.c: writes rows as trace events, key by key. Knows no kind of event. */
#include "report/events.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/number.h"
#include "base/plain.h"
#include "report/json.h"
#include "report/split_rows.h"
#include "report/trace_notes.h"

enum { KEY_SIZE = 96, MEMBER_COPY = 48, TEXT_MAX = 256, COUNT_EVERY = 1 << 12 };

/* The keys of a query's events. */
struct layer {
	size_t room;    /* the most that an event needs, except for long texts (TEXT_MAX) and texts with escapes */
	int count;      /* number of shown columns */
	int empty;      /* index of the column "args", an empty object; or -1 */
	int args_first; /* range of the columns of "args" */
	int args_end;
	char keys[MP_REPORT_COLUMN_MAX][KEY_SIZE]; /* `,"pid":` */
	size_t key_len[MP_REPORT_COLUMN_MAX];
};

struct timeline {
	const struct mp_report *report;
	struct mp_report_row each;
	enum mp_style style;
	const struct mp_timeline_progress *progress;
	atomic_llong written; /* events written by all threads */
	struct mp_split_rows split;
	struct layer layers[MP_SPLIT_ROWS_MAX];
};

/*
 * A member as last written, and its value: a number or a text that stays. When the value occurs again, the text is
 * copied. Every copy has the size that most members need.
 */
struct json_member {
	char text[KEY_SIZE]; /* `,"pid":`, followed by the value when it occurred twice */
	unsigned key_len;
	unsigned len;      /* of key and value; 0: the value is not in the text */
	enum mp_type type; /* of the last value */
	union {
		int64_t i;
		const char *stays;
	};
};

/* The state of one writing thread. */
struct events {
	const struct layer *layer;
	struct mp_out *out;
	char *begun; /* the last place reserved */
	char sign;   /* what precedes the next member: the brace of the object, or a comma */
	struct json_member members[MP_REPORT_COLUMN_MAX];
	struct mp_value cells[MP_REPORT_COLUMN_MAX];
};

static int prepare_keys(
    struct layer *l, const struct mp_query *rows, const struct mp_report *report, struct mp_error *err)
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

		if (title[0] == '_') /* hidden columns come last */
			break;
		if (strcmp(title, "args") == 0)
			l->empty = l->count;
		if (is_arg && !l->args_end)
			l->args_first = l->args_end = l->count;
		if (is_arg && l->args_end != l->count)
			return mp_fail(err, "schema/%s: the columns of args are not adjacent", report->path);
		l->args_end += is_arg;
		n = snprintf(l->keys[l->count], KEY_SIZE, ",\"%s\":", title + (is_arg ? 5 : 0));
		if (n >= KEY_SIZE)
			return mp_fail(err, "schema/%s: key too long: '%s'", report->path, title);
		l->key_len[l->count] = (size_t)n;
	}
	if (!l->count)
		return mp_fail(err, "schema/%s: event without a key", report->path);
	l->room = (size_t)(l->count + 1) * (KEY_SIZE + TEXT_MAX + MP_JSON_SLACK);
	return 0;
}

static char *put_bytes(char *at, const char *bytes, size_t len)
{
	memcpy(at, bytes, len);
	return at + len;
}

/* Write a value of unknown length, and reserve room anew. */
static char *put_other(struct events *e, char *at, const struct mp_value *v)
{
	mp_out_advance(e->out, (size_t)(at - e->begun));
	mp_json_value(e->out, v);
	return e->begun = mp_out_reserve(e->out, e->layer->room);
}

static char *put_text(struct events *e, char *at, const struct mp_value *v)
{
	char *end;

	if (v->len > TEXT_MAX)
		return put_other(e, at, v);
	if (v->marks & MP_MARK_JSON) {
		*at = '"';
		end = mp_copy_text(at + 1, v->text, v->len);
		*end = '"';
		return end + 1;
	}
	end = mp_json_plain(at, v->text, v->len);
	return end ? end : put_other(e, at, v);
}

static char *put_value(struct events *e, char *at, const struct mp_value *v, bool is_empty)
{
	if (is_empty)
		return put_bytes(at, "{}", 2);
	if (v->type == MP_INT)
		return mp_digits_put_int(at, v->i);
	if (v->type == MP_REAL && isfinite(v->d))
		return mp_number_put_real(at, v);
	return v->type == MP_TEXT ? put_text(e, at, v) : put_other(e, at, v);
}

/* Returns whether the value equals the last value; otherwise the value becomes the last value. */
static bool is_last(struct json_member *m, const struct mp_value *v)
{
	if (v->type == MP_INT) {
		if (m->type == MP_INT && m->i == v->i)
			return true;
		m->i = v->i;
	} else if (v->marks & MP_MARK_STAYS) {
		if (m->type == MP_TEXT && m->stays == v->text)
			return true;
		m->stays = v->text;
	} else {
		return false;
	}
	m->type = v->type;
	m->len = 0;
	return false;
}

static char *put_member(struct events *e, char *at, int column)
{
	const struct mp_value *v = &e->cells[column];
	struct json_member *m = &e->members[column];
	bool again = is_last(m, v);
	const char *begun = e->begun;
	char *end;

	memcpy(at, m->text, MEMBER_COPY);
	if (m->key_len > MEMBER_COPY)
		memcpy(at + MEMBER_COPY, m->text + MEMBER_COPY, KEY_SIZE - MEMBER_COPY);
	*at = e->sign;
	e->sign = ',';
	if (again && m->len)
		return at + m->len;
	end = put_value(e, at + m->key_len, v, column == e->layer->empty);
	if (again && e->begun == begun && end - at <= MEMBER_COPY) {
		m->len = (unsigned)(end - at);
		memcpy(m->text, at, MEMBER_COPY);
	}
	return end;
}

/* Write the columns first..end as members. */
static char *put_members(struct events *e, char *at, int first, int end)
{
	for (int i = first; i < end; i++)
		if (e->cells[i].type != MP_NULL)
			at = put_member(e, at, i);
	return at;
}

static bool has_any(const struct events *e, int first, int end)
{
	while (first < end && e->cells[first].type == MP_NULL)
		first++;
	return first < end;
}

static void put_event(struct events *e)
{
	const struct layer *l = e->layer;
	char *at = e->begun = mp_out_reserve(e->out, l->room);

	e->sign = '{';
	at = put_members(e, at, 0, l->args_first);
	if (has_any(e, l->args_first, l->args_end)) {
		memcpy(at, ",\"args\":", 8);
		*at = e->sign;
		e->sign = '{';
		at = put_members(e, at + 8, l->args_first, l->args_end);
		*at++ = '}';
	}
	at = put_members(e, at, l->args_end, l->count);
	if (e->sign == '{')
		*at++ = '{';
	at = put_bytes(at, "},\n", 3);
	mp_out_advance(e->out, (size_t)(at - e->begun));
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

	if (mp_report_rows(rows, db, t->split.queries[query], "", "", t->style, err))
		return -1;
	/* the first thread that opens the query defines its members */
	if (!t->layers[query].room && prepare_keys(&t->layers[query], *rows, t->report, err))
		return -1;
	return mp_report_bind(*rows, &t->each, err);
}

static void tell(void *user)
{
	struct timeline *t = user;

	if (t->progress)
		t->progress->update(t->progress->user, atomic_load(&t->written));
}

static void begin_events(struct events *e, const struct layer *l, struct mp_out *out)
{
	e->layer = l;
	e->out = out;
	for (int i = 0; i < l->count; i++) {
		struct json_member *m = &e->members[i];

		memcpy(m->text, l->keys[i], KEY_SIZE);
		m->key_len = (unsigned)l->key_len[i];
		m->type = MP_NULL;
		m->len = 0;
	}
}

/* Write the rows of a range, each as an event. */
static int write_layer(
    void *user, int member, int query, struct mp_query *rows, struct mp_out *out, struct mp_error *err)
{
	struct timeline *t = user;
	struct events *e = malloc(sizeof(*e));
	int count = 0, status;

	if (!e)
		return mp_fail_memory(err, "events");
	begin_events(e, &t->layers[query], out);
	while ((status = mp_query_next(rows, err)) == 1) {
		mp_query_row(rows, e->cells, e->layer->count);
		put_event(e);
		if (mp_out_error(out, err)) {
			status = -1;
			break;
		}
		if (++count == COUNT_EVERY) {
			atomic_fetch_add(&t->written, count);
			count = 0;
			if (member == 0)
				tell(t);
		}
	}
	free(e);
	atomic_fetch_add(&t->written, count);
	if (member == 0)
		tell(t);
	return status;
}

int mp_events_write(const struct mp_report *report, struct mp_team *team, const struct mp_query *each,
    enum mp_style style, struct mp_out *out, const struct mp_timeline_progress *progress,
    struct mp_timeline_stats *stats, struct mp_error *err)
{
	struct timeline *t = calloc(1, sizeof(*t));
	int status;

	memset(stats, 0, sizeof(*stats));
	if (!t)
		return mp_fail_memory(err, "a timeline");
	t->report = report;
	t->style = style;
	t->progress = progress;
	t->split = (struct mp_split_rows){.count = 1 + report->layer_count,
	    .queries = {&report->rows},
	    .open = open_layer,
	    .write = write_layer,
	    .waited = tell,
	    .user = t};
	for (int i = 0; i < report->layer_count; i++)
		t->split.queries[1 + i] = &report->layers[i];
	mp_out_text(out, "[\n");
	status = mp_report_row(&t->each, each, err) ? -1 : mp_split_rows_write(&t->split, team, out, err);
	stats->events = atomic_load(&t->written);
	if (!status)
		status = put_metadata(out, team->dbs[0], stats->events, err);
	free(t);
	return status;
}
