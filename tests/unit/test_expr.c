/* test_expr.c: expressions compute the same as SQLite: type and value, row by row, over awkward values. */
#include "expr_support.h"

static struct job_test *job;

/* Numbers at all edges, texts that look like numbers or nearly, blobs; and columns of each affinity. */
static const char values[] =
    "CREATE TEMP TABLE v(id INTEGER PRIMARY KEY, i INTEGER, r REAL, t TEXT, b BLOB, n);"
    "INSERT INTO v(n) VALUES (NULL), (0), (1), (-1), (2), (63), (64), (-64), (7), (1000), (4294967295), (9223372036854775807),"
    " (-9223372036854775807 - 1), (4611686018427387904), (9007199254740993), (0.0), (-0.0), (0.5), (-0.5), (1.5), (2.5), (1e300),"
    " (-1e300), (9e999), (-9e999), (1e-7), (123456.789), (9223372036854775807.0), (-9223372036854775808.0), (4503599627370497.5),"
    " (''), ('0'), ('1'), (' 12 '), ('12abc'), ('abc'), ('-7.5e2x'), ('1e3'), ('9223372036854775808'), ('ä'), (x'3132'), (x''), (x'ff00');"
    "UPDATE v SET i = CASE WHEN typeof(n) IN ('integer', 'text') THEN n END, r = CASE WHEN typeof(n) IN ('real', 'integer') THEN n END,"
    " t = CASE typeof(n) WHEN 'blob' THEN NULL ELSE n END, b = n;"
    "CREATE TEMP TABLE w(key INTEGER PRIMARY KEY, word TEXT, other);"
    "INSERT INTO w VALUES (0, 'none', 1), (1, 'one', NULL), (-1, NULL, 2.5), (1000, 'thousand', 'x');";

static int setup(void **state)
{
	if (job_setup(state))
		return -1;
	job = *state;
	db = import_private(job);
	assert_ok(mp_db_run(db, values, &err), &err);
	assert_ok(mp_db_run(db,
		      "CREATE VIRTUAL TABLE temp.there USING firsts(SELECT id, id * 10 FROM v ORDER BY rowid);", &err),
	    &err);
	return 0;
}

static int teardown(void **state)
{
	mp_db_close(db);
	return job_teardown(state);
}

/* The number of terms of a statement that are computed as expressions. */
static int count_computed(const char *sql)
{
	struct mp_engine_rows *rows;
	const struct mp_expr_query *c;
	sqlite3_stmt *whole;
	int count = 0;

	assert_int_equal(sqlite3_prepare_v2(db->handle, sql, -1, &whole, NULL), SQLITE_OK);
	assert_ok(db->engine(&rows, db, whole, &err), &err);
	c = (const struct mp_expr_query *)rows;
	for (int i = 0; c && i < c->term_count; i++)
		count += c->nodes[c->terms[i]].op != MP_EXPR_COLUMN || !c->columns[c->nodes[c->terms[i]].number].whole;
	if (rows)
		rows->close(rows);
	sqlite3_finalize(whole);
	return count;
}

/* Each operator between columns of each kind, over all pairs of values. */
static void test_operators(void **state)
{
	static const char *const signs[] = {"+", "-", "*", "/", "&", "|", "<<", ">>", "||", "AND", "OR", "<", "<=", ">",
	    ">=", "=", "==", "<>", "!=", "IS", "IS NOT"};
	static const char columns[] = "irtbn";
	char sql[256];

	(void)state;
	for (size_t s = 0; s < COUNT(signs); s++)
		for (size_t a = 0; columns[a]; a++)
			for (size_t b = 0; columns[b]; b++) {
				snprintf(sql, sizeof(sql), "SELECT x.%c %s y.%c AS z FROM v x CROSS JOIN v y",
				    columns[a], signs[s], columns[b]);
				compare(sql);
				assert_true(s >= 11 || count_computed(sql) == 1);
			}
}

