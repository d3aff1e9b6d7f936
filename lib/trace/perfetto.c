/*
 * perfetto.c: packets of a Perfetto trace (https://perfetto.dev/docs/reference/synthetic-track-event). Names are
 * numbers after their first use. The end of a slice is written beside its begin: a reader sorts packets by time.
 */
#include "trace/trace_writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "report/timeline.h"
#include "trace/proto.h"
#include "trace/trace.h"

enum { TRACE_PACKET = 1 };
enum {
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_TRACK_DESCRIPTOR = 60,
	SEQUENCE_CLEARED = 1,
	SEQUENCE_NEEDS_STATE = 2
};
enum {
	DESCRIPTOR_UUID = 1,
	DESCRIPTOR_NAME = 2,
	DESCRIPTOR_PROCESS = 3,
	DESCRIPTOR_PARENT_UUID = 5,
	DESCRIPTOR_COUNTER = 8,
	DESCRIPTOR_CHILD_ORDERING = 11,
	DESCRIPTOR_SIBLING_ORDER_RANK = 12,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	CHILD_ORDERING_EXPLICIT = 3
};
enum {
	EVENT_DEBUG_ANNOTATIONS = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK_UUID = 11,
	EVENT_NAME = 23,
	EVENT_DOUBLE_COUNTER_VALUE = 44,
	EVENT_FLOW_IDS = 47,
	TYPE_SLICE_BEGIN = 1,
	TYPE_SLICE_END = 2,
	TYPE_INSTANT = 3,
	TYPE_COUNTER = 4
};
enum {
	ANNOTATION_NAME_IID = 1,
	ANNOTATION_INT_VALUE = 4,
	ANNOTATION_DOUBLE_VALUE = 5,
	ANNOTATION_STRING_VALUE = 6,
	ANNOTATION_STRING_VALUE_IID = 17
};
enum {
	INTERNED_EVENT_NAMES = 2,
	INTERNED_ANNOTATION_NAMES = 3,
	INTERNED_STRING_VALUES = 29,
	INTERNED_IID = 1,
	INTERNED_TEXT = 2
};

/* Bytes that hold any number of fields of numbers, beside texts and arrows. */
enum { SMALL = 128, ARGUMENT_MAX = 64, ARROW_SIZE = 16, HEAD_MAX = 64, SEQUENCE = 1, KEY_ROOM = 8 };

/* What begins an argument behind its tag and its length, of one byte each: the number of its name. */
struct key {
	char head[KEY_ROOM];
	uint8_t size;
};

struct perfetto {
	struct mp_trace_writer writer;
	struct mp_out *out;
	struct mp_trace_texts names, keys, values;
	char *body;        /* of the packet being made */
	size_t used, most; /* now, and of all packets so far */
	int count;         /* arguments of a slice */
	struct key key_heads[MP_REPORT_COLUMN_MAX];
	uint32_t text_numbers[MP_REPORT_COLUMN_MAX]; /* of arguments that are texts */
	const char *stays[MP_REPORT_COLUMN_MAX];     /* such a text, when it stays where it is */
	bool failed;                                 /* out of memory */
};

/* Returns room for `size` bytes behind the body, or NULL with `failed` when out of memory. */
static inline char *reserve(struct perfetto *p, size_t size)
{
	if (!mp_vec_reach(p->body, &p->most, p->used + size)) {
		p->failed = true;
		return NULL;
	}
	return p->body + p->used;
}

/* Append a text as valid UTF-8. A list separator becomes a comma. */
static void put_text(struct perfetto *p, unsigned field, const char *text, size_t len)
{
	char *head = reserve(p, 3 * len + SMALL), *at, *from;

	if (p->failed)
		return;
	from = at = head + MP_PROTO_TAG_MAX + MP_PROTO_VARINT_MAX;
	while (len) {
		int32_t cp;
		size_t n = mp_utf8_next(text, len, &cp);

		if (cp < 0)
			at = (char *)memcpy(at, "\xef\xbf\xbd", 3) + 3;
		else if (cp == MP_LIST_SEPARATOR)
			*at++ = ',';
		else
			at = (char *)memcpy(at, text, n) + n;
		text += n;
		len -= n;
	}
	len = (size_t)(at - from);
	head = mp_proto_put_length(head, field, len);
	memmove(head, from, len);
	p->used = (size_t)(head + len - p->body);
}

