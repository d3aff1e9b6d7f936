/* test_scan.c: rows read from a file's b-trees equal the rows of SQLite. */
#include "scan_support.h"

static void test_scanned(void **state)
{
	static const char *const statements[] = {"SELECT id, i, r, t, b, n FROM v", "SELECT i FROM v ORDER BY id",
	    "SELECT i + 1 AS a, rowid AS b FROM v x ORDER BY x.id", "SELECT n, t FROM v WHERE id BETWEEN -100 AND 100",
	    "SELECT n FROM v WHERE id >= 1990 AND id <= 4010 AND i IS NOT NULL ORDER BY id",
	    "SELECT n FROM v WHERE id >= :int AND id <= :int + 1000", "SELECT n FROM v WHERE id BETWEEN 5 AND 4",
	    "SELECT n FROM v WHERE id >= 9223372036854775807", "SELECT n FROM v WHERE id > 5 AND id < 40 AND r > 2",
	    "SELECT n FROM v WHERE :none", "SELECT n FROM v WHERE (:int >> 3) & 1 = 1 AND r",
	    "SELECT n FROM v WHERE :real > r", "SELECT id FROM v WHERE b IS NULL OR r < 3",
	    "SELECT id, t || 'x' AS a FROM v WHERE t > 'text 5' AND NOT id < 0",
	    "SELECT n FROM v WHERE id <= -9223372036854775807",
	    "WITH s AS (SELECT x.id, i * 2 AS j, t AS u FROM v x WHERE x.i IS NOT NULL) SELECT j + 1 AS a, u FROM s WHERE id BETWEEN 0 AND 500 AND j > 10 ORDER BY id",
	    "SELECT a FROM empty", "SELECT a, rowid FROM one", "SELECT a, b FROM later",
	    "SELECT \"i\", [t], V.N FROM v", "WITH v AS (SELECT a FROM one) SELECT a FROM v WHERE a < 9",
	    "SELECT n FROM v WHERE id BETWEEN :split AND 4"};

	(void)state;
	for (size_t i = 0; i < COUNT(statements); i++) {
		compare(statements[i]);
		if (!is_scanned(statements[i]))
			fail_msg("%s is not scanned", statements[i]);
	}
}

/* Queries that cannot be read like this, or might come in another order, stay with SQLite. */
static void test_left(void **state)
{
	static const char *const statements[] = {"SELECT id FROM view_of_v", "SELECT i FROM by_text ORDER BY t",
	    "SELECT i FROM by_text", "SELECT i FROM no_row", "SELECT i FROM sorted WHERE i > 0",
	    "SELECT i FROM v ORDER BY i", "SELECT i FROM v ORDER BY id DESC", "SELECT i FROM v LIMIT 3",
	    "SELECT i FROM v ORDER BY id, i", "SELECT n FROM v WHERE id IN (7, 14)", "SELECT n FROM v WHERE i = 'word'",
	    "SELECT n FROM v WHERE t > 5", "SELECT v.i FROM j LEFT JOIN v ON v.id = j.to_v",
	    "SELECT v.i FROM j, v WHERE v.id = j.to_v", "SELECT v.i, j.a, v.id FROM j JOIN v ON v.id = j.to_v",
	    "SELECT v.i FROM j JOIN v ON v.id = j.to_v + 1", "SELECT v.i FROM j JOIN v ON v.i = j.to_v AND v.id < 40",
	    "SELECT v.i FROM j JOIN v ON v.id = j.to_v ORDER BY v.id", "SELECT v.i FROM j JOIN v USING (rowid)",
	    "SELECT v.i FROM v JOIN j ON v.id = j.to_v", "SELECT (SELECT max(id) FROM v) FROM v",
	    "SELECT random() IS NULL FROM v",
	    "WITH one AS (SELECT i AS a FROM v ORDER BY id) SELECT a FROM one WHERE a < 3",
	    "WITH x AS (SELECT 1), s AS (SELECT i AS j FROM v) SELECT j || '' FROM s",
	    "WITH s AS (SELECT i AS j FROM v LIMIT 3) SELECT j + 1 FROM s", "SELECT i FROM v, one",
	    "SELECT x.i FROM v x JOIN j ON x.id = j.to_v JOIN one ON 1", "SELECT type FROM sqlite_schema",
	    "SELECT z FROM made", "SELECT a, late FROM filled", "SELECT a FROM typed",
	    "SELECT a FROM folded ORDER BY rowid"};

	(void)state;
	for (size_t i = 0; i < COUNT(statements); i++) {
		if (!strstr(statements[i], "USING"))
			compare(statements[i]);
		if (!strstr(statements[i], "USING") && is_scanned(statements[i]))
			fail_msg("%s is scanned", statements[i]);
	}
	assert_ok(mp_db_run(db, "CREATE TEMP TABLE one(a INTEGER); INSERT INTO temp.one VALUES(6);", &err), &err);
	compare("SELECT a FROM one");
	assert_false(is_scanned("SELECT a FROM one"));
}

/* Rows of a source: 1 to 3 and their doubles; every second double is NULL. */
struct counting {
	struct mp_source source;
	const struct mp_wanted *wanted;
	int number, count;
};

static int begin_counting(struct mp_source *source, const struct mp_wanted *wanted, int count, struct mp_error *e)
{
	struct counting *c = (struct counting *)source;

	(void)e;
	assert_in_range(count, 1, 2);
	c->wanted = wanted;
	c->count = count;
	c->number = 0;
	return 0;
}

