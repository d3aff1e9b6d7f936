/* test_joined_table.c: rows that are made once form a table that any SQL can read. */
#include "expr_support.h"

#include "join/joined_table.h"

enum { ROWS = 1000 };

static struct mp_joined_table table;
static int at, begun, wanted[3], wanted_count;

static int find(void *user, const char *column)
{
	(void)user;
	for (int i = 0; i < table.count; i++)
		if (strcmp(table.names[i], column) == 0)
			return i;
	return -1;
}

static int begin(void *user, const int *columns, int count, struct mp_error *error)
{
	(void)user;
	if (begun++)
		return mp_fail(error, "begun twice");
	wanted_count = count;
	for (int i = 0; i < count; i++)
		wanted[i] = columns[i];
	at = -1;
	return 0;
}

static int next(void *user, struct mp_error *error)
{
	(void)user, (void)error;
	return ++at < ROWS;
}

/* id, id % 10 (NULL where that is 3), -id */
static void give(void *user, struct mp_value *const *values)
{
	const struct mp_value row[3] = {mp_int(at), at % 10 == 3 ? mp_null() : mp_int(at % 10), mp_int(-at)};

	(void)user;
	for (int i = 0; i < wanted_count; i++)
		*values[i] = row[wanted[i]];
}

static const struct mp_row_source source = {"joined_task", NULL, find, begin, next, give};

static int setup(void **state)
{
	static const char *const names[] = {"id", "digit", "less"};

	(void)state;
	begun = 0;
	assert_ok(mp_db_connect(&db, -1, "", &err), &err);
	mp_expr_attach(db, 0);
	db->source = &source;
	table = (struct mp_joined_table){.db = db, .source = &source, .count = 3};
	for (int i = 0; i < 3; i++)
		snprintf(table.names[i], sizeof(table.names[i]), "%s", names[i]);
	assert_ok(mp_joined_table_make(&table, &err), &err);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	mp_db_close(db);
	return 0;
}

static struct mp_query *open_rows(const char *sql)
{
	struct mp_query *q;

	assert_ok(mp_query_open_rows(&q, db, sql, strlen(sql), &err), &err);
	return q;
}

static int64_t number(const char *sql)
{
	int64_t value;

	assert_ok(mp_db_number(db, sql, -1, &value, &err), &err);
	return value;
}

/* Joins, groups, orders, subqueries; any number of times. */
static void test_any_statement(void **state)
{
	(void)state;
	assert_int_equal(number("SELECT count(*) FROM temp.joined_task"), ROWS);
	assert_int_equal(
	    number("SELECT count(*) FROM temp.joined_task a JOIN temp.joined_task b ON b.less = -a.id"), ROWS);
	assert_int_equal(number("SELECT total_int(id) FROM joined_task WHERE digit IS NULL"), 49800);
	assert_int_equal(
	    number("SELECT max(n) FROM (SELECT count(*) AS n FROM joined_task GROUP BY digit)"), ROWS / 10);
	assert_int_equal(number("SELECT id FROM joined_task ORDER BY less LIMIT 1"), ROWS - 1);
	assert_int_equal(number("SELECT count(*) FROM joined_task WHERE id IN (SELECT digit FROM joined_task)"), 9);
	assert_int_equal(begun, 1);
}

/* The engine takes rows for its own terms while the rows are made; it never steps the table. */
static void test_engine_takes_rows(void **state)
{
	struct mp_query *q = open_rows("SELECT id + 1, digit, id << 2 FROM temp.joined_task WHERE digit > 7");
	int rows = 0;

	(void)state;
	assert_true(mp_query_takes(q, &source));
	while (mp_query_next(q, &err) == 1)
		rows++;
	assert_int_equal(rows, ROWS / 5);
	assert_false(table.stored);
	mp_query_close(q);
}

/* A term unknown to the engine costs speed, and gives the same result. */
static void test_engine_leaves_rows(void **state)
{
	static const char *const statements[] = {"SELECT printf('%d', id), digit FROM temp.joined_task",
	    "SELECT id, (SELECT max(id) FROM temp.joined_task) FROM temp.joined_task"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct mp_query *q = open_rows(statements[i]);
		int rows = 0;

		assert_false(mp_query_takes(q, &source));
		while (mp_query_next(q, &err) == 1) {
			assert_int_equal(mp_query_value(q, 1).type == MP_NULL, i == 0 && rows % 10 == 3);
			rows++;
		}
		assert_int_equal(rows, ROWS);
		mp_query_close(q);
	}
	assert_true(table.stored);
}

/* Without fast paths the engine is not used. */
static void test_plain(void **state)
{
	struct mp_query *q;

	(void)state;
	mp_expr_attach(db, MP_PLAIN_ALL);
	q = open_rows("SELECT id + 1, digit FROM temp.joined_task");
	assert_null(mp_query_scalars(q));
	assert_int_equal(mp_query_next(q, &err), 1);
	assert_int_equal(mp_query_int(q, 0), 1);
	mp_query_close(q);
}

/* An error of the joins is an error of the statement. */
static void test_error(void **state)
{
	int64_t value;

	(void)state;
	begun = 1;
	assert_refused(mp_db_number(db, "SELECT count(*) FROM joined_task", 0, &value, &err), &err, "begun twice");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_any_statement, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_engine_takes_rows, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_engine_leaves_rows, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_plain, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_error, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
