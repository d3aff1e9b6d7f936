/* db.c: queries on a connection. Knows no table of a job. */
#include "store/connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "base/schema.h"
#include "base/text.h"
#include "store/words.h"

enum { KEPT_MAX = 8 }; /* queries */

struct mp_query {
	struct mp_rows base;
	struct mp_db *db;
	sqlite3_stmt *statement;     /* with an engine it gives titles and parameters alone */
	struct mp_engine_rows *made; /* NULL: SQLite gives the rows */
	bool many;                   /* opened for many rows */
	struct mp_query *next;       /* in the list of kept queries */
	const char *path;            /* of its text below schema/, or NULL */
	int line;
	int count;                      /* columns */
	const struct mp_value **places; /* of the cells */
	struct mp_value cells[];        /* the current row of SQLite */
};

static struct mp_query *take_kept(struct mp_query **at)
{
	struct mp_query *q = *at;

	*at = q->next;
	return q;
}

static void free_query(struct mp_query *q)
{
	if (q->made)
		q->made->close(q->made);
	sqlite3_finalize(q->statement); /* repeats the error of the last step */
	free(q);
}

/*
 * Find a kept query with the same text. A report may run a query for thousands of sections, and preparing a query takes
 * longer than reading a few rows.
 */
static struct mp_query *find_kept(struct mp_db *db, const char *sql, size_t len, bool many)
{
	for (struct mp_query **at = &db->kept; *at; at = &(*at)->next) {
		const char *text = sqlite3_sql((*at)->statement);

		if ((*at)->many == many && strncmp(text, sql, len) == 0 && !text[len])
			return take_kept(at);
	}
	return NULL;
}

/* Returns an SQLite code, or -1. */
static int unbind(struct mp_query *q)
{
	struct mp_value null = mp_null();
	struct mp_error err;

	for (int i = sqlite3_bind_parameter_count(q->statement); q->made && i; i--)
		if (q->made->bind(q->made, i, &null, &err))
			return -1;
	return q->made ? 0 : sqlite3_clear_bindings(q->statement);
}

static bool keep_query(struct mp_query *q)
{
	struct mp_query **at = &q->db->kept;

	if (!q->db->fixed || !q->statement || (q->made && q->made->failed))
		return false;
	if ((q->made ? q->made->rewind(q->made) : sqlite3_reset(q->statement)) || unbind(q))
		return false;
	memset(q->cells, 0, q->made ? 0 : (size_t)q->count * sizeof(q->cells[0]));
	q->path = NULL;
	q->next = *at;
	*at = q;
	for (int i = 0; *at && i < KEPT_MAX; i++)
		at = &(*at)->next;
	if (*at)
		free_query(take_kept(at));
	return true;
}

void mp_db_error(struct mp_db *db, struct mp_error *err, const char *doing)
{
	int code = (db->handle ? sqlite3_errcode(db->handle) : SQLITE_OK) & 0xff; /* of an extended code */
	/* without an error of SQLite, an allocation of this program failed */
	bool is_ours = code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE;
	const char *why = is_ours ? "out of memory" : sqlite3_errmsg(db->handle);
	enum mp_error_kind kind = is_ours ? MP_ERROR_MEMORY : mp_sqlite_kind(code);

	mp_error_set_kind(err, kind, "%s '%s': %s", doing, db->path[0] ? db->path : "private database", why);
}

void mp_db_close(struct mp_db *db)
{
	if (!db)
		return;
	while (db->kept)
		free_query(take_kept(&db->kept));
	mp_words_free(db);
	sqlite3_close(db->handle);
	mp_maps_free(db->maps);
	if (db->fd >= 0)
		close(db->fd); /* read only: nothing to lose */
	free(db);
}

int mp_db_run(struct mp_db *db, const char *sql, struct mp_error *err)
{
	if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL))
		return mp_db_fail(db, err, "database");
	return 0;
}

int mp_db_run_built(struct mp_db *db, sqlite3_str *sql, struct mp_error *err)
{
	char *text = sqlite3_str_finish(sql);
	int status = text ? mp_db_run(db, text, err) : mp_fail_memory(err, "a statement");

	sqlite3_free(text);
	return status;
}

static int next(struct mp_rows *rows, struct mp_error *err)
{
	return mp_query_next((struct mp_query *)rows, err);
}

