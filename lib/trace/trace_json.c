/*
 * trace_json.c: the object form of the Trace Event format. Times count from the earliest one, so that a reader's
 * doubles keep the nanosecond.
 */
#include "trace/trace_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "report/formats.h"
#include "report/timeline.h"

enum { KEY_SIZE = 160 };

struct json {
	struct mp_trace_writer writer;
	struct mp_out *out;
	bool has_event;
	int count;
	char keys[MP_REPORT_COLUMN_MAX][KEY_SIZE]; /* `"Task Id":` */
};

static void next_event(struct json *j, const char *name, size_t len)
{
	mp_out_text(j->out, j->has_event ? ",\n{\"name\":" : "\n{\"name\":");
	j->has_event = true;
	mp_json_string(j->out, name, len);
}

static void put_member(struct json *j, const char *key, int64_t v)
{
	mp_out_text(j->out, key);
	mp_out_int(j->out, v);
}

/* Microseconds with three decimals, exactly. */
static void put_us(struct json *j, const char *key, uint64_t ns)
{
	char *at;
	uint64_t rest = ns % 1000;

	mp_out_text(j->out, key);
	at = mp_out_reserve(j->out, 2 * MP_NUMBER_SIZE);
	mp_out_advance(j->out, mp_number_unsigned(at, ns / 1000));
	at = mp_out_reserve(j->out, 4);
	at[0] = '.';
	at[1] = (char)('0' + rest / 100);
	at[2] = (char)('0' + rest / 10 % 10);
	at[3] = (char)('0' + rest % 10);
	mp_out_advance(j->out, 4);
}

static void put_time(struct json *j, int64_t ns)
{
	put_us(j, ",\"ts\":", (uint64_t)ns - (uint64_t)j->writer.base_ns);
}

/* Begin an event that tells something about a process or thread. */
static void put_metadata(struct json *j, const char *what, uint32_t pid, uint32_t tid)
{
	next_event(j, what, strlen(what));
	put_member(j, ",\"ph\":\"M\",\"pid\":", pid);
	put_member(j, ",\"tid\":", tid);
}

static void put_name(struct json *j, const char *what, uint32_t pid, uint32_t tid, const char *name)
{
	put_metadata(j, what, pid, tid);
	mp_out_text(j->out, ",\"args\":{\"name\":");
	mp_json_string(j->out, name, strlen(name));
	mp_out_text(j->out, "}}");
}

static void put_place(struct json *j, const char *what, uint32_t pid, uint32_t tid, int64_t rank)
{
	put_metadata(j, what, pid, tid);
	put_member(j, ",\"args\":{\"sort_index\":", rank);
	mp_out_text(j->out, "}}");
}

static void process(struct mp_trace_writer *w, uint32_t number, const char *name, int64_t rank)
{
	struct json *j = (struct json *)w;

	put_name(j, "process_name", number, 0, name);
	put_place(j, "process_sort_index", number, 0, rank);
}

/* Curves have no thread: they belong to the process. */
static void track(
    struct mp_trace_writer *w, uint32_t parent, uint32_t number, const char *name, int32_t rank, bool is_counter)
{
	struct json *j = (struct json *)w;

	if (is_counter)
		return;
	put_name(j, "thread_name", parent, number, name);
	put_place(j, "thread_sort_index", parent, number, rank);
}

static int begin_rows(struct mp_trace_writer *w, const struct mp_trace_keys *keys, struct mp_error *err)
{
	struct json *j = (struct json *)w;

	j->count = keys->count;
	for (int i = 0; i < keys->count; i++)
		if (snprintf(j->keys[i], KEY_SIZE, "\"%s\":", keys->titles[i]) >= KEY_SIZE)
			return mp_fail(err, "argument name too long: '%s'", keys->titles[i]);
	return 0;
}

static void put_values(struct json *j, const struct mp_value *values)
{
	char sign = '{';

	mp_out_text(j->out, ",\"args\":");
	for (int i = 0; i < j->count; i++) {
		if (values[i].type == MP_NULL)
			continue;
		mp_out_char(j->out, sign);
		sign = ',';
		mp_out_text(j->out, j->keys[i]);
		mp_json_value(j->out, &values[i]);
	}
	mp_out_text(j->out, sign == '{' ? "{}}" : "}}");
}

static int slice(struct mp_trace_writer *w, const struct mp_trace_slice *s, struct mp_error *err)
{
	struct json *j = (struct json *)w;

	(void)err;
	next_event(j, s->name->text, s->name->len);
	put_member(j, ",\"ph\":\"X\",\"pid\":", s->process);
	put_member(j, ",\"tid\":", s->track);
	put_time(j, s->start_ns);
	put_us(j, ",\"dur\":", (uint64_t)s->end_ns - (uint64_t)s->start_ns);
	put_values(j, s->args);
	return 0;
}

static void sample(struct mp_trace_writer *w, uint32_t parent, const struct mp_value *name, const uint32_t *tracks,
    int64_t time_ns, const struct mp_value *values)
{
	struct json *j = (struct json *)w;

	(void)tracks;
	next_event(j, name->text, name->len);
	put_member(j, ",\"ph\":\"C\",\"pid\":", parent);
	put_time(j, time_ns);
	put_values(j, values);
}

static void put_arrow_end(struct json *j, const char *head, uint32_t number, const struct mp_trace_place *at)
{
	next_event(j, "launch", 6);
	put_member(j, head, number);
	put_member(j, ",\"pid\":", at->process);
	put_member(j, ",\"tid\":", at->track);
	put_time(j, at->time_ns);
	mp_out_char(j->out, '}');
}

static void arrow(struct mp_trace_writer *w, const struct mp_trace_arrow *a)
{
	struct json *j = (struct json *)w;
	const bool backwards = a->to.time_ns < a->from.time_ns;

	put_arrow_end(j, ",\"ph\":\"s\",\"cat\":\"launch\",\"id\":", a->number, backwards ? &a->to : &a->from);
	put_arrow_end(
	    j, ",\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"launch\",\"id\":", a->number, backwards ? &a->from : &a->to);
}

static int end(struct mp_trace_writer *w, struct mp_db *db, const struct mp_trace_end *e, struct mp_error *err)
{
	struct json *j = (struct json *)w;

	mp_out_text(j->out, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{\n\"base_ns\":\"");
	mp_out_int(j->out, w->base_ns); /* a text: doubles would round it */
	put_member(j, "\",\n\"events\":", e->stats->events);
	put_member(j, ",\n\"events on overlap lanes\":", e->stats->moved);
	mp_out_text(j->out, ",\n\"notes\":");
	if (mp_trace_notes(j->out, db, err))
		return -1;
	mp_out_text(j->out, "}}\n");
	return 0;
}

static void free_writer(struct mp_trace_writer *w)
{
	free(w);
}

struct mp_trace_writer *mp_trace_json(struct mp_out *out)
{
	struct json *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->writer = (struct mp_trace_writer){.process = process,
	    .track = track,
	    .begin_rows = begin_rows,
	    .slice = slice,
	    .sample = sample,
	    .arrow = arrow,
	    .end = end,
	    .free = free_writer};
	j->out = out;
	mp_out_text(out, "{\"traceEvents\":[");
	return &j->writer;
}
