/* events.c: writes rows as trace events, key by key. Knows no kind of event. */
#include "report/timeline.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/split_rows.h"
#include "report/timeline_internal.h"

enum { COUNT_EVERY = 1 << 12, LEAVE_MAX = 16, LEAVE_SIZE = 32 };

/* The keys of a query's events. */
struct layer {
	size_t room;    /* the most that an event needs (MP_MEMBER_ROOM) */
	int count;      /* number of shown columns */
	int empty;      /* index of the column "args", an empty object; or -1 */
	int args_first; /* range of the columns of "args" */
	int args_end;
	int name, args_name; /* indices of these columns; or -1 */
	bool is_included;
	int number; /* index of the column "_number", the first hidden one, which # in a key stands for; or -1 */
	bool numbered[MP_REPORT_COLUMN_MAX];          /* keys with # */
	char keys[MP_REPORT_COLUMN_MAX][MP_KEY_SIZE]; /* `,"pid":` */
	size_t key_len[MP_REPORT_COLUMN_MAX];
};

struct timeline {
	const struct mp_report *report;
	struct mp_report_row each;
	enum mp_style style;
	const struct mp_timeline_progress *progress;
	atomic_llong written;              /* events written by all threads */
	char leave[LEAVE_MAX][LEAVE_SIZE]; /* what @leave gives */
	int leave_count;
	struct mp_split_rows split;
	struct layer layers[MP_SPLIT_ROWS_MAX];
};

/* The state of one writing thread. */
struct events {
	const struct layer *layer;
	struct mp_members object;
	struct mp_member members[MP_REPORT_COLUMN_MAX];
	struct mp_value cells[MP_REPORT_COLUMN_MAX];
};

static int prepare_keys(
    struct layer *l, const struct mp_query *rows, const struct mp_report *report, struct mp_error *err)
{
	int columns = mp_query_column_count(rows);

	l->args_first = l->args_end = 0;
	l->empty = l->name = l->args_name = -1;
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
		if (strcmp(title, "name") == 0)
			l->name = l->count;
		if (strcmp(title, "args.name") == 0)
			l->args_name = l->count;
		if (is_arg && !l->args_end)
			l->args_first = l->args_end = l->count;
		if (is_arg && l->args_end != l->count)
			return mp_fail(err, "schema/%s: the columns of args are not adjacent", report->path);
		l->args_end += is_arg;
		n = snprintf(l->keys[l->count], MP_KEY_SIZE, ",\"%s\":", title + (is_arg ? 5 : 0));
		if (n >= MP_KEY_SIZE)
			return mp_fail(err, "schema/%s: key too long: '%s'", report->path, title);
		l->key_len[l->count] = (size_t)n;
	}
	if (!l->count)
		return mp_fail(err, "schema/%s: event without a key", report->path);
	l->number = l->count < columns && strcmp(mp_query_title(rows, l->count), "_number") == 0 ? l->count : -1;
	for (int i = 0; l->number >= 0 && i < l->count; i++)
		l->numbered[i] = strchr(l->keys[i], '#') != NULL;
	l->room = (size_t)(l->count + 1) * MP_MEMBER_ROOM;
	return 0;
}

/* Begin a member anew with the number of the row in place of # in its key. */
static void number_key(struct events *e, int column)
{
	const char *key = e->layer->keys[column], *place = strchr(key, '#');
	char text[MP_KEY_SIZE + 20];
	int n = snprintf(text, sizeof(text), "%.*s%lld%s", (int)(place - key), key,
	    (long long)e->cells[e->layer->number].i, place + 1);

	mp_member_begin(&e->members[column], text, n < MP_KEY_SIZE ? (size_t)n : MP_KEY_SIZE - 1);
}

/* Write the columns first..end as members. */
static char *put_members(struct events *e, char *at, int first, int end)
{
	for (int i = first; i < end; i++) {
		if (e->layer->numbered[i])
			number_key(e, i);
		if (e->cells[i].type != MP_NULL)
			at = mp_members_put(&e->object, at, &e->members[i], &e->cells[i], i == e->layer->empty);
	}
	return at;
}

