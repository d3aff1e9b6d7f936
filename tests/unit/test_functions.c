/* test_functions.c: the SQL functions of this program, and queries. */
#include "store_support.h"

static struct job_test *job;
static struct mp_db *db;
static struct mp_error err;

static int setup(void **state)
{
	if (job_setup(state))
		return -1;
	job = *state;
	db = import_private(job);
	return 0;
}

static int teardown(void **state)
{
	mp_db_close(db);
	return job_teardown(state);
}

static void test_decimal(void **state)
{
	static const struct {
		const char *arguments, *result;
	} cases[] = {
	    {"1, 2, 0", "0"},
	    {"3, 2, 0", "2"},
	    {"5, 2, 0", "2"},
	    {"7, 2, 0", "4"}, /* half to even */
	    {"-1, 2, 0", "0"},
	    {"-3, 2, 0", "-2"},
	    {"-5, 2, 0", "-2"},
	    {"-7, 2, 0", "-4"},
	    {"1, -2, 0", "0"},
	    {"3, -2, 0", "-2"},
	    {"-3, -2, 0", "2"},
	    {"1, 3, 2", "0.33"},
	    {"2, 3, 2", "0.67"},
	    {"-1, 3, 2", "-0.33"},
	    {"-2, 3, 2", "-0.67"},
	    {"1, 8, 2", "0.12"},
	    {"3, 8, 2", "0.38"},
	    {"-1, 8, 2", "-0.12"},
	    {"1, 200, 2", "0"},
	    /* about 2^32, with a half each time */
	    {"42949672, 4294967200, 2", "0.01"},
	    {"42949673, 8589934600, 2", "0"},
	    {"64424509440, 4294967296, 2", "15"},
	    {"107374182400, 4294967296, 2", "25"},
	    {"4294967295, 4294967295, 2", "1"},
	    {"4294967295, 2, 0", "2147483648"},
	    {"-42949673, 4294967300, 2", "-0.01"},
	    {"3, 200, 2", "0.02"},
	    {"6, 3, 2", "2"},
	    {"5, 2, 1", "2.5"},
	    {"0, 5, 2", "0"},
	    {"7, 7, 6", "1"},
	    {"1, 1000000, 6", "1e-06"},
	    {"1, 0, 2", "null"},
	    {"NULL, 1, 2", "null"},
	    {"1, NULL, 2", "null"},
	    {"1, 1, NULL", "null"},
	    {"1, 1, -1", "null"},
	    {"1, 1, 7", "null"},
	    {"9223372036854775807, 1, 6", "9223372036854775807"},
	    {"-9223372036854775807 - 1, 1, 6", "-9223372036854775808"},
	    {"9223372036854775807, 9223372036854775807, 6", "1"},
	    {"-9223372036854775807 - 1, -9223372036854775807 - 1, 2", "1"},
	    {"1, -9223372036854775807 - 1, 2", "0"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char sql[256];

		/* printf('%!.15g') would hide nothing here, because all results have few digits */
		snprintf(sql, sizeof(sql),
		    "SELECT CASE typeof(d) WHEN 'real' THEN printf('%%.10g', d) ELSE d END FROM (SELECT decimal(%s) AS d)",
		    cases[i].arguments);
		if (strcmp(ask(db, sql), cases[i].result) != 0)
			fail_msg("decimal(%s) is %s, not %s", cases[i].arguments, ask(db, sql), cases[i].result);
	}
	assert_rows(db,
	    "SELECT typeof(decimal(6, 3, 2)), typeof(decimal(1, 3, 2)),"
	    " typeof(decimal(-9223372036854775807 - 1, -1, 0))",
	    "integer|real|real");
	/* the double nearest to the decimal, whose shortest text is the decimal */
	assert_rows(db,
	    "SELECT decimal(438771, 100, 2) = 4387.71, decimal(5743, 100, 1) = 57.4, decimal(1, 10, 1) = 0.1", "1|1|1");
}

/* Compare with integer arithmetic in SQL: the remainder decides the direction of rounding. */
static void test_decimal_random(void **state)
{
	(void)state;
	assert_rows(db,
	    "WITH RECURSIVE n(i, a, b) AS (SELECT 0, 0, 1 UNION ALL"
	    " SELECT i + 1, (i * 7919 + 13) % 200003 - 100000, (i * 104729) % 977 + 1 FROM n WHERE i < 20000),"
	    " v AS (SELECT a, b, decimal(a, b, 0) AS d FROM n)"
	    " SELECT count(*) FROM v WHERE abs(a - d * b) * 2 > b OR (abs(a - d * b) * 2 = b AND d % 2 <> 0)",
	    "0");
}

static void test_total_int(void **state)
{
	(void)state;
	assert_rows(db, "SELECT total_int(column1) FROM (VALUES (1), (2), (NULL), (-5))", "-2");
	assert_rows(db, "SELECT total_int(x) FROM (SELECT NULL AS x)", "null");
	assert_rows(db, "SELECT total_int(x) FROM (SELECT 1 AS x WHERE 0)", "null");
	assert_rows(
	    db, "SELECT total_int(x) FROM (SELECT 9223372036854775807 AS x UNION ALL SELECT 1)", "9223372036854775807");
	assert_rows(db, "SELECT total_int(x) FROM (SELECT -9223372036854775807 AS x UNION ALL SELECT -2)",
	    "-9223372036854775808");
	assert_rows(db, "SELECT column1, total_int(column2) FROM (VALUES (1, 2), (2, 3), (1, 4)) GROUP BY column1",
	    "1|6 / 2|3");
}

static void test_query(void **state)
{
	static const char sql[] = "SELECT :i AS one, :t AS two, :r, :n, x'00' trailing rubbish";
	const struct mp_value real = {.type = MP_REAL, .d = 0.5}, none = {.type = MP_NULL};
	struct mp_query *q;

	(void)state;
	assert_ok(mp_query_open(&q, db, sql, strcspn(sql, "x") - 2, &err), &err);
	assert_ok(mp_query_bind_int(q, "i", INT64_MIN, &err), &err);
	assert_ok(mp_query_bind_text(q, "t", "a'b", &err), &err);
	assert_ok(mp_query_bind(q, "r", &real, &err), &err);
	assert_ok(mp_query_bind(q, "n", &none, &err), &err);
	assert_ok(mp_query_bind_int(q, "unknown", 1, &err), &err);
	assert_int_equal(mp_query_column_count(q), 4);
	assert_string_equal(mp_query_title(q, 1), "two");
	for (int round = 0; round < 2; round++) {
		assert_int_equal(mp_query_next(q, &err), 1);
		assert_true(mp_query_value(q, 0).type == MP_INT && mp_query_int(q, 0) == INT64_MIN);
		assert_true(mp_query_value(q, 1).type == MP_TEXT && mp_query_value(q, 1).len == 3);
		assert_true(mp_query_value(q, 2).type == MP_REAL && mp_query_value(q, 2).d >= 0.5);
		assert_int_equal(mp_query_value(q, 3).type, MP_NULL);
		assert_int_equal(mp_query_next(q, &err), 0);
		mp_query_rewind(q);
	}
	mp_query_close(q);
	assert_refused(mp_query_open(&q, db, "SELEC", 5, &err), &err, "cannot query 'private database': ");
	assert_null(q);
	assert_refused(mp_query_open(&q, db, "-- nothing", 10, &err), &err, "cannot query");
}

static void test_number(void **state)
{
	int64_t value;

	(void)state;
	assert_ok(mp_db_number(db, "SELECT 7, 8", -1, &value, &err), &err);
	assert_int_equal(value, 7);
	assert_ok(mp_db_number(db, "SELECT 7 WHERE 0", -1, &value, &err), &err);
	assert_int_equal(value, -1);
	assert_ok(mp_db_number(db, "SELECT NULL", -1, &value, &err), &err);
	assert_int_equal(value, -1);
	assert_refused(mp_db_number(db, "SELECT nothing", -1, &value, &err), &err, "nothing");
	assert_refused(mp_db_run(db, "NONSENSE", &err), &err, "database 'private database'");
}

/* Rounding uses all digits of the double: 2.675 is below its decimal, 0.125 is a tie. */
static void test_rounded(void **state)
{
	(void)state;
	assert_rows(db,
	    "SELECT repr(rounded(2.675, 2)), repr(rounded(0.125, 2)), repr(rounded(0.375, 2)), repr(rounded(-2.5, 0)),"
	    " repr(rounded(7, 3)), rounded(NULL, 2), rounded(1, NULL), rounded(1, -1), rounded(1, 18)",
	    "2.67|0.12|0.38|-2.0|7.0|null|1|null|null");
	assert_rows(db,
	    "SELECT fixed(0.79419, 6), fixed(2.5, 0), fixed(3.5, 0), fixed(-1e300, 1) LIKE '-1000%.0', fixed(NULL, 1)",
	    "0.794190|2|4|1|null");
}

static void test_repr(void **state)
{
	(void)state;
	assert_rows(db,
	    "SELECT repr(1000001089041.6666), repr(988.0), repr(1e16), repr(7), repr('x'), repr(NULL), typeof(repr(7))",
	    "1000001089041.6666|988.0|1e+16|7|x|null|text");
}

static void test_pick(void **state)
{
	(void)state;
	assert_rows(db,
	    "SELECT pick(0, 5, 6), pick(1, 5, 'b'), pick(2, 5, 6), pick(-1, 5), pick(NULL, 5), pick(0), pick('0', 5)",
	    "5|b|null|null|null|null|null");
}

/* Rounding of the current Ascend generation: half up, once; a double lacks some of a half. */
static void test_half_up(void **state)
{
	(void)state;
	assert_rows(db,
	    "SELECT half_up(70.2075, 3) = 70.208, half_up(102.11749999999999, 3) = 102.118, half_up(0.0005, 3) = 0.001,"
	    " half_up(-0.0005, 3) = 0, half_up(2, 3) = 2, half_up(73167 / 23946.0, 3) = 3.055,"
	    " half_up(3.0554999999, 3) = 3.055, half_up(1e15, 3) = 1e15",
	    "1|1|1|1|1|1|1|1");
	assert_rows(db,
	    "SELECT trimmed(2.0004), trimmed(2.0005) = 2.001, trimmed(5.44) = 5.44, typeof(trimmed(1.9996))",
	    "2|1|1|integer");
	assert_rows(db, "SELECT half_up(NULL, 3) IS NULL, half_up(1, 7) IS NULL, trimmed(NULL) IS NULL", "1|1|1");
}

static void test_raw_numbers(void **state)
{
	(void)state;
	assert_rows(db,
	    "SELECT number_at(x'0102030405060708', 0, 2), number_at(x'ff', 0, 1), number_at(x'ffffffffffffffff', 0, 8)",
	    "513|255|-1");
	assert_rows(db,
	    "SELECT number_at(x'0102', 1, 2) IS NULL, number_at(x'0102', -1, 1) IS NULL, number_at(x'01', 0, 9) IS NULL,"
	    " number_at(NULL, 0, 1) IS NULL",
	    "1|1|1|1");
	assert_rows(
	    db, "SELECT hex_int('0x416'), hex_int('12'), hex_int('0x1z') IS NULL, hex_int('') IS NULL", "1046|12|1|1");
	assert_rows(db, "SELECT us(1234567), us(0), us(-1), us(NULL) IS NULL", "1234.567|0.000|-0.001|1");
	assert_rows(db, "SELECT trace_pid(4242, 14, 3), trace_process(trace_pid(4242, 14, 3)), trace_pid(0, 31, 31)",
	    "4344259|14|1023");
	assert_rows(db,
	    "SELECT text_hash(''), text_hash('a'), text_hash('12345678'),"
	    " text_hash('hcom_allReduce__003_0_1_8000000000000000003_0')",
	    "6142509188972423790|4993892634952068459|-8332907654791504731|8659767870815007955"); /* by libstdc++ */
	assert_rows(db,
	    "SELECT say('verdict.part', 'part', 'idle', 'share', percent_text(1, 3)), say('verdict.part', 'part', NULL, 'share', 1) IS NULL",
	    ", idle 33 %|1");
	assert_rows(db,
	    "SELECT time_text(0), time_text(999), time_text(31234567), time_text(2934567), time_text(999960), time_text(-1500), time_text(9995000000),"
	    " time_text(NULL) IS NULL",
	    "0 ns|999 ns|31.2 ms|2.93 ms|1.00 ms|-1.50 us|10.0 s|1");
	assert_rows(db,
	    "SELECT percent_text(57, 100), percent_text(2949, 100000), percent_text(3, 10000), percent_text(0, 5), percent_text(1, 0) IS NULL",
	    "57|2.9|0.03|0|1");
	assert_rows(db,
	    "SELECT double_of(4611686018427387904), double_of(-4616189618054758400),"
	    " double_of(9218868437227405312) IS NULL, double_of(NULL) IS NULL",
	    "2|-1|1|1");
	assert_rows(db, "SELECT has_bit(16384, 14), has_bit(16384, 13), has_bit(0, 31)", "1|0|0");
}

/* The table of a query has the first value of each key; its readers may ask for any key. */
static void test_firsts(void **state)
{
	(void)state;
	assert_ok(mp_db_run(db,
		      "CREATE VIRTUAL TABLE temp.f USING firsts(SELECT column1 AS a, column2 AS b, column3 AS id"
		      " FROM (VALUES (1, 2, 10), (1, 2, 11), (2, 1, 12), (1, NULL, 13)))",
		      &err),
	    &err);
	assert_rows(db, "SELECT id FROM temp.f WHERE a = 1 AND b = 2", "10");
	assert_rows(db,
	    "SELECT x.column1, f.id FROM (VALUES (2), (3)) x LEFT JOIN temp.f f ON f.a = x.column1 AND f.b = 1",
	    "2|12 / 3|null");
	assert_rows(db, "SELECT count(*) FROM temp.f WHERE a = 1 AND b = NULL", "0");
	assert_rows(db, "SELECT peek('f', 1, 2), peek('f', 2, 1), peek('f', 2, 2) IS NULL", "10|12|1");
	assert_refused(mp_db_run(db, "SELECT * FROM temp.f WHERE a = 1", &err), &err, "no query solution");
	assert_refused(mp_db_run(db, "DELETE FROM temp.f WHERE a = 1 AND b = 2", &err), &err, "may not be modified");
	assert_ok(mp_db_run(db, "DROP TABLE temp.f", &err), &err);
	assert_rows(db, "SELECT peek('f', 1, 2) IS NULL", "1");
	assert_refused(mp_db_run(db, "CREATE VIRTUAL TABLE temp.g USING firsts(SELECT 1)", &err), &err, "1 to");
	assert_refused(mp_db_run(db, "CREATE VIRTUAL TABLE temp.h USING firsts", &err), &err, "1 to");
	assert_refused(
	    mp_db_run(db, "CREATE VIRTUAL TABLE temp.i USING firsts(SELECT x, 1)", &err), &err, "no such column: x");
}

/* The last interval that contains a moment, also around intervals that are over. */
static void test_intervals(void **state)
{
	(void)state;
	assert_ok(mp_db_run(db,
		      "CREATE VIRTUAL TABLE temp.call USING intervals(SELECT column1, column2, column3, column4 FROM"
		      " (VALUES (9, 0, 100, 1), (9, 10, 20, 2), (9, 30, 40, 3)))",
		      &err),
	    &err);
	assert_rows(db,
	    "SELECT x.column1, c.value FROM (VALUES (15), (20), (25), (40), (0), (101), (-1), (NULL)) x"
	    " LEFT JOIN temp.call c ON c.key = 9 AND c.at = x.column1",
	    "15|2 / 20|2 / 25|1 / 40|3 / 0|1 / 101|null / -1|null / null|null");
	assert_rows(db, "SELECT count(*) FROM temp.call WHERE key = 8 AND at = 15", "0");
	assert_refused(mp_db_run(db, "SELECT * FROM temp.call WHERE key = 9", &err), &err, "no query solution");
	assert_refused(
	    mp_db_run(db, "CREATE VIRTUAL TABLE temp.d USING intervals(SELECT 1)", &err), &err, "key, from, to, value");
}

static void test_numbers(void **state)
{
	(void)state;
	assert_rows(db, "SELECT group_concat(value) FROM numbers(4)", "0,1,2,3");
	assert_rows(db, "SELECT count(*) FROM numbers(0)", "0");
	assert_rows(db, "SELECT x.column1, n.value FROM (VALUES (2), (1)) x CROSS JOIN numbers(x.column1) n",
	    "2|0 / 2|1 / 1|0");
	assert_refused(mp_db_run(db, "SELECT * FROM numbers", &err), &err, "no query solution");
}

static void assert_words(const char *text, const char *words)
{
	char sql[512];

	snprintf(sql, sizeof(sql),
	    "SELECT coalesce(group_concat(place || ' ' || word || coalesce(' ' || name, '') || coalesce('=' || "
	    "typeof(number) "
	    "|| number || unit, ''), '; '), '') FROM words('%s')",
	    text);
	assert_rows(db, sql, words);
}

static void test_text_words(void **state)
{
	(void)state;
	assert_words("  core  12\t-3 ", "0 core; 1 12=integer12; 2 -3=integer-3");
	assert_words("used=12KB(0.5MB),free : 3%",
	    "0 used=12KB used=integer12KB; 1 0.5MB=real0.5MB; 2 free; 3 :; 4 3% free=integer3%");
	assert_words("Total: 9 kB", "0 Total:; 1 9 Total=integer9; 2 kB");
	assert_words("0x12 1.2.3 12e3 - + . : = a=b=1 00:00:01 123456789012345678901",
	    "0 0x12; 1 1.2.3; 2 12e3; 3 -; 4 +; 5 .; 6 :; 7 =; 8 a=b=1; 9 00:00:01; 10 123456789012345678901");
	assert_words("=5 :6", "0 =5=integer5; 1 :6=integer6");
	assert_words("", "");
	assert_rows(db, "SELECT count(*) FROM words(NULL)", "0");
	assert_refused(mp_db_run(db, "SELECT * FROM words", &err), &err, "no query solution");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_decimal, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_decimal_random, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_total_int, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_rounded, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_repr, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_pick, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_half_up, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_raw_numbers, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_firsts, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_intervals, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_text_words, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_query, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_number, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
