/* expr_support.h: a query by SQLite alone and with expressions: both must give the same rows. */
#ifndef MP_TESTS_CELLS_SUPPORT_H
#define MP_TESTS_CELLS_SUPPORT_H

#include "store_support.h"

#include "expr/expr.h"
#include "expr/engine.h"

static struct mp_db *db;
static struct mp_error err;

static inline bool same(const struct mp_value *a, const struct mp_value *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type) {
	case MP_INT:
		return a->i == b->i;
	case MP_REAL: /* 0.0 is not -0.0 */
		return memcmp(&a->d, &b->d, sizeof(a->d)) == 0;
	case MP_NULL:
		return true;
	default:
		return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
	}
}

static inline void describe(char *dst, size_t size, const struct mp_value *v)
{
	if (v->type == MP_INT)
		snprintf(dst, size, "%lld", (long long)v->i);
	else if (v->type == MP_REAL)
		snprintf(dst, size, "%.17g", v->d);
	else
		snprintf(dst, size, "%s'%.*s'", v->type == MP_NULL ? "null" : "", (int)v->len, v->len ? v->text : "");
}

static inline void bind_parameters(struct mp_query *q)
{
	const struct mp_value real = {.type = MP_REAL, .d = 2.5}, none = {.type = MP_NULL};

	assert_ok(mp_query_bind_int(q, "int", 1000, &err), &err);
	assert_ok(mp_query_bind_text(q, "text", "abc", &err), &err);
	assert_ok(mp_query_bind(q, "real", &real, &err), &err);
	assert_ok(mp_query_bind(q, "none", &none, &err), &err);
}

/* Run a query both ways; rows, titles and values must be equal. */
static inline void compare(const char *sql)
{
	struct mp_query *plain, *rows;
	int more, number = 0;

	if (mp_query_open(&plain, db, sql, strlen(sql), &err))
		fail_msg("%s: %s", sql, err.text);
	assert_ok(mp_query_open_rows(&rows, db, sql, strlen(sql), &err), &err);
	bind_parameters(plain);
	bind_parameters(rows);
	assert_int_equal(mp_query_column_count(plain), mp_query_column_count(rows));
	for (int i = 0; i < mp_query_column_count(plain); i++)
		assert_string_equal(mp_query_title(plain, i), mp_query_title(rows, i));
	do {
		more = mp_query_next(plain, &err);
		if (mp_query_next(rows, &err) != more)
			fail_msg("%s: another number of rows than %d", sql, number);
		for (int i = 0; more == 1 && i < mp_query_column_count(plain); i++) {
			struct mp_value a = mp_query_value(plain, i), b = mp_query_value(rows, i);
			char is[400], should[400];

			if (same(&a, &b))
				continue;
			describe(should, sizeof(should), &a);
			describe(is, sizeof(is), &b);
			fail_msg("%s: row %d, column %d is %s, not %s", sql, number, i, is, should);
		}
		number++;
	} while (more == 1);
	assert_int_equal(more, 0);
	mp_query_close(plain);
	mp_query_close(rows);
}

#endif
