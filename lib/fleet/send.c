/* send.c: runs the queries of a job, and writes their rows as frames while it listens to answers. */
#include "fleet/send.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/index.h"
#include "base/schema.h"
#include "fleet/lake.h"
#include "fleet/wire.h"
#include "report/report.h"
#include "trace/trace.h"

enum { BUFFER_SIZE = 512 << 10, ROW_HEAD = 256, COLUMN_MAX = 32, FIXED_SIZE = MP_FLEET_KEY_MAX + 32 };

struct mp_fleet_sender {
	int to, from;
	struct mp_lake *lake; /* in place of both; or NULL */
	enum mp_fleet_engine engine;
	struct mp_fleet_watch watch;
	struct mp_wire_job current; /* the job that is sent */
	int64_t job_rows, sent;     /* jobs that are sent and not answered */
	int64_t rows, tasks;        /* in the buffer */
	size_t used;
	struct mp_trace_texts words;
	uint32_t word_base; /* words of the job before those that are kept */
	char buffer[BUFFER_SIZE];
};

/* What the rows of a query become. */
struct table {
	const struct mp_report *report;
	struct mp_fleet_type types[COLUMN_MAX];
	struct mp_query *rows;
	int columns;
	bool has_words;
};

int64_t mp_fleet_job_number(const char *run, const char *name)
{
	const uint64_t hash = mp_fnv(MP_FNV, run, strlen(run) + 1); /* with the NUL between the two */

	return (int64_t)(mp_fnv(hash, name, strlen(name) + 1) >> 1);
}

/* Read one answer of the other process. Returns 1, 0 at its end, -1 with err. */
static int take_answer(struct mp_fleet_sender *s, struct mp_error *err)
{
	char bytes[sizeof(int64_t) + sizeof(err->text)];
	struct mp_wire_head head;
	int64_t jobs = 0;
	int status = mp_wire_head(s->from, &head, err);

	if (status <= 0)
		return status;
	if (head.size >= sizeof(bytes) || (head.size && mp_wire_read(s->from, bytes, head.size, err) != 1))
		return mp_fail(err, "an answer of msprof-publish cannot be read");
	bytes[head.size] = '\0';
	if (head.kind == MP_WIRE_READY)
		return 1;
	if (head.size < sizeof(jobs))
		return mp_fail(err, "msprof-publish gave an unknown answer");
	memcpy(&jobs, bytes, sizeof(jobs));
	if (head.kind == MP_WIRE_FAILED && jobs == 0)
		return mp_fail(err, "%s", bytes + sizeof(jobs));
	if (jobs <= 0 || jobs > s->sent)
		return mp_fail(err, "msprof-publish gave an answer to no job");
	s->sent -= jobs;
	if (head.kind == MP_WIRE_DONE)
		s->watch.stored(s->watch.user, jobs);
	else
		s->watch.failed(s->watch.user, jobs, bytes + sizeof(jobs));
	return 1;
}

static int fail_ended(struct mp_error *err)
{
	return mp_fail(err, "msprof-publish ended before its work was done");
}

/* Answers are read while a frame is written: neither process waits for the other for ever. */
static int write_some(struct mp_fleet_sender *s, const char **bytes, size_t *size, struct mp_error *err)
{
	struct pollfd fds[] = {{.fd = s->to, .events = POLLOUT}, {.fd = s->from, .events = POLLIN}};
	ssize_t n;

	if (poll(fds, 2, -1) < 0)
		return errno == EINTR ? 0 : mp_fail_errno(err, "cannot wait for msprof-publish");
	if (fds[1].revents) {
		int status = take_answer(s, err);

		return status > 0 ? 0 : status < 0 ? -1 : fail_ended(err);
	}
	n = write(s->to, *bytes, *size);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n < 0)
		return errno == EPIPE ? fail_ended(err) : mp_fail_errno(err, "cannot write to msprof-publish");
	*bytes += n;
	*size -= (size_t)n;
	return 0;
}

static int send_frame(
    struct mp_fleet_sender *s, enum mp_wire_kind kind, const void *bytes, size_t size, struct mp_error *err)
{
	const struct mp_wire_head head = {(uint32_t)kind, (uint32_t)size};
	const char *at = (const char *)&head, *body = bytes;
	size_t left = sizeof(head);