static void test_terms(void **state)
{
	static const char *const terms[] = {"n IS NULL", "n IS NOT NULL", "NOT n", "b IS -1 + 1 + NULL",
	    "CAST(n AS INTEGER)", "CAST(n AS REAL)", "CAST(n AS TEXT)", "CAST(t AS INTEGER) + 1",
	    "CASE WHEN n THEN 1 WHEN i THEN 2 END", "CASE b WHEN NULL THEN 1 ELSE 2 END",
	    "CASE i WHEN 1 THEN 'one' WHEN 0 THEN 'none' ELSE coalesce(i, 'N/A') END",
	    "CASE t WHEN 'abc' THEN t || '!' END", "CASE t || '' WHEN '1' THEN 1 END", "coalesce(n, i, 'x')",
	    "coalesce(NULL, NULL)", "ifnull(r, -0.0)", "iif(b > 1, 2, 3)", "nullif(n, 1)", "nullif(t, 'abc')",
	    "nullif(i, 1.0)", "nullif(1, n)", "min(n, 1)", "max(1, n)", "min(n, 1.0, r)", "max(n, '5')", "min(1, 1.0)",
	    "max(1, 1.0)", "round(n)", "round(r)", "round(r * 1000)", "printf('%u', n)", "printf('%u', i)", "char(9)",
	    "n || char(9)", "decimal(i, 7, 2)", "decimal(n, i, 3)", "decimal(n, i, 0)", "half_up(n, 3)",
	    "half_up(r, 6)", "half_up(r * 1e9, 0)", "trimmed(n)", "trimmed(r / 1000.0)", "us(n)", "us(i)", "us(t)",
	    "repr(n)", "word('w', 'word', n)", "core_us(i, 1000, 4, 3)", "core_us(i, i, i, n)",
	    "core_us(n, :int, NULL, 20)", "peek('there', id)", "peek('there', n, i)", "peek('nowhere', t) + 1",
	    "word('w', 'other', i)", "coalesce(word('w', 'word', i), printf('%u', i))", "-5 * i", "-9 / 2", "-5 || n",
	    "- 5 + -0.0", "1e6 * r", "1.0 * i", "i / 1000.0", "i / 1000", "1 << 2 << 3", "2 + 3 * 4 - 1",
	    "1 | 2 << 3 & 5", "NOT i = 1", "NOT 1 AND 0", "i = 1 = 1", "1 < 2 = 1", "i + 1 || 'x'", "2 * 3 || '4'",
	    "(1 + 2) * 3", "i IS NOT NULL AND r IS NULL OR t IS NULL", ":int + i", ":text || t", ":real * r", ":none",
	    ":unbound || n", "coalesce(:none, n)", "i = :int + 0", "CASE :text WHEN 'abc' THEN n END", "'it''s' || n",
	    "\"t\" || 'q'", "[t] || `t`", "v.t || 1", "i -- remark\n + 1", "max(i + 1, r) - min(0, i)",
	    "us(i + :int) || char(9)", "CASE WHEN i IS NULL THEN '0' ELSE us(max(i, 0)) || '000' END", "1 = '1'",
	    "9223372036854775807 - i", "i BETWEEN 0 AND 64", "NOT r BETWEEN i AND 5 AND t IS NULL", "i > 1", "r <= 0.0",
	    "i = 1", "i IS r", "t = 'abc'", "b = 1", "b < 'abc'"};
	char sql[512];

	(void)state;
	for (size_t i = 0; i < COUNT(terms); i++) {
		snprintf(sql, sizeof(sql), "SELECT id, %s AS z FROM v", terms[i]);
		compare(sql);
		if (count_computed(sql) != 2)
			fail_msg("%s is not computed as a cell", terms[i]);
	}
}

/* Unknown terms, and comparisons with a conversion, stay with SQLite; the terms beside them do not. */
static void test_stays(void **state)
{
	static const char *const terms[] = {"n NOTNULL", "n ISNULL", "n NOT NULL", "n = 1", "i = '1'", "t = 1", "t > i",
	    "CASE i WHEN '1' THEN 1 END", "i IS t", "i = :int", "n % 2", "~i", "-i", "+n", "n IN (1, 2)", "t LIKE 'a%'",
	    "n BETWEEN 0 AND 2", "(SELECT max(i) FROM v)", "EXISTS (SELECT 1)", "length(t)", "printf('%d', i)",
	    "CAST(i AS NUMERIC)", "t COLLATE NOCASE = 'ABC'", "char(9, 10)", "char(i)", "0.1 + i",
	    "9223372036854775808 + i", "n IS TRUE", "min(i) OVER ()", "t -> 0", "x'00' || t", "decimal(n, 3, i)",
	    "half_up(r, i)", "half_up(r, NULL)", "half_up(r, 7)", "decimal(i, 3, -1)"};
	char sql[512];

	(void)state;
	for (size_t i = 0; i < COUNT(terms); i++) {
		snprintf(sql, sizeof(sql), "SELECT i + 1 AS y, %s AS z FROM v WHERE t IS NULL OR t <> 'ä'", terms[i]);
		if (strcmp(terms[i], "t -> 0") != 0)
			compare(sql);
		if (strcmp(terms[i], "t -> 0") != 0 && count_computed(sql) != 1)
			fail_msg("%s is computed as a cell, or nothing is", terms[i]);
	}
}