/* Write the fields of a packet up to the body of `size` bytes, which belongs to `field`. Returns the end. */
static char *put_head(
    const struct perfetto *p, char *at, unsigned field, size_t size, const int64_t *time_ns, bool needs_state)
{
	const uint64_t ns = time_ns ? (uint64_t)*time_ns - (uint64_t)p->writer.base_ns : 0;
	const size_t fields = (time_ns ? 1 + mp_proto_size(ns) : 0) + 2 + (needs_state ? 2 : 0) +
			      mp_proto_size(field << 3) + mp_proto_size(size);

	at = mp_proto_put_length(at, TRACE_PACKET, fields + size);
	if (time_ns)
		at = mp_proto_put_number(at, PACKET_TIMESTAMP, ns);
	at = mp_proto_put_number(at, PACKET_SEQUENCE_ID, SEQUENCE);
	if (needs_state)
		at = mp_proto_put_number(at, PACKET_SEQUENCE_FLAGS, SEQUENCE_NEEDS_STATE);
	return mp_proto_put_length(at, field, size);
}

static void put_packet(struct perfetto *p, unsigned field, const int64_t *time_ns, bool needs_state)
{
	char *at;

	if (p->failed)
		return;
	at = mp_out_reserve(p->out, HEAD_MAX);
	mp_out_advance(p->out, (size_t)(put_head(p, at, field, p->used, time_ns, needs_state) - at));
	mp_out_write(p->out, p->body, p->used);
}

/* Tell the text of a number. */
static void define(struct perfetto *p, unsigned field, uint32_t number, const struct mp_value *text)
{
	char head[HEAD_MAX], *end;
	size_t size;

	p->used = 0;
	end = reserve(p, SMALL);
	if (p->failed)
		return;
	p->used = (size_t)(mp_proto_put_number(end, INTERNED_IID, number) - p->body);
	put_text(p, INTERNED_TEXT, text->text, text->len);
	size = p->used;
	end = mp_proto_put_length(head, field, size);
	reserve(p, HEAD_MAX);
	if (p->failed)
		return;
	memmove(p->body + (end - head), p->body, size);
	memcpy(p->body, head, (size_t)(end - head));
	p->used = size + (size_t)(end - head);
	put_packet(p, PACKET_INTERNED_DATA, NULL, true);
	p->used = 0;
}

/* The number of a text, which is told before its first use; 0: the text has none. */
static uint32_t number_of(struct perfetto *p, struct mp_trace_texts *texts, unsigned field, const struct mp_value *text)
{
	bool is_new;
	uint32_t number = mp_trace_texts_number(texts, text, &is_new);

	if (is_new)
		define(p, field, number, text);
	return number;
}

static void process(struct mp_trace_writer *w, uint32_t number, const char *name, int64_t rank)
{
	struct perfetto *p = (struct perfetto *)w;
	char *at;
	size_t size;

	(void)rank; /* processes have the order in which they come */
	p->used = 0;
	put_text(p, PROCESS_NAME, name, strlen(name));
	size = p->used;
	at = reserve(p, SMALL + size);
	if (p->failed)
		return;
	at = mp_proto_put_number(at, DESCRIPTOR_UUID, number);
	at = mp_proto_put_number(at, DESCRIPTOR_CHILD_ORDERING, CHILD_ORDERING_EXPLICIT);
	at = mp_proto_put_length(at, DESCRIPTOR_PROCESS, size + 1 + mp_proto_size(number));
	at = mp_proto_put_number(at, PROCESS_PID, number);
	memcpy(at, p->body, size);
	at += size;
	p->used = (size_t)(at - p->body) - size;
	memmove(p->body, p->body + size, p->used);
	put_packet(p, PACKET_TRACK_DESCRIPTOR, NULL, false);
}

