/* trace_event.c: writes the parts of an event with few copies. Knows no lanes. */
#include "report/trace_event.h"

#include <stdio.h>

enum { COLUMN_PID, COLUMN_TID, COLUMN_NAME, COLUMN_START, COLUMN_DUR, COLUMN_ARGS };

int mp_trace_event_begin(struct mp_trace_event *e, const struct mp_report *report, const struct mp_query *rows,
    struct mp_out *out, struct mp_error *err)
{
	int columns = mp_query_column_count(rows);
	char key[MP_KEY_SIZE];

	if (columns < COLUMN_ARGS || columns > MP_REPORT_COLUMN_MAX)
		return mp_fail(
		    err, "schema/%s: a timeline has pid, tid, name, start_ns, dur_ns and arguments", report->path);
	e->path = report->path;
	e->arg_count = 0;
	mp_member_begin(&e->name, ",\"name\":", 8);
	mp_member_begin(&e->pid, ",\"pid\":", 7);
	for (int i = COLUMN_ARGS; i < columns; i++) {
		const char *title = mp_query_title(rows, i);
		int n;

		if (title[0] == '_') /* hidden columns come last */
			break;
		n = snprintf(key, sizeof(key), ",\"%s\":", title);
		if (n >= MP_KEY_SIZE)
			return mp_fail(err, "schema/%s: argument name too long", report->path);
		mp_member_begin(&e->args[e->arg_count++], key, (size_t)n);
	}
	e->object =
	    (struct mp_members){.out = out, .room = (size_t)(e->arg_count + COLUMN_ARGS) * (size_t)MP_MEMBER_ROOM};
	return 0;
}

static int64_t number(const struct mp_value *v)
{
	return v->type == MP_INT ? v->i : 0;
}

int mp_trace_event_read(
    struct mp_trace_event *e, const struct mp_query *rows, struct mp_trace_time *time, struct mp_error *err)
{
	mp_query_row(rows, e->cells, COLUMN_ARGS + e->arg_count);
	if (e->cells[COLUMN_START].type != MP_INT)
		return mp_report_refuse_rows(e->path, "row without a time", err);
	*time = (struct mp_trace_time){number(&e->cells[COLUMN_PID]), number(&e->cells[COLUMN_TID]),
	    e->cells[COLUMN_START].i, number(&e->cells[COLUMN_DUR])};
	return 0;
}

static char *put_literal(char *at, const char *text, size_t len)
{
	memcpy(at, text, len);
	return at + len;
}

#define PUT(at, literal) put_literal(at, literal, sizeof(literal) - 1)

static char *begin_piece(struct mp_trace_event *e)
{
	return e->object.begun = mp_out_reserve(e->object.out, e->object.room);
}

static void end_piece(struct mp_trace_event *e, const char *end)
{
	mp_out_advance(e->object.out, (size_t)(end - e->object.begun));
}

void mp_trace_event_head(struct mp_trace_event *e)
{
	const struct mp_value pid = {.type = MP_INT, .i = number(&e->cells[COLUMN_PID])};
	char *at = begin_piece(e);

	e->object.sign = '{';
	at = mp_members_put(&e->object, at, &e->name, &e->cells[COLUMN_NAME], false);
	at = PUT(at, ",\"ph\":\"X\"");
	at = mp_members_put(&e->object, at, &e->pid, &pid, false);
	end_piece(e, PUT(at, ",\"tid\":"));
}

void mp_trace_event_tail(struct mp_trace_event *e, int64_t start_ns, int64_t dur_ns)
{
	char *at = begin_piece(e);

	at = PUT(at, ",\"ts\":");
	at += mp_number_us(at, start_ns);
	at = PUT(at, ",\"dur\":");
	at += mp_number_us(at, dur_ns);
	at = PUT(at, ",\"args\":");
	e->object.sign = '{';
	for (int i = 0; i < e->arg_count; i++)
		at = mp_members_put(&e->object, at, &e->args[i], &e->cells[COLUMN_ARGS + i], false);
	if (e->object.sign == '{') /* no arguments */
		*at++ = '{';
	end_piece(e, PUT(at, "}}"));
}
