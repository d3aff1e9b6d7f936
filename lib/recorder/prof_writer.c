/* prof_writer.c: records and dictionaries of a PROF directory, and its end. Layouts define the bytes of a record. */
#include "recorder/prof_writer_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/text.h"
#include "recorder/log.h"
#include "recorder/recorder_internal.h"
#include "recorder/table.h"

static int dir_of(const struct mp_result *result)
{
	return ((const struct mp_prof_writer *)result)->hostfd;
}

/* Add a line to a dictionary: `line` has a key of `len` bytes; the name follows, escaped to stay on one line. */
static void add_line(struct mp_prof_writer *w, enum stream stream, char line[LINE_SIZE], size_t len, const char *name)
{
	uint64_t now = mp_recorder_now();
	char *room;

	len += mp_sanitise(line + len, LINE_SIZE - len - 1, name, strlen(name));
	if (mp_prof_has_line(&w->lines[stream], line))
		return;
	line[len++] = '\n';
	room = mp_stream_room(&w->streams[stream], len, now, now);
	if (!room)
		return;
	memcpy(room, line, len);
	mp_stream_added(&w->streams[stream], len);
}

/* A hash: two sums of the bytes, side by side. */
static uint64_t hash_of(const char *text)
{
	uint32_t high = 0, low = 0;

	for (; *text; text++) {
		high = high * 29 + (unsigned char)*text;
		low = low * 131 + (unsigned char)*text;
	}
	return (uint64_t)high << 32 | low;
}

static void add_hash(struct mp_prof_writer *w, uint64_t hash, const char *name)
{
	char line[LINE_SIZE];
	int len = snprintf(line, sizeof(line), "%llu:", (unsigned long long)hash);

	add_line(w, HASHES, line, (size_t)len, name);
}

/* The hash of a model's name, which is added to the dictionary. */
static uint64_t model_hash(struct mp_prof_writer *w, const char *model)
{
	uint64_t hash;
	size_t at;

	for (size_t i = 0; i < MODELS_KNOWN && i < w->model_count; i++)
		if (w->models[i] == model)
			return w->model_hashes[i];
	hash = hash_of(model);
	at = w->model_count++ % MODELS_KNOWN;
	w->models[at] = model;
	w->model_hashes[at] = hash;
	add_hash(w, hash, model);
	return hash;
}

/* The type of a call: its category, and the number of its name, which is added to the dictionary. */
static uint32_t type_of(struct mp_prof_writer *w, const struct mp_event *event)
{
	uint32_t category = event->kind == MP_EVENT_OP ? MSPROF_OP : event->type, type = category << 16 | event->name;
	unsigned char *known = &w->types_known[category][event->name / 8], bit = (unsigned char)(1 << event->name % 8);
	char line[LINE_SIZE];
	int len;

	if (*known & bit)
		return type;
	*known |= bit;
	len = snprintf(line, sizeof(line), "%d_%u:", LEVEL_ACL, (unsigned)type);
	add_line(w, TYPES, line, (size_t)len, event->text);
	return type;
}

/* Begin a record where its stream has room. */
static struct mp_encoder *begin(struct mp_prof_writer *w, enum stream stream, const struct mp_event *event)
{
	struct mp_encoder *e = &w->encoders[stream];
	struct mp_stream *to = &w->streams[stream];
	char *room = w->seen ? NULL : mp_stream_room(to, e->layout->size, event->begin_ns, event->end_ns);

	mp_encoder_begin(e, room ? (unsigned char *)room : w->aside);
	return e;
}

static void put(struct mp_prof_writer *w, enum stream stream, const struct mp_event *event)
{
	const struct mp_encoder *e = &w->encoders[stream];
	struct mp_stream *to = &w->streams[stream];
	char *room;

	if (e->record == w->aside) {
		if (!w->seen || mp_record_set_take(&w->seen[stream], w->aside))
			return;
		room = mp_stream_room(to, e->layout->size, event->begin_ns, event->end_ns);
		if (!room)
			return;
		memcpy(room, w->aside, e->layout->size);
	}
	mp_stream_added(to, e->layout->size);
}

static void put_call(struct mp_prof_writer *w, const struct mp_event *event)
{
	struct mp_encoder *e = begin(w, CALLS, event);

	mp_encoder_number(e, API_LEVEL, LEVEL_ACL);
	mp_encoder_number(e, API_TYPE, type_of(w, event));
	mp_encoder_number(e, API_THREAD, event->tid);
	mp_encoder_number(e, API_BEGIN, event->begin_ns);
	mp_encoder_number(e, API_END, event->end_ns);
	mp_encoder_number(e, API_ITEM, event->model ? model_hash(w, event->model) : 0);
	put(w, CALLS, event);
}

static void begin_stamp(struct mp_prof_writer *w, const struct mp_event *event)
{
	struct mp_encoder *e = begin(w, STAMPS, event);

	mp_encoder_number(e, TX_LEVEL, LEVEL_TX);
	mp_encoder_number(e, TX_THREAD, event->tid);
	mp_encoder_number(e, TX_LEN, e->layout->size - TX_HEADER);
	mp_encoder_number(e, TX_STAMP, event->begin_ns);
	mp_encoder_number(e, TX_PID, w->pid);
	mp_encoder_number(e, TX_TID, event->tid);
	mp_encoder_number(e, TX_EVENT, event->stamp);
	mp_encoder_number(e, TX_BEGIN, event->begin_ns);
	mp_encoder_number(e, TX_END, event->end_ns);
}