static void track(
    struct mp_trace_writer *w, uint32_t parent, uint32_t number, const char *name, int32_t rank, bool is_counter)
{
	struct perfetto *p = (struct perfetto *)w;
	char *at;

	p->used = 0;
	put_text(p, DESCRIPTOR_NAME, name, strlen(name));
	at = reserve(p, SMALL);
	if (p->failed)
		return;
	at = mp_proto_put_number(at, DESCRIPTOR_UUID, number);
	at = mp_proto_put_number(at, DESCRIPTOR_PARENT_UUID, parent);
	at = mp_proto_put_number(at, DESCRIPTOR_SIBLING_ORDER_RANK, (uint64_t)(int64_t)rank);
	if (is_counter)
		at = mp_proto_put_length(at, DESCRIPTOR_COUNTER, 0);
	p->used = (size_t)(at - p->body);
	put_packet(p, PACKET_TRACK_DESCRIPTOR, NULL, false);
}

static int begin_rows(struct mp_trace_writer *w, const struct mp_trace_keys *keys, struct mp_error *err)
{
	struct perfetto *p = (struct perfetto *)w;

	mp_trace_texts_move_on(&p->names);
	mp_trace_texts_move_on(&p->values);
	memset(p->stays, 0, sizeof(p->stays));
	p->count = keys->count;
	for (int i = 0; i < keys->count; i++) {
		const struct mp_value title = mp_string(keys->titles[i]);
		uint32_t number = number_of(p, &p->keys, INTERNED_ANNOTATION_NAMES, &title);
		char *head = p->key_heads[i].head;

		if (!number)
			return mp_fail_memory(err, "a trace");
		p->key_heads[i].size = (uint8_t)(mp_proto_put_number(head, ANNOTATION_NAME_IID, number) - head);
	}
	return 0;
}

/* Tell the texts of a slice before the packet that uses them. Returns the number of its name, or 0. */
static uint32_t tell_texts(struct perfetto *p, const struct mp_trace_slice *s)
{
	for (int i = 0; i < p->count; i++) {
		const struct mp_value *v = &s->args[i];

		if (v->type < MP_TEXT || (p->stays[i] && p->stays[i] == v->text))
			continue;
		p->text_numbers[i] = number_of(p, &p->values, INTERNED_STRING_VALUES, v);
		p->stays[i] = v->marks & MP_MARK_STAYS ? v->text : NULL;
	}
	return number_of(p, &p->names, INTERNED_EVENT_NAMES, s->name);
}

static void put_long_argument(struct perfetto *p, const struct key *key, const struct mp_value *v)
{
	char *at;
	size_t from = p->used, size;

	reserve(p, SMALL);
	if (p->failed)
		return;
	p->used += SMALL; /* room for what precedes the text */
	put_text(p, ANNOTATION_STRING_VALUE, v->text, v->len);
	size = p->used - from - SMALL;
	at = mp_proto_put_length(p->body + from, EVENT_DEBUG_ANNOTATIONS, size + key->size);
	at = (char *)memcpy(at, key->head, key->size) + key->size;
	memmove(at, p->body + from + SMALL, size);
	p->used = (size_t)(at - p->body) + size;
}

/* Put an argument at `at`, where there is room. `text` is the number of a text. Returns the end. */
static char *put_argument(char *at, const struct key *key, const struct mp_value *v, uint32_t text)
{
	char *begun = mp_proto_put_tag(at, EVENT_DEBUG_ANNOTATIONS, MP_PROTO_BYTES) + 1;

	at = (char *)memcpy(begun, key->head, KEY_ROOM) + key->size;
	if (v->type == MP_INT)
		at = mp_proto_put_number(at, ANNOTATION_INT_VALUE, (uint64_t)v->i);
	else if (v->type == MP_REAL)
		at = mp_proto_put_double(at, ANNOTATION_DOUBLE_VALUE, v->d);
	else
		at = mp_proto_put_number(at, ANNOTATION_STRING_VALUE_IID, text);
	begun[-1] = (char)(at - begun);
	return at;
}

