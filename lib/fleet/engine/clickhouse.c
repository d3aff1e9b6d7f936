/*
 * clickhouse.c: ClickHouse, from version 18.16 on, through its HTTP interface.
 *
 * A connection is to one shard, which has tables NAME_shard. The tables NAME lie over all shards.
 */
#include "fleet/engine/clickhouse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/engine/engine.h"

enum { SQL_SIZE = 64 << 10, LINE_SIZE = 256 << 10 };

int mp_clickhouse_run(struct mp_clickhouse *c, const char *sql, struct mp_error *err)
{
	const char *text;

	if (mp_http_read(c->http, sql, &text, err))
		return -1;
	return *text ? mp_fail(err, "an answer that ClickHouse does not give: is it another server?") : 0;
}

static void close_connection(void *connection)
{
	struct mp_clickhouse *c = connection;

	mp_http_free(c->http);
	mp_http_free(c->bulk);
	free(c);
}

static int open_connection(void **connection, const char *text, const struct mp_fleet_url *url, int host,
    bool *is_confined, struct mp_error *err)
{
	struct mp_clickhouse *c = calloc(1, sizeof(*c));
	int64_t one;

	(void)text;
	*connection = NULL;
	if (!c)
		return mp_fail_memory(err, "a connection");
	snprintf(c->database, sizeof(c->database), "%s", url->database);
	snprintf(c->cluster, sizeof(c->cluster), "%s", url->cluster);
	if (mp_http_open(&c->http, url, host, is_confined, err) ||
	    mp_http_open(&c->bulk, url, host, is_confined, err) || mp_http_number(c->http, "SELECT 1", &one, err)) {
		close_connection(c);
		return -1;
	}
	*connection = c;
	return 0;
}

static int version(void *connection, int64_t *found, struct mp_error *err)
{
	struct mp_clickhouse *c = connection;
	char sql[256];

	snprintf(sql, sizeof(sql),
	    "SELECT count() FROM system.tables WHERE database = '%s' AND name = 'schema_version'", c->database);
	if (mp_http_number(c->http, sql, found, err))
		return -1;
	if (!*found)
		return 0;
	snprintf(sql, sizeof(sql), "SELECT max(version) FROM %s.schema_version", c->database);
	return mp_http_number(c->http, sql, found, err);
}

/* The value of a place of a statement: {database}, {days}, or {over NAME}, an engine over the tables NAME of all
 * shards. */
static int put_place(const struct mp_clickhouse *c, char *dst, size_t size, const char *place, size_t len)
{
	if (len == 8 && strncmp(place, "database", 8) == 0)
		return snprintf(dst, size, "%s", c->database);
	if (len == 4 && strncmp(place, "days", 4) == 0)
		return snprintf(dst, size, "%d", c->days);
	if (len > 5 && strncmp(place, "over ", 5) == 0 && c->cluster[0])
		return snprintf(
		    dst, size, "Distributed(%s, %s, %.*s)", c->cluster, c->database, (int)len - 5, place + 5);
	if (len > 5 && strncmp(place, "over ", 5) == 0)
		return snprintf(dst, size, "Merge(%s, '^%.*s$')", c->database, (int)len - 5, place + 5);
	return -1;
}

static int fill_places(
    const struct mp_clickhouse *c, char *sql, size_t size, const char *text, size_t len, struct mp_error *err)
{
	size_t used = 0;

	for (size_t i = 0; i < len && used + 1 < size; i++) {
		size_t end = text[i] == '{' ? strcspn(text + i, "}") : 0;
		int n;

		if (!end) {
			sql[used++] = text[i];
			continue;
		}
		n = put_place(c, sql + used, size - used, text + i + 1, end - 1);
		if (n < 0 || (size_t)n >= size - used)
			return mp_fail(err, "a statement of the schema has an unknown place");
		used += (size_t)n;
		i += end;
	}
	sql[used] = '\0';
	return used + 1 < size ? 0 : mp_fail(err, "a statement of the schema is too long");
}

/* There are no transactions: each statement may be repeated, and the last one stores the version. */
int mp_clickhouse_script(void *connection, const char *text, struct mp_error *err)
{
	struct mp_clickhouse *c = connection;
	char *sql = malloc(SQL_SIZE);
	int status = sql ? 0 : mp_fail_memory(err, "a statement");

	while (*text && !status) {
		const char *end = strstr(text, ";\n");

		if (!end)
			break;
		status =
		    fill_places(c, sql, SQL_SIZE, text, (size_t)(end - text), err) || mp_clickhouse_run(c, sql, err)
			? -1
			: 0;
		text = end + 2;
	}
	free(sql);
	return status;
}

/* The answer as it comes: lines, with cells between tabs: titles, types of columns, and rows. */
struct lines {
	struct mp_answer *answer;
	enum { LINE_TITLES, LINE_TYPES, LINE_ROWS } next;
	int columns;
	size_t used;
	char line[LINE_SIZE];
};