	if (s->lake)
		return mp_lake_take(s->lake, kind, bytes, size, err);
	while (left)
		if (write_some(s, &at, &left, err))
			return -1;
	while (size)
		if (write_some(s, &body, &size, err))
			return -1;
	return 0;
}

static int flush_rows(struct mp_fleet_sender *s, struct mp_error *err)
{
	if (!s->used)
		return 0;
	if (send_frame(s, MP_WIRE_DATA, s->buffer, s->used, err))
		return -1;
	s->watch.sent(s->watch.user, s->rows, s->tasks);
	s->job_rows += s->rows;
	s->used = 0;
	s->rows = s->tasks = 0;
	return 0;
}

/* Columns that every row begins with: its job, and where a load is told by its number, that of the load. */
static int lead_count(const struct mp_fleet_sender *s)
{
	return s->engine == MP_FLEET_POSTGRESQL ? 1 : 2;
}

static char *put_lead(const struct mp_fleet_sender *s, char *at, int columns)
{
	const struct mp_fleet_type type = {.kind = MP_FLEET_INT};

	at = mp_fleet_put_row(at, s->engine, columns + lead_count(s));
	at = mp_fleet_put_key(at, s->engine, "job");
	at = mp_fleet_put(at, s->engine, type, &(struct mp_value){.type = MP_INT, .i = s->current.job});
	if (lead_count(s) == 2) {
		at = mp_fleet_put_key(at, s->engine, "load");
		at = mp_fleet_put(at, s->engine, type, &(struct mp_value){.type = MP_INT, .i = s->current.load});
	}
	return at;
}

static int begin_table(
    struct mp_fleet_sender *s, enum mp_wire_kind kind, const char *table, const char *columns, struct mp_error *err)
{
	char text[2048];
	int used = snprintf(text, sizeof(text), "%s\njob%s%s", table, lead_count(s) == 2 ? ", load" : "", columns);

	if (used >= (int)sizeof(text))
		return mp_fail(err, "the columns of the table '%s' are too many", table);
	return flush_rows(s, err) || send_frame(s, kind, text, (size_t)used, err) ? -1 : 0;
}

/* The words since the last call, as rows of their table. */
static int send_words(struct mp_fleet_sender *s, struct mp_error *err)
{
	const struct mp_fleet_type type = {.kind = MP_FLEET_TEXT};
	struct mp_trace_texts *w = &s->words;

	if (!w->count)
		return 0;
	if (begin_table(s, MP_WIRE_TABLE, "word", ", word, text", err))
		return -1;
	for (uint32_t i = 0; i < w->count; i++) {
		size_t from = i ? w->ends[i - 1] : 0;
		const struct mp_value text = mp_text(w->bytes + from, w->ends[i] - from);
		char *at;

		if (sizeof(s->buffer) - s->used < ROW_HEAD + MP_FLEET_VALUE_MAX && flush_rows(s, err))
			return -1;
		at = put_lead(s, s->buffer + s->used, 2);
		at = mp_fleet_put_word(mp_fleet_put_key(at, s->engine, "word"), s->engine, s->word_base + i + 1);
		at = mp_fleet_put(mp_fleet_put_key(at, s->engine, "text"), s->engine, type, &text);
		s->used = (size_t)(mp_fleet_put_end(at, s->engine) - s->buffer);
		s->rows++;
	}
	s->word_base += w->count;
	mp_trace_texts_free(w);
	memset(w, 0, sizeof(*w));
	return flush_rows(s, err);
}

/* The number of a word in this job; 0 for NULL. Where the words take too much memory, false: send them first. */
static bool find_word(struct mp_fleet_sender *s, const struct mp_value *value, uint32_t *number)
{
	struct mp_value text = *value;
	bool is_new;

	*number = 0;
	if (value->type != MP_TEXT)
		return true;
	if (text.len > MP_FLEET_TEXT_MAX + 1)
		text.len = MP_FLEET_TEXT_MAX + 1; /* cut, and marked as cut, when it is written */
	*number = mp_trace_texts_number(&s->words, &text, &is_new);
	if (!*number)
		return false;
	*number += s->word_base;
	return true;
}