/* The terms of a query in FROM are inserted into the terms of the outer query. */
static void test_sources(void **state)
{
	static const struct {
		const char *sql;
		int computed;
	} cases[] = {
	    {"WITH s AS (SELECT id, i + 1 AS j, us(i) AS u FROM v WHERE i < 5) SELECT j * 2 AS a, u || 'x' AS b, s.id AS c FROM s ORDER BY id",
		3},
	    {"WITH s AS (SELECT id, i + 1 AS j FROM v) SELECT q.j * 2 AS a, Q.\"J\" AS b FROM s AS q WHERE q.j > 0 ORDER BY q.j",
		2},
	    {"SELECT j || 'x' AS a, id FROM (SELECT id, t || 'y' AS j FROM v) WHERE j > '1' ORDER BY id", 2},
	    {"SELECT x.j || 'x' AS a FROM (SELECT id, t || 'y' AS j FROM v) x LEFT JOIN w ON w.key = x.id", 1},
	    {"SELECT j || word AS a FROM (SELECT i AS j FROM v) LEFT JOIN w ON w.key = j", 1},
	    {"WITH s AS (SELECT i, (SELECT max(i) FROM v) AS m FROM v) SELECT i + 1 AS a, m AS b, m + 1 AS c FROM s",
		1},
	    {"WITH s AS (SELECT i + 1 AS j FROM v) SELECT a.j || 'x' AS a FROM s a JOIN s b ON b.j = a.j", 1},
	    {"WITH s AS MATERIALIZED (SELECT i + 1 AS j FROM v) SELECT j || 'x' AS a FROM s", 1},
	    {"WITH s(k) AS (SELECT i + 1 AS j FROM v) SELECT k || 'x' AS a FROM s", 1},
	    {"WITH s AS (SELECT DISTINCT i + 1 AS j FROM v) SELECT j || 'x' AS a FROM s ORDER BY j", 1},
	    {"WITH r AS (SELECT 5 AS k), s AS (SELECT i + k AS j FROM v, r) SELECT j || 'x' AS a FROM s", 1},
	    {"SELECT x.t || 'x' AS a, y.j AS b FROM v x LEFT JOIN (SELECT i + 1 AS j FROM v WHERE i = 2) y ON y.j = x.i",
		2},
	    {"SELECT y.j || 'x' AS a FROM v x RIGHT JOIN (SELECT i + 1 AS j FROM v) y ON y.j = x.i", 1},
	    {"SELECT j || 'x' AS a FROM (SELECT 5 AS j, i FROM v) x FULL JOIN w ON w.key = x.i", 1},
	    {"SELECT j || 'x' AS a FROM (SELECT i + 1 AS j FROM v ORDER BY 1 LIMIT 3)", 1},
	    {"SELECT j || 'x' AS a FROM (SELECT max(i), t AS j FROM v)", 1},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		compare(cases[i].sql);
		if (count_computed(cases[i].sql) != cases[i].computed)
			fail_msg("%s: %d computed", cases[i].sql, count_computed(cases[i].sql));
	}
}

/* A statement with rows or an order that depend on its list stays whole. */
static void test_whole(void **state)
{
	static const char *const statements[] = {"SELECT DISTINCT i + 1 FROM v", "SELECT t || 'x' FROM v GROUP BY 1",
	    "SELECT i + 1 AS a FROM v UNION SELECT 5", "SELECT i + 1 AS a FROM v UNION ALL SELECT 5",
	    "SELECT -1 * i AS i FROM v ORDER BY i", "SELECT -1 * i AS a FROM v ORDER BY 1",
	    "SELECT -1 * i AS a FROM v ORDER BY r, a", "SELECT 1 * i AS a FROM v ORDER BY half_up(a, 0)",
	    "SELECT *, i + 1 FROM v", "SELECT v.*, i + 1 FROM v", "SELECT 1 + 1", "SELECT i, t FROM v",
	    "VALUES (1 + 1)", "SELECT 0x10 + i FROM v", "SELECT i + 1, n IS DISTINCT FROM 1 FROM v",
	    "SELECT 1 * i AS \"two words\" FROM v ORDER BY \"two words\"",
	    "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 5) SELECT k + 1 AS a FROM n"};

	(void)state;
	for (size_t i = 0; i < COUNT(statements); i++) {
		compare(statements[i]);
		if (count_computed(statements[i]) != 0)
			fail_msg("%s is taken to pieces", statements[i]);
	}
	compare("SELECT i + 1 AS a, t AS t, id FROM v ORDER BY t, id LIMIT 9");
	assert_int_equal(count_computed("SELECT i + 1 AS a, t AS t, id FROM v ORDER BY t, id LIMIT 9"), 3);
}