/* The hash of a name, which is added to the dictionary. */
static uint64_t name_hash(struct mp_prof_writer *w, uint32_t name, const char *text)
{
	unsigned char *known = &w->hashes_known[name / 8], bit = (unsigned char)(1 << name % 8);
	uint64_t hash = hash_of(text);

	if (!(*known & bit))
		add_hash(w, hash, text);
	*known |= bit;
	return hash;
}

/* Without a type the operator has the hash 0, which is no name's. */
static void put_operator(struct mp_prof_writer *w, const struct mp_event *event)
{
	struct mp_encoder *e = begin(w, OPERATORS, event);

	mp_encoder_number(e, OP_THREAD, event->tid);
	mp_encoder_number(e, OP_BEGIN, event->begin_ns);
	mp_encoder_number(e, OP_END, event->end_ns);
	mp_encoder_number(e, OP_NAME, name_hash(w, event->name, event->text));
	mp_encoder_number(e, OP_TYPE, event->op_type ? name_hash(w, event->op_type, event->op_type_text) : 0);
	put(w, OPERATORS, event);
}

/* A message that is longer than its field goes on in further records with the same number. */
static void put_domain_stamp(struct mp_prof_writer *w, const struct mp_event *event)
{
	struct mp_encoder *e = &w->encoders[STAMPS];
	uint64_t domain = name_hash(w, event->domain, event->domain_text);
	const char *left = event->text;
	unsigned segment = 0;

	do {
		size_t size = mp_cut(left, e->slots[TX_TEXT]->width - 1);

		begin_stamp(w, event);
		mp_encoder_number(e, TX_INFO, TX_OF_DOMAIN);
		mp_encoder_number(e, TX_SEGMENT, segment++);
		mp_encoder_number(e, TX_PAYLOAD, event->stream);
		mp_encoder_number(e, TX_MARK, event->mark_id);
		mp_encoder_number(e, TX_DOMAIN, domain);
		mp_encoder_text(e, TX_TEXT, left, size);
		put(w, STAMPS, event);
		left += size;
	} while (*left);
}

static void put_stamp(struct mp_prof_writer *w, const struct mp_event *event)
{
	struct mp_encoder *e = &w->encoders[STAMPS];

	begin_stamp(w, event);
	mp_encoder_number(e, TX_INFO, event->stamp == MP_STAMP_MARK_EX ? TX_OF_DOMAIN : 0);
	mp_encoder_number(e, TX_CATEGORY, event->category);
	mp_encoder_number(e, TX_MARK, event->mark_id);
	mp_encoder_text(e, TX_TEXT, event->text, mp_cut(event->text, e->slots[TX_TEXT]->width - 1));
	put(w, STAMPS, event);
}

static void note_thread(struct mp_prof_writer *w, const struct mp_event *event)
{
	uint32_t *known = &w->threads[event->tid % THREADS_KNOWN];
	char line[LINE_SIZE];

	if (*known == event->tid || !event->thread[0])
		return;
	*known = event->tid;
	add_line(w, THREADS, line, (size_t)snprintf(line, sizeof(line), "%u ", (unsigned)event->tid), event->thread);
}

static void put_event(struct mp_result *result, const struct mp_event *event)
{
	struct mp_prof_writer *w = (struct mp_prof_writer *)result;

	note_thread(w, event);
	if (event->kind == MP_EVENT_OP || event->kind == MP_EVENT_OP_RANGE ||
	    (event->kind == MP_EVENT_CALL && event->op_type))
		put_operator(w, event);
	if (event->kind == MP_EVENT_STAMP || event->kind == MP_EVENT_OP_RANGE)
		put_stamp(w, event);
	else if (event->kind == MP_EVENT_DOMAIN_STAMP)
		put_domain_stamp(w, event);
	else
		put_call(w, event);
}

void mp_prof_writer_sample(struct mp_result *result, enum mp_host_sample kind, const char *line, size_t len)
{
	struct mp_prof_writer *w = (struct mp_prof_writer *)result;
	struct mp_stream *stream = &w->streams[SAMPLES + kind];
	uint64_t now = mp_recorder_now();
	char *room = mp_stream_room(stream, len, now, now);

	if (!room)
		return;
	memcpy(room, line, len);
	mp_stream_added(stream, len);
}

/* Half of the limit is for the host's part, less a reserve. */
static bool is_over_limit(const struct mp_prof_writer *w)
{
	uint64_t most = w->limit / 2 - AGING_MARGIN_MB * (uint64_t)MB, size = 0;

	for (int i = 0; i < STREAMS; i++)
		size += (uint64_t)mp_stream_size(&w->streams[i]);
	return size > most;
}