static int open_table(struct mp_fleet_sender *s, struct table *t, struct mp_error *err)
{
	char columns[1024] = "";
	size_t used = 0;
	const char *type = t->report->fleet.types;

	for (t->columns = 0; *type; t->columns++) {
		if (t->columns == COLUMN_MAX || t->columns >= mp_query_column_count(t->rows) ||
		    (type = mp_fleet_type_next(&t->types[t->columns], type)) == NULL)
			break;
		t->has_words = t->has_words || t->types[t->columns].kind == MP_FLEET_WORD;
		used += (size_t)snprintf(
		    columns + used, sizeof(columns) - used, ", %s", mp_query_title(t->rows, t->columns));
		if (used >= sizeof(columns))
			break;
	}
	if (!type || *type || t->columns != mp_query_column_count(t->rows)) {
		mp_error_set(err, "@types and the columns of @rows differ");
		return mp_schema_locate(t->report->path, 1, err);
	}
	return begin_table(s, t->report->fleet.bulk ? MP_WIRE_BULK : MP_WIRE_TABLE, t->report->title, columns, err);
}

/* Room in the buffer for a row. Returns 0, or -1 with err. */
static int make_room(
    struct mp_fleet_sender *s, const struct table *t, const struct mp_value *values, struct mp_error *err)
{
	size_t need = ROW_HEAD + (size_t)t->columns * FIXED_SIZE;

	for (int i = 0; i < t->columns; i++)
		if (t->types[i].kind == MP_FLEET_TEXT && values[i].type == MP_TEXT)
			need += values[i].len > MP_FLEET_TEXT_MAX ? MP_FLEET_VALUE_MAX : 6 * values[i].len + 64;
	if (need > sizeof(s->buffer))
		return mp_fail(err, "a row of the table '%s' is too long", t->report->title);
	return need > sizeof(s->buffer) - s->used ? flush_rows(s, err) : 0;
}

/* Returns 0, 1 when the words must be sent before this row, -1 with err. */
static int put_row(
    struct mp_fleet_sender *s, const struct table *t, const struct mp_value *values, struct mp_error *err)
{
	char *at = put_lead(s, s->buffer + s->used, t->columns);

	for (int i = 0; i < t->columns; i++) {
		uint32_t word;

		at = mp_fleet_put_key(at, s->engine, mp_query_title(t->rows, i));
		if (t->types[i].kind == MP_FLEET_WORD) {
			if (!find_word(s, &values[i], &word))
				return 1;
			at = mp_fleet_put_word(at, s->engine, word);
			continue;
		}
		at = mp_fleet_put(at, s->engine, t->types[i], &values[i]);
		if (!at) {
			mp_error_set(err, "a value of the column '%s' is not of its type", mp_query_title(t->rows, i));
			return mp_schema_locate(t->report->path, 1, err);
		}
	}
	s->used = (size_t)(mp_fleet_put_end(at, s->engine) - s->buffer);
	s->rows++;
	s->tasks += t->report->fleet.bulk;
	return 0;
}

static int send_row(struct mp_fleet_sender *s, struct table *t, const struct mp_value *values, struct mp_error *err)
{
	int status = make_room(s, t, values, err);

	if (!status)
		status = put_row(s, t, values, err);
	if (status != 1)
		return status;
	if (!s->words.count)
		return mp_fail_memory(err, "names");
	if (send_words(s, err) || open_table(s, t, err))
		return -1;
	status = put_row(s, t, values, err);
	return status == 1 ? mp_fail_memory(err, "names") : status;
}

static int send_rows(struct mp_fleet_sender *s, struct table *t, struct mp_error *err)
{
	struct mp_value values[COLUMN_MAX];
	int status = open_table(s, t, err);

	while (!status && (status = mp_query_next(t->rows, err)) == 1) {
		mp_query_row(t->rows, values, t->columns);
		status = send_row(s, t, values, err);
	}
	mp_trace_texts_move_on(&s->words);
	return status || flush_rows(s, err) ? -1 : 0;
}

static int bind_job(struct mp_query *q, const struct mp_fleet_job *job, struct mp_error *err)
{
	return mp_query_bind_text(q, "run", job->run, err) || mp_query_bind_text(q, "name", job->name, err) ||
		       mp_query_bind_text(q, "label", job->label[0] ? job->label : NULL, err) ||
		       mp_query_bind_text(q, "labels", job->labels, err)
		   ? -1
		   : 0;
}

