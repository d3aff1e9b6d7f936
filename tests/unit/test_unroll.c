/* test_unroll.c: small tables that a scan joins give the rows and the order of SQLite. */
#include "scan_support.h"

static const char small_tables[] =
    "CREATE TEMP TABLE given(wall INTEGER, scale); INSERT INTO temp.given VALUES(1000, 2.5);"
    "CREATE TEMP TABLE measure(core TEXT, n INTEGER, first INTEGER, second INTEGER, kind TEXT, factor);"
    "INSERT INTO temp.measure VALUES('a', 1, 0, 2, 'sum', 1), ('a', 1, 0, 2, 'first', 'x'), ('a', 2, 1, NULL, 'sum', 2), ('b', 3, 2, 0, 'text', 3),"
    " (NULL, 4, NULL, NULL, 'none', NULL), ('b', 5, 9, 1, 'sum', 1.5);"
    "CREATE INDEX temp.measure_by_n ON measure(n);" /* else SQLite makes one, in another order */
    "CREATE TEMP TABLE order_of(kind INTEGER, negative INTEGER); INSERT INTO temp.order_of VALUES(3, 0), (1, 1), (1, 0);"
    "CREATE TEMP TABLE vacant(a INTEGER);"
    "CREATE TEMP TABLE many(a INTEGER);"
    "INSERT INTO temp.many WITH RECURSIVE k(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM k WHERE k < 3000) SELECT k FROM k;";

static int setup_small(void **state)
{
	setup(state);
	assert_ok(mp_db_run(db, small_tables, &err), &err);
	return 0;
}

static void check(const char *sql)
{
	compare(sql);
	if (!is_scanned(sql))
		fail_msg("%s is not scanned", sql);
}

static void test_inner(void **state)
{
	(void)state;
	check("SELECT v.id + g.wall, v.i FROM v CROSS JOIN temp.given g WHERE v.id > 0 ORDER BY v.id");
	check("SELECT x.n * m.factor AS a, m.n AS b FROM main.v x CROSS JOIN temp.measure m");
	check("SELECT v.id AS k, m.kind AS a FROM v CROSS JOIN temp.measure m ON m.n = (v.n & 1) + 1 AND m.core = 'a'");
	check(
	    "SELECT v.id AS k, g.scale * m.n AS a FROM v CROSS JOIN temp.given g CROSS JOIN temp.measure m WHERE (v.id & 7) < m.n");
	check("SELECT i FROM v CROSS JOIN temp.vacant");
	check(
	    "SELECT v.t || m.kind AS a, coalesce(m.core, v.t) AS b, m.core || v.t AS c FROM v CROSS JOIN temp.measure m");
}

/* What is known of a row is computed before; the rest must stay as SQLite computes it. */
static void test_constants(void **state)
{
	(void)state;
	check(
	    "SELECT pick(m.first, v.i, v.r, v.n) AS a, pick(m.second, v.id, v.n) AS b FROM v CROSS JOIN temp.measure m");
	check(
	    "SELECT CASE m.kind WHEN 'sum' THEN v.n + m.factor WHEN 'text' THEN v.t ELSE v.b END AS a FROM v CROSS JOIN temp.measure m");
	check(
	    "SELECT CASE WHEN m.first > 0 THEN v.n WHEN v.id > 50 THEN m.n WHEN m.first = 0 THEN 0 - v.id END AS a FROM v CROSS JOIN temp.measure m");
	check(
	    "SELECT coalesce(m.first, v.i, m.second, 7) AS a, coalesce(m.factor * pick(m.second, v.i, v.r), 0) AS b FROM v CROSS JOIN temp.measure m");
	check(
	    "SELECT m.first IS NULL AS a, m.first = (v.id & 1) AS b, nullif(m.n, v.n) AS c, v.n / m.first AS d FROM v CROSS JOIN temp.measure m");
	check(
	    "WITH s AS (SELECT v.id, m.n, m.kind, coalesce(pick(m.first, v.n, v.r), 0) + coalesce(pick(m.second, v.n, v.r), 0) AS x"
	    " FROM v CROSS JOIN temp.measure m ON m.n > 1 WHERE v.id > 0)"
	    " SELECT id - 1 AS id, n, CASE kind WHEN 'sum' THEN x * 1000 ELSE x / nullif(n, 0) END AS y FROM s");
}