/* Undo the escapes of a cell, in place. Returns its size. */
static uint32_t unescape(char *cell, size_t len)
{
	static const char from[] = "btnrf0\\'", to[] = "\b\t\n\r\f\0\\'";
	size_t used = 0;

	for (size_t i = 0; i < len; i++) {
		const char *found = cell[i] == '\\' && i + 1 < len ? strchr(from, cell[i + 1]) : NULL;

		if (found)
			i++;
		cell[used++] = found ? to[found - from] : cell[i];
	}
	return (uint32_t)used;
}

/* "Nullable(Float64)", "Decimal(9, 2)", "UInt8" */
static enum mp_answer_kind kind_of(const char *type)
{
	static const char *const words[] = {"Float", "Decimal", "Int", "UInt"};
	static const char nullable[] = "Nullable(";

	if (strncmp(type, nullable, strlen(nullable)) == 0)
		type += strlen(nullable);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(type, words[i], strlen(words[i])) == 0)
			return i < 2 ? MP_ANSWER_REAL : MP_ANSWER_NUMBER;
	return MP_ANSWER_TEXT;
}

static int take_types(const struct lines *l, const char *const *types, int count, struct mp_error *err)
{
	char kinds[MP_ANSWER_COLUMNS];

	for (int i = 0; i < count; i++)
		kinds[i] = types[i] ? (char)kind_of(types[i]) : MP_ANSWER_TEXT;
	return l->answer->numbers(l->answer->user, kinds, count, err);
}

static int take_line(struct lines *l, size_t len, struct mp_error *err)
{
	const char *cells[MP_ANSWER_COLUMNS];
	uint32_t sizes[MP_ANSWER_COLUMNS];
	int count = 0;

	for (size_t at = 0; at <= len; count++) {
		const char *tab = memchr(l->line + at, '\t', len - at);
		size_t size = tab ? (size_t)(tab - l->line) - at : len - at;
		bool is_null = l->next == LINE_ROWS && size == 2 && memcmp(l->line + at, "\\N", 2) == 0;

		if (count == MP_ANSWER_COLUMNS)
			return mp_fail(err, "an answer of more than %d columns", MP_ANSWER_COLUMNS);
		cells[count] = is_null ? NULL : l->line + at;
		sizes[count] = is_null ? 0 : unescape(l->line + at, size);
		l->line[at + size] = '\0';
		if (!is_null && sizes[count] < size)
			l->line[at + sizes[count]] = '\0';
		at += size + 1;
	}
	if (l->next != LINE_TITLES && count != l->columns)
		return mp_fail(err, "an answer that ClickHouse does not give: is it another server?");
	switch (l->next) {
	case LINE_TITLES:
		l->next = LINE_TYPES;
		l->columns = count;
		return l->answer->titles(l->answer->user, cells, count, err);
	case LINE_TYPES:
		l->next = LINE_ROWS;
		return take_types(l, cells, count, err);
	default:
		return mp_answer_row(l->answer, cells, sizes, count, err);
	}
}

static int take_lines(void *user, const char *bytes, size_t size, struct mp_error *err)
{
	struct lines *l = user;

	for (size_t i = 0; i < size; i++) {
		if (l->used + 1 == sizeof(l->line))
			return mp_fail(err, "a row of the answer is too long");
		if (bytes[i] != '\n') {
			l->line[l->used++] = bytes[i];
			continue;
		}
		if (take_line(l, l->used, err))
			return -1;
		l->used = 0;
	}
	return 0;
}

static int ask(void *connection, const char *sql, struct mp_answer *answer, struct mp_error *err)
{
	struct mp_clickhouse *c = connection;
	struct lines *l = calloc(1, sizeof(*l));
	struct mp_http_body body = {.take = take_lines, .user = l};
	size_t size = strlen(sql) + 64;
	char *formatted = malloc(size);
	int status = l && formatted ? 0 : mp_fail_memory(err, "the answer");

	if (!status) {
		l->answer = answer;
		snprintf(formatted, size, "%s\nFORMAT TabSeparatedWithNamesAndTypes", sql);
		status = mp_http_run(c->http, formatted, true, &body, err);
		if (!status && (l->used || l->next != LINE_ROWS))
			status = mp_fail(err, "the answer is cut");
	}
	free(formatted);
	free(l);
	return status;
}

int mp_clickhouse_quote(void *connection, char *dst, size_t size, const char *text, struct mp_error *err)
{
	size_t used = 0;

	(void)connection;
	if (size < 2 * strlen(text) + 3)
		return mp_fail(err, "a parameter is too long");
	dst[used++] = '\'';
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			dst[used++] = '\\';
		dst[used++] = *text;
	}
	dst[used++] = '\'';
	dst[used] = '\0';
	return 0;
}

const struct mp_engine mp_engine_clickhouse = {.name = "clickhouse",
    .open = open_connection,
    .close = close_connection,
    .version = version,
    .script = mp_clickhouse_script,
    .sweep = mp_clickhouse_sweep,
    .forget = mp_clickhouse_forget,
    .in = "GLOBAL IN",
    .among = "GLOBAL IN (",
    .jobs = "SELECT DISTINCT job FROM job_shard",
    .ask = ask,
    .quote = mp_clickhouse_quote,
    .load = mp_clickhouse_load};