static bool has_any(const struct events *e, int first, int end)
{
	while (first < end && e->cells[first].type == MP_NULL)
		first++;
	return first < end;
}

static bool begins(const struct mp_value *v, const char *word, bool whole)
{
	const size_t len = strlen(word);

	return v->type == MP_TEXT && (whole ? v->len == len : v->len >= len) && memcmp(v->text, word, len) == 0;
}

/* Returns whether the event is left out: its name begins with a word of @leave, or it names one. */
static bool is_left(const struct timeline *t, const struct events *e)
{
	const struct layer *l = e->layer;

	for (int i = 0; l->is_included && i < t->leave_count; i++)
		if ((l->name >= 0 && begins(&e->cells[l->name], t->leave[i], false)) ||
		    (l->args_name >= 0 && begins(&e->cells[l->args_name], t->leave[i], true)))
			return true;
	return false;
}

static void put_event(struct events *e)
{
	const struct layer *l = e->layer;
	struct mp_members *o = &e->object;
	char *at = o->begun = mp_out_reserve(o->out, l->room);

	o->sign = '{';
	at = put_members(e, at, 0, l->args_first);
	if (has_any(e, l->args_first, l->args_end)) {
		memcpy(at, ",\"args\":", 8);
		*at = o->sign;
		o->sign = '{';
		at = put_members(e, at + 8, l->args_first, l->args_end);
		*at++ = '}';
	}
	at = put_members(e, at, l->args_end, l->count);
	if (o->sign == '{')
		*at++ = '{';
	memcpy(at, "},\n", 3);
	mp_out_advance(o->out, (size_t)(at + 3 - o->begun));
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
	struct layer *l = &t->layers[query];

	if (mp_report_rows(rows, db, t->split.queries[query], "", "", t->style, err))
		return -1;
	if (!l->room) { /* the first thread that opens the query: others may read the layer later */
		l->is_included = t->split.queries[query]->is_included;
		if (prepare_keys(l, *rows, t->report, err))
			return -1;
	}
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
	e->object = (struct mp_members){.out = out, .room = l->room};
	for (int i = 0; i < l->count; i++)
		mp_member_begin(&e->members[i], l->keys[i], l->key_len[i]);
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
		mp_query_row(rows, e->cells, e->layer->count + (e->layer->number >= 0));
		if (is_left(t, e))
			continue;
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

/* Read the words of @leave. */
static int read_leave(struct timeline *t, struct mp_db *db, struct mp_error *err)
{
	struct mp_query *q;
	int status;

	if (!t->report->output.leave.text)
		return 0;
	if (mp_report_query(&q, db, &t->report->output.leave, "", "", t->style, err))
		return -1;
	status = mp_report_bind(q, &t->each, err);
	while (!status && (status = mp_query_next(q, err)) == 1) {
		if (t->leave_count == LEAVE_MAX)
			status = mp_fail(err, "schema/%s: too many words to leave out", t->report->path);
		else
			status = snprintf(t->leave[t->leave_count++], LEAVE_SIZE, "%s", mp_query_text(q, 0)) < 0;
	}
	mp_query_close(q);
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
	    .each = &t->each,
	    .open = open_layer,
	    .write = write_layer,
	    .waited = tell,
	    .user = t};
	for (int i = 0; i < report->layer_count; i++)
		t->split.queries[1 + i] = &report->layers[i];
	mp_out_text(out, "[\n");
	status = mp_report_row(&t->each, each, err) || read_leave(t, team->dbs[0], err)
		     ? -1
		     : mp_split_rows_write(&t->split, team, out, err);
	stats->events = atomic_load(&t->written);
	if (!status)
		status = put_metadata(out, team->dbs[0], stats->events, err);
	free(t);
	return status;
}