/* Append the arguments of a slice to its body. */
static void put_arguments(struct perfetto *p, const struct mp_trace_slice *s)
{
	char *at = reserve(p, (size_t)p->count * ARGUMENT_MAX);

	for (int i = 0; i < p->count && !p->failed; i++) {
		const struct mp_value *v = &s->args[i];

		if (v->type == MP_NULL)
			continue;
		if (v->type < MP_TEXT || p->text_numbers[i]) {
			at = put_argument(at, &p->key_heads[i], v, p->text_numbers[i]);
			continue;
		}
		p->used = (size_t)(at - p->body);
		put_long_argument(p, &p->key_heads[i], v);
		at = reserve(p, (size_t)p->count * ARGUMENT_MAX);
	}
	if (!p->failed)
		p->used = (size_t)(at - p->body);
}

/* Make the body of a begin. */
static void make_begin(struct perfetto *p, const struct mp_trace_slice *s)
{
	const uint32_t name = tell_texts(p, s);
	char *at;

	p->used = 0;
	at = reserve(p, SMALL + s->arrow_count * ARROW_SIZE);
	if (p->failed)
		return;
	at = mp_proto_put_number(at, EVENT_TYPE, TYPE_SLICE_BEGIN);
	at = mp_proto_put_number(at, EVENT_TRACK_UUID, s->track);
	if (name)
		at = mp_proto_put_number(at, EVENT_NAME_IID, name);
	for (size_t i = 0; i < s->arrow_count; i++)
		at = mp_proto_put_fixed(at, EVENT_FLOW_IDS, s->arrows[i]);
	p->used = (size_t)(at - p->body);
	if (!name)
		put_text(p, EVENT_NAME, s->name->text, s->name->len);
	put_arguments(p, s);
}

static void put_end(struct perfetto *p, uint32_t number, int64_t end_ns)
{
	char *begun = mp_out_reserve(p->out, SMALL), *at;

	at = put_head(p, begun, PACKET_TRACK_EVENT, 2 + 1 + mp_proto_size(number), &end_ns, false);
	at = mp_proto_put_number(at, EVENT_TYPE, TYPE_SLICE_END);
	at = mp_proto_put_number(at, EVENT_TRACK_UUID, number);
	mp_out_advance(p->out, (size_t)(at - begun));
}

/* Keep the begin until the ends at its time are written. */
static int wait(struct perfetto *p, const struct mp_trace_slice *s, struct mp_error *err)
{
	char head[HEAD_MAX], *end = put_head(p, head, PACKET_TRACK_EVENT, p->used, &s->start_ns, true), *at;
	size_t size = (size_t)(end - head);

	at = mp_trace_pending_add(s->pending, s->start_ns, size + p->used);
	if (!at)
		return mp_fail_memory(err, "a trace");
	memcpy(at, head, size);
	memcpy(at + size, p->body, p->used);
	return 0;
}

static int slice(struct mp_trace_writer *w, const struct mp_trace_slice *s, struct mp_error *err)
{
	struct perfetto *p = (struct perfetto *)w;
	const bool waits = s->pending && s->end_ns > s->start_ns;

	make_begin(p, s);
	if (p->failed || (s->pending && !mp_trace_pending_reach(s->pending, p->out, s->end_ns)))
		return mp_fail_memory(err, "a trace");
	if (waits) {
		put_end(p, s->track, s->end_ns);
		return wait(p, s, err);
	}
	if (s->pending)
		mp_trace_pending_release(s->pending, p->out);
	put_packet(p, PACKET_TRACK_EVENT, &s->start_ns, true);
	put_end(p, s->track, s->end_ns);
	return 0;
}