static uint32_t random_state;

static unsigned any(unsigned count)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % count;
}

/* A term of the language of expressions. */
static size_t put_term(char *dst, size_t size, int depth)
{
	static const char *const leaves[] = {
	    "i", "r", "t", "n", "b", "0", "1", "-7", "2.0", "'abc'", "'12'", "NULL", ":int", ":none", "id"};
	static const char *const forms[] = {"(%s + %s)", "(%s - %s)", "(%s * %s)", "(%s / %s)", "(%s & %s)",
	    "(%s | %s)", "(%s << %s)", "(%s >> %s)", "(%s || %s)", "(%s AND %s)", "(%s OR %s)", "(%s < %s)",
	    "(%s >= %s)", "(%s = %s)", "(%s IS %s)", "coalesce(%s, %s)", "nullif(%s, %s)", "min(%s, %s)", "max(%s, %s)",
	    "CASE WHEN %s THEN %s END", "CASE %s WHEN 1 THEN %s END", "CASE i WHEN %s THEN 1 ELSE %s END",
	    "half_up(%s, 3) || %s", "NOT %s + %s", "round(%s) * %s", "CAST(%s AS INTEGER) - %s", "us(%s) || %s",
	    "CAST(%s AS REAL) / %s", "CAST(%s AS TEXT) || %s", "decimal(%s, %s, 2)", "trimmed(%s) + %s"};
	char a[4096], b[4096];

	if (depth == 0)
		return (size_t)snprintf(dst, size, "%s", leaves[any(COUNT(leaves))]);
	put_term(a, sizeof(a), depth - 1 - (int)any(2) * (depth > 1));
	put_term(b, sizeof(b), depth - 1 - (int)any(2) * (depth > 1));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	return (size_t)snprintf(dst, size, forms[any(COUNT(forms))], a, b);
#pragma GCC diagnostic pop
}

static void test_random(void **state)
{
	static char term[3][4096], sql[16384];
	int computed = 0;

	(void)state;
	random_state = 20220;
	for (int i = 0; i < 700; i++) {
		for (int k = 0; k < 3; k++)
			put_term(term[k], sizeof(term[k]), 1 + (int)any(4));
		snprintf(sql, sizeof(sql), "SELECT %s AS x, %s AS y, %s AS z FROM v", term[0], term[1], term[2]);
		compare(sql);
		computed += count_computed(sql);
	}
	assert_true(computed > 1000);
}

/* More words than the cache holds, two of a row at a time, long words among them. */
static void test_words(void **state)
{
	(void)state;
	assert_ok(
	    mp_db_run(db,
		"CREATE TEMP TABLE big(key INTEGER PRIMARY KEY, word TEXT, second TEXT);"
		"INSERT INTO big WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 40000)"
		" SELECT k * 4096, 'word ' || k, CASE WHEN k % 1000 = 0 THEN hex(zeroblob(700000)) ELSE k END FROM n;",
		&err),
	    &err);
	compare(
	    "SELECT word('big', 'word', key) AS a, word('big', 'word', key - 8192) || '' AS b, word('big', 'word', 163840000 - key) AS c,"
	    " word('big', 'second', key) AS d, word('big', 'word', key + 1) AS e, word('big', 'word', (key & 28672) + 4096) AS f FROM big");
	/* rows that follow each other again and again, now and then in another order */
	compare(
	    "SELECT word('big', 'word', (key & 28672) + (key >> 24 << 12)) AS a, word('big', 'second', key & 28672) AS b FROM big");
	assert_rows(db,
	    "SELECT count(*), sum(word('big', 'word', key) IS word), sum(word('big', 'second', key) IS second) FROM big",
	    "40000|40000|40000");
	assert_rows(db,
	    "SELECT word('w', 'word', 1), word('w', 'word', 1.0), word('w', 'word', '1'), word('w', 'other', -1), word('w', 'word', 5)",
	    "one|null|null|2.5|null");
	assert_refused(mp_db_run(db, "SELECT word('nothing', 'word', 1)", &err), &err, "table or column not found");
	assert_refused(mp_db_run(db, "SELECT word('w', 'nothing', 1)", &err), &err, "table or column not found");
}