static void drop_what_is_over(struct mp_prof_writer *w)
{
	while (w->limit / 2 > AGING_MARGIN_MB * (uint64_t)MB && is_over_limit(w)) {
		int largest = CALLS;

		for (int i = CALLS + 1; i < RECORDS; i++)
			if (mp_stream_size(&w->streams[i]) > mp_stream_size(&w->streams[largest]))
				largest = i;
		if (!mp_stream_drop_oldest(&w->streams[largest]))
			return;
	}
}

static uint64_t lost_of(const struct mp_prof_writer *w)
{
	uint64_t lost = w->ring_lost;

	for (int i = 0; i < STREAMS; i++)
		lost += mp_stream_lost(&w->streams[i]);
	return lost;
}

static void tell_lost(struct mp_prof_writer *w)
{
	uint64_t lost = lost_of(w);

	if (lost != w->lost_told && mp_prof_info_lost(w->hostfd, lost) == 0)
		w->lost_told = lost;
}

static void flush(struct mp_result *result)
{
	struct mp_prof_writer *w = (struct mp_prof_writer *)result;

	for (int i = 0; i < STREAMS; i++) {
		struct mp_stream *stream = &w->streams[i];

		mp_stream_flush(stream);
		if (stream->failure && !w->told)
			mp_log(MP_LOG_ERROR, "cannot write '%s/host/data/%s': %s: data is lost", w->name,
			    stream->prefix, strerror(stream->failure));
		w->told = w->told || stream->failure;
	}
	drop_what_is_over(w);
	tell_lost(w);
}

static void lose(struct mp_result *result, uint64_t count)
{
	struct mp_prof_writer *w = (struct mp_prof_writer *)result;

	w->ring_lost += count;
}

static void close_directories(struct mp_prof_writer *w)
{
	int *const all[] = {&w->datafd, &w->hostfd, &w->dirfd};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		mp_fd_drop(*all[i]); /* directories: nothing can be lost */
		*all[i] = -1;
	}
}

static int stop(struct mp_result *result, struct mp_error *err)
{
	struct mp_prof_writer *w = (struct mp_prof_writer *)result;
	int status = 0;

	flush(result);
	for (int i = 0; i < STREAMS; i++) {
		struct mp_stream *stream = &w->streams[i];

		mp_stream_stop(stream);
		if (stream->failure && !status)
			status = mp_fail(err, "cannot write '%s/host/data/%s': %s", w->name, stream->prefix,
			    strerror(stream->failure));
	}
	tell_lost(w);
	if (lost_of(w))
		mp_log(MP_LOG_WARNING, "%s: %llu records were lost", w->name, (unsigned long long)lost_of(w));
	close_directories(w);
	return status;
}

/* Open host/ and its data/ of a stopped directory. */
static int open_directories(struct mp_prof_writer *w, struct mp_error *err)
{
	enum { FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
	char path[MP_PROF_NAME_SIZE + 8];

	snprintf(path, sizeof(path), "%s/host", w->name);
	w->hostfd = mp_fd_hold(openat(mp_fd_use(w->outfd), path, FLAGS));
	if (w->hostfd >= 0)
		w->datafd = mp_fd_hold(openat(mp_fd_use(w->hostfd), "data", FLAGS));
	return w->datafd < 0 ? mp_fail_errno(err, "cannot open '%s'", path) : 0;
}

static int finish(struct mp_result *result, struct mp_error *err)
{
	struct mp_prof_writer *w = (struct mp_prof_writer *)result;
	struct mp_wall end;

	if (mp_dir_is_missing(mp_fd_use(w->outfd), w->name))
		return 0;
	if (open_directories(w, err))
		return -1;
	for (int i = 0; i < STREAMS; i++) {
		w->streams[i].dirfd = w->datafd;
		if (mp_stream_finish(&w->streams[i], err))
			return -1;
	}
	mp_wall_read(&end);
	return mp_prof_info_end(w->hostfd, w->start, end, err);
}

static void discard(struct mp_result *result)
{
	struct mp_prof_writer *w = (struct mp_prof_writer *)result;

	mp_prof_info_remove(w->hostfd);
	unlinkat(mp_fd_use(w->hostfd), "data", AT_REMOVEDIR);
	unlinkat(mp_fd_use(w->dirfd), "host", AT_REMOVEDIR);
	unlinkat(mp_fd_use(w->outfd), w->name, AT_REMOVEDIR);
}

static void release(struct mp_result *result)
{
	struct mp_prof_writer *w = (struct mp_prof_writer *)result;

	for (int i = 0; i < STREAMS; i++)
		if (w->streams[i].open)
			mp_data_file_abandon(&w->streams[i].slice);
	for (int i = 0; w->seen && i < RECORDS; i++)
		mp_record_set_free(&w->seen[i]);
	free(w->seen);
	for (int i = RECORDS; i < DICTIONARIES; i++) {
		free(w->lines[i].text);
		free(w->lines[i].sorted);
	}
	close_directories(w);
	free(w);
}

const struct mp_result mp_prof_result = {.dir = dir_of,
    .event = put_event,
    .flush = flush,
    .lost = lose,
    .stop = stop,
    .finish = finish,
    .remove = discard,
    .free = release};