/* Returns a query of a statement, which it owns then; NULL: out of memory. */
static struct mp_query *make_query(struct mp_db *db, sqlite3_stmt *statement)
{
	size_t count = (size_t)sqlite3_column_count(statement);
	struct mp_query *q = calloc(1, sizeof(*q) + count * (sizeof(q->cells[0]) + sizeof(q->places[0])));

	if (!q)
		return NULL;
	q->places = (const struct mp_value **)(void *)&q->cells[count];
	for (size_t i = 0; i < count; i++)
		q->places[i] = &q->cells[i];
	q->base = (struct mp_rows){next, q->places};
	q->db = db;
	q->statement = statement;
	q->count = (int)count;
	return q;
}

int mp_query_open(struct mp_query **q, struct mp_db *db, const char *sql, size_t len, struct mp_error *err)
{
	sqlite3_stmt *statement;

	*q = find_kept(db, sql, len, false);
	if (*q)
		return 0;
	if (sqlite3_prepare_v2(db->handle, sql, (int)len, &statement, NULL) || !statement)
		return mp_db_fail(db, err, "cannot query");
	*q = make_query(db, statement);
	if (*q)
		return 0;
	sqlite3_finalize(statement); /* it was never stepped */
	return mp_fail_memory(err, "a query");
}

/* Allow what a SELECT does, for SQLite. */
static int only_read(
    void *unused, int action, const char *first, const char *second, const char *database, const char *inner)
{
	(void)unused;
	(void)first;
	(void)second;
	(void)database;
	(void)inner;
	return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION ||
		       action == SQLITE_RECURSIVE
		   ? SQLITE_OK
		   : SQLITE_DENY;
}

int mp_query_open_select(struct mp_query **q, struct mp_db *db, const char *sql, struct mp_error *err)
{
	sqlite3_stmt *statement = NULL;
	const char *rest = "";
	int status;

	if (sqlite3_set_authorizer(db->handle, only_read, NULL))
		return mp_db_fail(db, err, "cannot query");
	status = sqlite3_prepare_v2(db->handle, sql, -1, &statement, &rest);
	sqlite3_set_authorizer(db->handle, NULL, NULL); /* that never fails */
	if (!status && statement && !rest[strspn(rest, "; \t\r\n")] && (*q = make_query(db, statement)) != NULL)
		return 0;
	if ((status & 0xff) == SQLITE_AUTH || (!status && (!statement || *rest)))
		mp_error_set(err, "'%.64s' is not one SELECT: nothing else is possible", sql);
	else
		mp_db_error(db, err, "cannot query");
	sqlite3_finalize(statement); /* it was never stepped */
	return -1;
}

int mp_query_open_rows(struct mp_query **q, struct mp_db *db, const char *sql, size_t len, struct mp_error *err)
{
	struct mp_query *query = *q = find_kept(db, sql, len, true);

	if (query)
		return 0;
	if (mp_query_open(q, db, sql, len, err))
		return -1;
	query = *q;
	query->many = true;
	if (db->engine && db->engine(&query->made, db, query->statement, err)) {
		free_query(query);
		*q = NULL;
		return -1;
	}
	if (query->made)
		query->base.values = query->made->base.values;
	return 0;
}

void mp_query_close(struct mp_query *q)
{
	if (q && !keep_query(q))
		free_query(q);
}

int mp_query_bind(struct mp_query *q, const char *name, const struct mp_value *value, struct mp_error *err)
{
	char parameter[64];
	int index;

	snprintf(parameter, sizeof(parameter), ":%s", name);
	index = sqlite3_bind_parameter_index(q->statement, parameter);
	if (!index)
		return 0;
	if (q->made)
		return q->made->bind(q->made, index, value, err);
	return mp_bind(q->statement, index, *value) ? mp_db_fail(q->db, err, "cannot query") : 0;
}

static int bind_all(struct mp_query *q, const struct mp_value *values, int count, struct mp_error *err)
{
	for (int i = 0; count < 0 ? values[i].type != MP_VALUES_END : i < count; i++)
		if (mp_bind(q->statement, i + 1, values[i]))
			return mp_db_fail(q->db, err, "cannot query");
	return 0;
}

int mp_query_put(struct mp_query *q, const struct mp_value *values, int count, struct mp_error *err)
{
	int status = bind_all(q, values, count, err) || mp_query_next(q, err) < 0 ? -1 : 0;

	mp_query_rewind(q);
	return status;
}

