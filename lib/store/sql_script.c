/* sql_script.c: runs the statements and sections of a script, and finds the line of an error. Knows no table. */
#include <string.h>

#include "base/schema.h"
#include "store/connection.h"
#include "store/sql_token.h"

#define WHEN "-- @when "
#define END "-- @end"

struct script {
	struct mp_db *db;
	const char *path, *text;
	const struct mp_script_runner *runner; /* or NULL */
};

/* Put the path and the line of a place before the error. */
static int locate(const struct script *s, const char *at, struct mp_error *err)
{
	int line = 1;

	for (const char *c = s->text; c < at; c++)
		line += *c == '\n';
	return mp_schema_locate(s->path, line, err);
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* Report SQLite's error for a statement. */
static int fail(const struct script *s, const char *statement, struct mp_error *err)
{
	mp_db_error(s->db, err, "database");
	return locate(s, statement, err);
}

static int run_statements(const struct script *s, const char *at, const char *end, struct mp_error *err)
{
	while ((at = mp_token_next(&(struct mp_range){at, end}).text) < end) {
		sqlite3_stmt *statement;
		const char *rest;
		int status = SQLITE_ROW;

		if (sqlite3_prepare_v2(s->db->handle, at, (int)(end - at), &statement, &rest))
			return fail(s, at, err);
		if (statement && s->runner) {
			int done = s->runner->run(s->runner->user, sqlite3_sql(statement), err);

			if (done < 0) {
				sqlite3_finalize(statement); /* it was never stepped */
				return locate(s, at, err);
			}
			status = done ? SQLITE_DONE : SQLITE_ROW;
		}
		while (statement && status == SQLITE_ROW)
			status = sqlite3_step(statement);
		if (sqlite3_finalize(statement)) /* repeats the error of the step */
			return fail(s, at, err);
		at = rest;
	}
	return 0;
}

/* Returns 1 when the condition in the rest of the line is true, 0 when not, -1 on error. */
static int evaluate(const struct script *s, const char *line, struct mp_error *err)
{
	const char *condition = line + strlen(WHEN);
	sqlite3_str *text = sqlite3_str_new(s->db->handle);
	char *sql;
	struct mp_query *q;
	int status;

	sqlite3_str_appendf(text, "SELECT 1 WHERE %.*s", (int)strcspn(condition, "\n"), condition);
	sql = sqlite3_str_finish(text);
	if (!sql)
		return mp_fail_memory(err, "a statement");
	status = mp_query_ask(&q, s->db, sql, NULL, 0, err);
	sqlite3_free(sql);
	mp_query_close(q);
	return status < 0 ? locate(s, line, err) : status;
}

/* Returns the next line that is a directive, or the end of the text. */
static const char *find_directive(const char *line)
{
	while (*line && strncmp(line, "-- @", 4) != 0)
		line = next_line(line);
	return line;
}

/* Run the section that begins at the line. Returns the end of the section, or NULL on error. */
static const char *run_section(const struct script *s, const char *line, struct mp_error *err)
{
	const char *from = next_line(line), *end = find_directive(from);
	int is_true;

	if (strncmp(line, WHEN, strlen(WHEN)) != 0 || strncmp(end, END "\n", strlen(END "\n")) != 0) {
		mp_error_set(err, "a section begins with '-- @when CONDITION' and ends with '-- @end'");
		locate(s, line, err);
		return NULL;
	}
	is_true = evaluate(s, line, err);
	if (is_true < 0 || (is_true && run_statements(s, from, end, err)))
		return NULL;
	return next_line(end);
}

int mp_script_run_file(struct mp_db *db, const char *path, struct mp_error *err)
{
	const char *text = mp_schema_text(path);

	return text ? mp_script_run(db, path, text, err) : mp_fail(err, "schema/%s is missing", path);
}

int mp_script_run(struct mp_db *db, const char *path, const char *text, struct mp_error *err)
{
	return mp_script_run_by(db, path, text, NULL, err);
}

int mp_script_run_by(
    struct mp_db *db, const char *path, const char *text, const struct mp_script_runner *runner, struct mp_error *err)
{
	const struct script s = {db, path, text, runner};
	const char *at = text;

	while (*at) {
		const char *directive = find_directive(at);

		if (run_statements(&s, at, directive, err))
			return -1;
		at = *directive ? run_section(&s, directive, err) : directive;
		if (!at)
			return -1;
	}
	return 0;
}
