/* engine.c: expressions behind the interface of the store. */
#include "expr/engine.h"

#include "expr/scan.h"

/* The rows are the first member of the query. */
static struct mp_expr_query *query_of(struct mp_engine_rows *rows)
{
	return (struct mp_expr_query *)rows;
}

static void close_rows(struct mp_engine_rows *rows)
{
	mp_expr_query_close(query_of(rows));
}

static const char *title(const struct mp_engine_rows *rows, int column)
{
	return ((const struct mp_expr_query *)rows)->terms[column].title;
}

static int bind(struct mp_engine_rows *rows, const char *name, const struct mp_value *value, struct mp_error *err)
{
	return mp_expr_query_bind(query_of(rows), name, value, err);
}

static void unbind(struct mp_engine_rows *rows)
{
	mp_expr_query_unbind(query_of(rows));
}

static int next(struct mp_engine_rows *rows, struct mp_error *err)
{
	return mp_expr_query_next(query_of(rows), err);
}

static int rewind_rows(struct mp_engine_rows *rows)
{
	return mp_expr_query_rewind(query_of(rows));
}

static int open_rows(struct mp_engine_rows **rows, struct mp_db *db, sqlite3_stmt *whole, struct mp_error *err);

static const struct mp_row_engine engine = {open_rows, close_rows, title, bind, unbind, next, rewind_rows};

static int open_rows(struct mp_engine_rows **rows, struct mp_db *db, sqlite3_stmt *whole, struct mp_error *err)
{
	struct mp_expr_query *q;

	*rows = NULL;
	if (mp_expr_query_open(&q, db, whole, err))
		return -1;
	if (q) {
		q->rows = (struct mp_engine_rows){.engine = &engine,
		    .statement = q->statement,
		    .text = q->text,
		    .column_count = q->term_count,
		    .values = q->results,
		    .source = q->scan ? mp_expr_scan_source(q->scan) : NULL};
		*rows = &q->rows;
	}
	return 0;
}

void mp_expr_attach(struct mp_db *db, unsigned plain)
{
	db->plain = plain;
	db->engine = plain & MP_PLAIN_EXPRESSIONS ? NULL : &engine;
}