/* Words by a primary key of several columns, in any order of the table; other values than integers find nothing. */
static void test_words_of_keys(void **state)
{
	(void)state;
	assert_ok(
	    mp_db_run(db,
		"CREATE TEMP TABLE pair(word TEXT, \"a \"\"b\" INTEGER NOT NULL, a INTEGER NOT NULL, PRIMARY KEY(a, "
		"\"a \"\"b\")) WITHOUT ROWID;"
		"INSERT INTO pair SELECT x.id || ' and ' || y.id, y.id, x.id FROM v x, v y;",
		&err),
	    &err);
	compare(
	    "SELECT word('pair', 'word', id, id + 1) AS a, word('pair', 'word', id, n) AS b, word('pair', 'word', n, 1) || '' AS c,"
	    " word('pair', 'word', :none, id) AS d, word('pair', 'a', :int, id) AS e, word('w', 'word', i) AS f FROM v");
	assert_int_equal(count_computed("SELECT word('pair', 'word', id, id + 1) AS a FROM v"), 1);
	assert_rows(db,
	    "SELECT word('pair', 'word', 1, 2), word('pair', 'word', 2, 1), word('pair', 'word', 1, 0), word('pair', 'word', 1, NULL),"
	    " word('pair', 'word', 1, '2')",
	    "1 and 2|2 and 1|null|null|null");
	assert_refused(mp_db_run(db, "SELECT word('pair', 'word', 1)", &err), &err, "table or column not found");
	assert_refused(mp_db_run(db, "SELECT word('pair', 'word', 1, 2, 3)", &err), &err, "table or column not found");
	assert_refused(mp_db_run(db, "SELECT word('w', 'word', 1, 2)", &err), &err, "table or column not found");
	assert_refused(mp_db_run(db, "SELECT word('pair', 'word')", &err), &err, "table or column not found");
}

/* Values are bound anew after a rewind; an error of a term is an error of the row. */
static void test_rows(void **state)
{
	static const char sql[] = "SELECT :int * 2 + i AS a FROM v WHERE i = 1",
			  too_long[] = "SELECT t || t AS a FROM (SELECT hex(zeroblob(5000000)) AS t FROM v)";
	struct mp_query *q;

	(void)state;
	assert_ok(mp_query_open_rows(&q, db, sql, sizeof(sql) - 1, &err), &err);
	for (int round = 0; round < 3; round++) {
		assert_ok(mp_query_bind_int(q, "int", round, &err), &err);
		assert_int_equal(mp_query_next(q, &err), 1);
		assert_int_equal(mp_query_int(q, 0), 2 * round + 1);
		mp_query_rewind(q);
	}
	mp_query_close(q);
	assert_ok(mp_query_open_rows(&q, db, too_long, sizeof(too_long) - 1, &err), &err);
	assert_int_equal(mp_query_next(q, &err), -1);
	assert_non_null(strstr(err.text, "string or blob too big"));
	mp_query_close(q);
}

/* A map is read for each row, even with a constant key. */
static void test_maps(void **state)
{
	static const char sql[] = "SELECT peek('later', 7) AS a, i + 1 AS b FROM v WHERE i = 1";
	struct mp_query *q;

	(void)state;
	assert_ok(mp_query_open_rows(&q, db, sql, sizeof(sql) - 1, &err), &err);
	assert_int_equal(mp_query_next(q, &err), 1);
	assert_int_equal(mp_query_value(q, 0).type, MP_NULL);
	mp_query_rewind(q);
	assert_ok(mp_db_run(db, "CREATE VIRTUAL TABLE temp.later USING firsts(SELECT 7, 5)", &err), &err);
	assert_int_equal(mp_query_next(q, &err), 1);
	assert_int_equal(mp_query_int(q, 0), 5);
	mp_query_close(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_operators, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_terms, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_stays, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_sources, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_whole, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_random, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_words, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_words_of_keys, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_maps, setup, teardown),
	};

	return cmocka_run_group_tests_name("expressions", tests, NULL, NULL);
}