static int next_counting(struct mp_rows *rows, struct mp_error *e)
{
	struct counting *c = (struct counting *)rows;

	if (++c->number > 3)
		return c->number == 4 ? 0 : mp_fail(e, "asked behind the end");
	for (int i = 0; i < c->count; i++)
		*c->wanted[i].value = c->wanted[i].column == 1 ? mp_int(c->number)
				      : c->number == 2         ? mp_null()
							       : mp_int(2 * c->number);
	return 1;
}

/* A table of this program's own needs no SQLite for its rows. */
static void test_source(void **state)
{
	static const char sql[] = "SELECT t.twice + 1 AS a, number FROM temp.counting t WHERE coalesce(t.twice, 0) < 5";
	struct counting counting = {.source = {{next_counting, NULL}, "counting", begin_counting}};
	struct mp_query *q;

	(void)state;
	assert_ok(
	    mp_db_run(db,
		"CREATE TEMP TABLE counting(twice INTEGER, number INTEGER); CREATE TEMP TABLE other(twice INTEGER);",
		&err),
	    &err);
	db->source = &counting.source;
	assert_true(is_scanned(sql));
	assert_false(is_scanned("SELECT number FROM counting"));
	assert_false(is_scanned("SELECT twice FROM temp.other"));
	assert_false(is_scanned("SELECT rowid FROM temp.counting"));
	assert_ok(mp_query_open_rows(&q, db, sql, sizeof(sql) - 1, &err), &err);
	assert_int_equal(mp_query_next(q, &err), 1);
	assert_int_equal(mp_query_int(q, 0), 3);
	assert_int_equal(mp_query_int(q, 1), 1);
	assert_int_equal(mp_query_next(q, &err), 1);
	assert_int_equal(mp_query_value(q, 0).type, MP_NULL);
	assert_int_equal(mp_query_int(q, 1), 2);
	assert_int_equal(mp_query_next(q, &err), 0);
	mp_query_close(q);
	db->source = NULL;
}

/* New bindings give other rows; a text is converted like in SQLite. */
static void test_bound(void **state)
{
	static const char sql[] = "SELECT id FROM v WHERE id BETWEEN :from AND :to";
	struct mp_query *q;

	(void)state;
	assert_true(is_scanned(sql));
	assert_ok(mp_query_open_rows(&q, db, sql, sizeof(sql) - 1, &err), &err);
	assert_int_equal(count_rows(q), 0);
	for (int round = 0; round < 3; round++) {
		mp_query_rewind(q);
		assert_ok(mp_query_bind_int(q, "from", -3000 + 7 * round, &err), &err);
		assert_ok(mp_query_bind_int(q, "to", -3000 + 70, &err), &err);
		assert_int_equal(count_rows(q), 11 - round);
	}
	mp_query_rewind(q);
	assert_ok(mp_query_bind_text(q, "from", " -2993", &err), &err);
	assert_int_equal(count_rows(q), 10);
	mp_query_close(q);
}

/* A second run without new bindings must not reuse values of the last row. */
static void test_again(void **state)
{
	static const char *const statements[] = {
	    "SELECT id & 1 AS a FROM v WHERE id & 1", "SELECT id & 7 AS a FROM v WHERE id >= id & 7"};

	(void)state;
	for (size_t i = 0; i < COUNT(statements); i++) {
		struct mp_query *q;
		int count;

		assert_true(is_scanned(statements[i]));
		assert_ok(mp_query_open_rows(&q, db, statements[i], strlen(statements[i]), &err), &err);
		count = count_rows(q);
		assert_true(count > 0);
		for (int round = 0; round < 2; round++) {
			mp_query_rewind(q);
			assert_int_equal(count_rows(q), count);
		}
		mp_query_close(q);
	}
}

/* A failed row must not be served again. */
static void test_failed(void **state)
{
	static const char sql[] = "SELECT :text || :text || a AS t FROM one";
	struct mp_value text = {.type = MP_TEXT, .len = 9 << 20};
	char *bytes = malloc(text.len);
	struct mp_query *q;

	(void)state;
	assert_non_null(bytes);
	memset(bytes, 'x', text.len);
	text.text = bytes;
	assert_true(is_scanned(sql));
	assert_ok(mp_query_open_rows(&q, db, sql, sizeof(sql) - 1, &err), &err);
	assert_ok(mp_query_bind(q, "text", &text, &err), &err);
	assert_int_equal(mp_query_next(q, &err), -1);
	assert_non_null(strstr(err.text, "too big"));
	mp_query_close(q);
	free(bytes);
	assert_ok(mp_query_open_rows(&q, db, sql, sizeof(sql) - 1, &err), &err);
	assert_ok(mp_query_bind_text(q, "text", "-", &err), &err);
	assert_int_equal(mp_query_next(q, &err), 1);
	assert_memory_equal(mp_query_text(q, 0), "--5", 3);
	mp_query_close(q);
}

/* Rows with sizes near the size at which rows continue in other pages. */
static void test_large_row(void **state)
{
	(void)state;
	assert_true(is_scanned("SELECT i, t FROM large"));
	compare("SELECT i, t, n FROM large");
	compare("SELECT n FROM large WHERE i > 100 AND t > 'A'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_scanned, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_left, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_bound, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_again, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_source, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_failed, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_large_row, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