static void sample(struct mp_trace_writer *w, uint32_t parent, const struct mp_value *name, const uint32_t *tracks,
    int64_t time_ns, const struct mp_value *values)
{
	struct perfetto *p = (struct perfetto *)w;

	(void)parent, (void)name; /* the tracks have them */
	for (int i = 0; i < p->count; i++) {
		char *at;

		if (!tracks[i])
			continue;
		p->used = 0;
		at = reserve(p, SMALL);
		if (p->failed)
			return;
		at = mp_proto_put_number(at, EVENT_TYPE, TYPE_COUNTER);
		at = mp_proto_put_number(at, EVENT_TRACK_UUID, tracks[i]);
		at = mp_proto_put_double(
		    at, EVENT_DOUBLE_COUNTER_VALUE, values[i].type == MP_INT ? (double)values[i].i : values[i].d);
		p->used = (size_t)(at - p->body);
		put_packet(p, PACKET_TRACK_EVENT, &time_ns, false);
	}
}

static void arrow(struct mp_trace_writer *w, const struct mp_trace_arrow *a)
{
	(void)w, (void)a; /* slices have the numbers of their arrows */
}

static void put_note(struct perfetto *p, uint32_t number, int64_t time_ns, const struct mp_query *q)
{
	struct mp_value kind = mp_text_of(mp_query_value(q, 0)), text = mp_text_of(mp_query_value(q, 1));
	char *line = malloc(kind.len + text.len + 2), *at;

	p->failed = p->failed || !line;
	p->used = 0;
	at = reserve(p, SMALL);
	if (!p->failed) {
		at = mp_proto_put_number(at, EVENT_TYPE, TYPE_INSTANT);
		at = mp_proto_put_number(at, EVENT_TRACK_UUID, number);
		p->used = (size_t)(at - p->body);
		memcpy(line, kind.text, kind.len);
		memcpy(line + kind.len, ": ", 2);
		memcpy(line + kind.len + 2, text.text, text.len);
		put_text(p, EVENT_NAME, line, kind.len + text.len + 2);
		put_packet(p, PACKET_TRACK_EVENT, &time_ns, false);
	}
	free(line);
}

/* The notes of the job are instants on a track of their own, at the begin of the trace. */
static int end(struct mp_trace_writer *w, struct mp_db *db, const struct mp_trace_end *e, struct mp_error *err)
{
	struct perfetto *p = (struct perfetto *)w;
	struct mp_query *q;
	bool any = false;
	int status;

	if (mp_trace_notes_open(&q, db, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		if (!any) {
			process(w, e->next_number, "msprof", 0);
			track(w, e->next_number, e->next_number + 1, "Notes", 0, false);
		}
		any = true;
		put_note(p, e->next_number + 1, e->first_ns, q);
	}
	mp_query_close(q);
	return status || !p->failed ? status : mp_fail_memory(err, "a trace");
}

static void free_writer(struct mp_trace_writer *w)
{
	struct perfetto *p = (struct perfetto *)w;

	mp_trace_texts_free(&p->names);
	mp_trace_texts_free(&p->keys);
	mp_trace_texts_free(&p->values);
	free(p->body);
	free(p);
}

struct mp_trace_writer *mp_trace_perfetto(struct mp_out *out)
{
	struct perfetto *p = calloc(1, sizeof(*p));
	char body[SMALL], *at = body, head[HEAD_MAX];

	if (!p)
		return NULL;
	p->writer = (struct mp_trace_writer){.process = process,
	    .track = track,
	    .begin_rows = begin_rows,
	    .slice = slice,
	    .sample = sample,
	    .arrow = arrow,
	    .end = end,
	    .free = free_writer};
	p->out = out;
	at = mp_proto_put_number(at, PACKET_SEQUENCE_ID, SEQUENCE);
	at = mp_proto_put_number(at, PACKET_SEQUENCE_FLAGS, SEQUENCE_CLEARED);
	mp_out_write(out, head, (size_t)(mp_proto_put_length(head, TRACE_PACKET, (size_t)(at - body)) - head));
	mp_out_write(out, body, (size_t)(at - body));
	return &p->writer;
}
