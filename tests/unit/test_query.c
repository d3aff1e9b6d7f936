/* test_query.c: values of a query where memory is short, and parameters that it does not have. */
#include "support.h"

#include <stdbool.h>

#include <sqlite3.h>

#include "report/report.h"
#include "store/connection.h"
#include "store/db.h"

/* Too long for the small blocks that SQLite keeps, short enough for a page. */
enum { LONG = 3000 };

/* What substr() gives has no NUL at its end yet. */
#define CUT "SELECT substr(x, 1, 3000) AS x, 7 AS other FROM word"

static sqlite3_mem_methods memory;
static int is_short; /* so often */
static int given;    /* so often before */

static bool lacks(void)
{
	return is_short && (given ? given-- == 0 : is_short--);
}

static void *take(int size)
{
	return lacks() ? NULL : memory.xMalloc(size);
}

static void *take_again(void *old, int size)
{
	return lacks() ? NULL : memory.xRealloc(old, size);
}

/* From here on memory of SQLite is short as often as is_short says. */
static void wrap_memory(void)
{
	sqlite3_mem_methods wrapped;

	assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory), SQLITE_OK);
	wrapped = memory;
	wrapped.xMalloc = take;
	wrapped.xRealloc = take_again;
	assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &wrapped), SQLITE_OK);
}

struct query_test {
	struct mp_db *db;
	struct mp_query *q;
	struct mp_error err;
};

static void open_rows(struct query_test *t, const char *sql)
{
	assert_ok(mp_query_open(&t->q, t->db, sql, strlen(sql), &t->err), &t->err);
	assert_int_equal(mp_query_next(t->q, &t->err), 1);
}

static int setup(void **state)
{
	struct query_test *t = calloc(1, sizeof(*t));
	char sql[128];

	assert_non_null(t);
	assert_ok(mp_db_connect(&t->db, -1, "", &t->err), &t->err);
	snprintf(sql, sizeof(sql), "CREATE TABLE word(x); INSERT INTO word VALUES('short'), (hex(zeroblob(%d)))", LONG);
	assert_ok(mp_db_run(t->db, sql, &t->err), &t->err);
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct query_test *t = *state;

	is_short = 0;
	mp_query_close(t->q);
	mp_db_close(t->db);
	free(t);
	return 0;
}

static void test_whole(void **state)
{
	struct query_test *t = *state;
	struct mp_report_row row;

	open_rows(t, CUT " WHERE length(x) > 5");
	assert_int_equal(mp_query_value(t->q, 0).len, LONG);
	assert_ok(mp_report_row(&row, t->q, &t->err), &t->err);
	assert_string_equal(row.titles[0], "x");
	assert_int_equal(row.values[0].len, LONG);
}

/* SQLite needs memory for the end of a text, too: a row is whole, or there is none. */
static void test_next_without_memory(void **state)
{
	struct query_test *t = *state;
	int failed = 0, status = 0;

	for (int after = 0; status != 1; after++) {
		open_rows(t, CUT);
		given = after;
		is_short = 1;
		status = mp_query_next(t->q, &t->err);
		is_short = given = 0;
		if (status == 1)
			assert_int_equal(mp_query_value(t->q, 0).len, LONG);
		else
			assert_non_null(strstr(t->err.text, "out of memory"));
		failed += status < 0;
		mp_query_close(t->q);
		t->q = NULL;
	}
	assert_in_range(failed, 2, 10); /* the text, and its end */
}

static void test_parameters(void **state)
{
	struct query_test *t = *state;
	static const char sql[] = "SELECT :given, :none";

	assert_ok(mp_query_open(&t->q, t->db, sql, strlen(sql), &t->err), &t->err);
	assert_ok(mp_query_bind_int(t->q, "given", 7, &t->err), &t->err);
	assert_ok(mp_query_bind_int(t->q, "unknown", 7, &t->err), &t->err);
	assert_ok(mp_query_bind_text(t->q, "none", NULL, &t->err), &t->err);
	assert_int_equal(mp_query_put(t->q, MP_VALUES(mp_int(1), mp_int(2), mp_int(3)), &t->err), -1);
	assert_non_null(strstr(t->err.text, "cannot query"));
	assert_ok(mp_query_bind_int(t->q, "given", 7, &t->err), &t->err);
	assert_ok(mp_query_bind_text(t->q, "none", NULL, &t->err), &t->err);
	assert_int_equal(mp_query_next(t->q, &t->err), 1);
	assert_int_equal(mp_query_int(t->q, 0), 7);
	assert_int_equal(mp_query_value(t->q, 1).type, MP_NULL);
}

static void test_bad_sql(void **state)
{
	struct query_test *t = *state;

	assert_int_equal(mp_query_open(&t->q, t->db, "SELECT nothing", 14, &t->err), -1);
	assert_non_null(strstr(t->err.text, "cannot query"));
	t->q = NULL;
	assert_int_equal(mp_query_open_rows(&t->q, t->db, "", 0, &t->err), -1);
	t->q = NULL;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_whole),
	    TEST(test_next_without_memory),
	    TEST(test_parameters),
	    TEST(test_bad_sql),
	};

	wrap_memory();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
