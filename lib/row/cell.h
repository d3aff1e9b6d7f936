/*
 * cell.h: cells (base/value.h) in and out of SQLite. The only place that includes sqlite3.h.
 *
 * No state, no allocation of its own. Functions that return int give an SQLite code.
 */
#ifndef MP_ROW_CELL_H
#define MP_ROW_CELL_H

#include <sqlite3.h>

#include "base/error.h"
#include "base/value.h"

/* Returns the kind of an error of SQLite by its code, and the code for an error of a virtual table. */
static inline enum mp_error_kind mp_sqlite_kind(int code)
{
	code &= 0xff; /* of an extended code */
	return code == SQLITE_NOMEM                          ? MP_ERROR_MEMORY
	       : code == SQLITE_FULL || code == SQLITE_IOERR ? MP_ERROR_DISK
							     : MP_ERROR_OTHER;
}

static inline int mp_sqlite_code(const struct mp_error *err)
{
	return err->kind == MP_ERROR_MEMORY ? SQLITE_NOMEM : SQLITE_ERROR;
}

/* Returns a value of SQLite, which borrows the text. Without memory for a text it is "". */
static inline struct mp_value mp_column_value(sqlite3_value *v)
{
	int type = sqlite3_value_type(v);
	const char *text;

	switch (type) {
	case SQLITE_INTEGER:
		return mp_int(sqlite3_value_int64(v));
	case SQLITE_FLOAT:
		return (struct mp_value){.d = sqlite3_value_double(v), .type = MP_REAL};
	case SQLITE_NULL:
		return mp_null();
	default:
		text = (const char *)sqlite3_value_text(v);
		return (struct mp_value){.text = text ? text : "",
		    .type = type == SQLITE_BLOB ? MP_BLOB : MP_TEXT,
		    .len = text ? (uint32_t)sqlite3_value_bytes(v) : 0};
	}
}

/* Set the result of an SQL function or of a virtual table. A blob becomes a text. */
static inline void mp_result(sqlite3_context *context, struct mp_value v)
{
	if (v.type == MP_INT)
		sqlite3_result_int64(context, v.i);
	else if (v.type == MP_REAL)
		sqlite3_result_double(context, v.d);
	else if (v.type != MP_NULL)
		sqlite3_result_text64(context, v.text, v.len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* Bind a value to a parameter of a statement. */
static inline int mp_bind(sqlite3_stmt *statement, int index, struct mp_value v)
{
	switch (v.type) {
	case MP_INT:
		return sqlite3_bind_int64(statement, index, v.i);
	case MP_REAL:
		return sqlite3_bind_double(statement, index, v.d);
	case MP_BLOB:
		return sqlite3_bind_blob64(statement, index, v.text, v.len, SQLITE_TRANSIENT);
	case MP_TEXT:
		return sqlite3_bind_text64(statement, index, v.text, v.len, SQLITE_TRANSIENT, SQLITE_UTF8);
	default:
		return sqlite3_bind_null(statement, index);
	}
}

#endif