static int send_table(struct mp_fleet_sender *s, struct mp_db *db, const struct mp_report *report,
    const struct mp_fleet_job *job, struct mp_error *err)
{
	struct mp_report_row *row = malloc(sizeof(*row));
	struct mp_query *each = NULL;
	int status = row ? mp_report_query(&each, db, &report->each, "", "", MP_STYLE_DEFAULT, err)
			 : mp_fail_memory(err, "rows");

	while (!status && (status = mp_query_next(each, err)) == 1) {
		struct table t = {.report = report};

		status = mp_report_row(row, each, err) ||
				 mp_report_rows(&t.rows, db, &report->rows, "", "", MP_STYLE_DEFAULT, err) ||
				 mp_report_bind(t.rows, row, err) || bind_job(t.rows, job, err) || send_rows(s, &t, err)
			     ? -1
			     : 0;
		mp_query_close(t.rows);
	}
	mp_query_close(each);
	free(row);
	return status;
}

static int send_tables(struct mp_fleet_sender *s, struct mp_db *db, const char *family, const struct mp_fleet_job *job,
    struct mp_error *err)
{
	struct mp_reports tables;
	int status = mp_reports_load_folder(&tables, "fleet/rows", family, MP_STYLE_DEFAULT, err);

	for (size_t i = 0; i < tables.count && !status; i++)
		if (!tables.items[i].fleet.bulk || job->tasks)
			status = send_table(s, db, &tables.items[i], job, err);
	mp_reports_free(&tables);
	return status || send_words(s, err) ? -1 : 0;
}

int mp_fleet_send_job(struct mp_fleet_sender *s, struct mp_db *db, const char *family, const struct mp_fleet_job *job,
    struct mp_error *err)
{
	struct mp_error lost;

	s->current.job = mp_fleet_job_number(job->run, job->name);
	s->job_rows = 0;
	s->word_base = 0;
	if (send_frame(s, MP_WIRE_JOB, &s->current, sizeof(s->current), err))
		return -1;
	if (send_tables(s, db, family, job, err)) {
		s->used = 0;
		s->rows = s->tasks = 0;
		mp_trace_texts_free(&s->words);
		memset(&s->words, 0, sizeof(s->words));
		send_frame(s, MP_WIRE_DROP, NULL, 0, &lost); /* a process that ended stores nothing */
		return -1;
	}
	if (send_frame(s, MP_WIRE_END, &s->job_rows, sizeof(s->job_rows), err))
		return -1;
	if (s->lake)
		s->watch.stored(s->watch.user, 1);
	else
		s->sent++;
	return 0;
}

/* Wait until the other process is ready. */
static int open_pipes(struct mp_fleet_sender *s, struct mp_error *err)
{
	int status = take_answer(s, err);

	if (status == 0)
		status = fail_ended(err);
	if (status == 1 && fcntl(s->to, F_SETFL, fcntl(s->to, F_GETFL) | O_NONBLOCK))
		status = mp_fail_errno(err, "cannot prepare a pipe");
	return status < 0 ? -1 : 0;
}

int mp_fleet_sender_open(struct mp_fleet_sender **sender, int to, int from, const struct mp_fleet_url *url,
    const struct mp_fleet_watch *watch, struct mp_error *err)
{
	struct mp_fleet_sender *s = calloc(1, sizeof(*s));
	struct timespec now;

	*sender = NULL;
	if (!s)
		return mp_fail_memory(err, "rows");
	clock_gettime(CLOCK_REALTIME, &now);
	s->to = to;
	s->from = from;
	s->engine = url->engine;
	s->watch = *watch;
	s->current.load = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	if (s->engine == MP_FLEET_LAKE ? mp_lake_open(&s->lake, url->path, err) : open_pipes(s, err)) {
		mp_fleet_sender_free(s);
		return -1;
	}
	*sender = s;
	return 0;
}

void mp_fleet_sender_free(struct mp_fleet_sender *s)
{
	if (s) {
		mp_trace_texts_free(&s->words);
		mp_lake_free(s->lake);
	}
	free(s);
}

int mp_fleet_send_end(struct mp_fleet_sender *s, struct mp_error *err)
{
	int status;

	if (s->lake)
		return 0;
	if (close(s->to))
		return mp_fail_errno(err, "cannot close a pipe");
	while ((status = take_answer(s, err)) == 1)
		continue;
	return status < 0 ? -1 : s->sent ? fail_ended(err) : 0;
}