/* Operators that leave a number as it is are left out; texts are still converted, and -0.0 + 0 is 0.0. */
static void test_idle(void **state)
{
	(void)state;
	check(
	    "SELECT (v.n + v.i) * m.n AS a, (v.r - v.n) / m.n AS b, v.t * m.n AS c, (v.t || '') / m.n AS d, v.r * m.n AS e, v.i / m.n AS f"
	    " FROM v CROSS JOIN temp.measure m");
	check(
	    "SELECT v.r * (0.0 * (0 - 1)) + m.first + m.first AS a, v.r * (0.0 * (0 - 1)) + m.first AS b, v.t + m.first + m.first AS c, v.n / 3.0 + m.first + coalesce(m.second, 0) AS d,"
	    " v.n / 3.0 + m.first - m.first AS e, v.i * 2 + m.first + 0.0 * m.n AS f FROM v CROSS JOIN temp.measure m");
}

static void test_passes(void **state)
{
	(void)state;
	check(
	    "SELECT o.kind AS a, v.id AS k FROM temp.order_of o CROSS JOIN v WHERE (v.n & 3) = o.kind AND CASE o.negative WHEN 1 THEN v.id < 0 ELSE v.id > 0 END");
	check(
	    "SELECT o.kind AS a, m.n AS b, one.a AS c FROM temp.order_of o CROSS JOIN temp.given g CROSS JOIN one CROSS JOIN temp.measure m");
	check(
	    "SELECT row_number() OVER () - 1 AS a, o.kind AS b, v.id + g.wall AS c FROM temp.order_of o CROSS JOIN temp.given g CROSS JOIN v WHERE (v.id & 63) = o.kind");
	check(
	    "SELECT row_number() OVER () AS a, row_number() OVER () + m.n AS b, v.id AS k FROM v CROSS JOIN temp.measure m WHERE (v.id & 63) < 3");
	check("SELECT row_number() OVER () AS a, i FROM v WHERE i > 0");
}

static void test_left(void **state)
{
	static const char *const statements[] = {"SELECT v.id FROM v JOIN temp.measure m ON m.n = v.n",
	    "SELECT v.id FROM v LEFT JOIN temp.measure m ON m.n = v.n", "SELECT v.id FROM v CROSS JOIN one",
	    "SELECT v.id FROM temp.order_of o CROSS JOIN v ORDER BY v.id",
	    "SELECT m.n FROM temp.measure m CROSS JOIN temp.given",
	    "SELECT row_number() OVER (ORDER BY id) AS a FROM v", "SELECT row_number() OVER () AS a FROM v ORDER BY id",
	    "SELECT v.id FROM v CROSS JOIN temp.measure m ORDER BY m.n"};

	(void)state;
	for (size_t i = 0; i < COUNT(statements); i++) {
		compare(statements[i]);
		if (is_scanned(statements[i]))
			fail_msg("%s is scanned", statements[i]);
	}
}

/* Too many rows are SQLite's; rows that changed since are read anew. */
static void test_many(void **state)
{
	static const char sql[] = "SELECT m.n + one.a AS a FROM one CROSS JOIN temp.measure m";
	struct mp_query *q;

	(void)state;
	compare("SELECT one.a + m.a AS a FROM one CROSS JOIN temp.many m");
	assert_ok(mp_query_open_rows(&q, db, sql, sizeof(sql) - 1, &err), &err);
	assert_int_equal(count_rows(q), 6);
	assert_true(mp_query_engine(q)->alone);
	assert_ok(mp_db_run(db, "DELETE FROM temp.measure WHERE n > 2; UPDATE temp.measure SET n = 40", &err), &err);
	mp_query_rewind(q);
	assert_int_equal(mp_query_next(q, &err), 1);
	assert_int_equal(mp_query_int(q, 0), 45);
	assert_int_equal(count_rows(q), 2);
	mp_query_close(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_inner, setup_small, teardown),
	    cmocka_unit_test_setup_teardown(test_constants, setup_small, teardown),
	    cmocka_unit_test_setup_teardown(test_idle, setup_small, teardown),
	    cmocka_unit_test_setup_teardown(test_passes, setup_small, teardown),
	    cmocka_unit_test_setup_teardown(test_left, setup_small, teardown),
	    cmocka_unit_test_setup_teardown(test_many, setup_small, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
