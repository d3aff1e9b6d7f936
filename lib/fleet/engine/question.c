/* question.c: finds a question, and puts its parameters, the range of time and labels into it. */
#include "fleet/engine/question.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/schema.h"

enum { NAME_SIZE = 64, VALUE_SIZE = 1024, MONTH_S = 30 * 86400 };

static const int64_t END_OF_TIME_S = INT64_MAX / 1000000000;

/* What a label of the user begins with, among the parameters. */
static const char LABEL[] = "label.";

static const char *file_text(const char *folder, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "fleet/ask/%s%s.sql", folder, name);
	return mp_schema_text(path);
}

/* The error for a name that no question has lists those that there are. */
static int refuse_name(const char *name, struct mp_error *err)
{
	size_t used;

	mp_error_set(err, "question '%.64s' not found; there are", name);
	used = strlen(err->text);
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		if (strncmp(f->path, "fleet/ask/", 10) == 0 && !strchr(f->path + 10, '/') && used < sizeof(err->text))
			used += (size_t)snprintf(err->text + used, sizeof(err->text) - used, " %.*s",
			    (int)(strlen(f->path + 10) - strlen(".sql")), f->path + 10);
	return -1;
}

/* The next line of what the user gave that begins with a name; `at` is where to begin. */
static const char *next_given(const char *at, const char *name, size_t len)
{
	for (; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (strncmp(at, name, len) == 0)
			return at;
	return NULL;
}

/* The value that the user gave to a parameter, or NULL. */
static const char *given(const struct mp_question *q, const char *name, size_t len, size_t *size)
{
	for (const char *at = q->given; (at = next_given(at, name, len)) != NULL; at += strcspn(at, "\n"))
		if (at[len] == '=') {
			*size = strcspn(at + len + 1, "\n");
			return at + len + 1;
		}
	return NULL;
}

const char *mp_question_line(const struct mp_question *q, const char *key, const char *name, size_t len)
{
	char begin[32];

	snprintf(begin, sizeof(begin), "\n-- @%s ", key);
	for (const char *at = strstr(q->text, begin); at; at = strstr(at + 1, begin)) {
		const char *found = at + strlen(begin);

		if (strncmp(found, name, len) == 0 && (!len || found[len] == ' ' || found[len] == '\n'))
			return found + len;
	}
	return NULL;
}

/* What follows the name of a parameter, which may be that of the range; NULL: not found. */
static const char *declared(const struct mp_question *q, const char *name, size_t len)
{
	const char *found = len ? mp_question_line(q, "param", name, len) : NULL;

	return found || !len ? found : mp_question_line(q, "range", name, len);
}

static bool is_word(const char *word, const char *text, size_t len)
{
	return strlen(word) == len && strncmp(word, text, len) == 0;
}

/* Each parameter that the user gave must be one of the question; one with a range takes its ends and labels, too. */
static int check_given(const struct mp_question *q, struct mp_error *err)
{
	bool has_range = mp_question_line(q, "range", "", 0) != NULL;

	for (const char *at = q->given; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		size_t len = strcspn(at, "=\n");
		bool is_of_range =
		    is_word("from", at, len) || is_word("to", at, len) || strncmp(at, LABEL, strlen(LABEL)) == 0;

		if (at[len] != '=' || !(declared(q, at, len) || (has_range && is_of_range)))
			return mp_fail(err, "the question has no parameter '%.*s'", (int)len, at);
	}
	return 0;
}

/* Digits, or digits around one point. */
static bool is_number_text(const char *text)
{
	size_t whole = strspn(text, "0123456789"), point = text[whole] == '.';
	size_t part = point ? strspn(text + whole + 1, "0123456789") : 0;

	return whole && (!point || part) && !text[whole + point + part] && whole + point + part < NAME_SIZE;
}

/* The value of a parameter, that of the user or its default. One whose default is a number is a number. */
static int take_value(const struct mp_question *q, const char *name, size_t len, char value[VALUE_SIZE],
    bool *is_number, struct mp_error *err)
{
	const char *standard = declared(q, name, len), *text;
	size_t standard_len, size;

	if (!standard)
		return mp_fail(err, "the question uses an unknown parameter '%.*s'", (int)len, name);
	standard += *standard == ' ';
	standard_len = strcspn(standard, "\n");
	*is_number = standard_len && strspn(standard, "0123456789.") >= standard_len;
	text = given(q, name, len, &size);
	if (!text) {
		text = standard;
		size = standard_len;
	}
	if (snprintf(value, VALUE_SIZE, "%.*s", (int)size, text) >= VALUE_SIZE)
		return mp_fail(err, "the parameter '%.*s' is too long", (int)len, name);
	if (*is_number && !is_number_text(value))
		return mp_fail(err, "the parameter '%.*s' is a number", (int)len, name);
	return 0;
}

/* A day or a moment of the user, in UTC; what nobody gave stays. */
static int take_time(const struct mp_question *q, const char *name, int64_t *moment_s, struct mp_error *err)
{
	static const char *const forms[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"};
	char text[VALUE_SIZE];
	size_t size;
	const char *value = given(q, name, strlen(name), &size);

	if (!value)
		return 0;
	snprintf(text, sizeof(text), "%.*s", (int)size, value);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct tm when = {.tm_mday = 1};
		const char *end = strptime(text, forms[i], &when);

		if (end && !*end) {
			*moment_s = timegm(&when);
			return 0;
		}
	}
	return mp_fail(err, "the parameter '%s' is a time (UTC): 2026-11-27 or 2026-11-27T05:45", name);
}

/* The range of time: from the user's days, or so many months before its end. */
static int take_range(struct mp_question *q, struct mp_error *err)
{
	const char *line = mp_question_line(q, "range", "", 0);
	char months[VALUE_SIZE];
	bool is_number;

	q->from_s = 0;
	q->to_s = (int64_t)time(NULL);
	if (!line)
		return 0;
	if (take_value(q, line, strcspn(line, " \n"), months, &is_number, err) || take_time(q, "to", &q->to_s, err))
		return -1;
	q->from_s = q->to_s - (int64_t)(strtod(months, NULL) * MONTH_S);
	if (q->from_s < 0)
		q->from_s = 0;
	return take_time(q, "from", &q->from_s, err);
}

static int put_quoted(
    const struct mp_question *q, char *dst, size_t size, const char *text, size_t len, struct mp_error *err)
{
	char value[VALUE_SIZE];

	if (snprintf(value, sizeof(value), "%.*s", (int)len, text) >= (int)sizeof(value))
		return mp_fail(err, "the label '%.64s' is too long", value);
	return q->engine->quote(q->connection, dst, size, value, err);
}

/* The jobs with the labels that the user gave, as a condition; "1 = 1" without any. */
static int put_labels(const struct mp_question *q, char *dst, size_t size, struct mp_error *err)
{
	size_t used = (size_t)snprintf(dst, size, "1 = 1");
	const size_t begin = strlen(LABEL);

	for (const char *at = q->given; (at = next_given(at, LABEL, begin)) != NULL; at += strcspn(at, "\n")) {
		const char *name = at + begin, *value = name + strcspn(name, "=") + 1;
		char words[2][2 * VALUE_SIZE + 8];

		if (put_quoted(q, words[0], sizeof(words[0]), name, (size_t)(value - 1 - name), err) ||
		    put_quoted(q, words[1], sizeof(words[1]), value, strcspn(value, "\n"), err))
			return -1;
		used += (size_t)snprintf(dst + used, size - used,
		    " AND job %s (SELECT job FROM job_label WHERE name = %s AND value = %s)", q->engine->in, words[0],
		    words[1]);
		if (used >= size)
			return mp_fail(err, "the question is too long");
	}
	return 0;
}

/* The value of a place: {chosen} and {labels}, which are conditions, the ends of the range, {among}, or a parameter. */
static int put_place(
    const struct mp_question *q, const char *name, size_t len, char *dst, size_t size, struct mp_error *err)
{
	char value[VALUE_SIZE];
	bool is_number;

	if (is_word("to_ns", name, len) || is_word("from_ns", name, len)) {
		snprintf(dst, size, "%" PRId64 "000000000", *name == 't' ? q->to_s : q->from_s);
		return 0;
	}
	if (is_word("chosen", name, len)) {
		size_t to_len;
		bool has_end = given(q, "to", 2, &to_len) != NULL; /* another machine's clock may be ahead */
		int used =
		    snprintf(dst, size, "started_ns >= %" PRId64 "000000000 AND started_ns < %" PRId64 "000000000 AND ",
			q->from_s, has_end ? q->to_s : END_OF_TIME_S);

		return (size_t)used < size ? put_labels(q, dst + used, size - (size_t)used, err) : 0;
	}
	if (is_word("among", name, len)) {
		snprintf(dst, size, "%s", q->engine->among);
		return 0;
	}
	if (is_word("labels", name, len))
		return put_labels(q, dst, size, err);
	if (take_value(q, name, len, value, &is_number, err))
		return -1;
	if (!is_number)
		return q->engine->quote(q->connection, dst, size, value, err);
	snprintf(dst, size, "%s", value);
	return 0;
}

int mp_question_build(struct mp_question *q, const char *text, size_t text_len, struct mp_error *err)
{
	size_t used = 0;

	for (const char *at = text; at < text + text_len;) {
		size_t len = *at == '{' ? strcspn(at, "}\n") : 0;

		if (used + 1 >= sizeof(q->sql))
			return mp_fail(err, "the question is too long");
		if (!len || at[len] != '}') {
			q->sql[used++] = *at++;
			continue;
		}
		if (put_place(q, at + 1, len - 1, q->sql + used, sizeof(q->sql) - used, err))
			return -1;
		used += strlen(q->sql + used);
		at += len + 1;
	}
	q->sql[used] = '\0';
	return 0;
}

size_t mp_question_values(const struct mp_question *q, char *dst, size_t size)
{
	size_t used = 0;

	for (const char *at = strchr(q->text, '@'); at && used < size; at = strchr(at + 1, '@')) {
		const char *name = at + 7, *value;
		size_t len = strcspn(name, " \n"), value_len;

		if (strncmp(at, "@param ", 7) != 0 && strncmp(at, "@range ", 7) != 0)
			continue;
		value = given(q, name, len, &value_len);
		if (!value) {
			value = name + len + (name[len] == ' ');
			value_len = strcspn(value, "\n");
		}
		if (value_len) /* "": all */
			used += (size_t)snprintf(dst + used, size - used, "%s%.*s=%.*s", used ? ", " : "no row for ",
			    (int)len, name, (int)value_len, value);
	}
	return used;
}

static int ask(struct mp_question *q, const char *name, struct mp_error *err)
{
	char folder[32];

	snprintf(folder, sizeof(folder), "%s/", q->engine->name);
	q->text = strpbrk(name, "/.") ? NULL : file_text(folder, name);
	if (!q->text && !strpbrk(name, "/."))
		q->text = file_text("", name);
	if (!q->text)
		return refuse_name(name, err);
	return check_given(q, err) || take_range(q, err) || mp_question_build(q, q->text, strlen(q->text), err) ||
		       mp_question_answer(q, err) || mp_wire_write(q->out, MP_WIRE_READY, NULL, 0, err)
		   ? -1
		   : 0;
}

static int read_question(struct mp_question *q, int in, char *name, struct mp_error *err)
{
	struct mp_wire_head head;
	size_t len;

	if (mp_wire_head(in, &head, err) != 1 || head.kind != MP_WIRE_QUESTION || head.size >= sizeof(q->frame) ||
	    mp_wire_read(in, q->frame, head.size, err) != 1)
		return mp_fail(err, "the question cannot be read");
	q->frame[head.size] = '\0';
	len = strcspn(q->frame, "\n");
	if (len >= NAME_SIZE)
		len = NAME_SIZE - 1;
	memcpy(name, q->frame, len);
	name[len] = '\0';
	q->given = strdup(q->frame + strcspn(q->frame, "\n") + (strchr(q->frame, '\n') != NULL));
	return q->given ? 0 : mp_fail_memory(err, "the question");
}

int mp_question_ask(
    const char *text, const struct mp_fleet_url *url, int64_t bytes_max, int in, int out, struct mp_error *err)
{
	struct mp_question *q = calloc(1, sizeof(*q));
	char name[NAME_SIZE];
	bool is_confined = false;
	int status;

	if (!q)
		return mp_fail_memory(err, "the question");
	q->engine = mp_engine_of(url->engine);
	q->out = out;
	q->bytes_max = bytes_max;
	status = read_question(q, in, name, err) || q->engine->open(&q->connection, text, url, 0, &is_confined, err)
		     ? -1
		     : 0;
	if (!status) {
		status = mp_engine_check(q->engine, q->connection, q->engine->name, err) || ask(q, name, err) ? -1 : 0;
		q->engine->close(q->connection);
	}
	free((char *)q->given);
	free(q);
	return status;
}
