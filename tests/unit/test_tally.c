/* test_tally.c: grouping by hashing gives the results of GROUP BY, spilled or not. */
#include "store_support.h"

#include "store/db.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

static struct mp_db *db;
static struct mp_error err;

static int setup(void **state)
{
	if (job_setup(state))
		return -1;
	db = import_private(*state);
	return 0;
}

static int teardown(void **state)
{
	mp_db_close(db);
	return job_teardown(state);
}

static void tally(const char *sql)
{
	struct mp_query *q;

	assert_ok(mp_query_open(&q, db, sql, strlen(sql), &err), &err);
	assert_ok(mp_tally(db, q, &err), &err);
	mp_query_close(q);
}

static void test_groups(void **state)
{
	static const char rows[] =
	    "SELECT k1, k2, count, total, longest, shortest, also_total FROM temp.tally ORDER BY k1, k2";

	(void)state;
	tally("SELECT column1 AS a, column2 AS b, column3 AS value, column4 AS also FROM (VALUES ('x', 1, 5, 1),"
	      " ('x', 1, -7, 2), (NULL, 1, 3, 3), ('x', 2, 4, 4), (NULL, 1, 3, 3), ('x', 1.0, 0, 0), ('', 1, 9, 9))");
	assert_rows(db, rows, "null|1|2|6|3|3|6 / |1|1|9|9|9|9 / x|1|2|-2|5|-7|3 / x|1|1|0|0|0|0 / x|2|1|4|4|4|4");
	/* another tally replaces it, with another number of keys */
	tally("SELECT 7 AS a, 1 AS value");
	assert_rows(db, rows, "7|null|1|1|1|1|0");
	tally("SELECT 7 AS a, 1 AS value WHERE 0");
	assert_rows(db, rows, "");
}

static void test_saturation(void **state)
{
	(void)state;
	tally("SELECT 1 AS a, column1 AS value FROM (VALUES (9223372036854775807), (1), (2))");
	assert_rows(db, "SELECT count, total, longest, shortest FROM temp.tally",
	    "3|9223372036854775807|9223372036854775807|1");
}

/* More groups than memory may hold: several pieces with the same totals. */
static void test_spilling(void **state)
{
	static const char numbers[] =
	    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999) ";
	char sql[1024];

	(void)state;
	snprintf(sql, sizeof(sql),
	    "%sSELECT 'name ' || (i * 7919 %% 40009) AS a, i %% 3 AS b, i - 50000 AS value FROM n", numbers);
	tally(sql);
	snprintf(sql, sizeof(sql),
	    "%s, expected AS (SELECT 'name ' || (i * 7919 %% 40009) AS a, i %% 3 AS b, count(*), sum(i - 50000),"
	    " max(i - 50000), min(i - 50000) FROM n GROUP BY 1, 2),"
	    " found AS (SELECT k1, k2, sum(count), sum(total), max(longest), min(shortest) FROM temp.tally GROUP BY 1, 2)"
	    " SELECT (SELECT count(*) FROM (SELECT * FROM expected EXCEPT SELECT * FROM found)),"
	    " (SELECT count(*) FROM (SELECT * FROM found EXCEPT SELECT * FROM expected)), (SELECT count(*) > 40000 FROM found)",
	    numbers);
	assert_rows(db, sql, "0|0|1");
}

static void test_long_keys(void **state)
{
	struct mp_query *q;
	static const char longest[] =
	    "SELECT printf('%.*c', 60000, 'x') || column1 AS a, 1 AS value FROM (VALUES (1), (2), (1))";
	static const char longer[] = "SELECT printf('%.*c', 9000000, 'x') AS a, 1 AS value";

	(void)state;
	tally(longest);
	assert_rows(db, "SELECT length(k1), count FROM temp.tally ORDER BY k1", "60001|2 / 60001|1");
	assert_ok(mp_query_open(&q, db, longer, sizeof(longer) - 1, &err), &err);
	assert_refused(mp_tally(db, q, &err), &err, "a key is longer than");
	mp_query_close(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_groups), TEST(test_saturation), TEST(test_spilling), TEST(test_long_keys)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
