/* question.c: finds a question, puts parameters into it, and gives the answer as frames. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/schema.h"
#include "fleet/engine/engine.h"
#include "fleet/wire.h"

enum { SQL_SIZE = 32 << 10, NAME_SIZE = 64, VALUE_SIZE = 1024 };

/* A place that needs no parameter: the time, in ns since 1970. */
static const char NOW[] = "now_ns";

struct question {
	const struct mp_engine *engine;
	void *connection;
	const char *text;  /* of the file */
	const char *given; /* "PARAMETER=VALUE\n…" */
	int out;
	int64_t bytes_max;
	char sql[SQL_SIZE];
	char frame[MP_WIRE_SIZE_MAX];
};

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

/* The value that the user gave to a parameter, or NULL. */
static const char *given(const struct question *q, const char *name, size_t len, size_t *size)
{
	for (const char *at = q->given; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (strncmp(at, name, len) == 0 && at[len] == '=') {
			*size = strcspn(at + len + 1, "\n");
			return at + len + 1;
		}
	return NULL;
}

/* The line "-- @param NAME DEFAULT" of a parameter, at its name; NULL: not found. */
static const char *declared(const struct question *q, const char *name, size_t len)
{
	static const char key[] = "\n-- @param ";

	for (const char *at = strstr(q->text, key); at; at = strstr(at + 1, key)) {
		const char *found = at + strlen(key);

		if (strncmp(found, name, len) == 0 && (found[len] == ' ' || found[len] == '\n'))
			return found;
	}
	return NULL;
}

/* Each parameter that the user gave must be one of the question. */
static int check_given(const struct question *q, struct mp_error *err)
{
	for (const char *at = q->given; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		size_t len = strcspn(at, "=\n");

		if (at[len] != '=' || !declared(q, at, len))
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

/* A parameter whose default is a number is one; others are texts. */
static int put_parameter(
    const struct question *q, const char *name, size_t len, char *dst, size_t size, struct mp_error *err)
{
	const char *line = declared(q, name, len), *standard, *value;
	char text[VALUE_SIZE];
	size_t value_len, standard_len;
	bool is_number;

	if (len == strlen(NOW) && strncmp(name, NOW, len) == 0) {
		snprintf(dst, size, "%lld000000000", (long long)time(NULL));
		return 0;
	}
	if (!line)
		return mp_fail(err, "the question uses an unknown parameter '%.*s'", (int)len, name);
	standard = line + len + (line[len] == ' ');
	standard_len = strcspn(standard, "\n");
	is_number = standard_len && strspn(standard, "0123456789.") >= standard_len;
	value = given(q, name, len, &value_len);
	if (!value) {
		value = standard;
		value_len = standard_len;
	}
	if (snprintf(text, sizeof(text), "%.*s", (int)value_len, value) >= (int)sizeof(text))
		return mp_fail(err, "the parameter '%.*s' is too long", (int)len, name);
	if (!is_number)
		return q->engine->quote(q->connection, dst, size, text, err);
	if (!is_number_text(text))
		return mp_fail(err, "the parameter '%.*s' is a number", (int)len, name);
	snprintf(dst, size, "%s", text);
	return 0;
}

/* The statement of the file with values in place of {NAME}. */
static int build(struct question *q, struct mp_error *err)
{
	size_t used = 0;

	for (const char *at = q->text; *at;) {
		size_t len = *at == '{' ? strcspn(at, "}\n") : 0;

		if (used + 1 >= sizeof(q->sql))
			return mp_fail(err, "the question is too long");
		if (!len || at[len] != '}') {
			q->sql[used++] = *at++;
			continue;
		}
		if (put_parameter(q, at + 1, len - 1, q->sql + used, sizeof(q->sql) - used, err))
			return -1;
		used += strlen(q->sql + used);
		at += len + 1;
	}
	q->sql[used] = '\0';
	return 0;
}

static int put_cell(struct question *q, size_t *used, const char *cell, uint32_t size, struct mp_error *err)
{
	const uint32_t head = cell ? size : MP_WIRE_NULL;

	if (!cell)
		size = 0;
	if (sizeof(head) + size > sizeof(q->frame) - *used)
		return mp_fail(err, "a row of the answer is too long");
	memcpy(q->frame + *used, &head, sizeof(head));
	if (size)
		memcpy(q->frame + *used + sizeof(head), cell, size);
	*used += sizeof(head) + size;
	return 0;
}

static int give_titles(void *user, const char *const *titles, int count, struct mp_error *err)
{
	struct question *q = user;
	size_t used = 0;

	for (int i = 0; i < count; i++)
		if (put_cell(q, &used, titles[i], (uint32_t)strlen(titles[i]), err))
			return -1;
	return mp_wire_write(q->out, MP_WIRE_TITLES, q->frame, used, err);
}

static int give_numbers(void *user, const char *are_numbers, int count, struct mp_error *err)
{
	return mp_wire_write(((struct question *)user)->out, MP_WIRE_NUMBERS, are_numbers, (size_t)count, err);
}

static int give_row(void *user, const char *const *cells, const uint32_t *sizes, int count, struct mp_error *err)
{
	struct question *q = user;
	size_t used = 0;

	for (int i = 0; i < count; i++)
		if (put_cell(q, &used, cells[i], sizes[i], err))
			return -1;
	return mp_wire_write(q->out, MP_WIRE_ROW, q->frame, used, err);
}

/* An answer without rows says for which values: those that nobody gave bound it, too, such as the months. */
static int give_absent(struct question *q, struct mp_error *err)
{
	static const char key[] = "\n-- @param ", end[] = "; --set changes this";
	const char *word = "no row for";
	size_t used = 0;

	for (const char *at = strstr(q->text, key); at; at = strstr(at + 1, key)) {
		const char *name = at + strlen(key), *value;
		size_t len = strcspn(name, " \n"), size;

		value = given(q, name, len, &size);
		if (!value) {
			value = name + len + (name[len] == ' ');
			size = strcspn(value, "\n");
		}
		if (!size) /* all */
			continue;
		used += (size_t)snprintf(
		    q->frame + used, sizeof(q->frame) - used, "%s %.*s=%.*s", word, (int)len, name, (int)size, value);
		word = ",";
	}
	if (!used)
		return 0;
	memcpy(q->frame + used, end, strlen(end)); /* values are much shorter than a frame */
	return mp_wire_write(q->out, MP_WIRE_ABSENT, q->frame, used + strlen(end), err);
}

static int ask(struct question *q, const char *name, struct mp_error *err)
{
	struct mp_answer answer = {
	    .user = q, .titles = give_titles, .numbers = give_numbers, .row = give_row, .bytes_max = q->bytes_max};
	char folder[32];

	snprintf(folder, sizeof(folder), "%s/", q->engine->name);
	q->text = strpbrk(name, "/.") ? NULL : file_text(folder, name);
	if (!q->text && !strpbrk(name, "/."))
		q->text = file_text("", name);
	if (!q->text)
		return refuse_name(name, err);
	return check_given(q, err) || build(q, err) || q->engine->ask(q->connection, q->sql, &answer, err) ||
		       (!answer.rows && give_absent(q, err)) || mp_wire_write(q->out, MP_WIRE_READY, NULL, 0, err)
		   ? -1
		   : 0;
}

static int read_question(struct question *q, int in, char *name, struct mp_error *err)
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
	struct question *q = calloc(1, sizeof(*q));
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