int mp_query_put_row(struct mp_query *q, const struct mp_value *const *values, int count, struct mp_error *err)
{
	int status = SQLITE_OK;

	for (int i = 0; i < count && !status; i++) {
		const struct mp_value *v = values[i];

		status = v->type == MP_TEXT
			     ? sqlite3_bind_text64(q->statement, i + 1, v->text, v->len, SQLITE_STATIC, SQLITE_UTF8)
			     : mp_bind(q->statement, i + 1, *v);
	}
	status = !status && sqlite3_step(q->statement) == SQLITE_DONE ? 0 : mp_db_fail(q->db, err, "cannot query");
	sqlite3_reset(q->statement); /* repeats the error of the step */
	return status;
}

int mp_db_put(struct mp_db *db, const char *sql, const struct mp_value *values, int count, struct mp_error *err)
{
	struct mp_query *q;
	int status = mp_query_ask(&q, db, sql, values, count, err);

	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

int mp_query_ask(struct mp_query **q, struct mp_db *db, const char *sql, const struct mp_value *values, int count,
    struct mp_error *err)
{
	if (mp_query_open(q, db, sql, strlen(sql), err))
		return -1;
	return bind_all(*q, values, count, err) ? -1 : mp_query_next(*q, err);
}

int mp_query_bind_int(struct mp_query *q, const char *name, int64_t value, struct mp_error *err)
{
	struct mp_value v = mp_int(value);

	return mp_query_bind(q, name, &v, err);
}

int mp_query_bind_text(struct mp_query *q, const char *name, const char *text, struct mp_error *err)
{
	struct mp_value value = mp_string(text);

	return mp_query_bind(q, name, &value, err);
}

void mp_query_locate(struct mp_query *q, const char *path, int line)
{
	q->path = path;
	q->line = line;
}

/* Take the values of a row of SQLite; NULLs at the end. */
static int take_row(struct mp_query *q, bool is_there, struct mp_error *err)
{
	for (int i = 0; i < q->count; i++)
		q->cells[i] = is_there ? mp_column_value(sqlite3_column_value(q->statement, i)) : mp_null();
	/* a text may have been converted */
	return is_there && sqlite3_errcode(q->db->handle) == SQLITE_NOMEM ? mp_db_fail(q->db, err, "cannot query")
									  : is_there;
}

static int step(struct mp_query *q, struct mp_error *err)
{
	int status;

	if (q->made)
		return q->made->base.next(&q->made->base, err);
	status = sqlite3_step(q->statement);
	return status == SQLITE_ROW || status == SQLITE_DONE ? take_row(q, status == SQLITE_ROW, err)
							     : mp_db_fail(q->db, err, "cannot query");
}

int mp_query_next(struct mp_query *q, struct mp_error *err)
{
	int status = step(q, err);

	return status < 0 && q->path ? mp_schema_locate(q->path, q->line, err) : status;
}

void mp_query_rewind(struct mp_query *q)
{
	/* both repeat the error of the last step, which is already reported */
	if (q->made)
		q->made->rewind(q->made);
	else
		sqlite3_reset(q->statement);
}

int mp_query_column_count(const struct mp_query *q)
{
	return q->count;
}

const char *mp_query_title(const struct mp_query *q, int column)
{
	const char *title = sqlite3_column_name(q->statement, column);

	return title ? title : "";
}

struct mp_value mp_query_value(const struct mp_query *q, int column)
{
	struct mp_value v = column < q->count ? *q->base.values[column] : mp_null();

	v.type = (uint16_t)(v.type - (v.type == MP_BLOB)); /* a text */
	return v;
}

void mp_query_row(const struct mp_query *q, struct mp_value *values, int count)
{
	for (int i = 0; i < count; i++) {
		values[i] = *q->base.values[i];
		values[i].type = (uint16_t)(values[i].type - (values[i].type == MP_BLOB)); /* a text */
	}
}

struct mp_rows *mp_query_rows(struct mp_query *q)
{
	return q->made ? &q->made->base : &q->base;
}

const struct mp_engine_rows *mp_query_engine(const struct mp_query *q)
{
	return q->made;
}

int mp_db_size(struct mp_db *db, int64_t *bytes, struct mp_error *err)
{
	return mp_db_number(
	    db, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", 0, bytes, err);
}

int mp_db_number(struct mp_db *db, const char *sql, int64_t otherwise, int64_t *value, struct mp_error *err)
{
	struct mp_query *q;
	int status = mp_query_ask(&q, db, sql, NULL, 0, err);

	*value = status == 1 && mp_query_value(q, 0).type == MP_INT ? mp_query_int(q, 0) : otherwise;
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}
