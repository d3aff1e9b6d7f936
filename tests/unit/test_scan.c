/* test_scan.c: rows that are read from a file's b-trees are those that SQLite gives; damaged files end in an error, never in a crash. */
#include "cells_support.h"

#include "store/cell_table.h"
#include "store/page.h"

#include <unistd.h>

static char *scratch;
static char path[1024];

/* Small pages: three levels. Rowids with gaps, of both signs; all serial types; values whose type is not that of the column. */
static const char tables[] =
    "PRAGMA page_size=512; PRAGMA application_id=0x6d737072; PRAGMA user_version=3;"
    "CREATE TABLE v(id INTEGER PRIMARY KEY, i INTEGER, r REAL, t TEXT, b BLOB, n);"
    "INSERT INTO v WITH RECURSIVE k(k) AS (SELECT -3000 UNION ALL SELECT k + 7 FROM k WHERE k < 9000)"
    " SELECT k, CASE k % 9 WHEN 0 THEN NULL WHEN 1 THEN k WHEN 2 THEN k * 100 WHEN 3 THEN k * 10000 WHEN 4 THEN k * 1000000 WHEN 5 THEN k << 32"
    "   WHEN 6 THEN k << 50 WHEN 7 THEN 0 ELSE 'word' END,"
    "  CASE k % 5 WHEN 0 THEN NULL WHEN 1 THEN k WHEN 2 THEN k / 8.0 WHEN 3 THEN 1e300 ELSE 2.0 END,"
    "  CASE WHEN k % 4 THEN 'text ' || k END, CASE k % 3 WHEN 0 THEN x'00ff' WHEN 1 THEN x'' END, k % 100 FROM k;"
    "DELETE FROM v WHERE id BETWEEN 2000 AND 4000;"
    "INSERT INTO v(id, i) VALUES (9223372036854775807, 1), (-9223372036854775807 - 1, 2), (9007199254740993, 3);"
    "CREATE TABLE j(a INTEGER, to_v INTEGER, odd);"
    "INSERT INTO j SELECT id % 50, CASE id % 3 WHEN 0 THEN id WHEN 1 THEN id + 1 END, CASE id % 3 WHEN 0 THEN id WHEN 1 THEN 1.0 * id ELSE CAST(id AS TEXT) END"
    " FROM v WHERE id < 9000 ORDER BY abs(id % 97);"
    "CREATE TABLE empty(a INTEGER);"
    "CREATE TABLE one(a INTEGER); INSERT INTO one VALUES(5);"
    "CREATE TABLE later(a INTEGER); INSERT INTO later VALUES(1); ALTER TABLE later ADD COLUMN b INTEGER; INSERT INTO later VALUES(2, 3);"
    "CREATE TABLE by_text(t TEXT PRIMARY KEY, i INTEGER); INSERT INTO by_text VALUES('b', 1), ('a', 2);"
    "CREATE TABLE no_row(k INTEGER PRIMARY KEY, i INTEGER) WITHOUT ROWID; INSERT INTO no_row VALUES(1, 2);"
    "CREATE TABLE sorted(i INTEGER); CREATE INDEX by_i ON sorted(i); INSERT INTO sorted VALUES(3), (1), (2);"
    "CREATE TABLE large(i INTEGER, t TEXT, n); INSERT INTO large WITH RECURSIVE k(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM k WHERE k < 1100)"
    " SELECT k, substr(replace(hex(zeroblob(600)), '0', char(65 + k % 20)), 1, k) || 'end', -k << 33 FROM k;"
    "CREATE TABLE made(a INTEGER, twice INTEGER GENERATED ALWAYS AS (2 * a) STORED, z INTEGER); INSERT INTO made(a, z) VALUES(1, 9);"
    "CREATE TABLE filled(a INTEGER, z INTEGER); INSERT INTO filled VALUES(1, 9); ALTER TABLE filled ADD COLUMN late INTEGER DEFAULT 42;"
    "CREATE TABLE typed(a DOUBLE); INSERT INTO typed VALUES(1);"
    "CREATE TABLE folded(t TEXT COLLATE NOCASE, a INTEGER); INSERT INTO folded VALUES('x', 1), ('X', 2);"
    "CREATE TABLE few(k INTEGER PRIMARY KEY, t TEXT);"
    "INSERT INTO few WITH RECURSIVE k(k) AS (SELECT 1 UNION ALL SELECT k + 2 FROM k WHERE k < 300) SELECT k, 'the text ' || k FROM k;"
    "CREATE TABLE asked(to_few INTEGER); INSERT INTO asked VALUES(1), (9999), (99), (301), (-1), (100), (299), (7), (8), (9), (9999), (11);"
    "CREATE TABLE pair(a REAL, b INTEGER); INSERT INTO pair VALUES(1.5, 2), (2.5, 3);"
    "CREATE TABLE grown(k INTEGER); INSERT INTO grown SELECT i FROM large LIMIT 500;"
    "CREATE VIEW view_of_v AS SELECT id, i FROM v;";

static void make_file(void)
{
	sqlite3 *handle;
	int fd;

	scratch = temp_dir();
	snprintf(path, sizeof(path), "%s/scan.db", scratch);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	assert_int_equal(sqlite3_exec(handle, tables, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

static void open_file(void)
{
	assert_ok(mp_db_open(&db, AT_FDCWD, path, path, &err), &err);
	db->foreign = false; /* its tables are those of a test */
}

static int setup(void **state)
{
	(void)state;
	make_file();
	open_file();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	mp_db_close(db);
	remove_dir(scratch);
	return 0;
}

static bool is_scanned(const char *sql)
{
	struct mp_cells *c;
	sqlite3_stmt *whole;
	bool scanned;

	assert_int_equal(sqlite3_prepare_v2(db->handle, sql, -1, &whole, NULL), SQLITE_OK);
	assert_ok(mp_cells_open(&c, db, whole, &err), &err);
	scanned = c && c->scan;
	mp_cells_close(c);
	sqlite3_finalize(whole);
	return scanned;
}

static void test_scanned(void **state)
{
	static const char *const statements[] = {"SELECT id, i, r, t, b, n FROM v", "SELECT i FROM v ORDER BY id", "SELECT i + 1 AS a, rowid AS b FROM v x ORDER BY x.id",
	    "SELECT n, t FROM v WHERE id BETWEEN -100 AND 100", "SELECT n FROM v WHERE id >= 1990 AND id <= 4010 AND i IS NOT NULL ORDER BY id",
	    "SELECT n FROM v WHERE id >= :int AND id <= :int + 1000", "SELECT n FROM v WHERE id BETWEEN 5 AND 4", "SELECT n FROM v WHERE id >= 9223372036854775807",
	    "SELECT n FROM v WHERE id > 5 AND id < 40 AND r > 2", "SELECT n FROM v WHERE :none", "SELECT n FROM v WHERE (:int >> 3) & 1 = 1 AND r", "SELECT n FROM v WHERE :real > r",
	    "SELECT id FROM v WHERE b IS NULL OR r < 3", "SELECT id, t || 'x' AS a FROM v WHERE t > 'text 5' AND NOT id < 0", "SELECT n FROM v WHERE id <= -9223372036854775807",
	    "WITH s AS (SELECT x.id, i * 2 AS j, t AS u FROM v x WHERE x.i IS NOT NULL) SELECT j + 1 AS a, u FROM s WHERE id BETWEEN 0 AND 500 AND j > 10 ORDER BY id",
	    "SELECT v.i, j.a, v.id FROM j JOIN v ON v.id = j.to_v", "SELECT v.t AS a, b.to_v || '' AS c FROM j AS b JOIN v ON b.to_v = v.id WHERE b.a > 3 AND v.i IS NOT NULL",
	    "SELECT v.i AS a, j.rowid AS r FROM j JOIN v ON v.rowid = j.to_v WHERE j.rowid BETWEEN 10 AND 300 ORDER BY j.rowid", "SELECT a FROM empty", "SELECT a, rowid FROM one",
	    "SELECT a, b FROM later", "SELECT \"i\", [t], V.N FROM v", "WITH v AS (SELECT a FROM one) SELECT a FROM v WHERE a < 9", "SELECT n FROM v WHERE id BETWEEN :split AND 4"};

	(void)state;
	for (size_t i = 0; i < COUNT(statements); i++) {
		compare(statements[i]);
		if (!is_scanned(statements[i]))
			fail_msg("%s is not scanned", statements[i]);
	}
}

/* What cannot be read like this, or is not certain to come in the same order, is left to SQLite. */
static void test_left(void **state)
{
	static const char *const statements[] = {"SELECT id FROM view_of_v", "SELECT i FROM by_text ORDER BY t", "SELECT i FROM by_text", "SELECT i FROM no_row", "SELECT i FROM sorted WHERE i > 0",
	    "SELECT i FROM v ORDER BY i", "SELECT i FROM v ORDER BY id DESC", "SELECT i FROM v LIMIT 3", "SELECT i FROM v ORDER BY id, i", "SELECT n FROM v WHERE id IN (7, 14)",
	    "SELECT n FROM v WHERE i = 'word'", "SELECT n FROM v WHERE t > 5", "SELECT v.i FROM j LEFT JOIN v ON v.id = j.to_v", "SELECT v.i FROM j, v WHERE v.id = j.to_v",
	    "SELECT v.i FROM j JOIN v ON v.id = j.to_v + 1", "SELECT v.i FROM j JOIN v ON v.i = j.to_v AND v.id < 40", "SELECT v.i FROM j JOIN v ON v.id = j.to_v ORDER BY v.id",
	    "SELECT v.i FROM j JOIN v USING (rowid)", "SELECT v.i FROM v JOIN j ON v.id = j.to_v", "SELECT (SELECT max(id) FROM v) FROM v", "SELECT random() IS NULL FROM v", "WITH one AS (SELECT i AS a FROM v ORDER BY id) SELECT a FROM one WHERE a < 3",
	    "WITH x AS (SELECT 1), s AS (SELECT i AS j FROM v) SELECT j || '' FROM s", "WITH s AS (SELECT i AS j FROM v LIMIT 3) SELECT j + 1 FROM s", "SELECT i FROM v, one",
	    "SELECT x.i FROM v x JOIN j ON x.id = j.to_v JOIN one ON 1", "SELECT type FROM sqlite_schema",
	    "SELECT z FROM made", "SELECT a, late FROM filled", "SELECT a FROM typed", "SELECT a FROM folded ORDER BY rowid"};

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

/* Rows of a source: 1 to 3 and their doubles, every second of which is NULL. */
struct counting {
	int number, columns[2];
};

static int find_counting(void *user, const char *column)
{
	(void)user;
	return strcmp(column, "number") == 0 ? 0 : strcmp(column, "twice") == 0 ? 1 : -1;
}

static int begin_counting(void *user, const int *columns, int count, struct mp_error *e)
{
	struct counting *c = user;

	(void)e;
	assert_in_range(count, 1, 2);
	memcpy(c->columns, columns, (size_t)count * sizeof(*columns));
	c->number = 0;
	return 0;
}

static int next_counting(void *user, struct mp_error *e)
{
	struct counting *c = user;

	return ++c->number < 4 ? 1 : c->number == 4 ? 0 : mp_fail(e, "asked behind the end");
}

static void give_counting(void *user, struct mp_scalar *const *values)
{
	const struct counting *c = user;

	for (int i = 0; i < 2; i++)
		*values[i] = c->columns[i] == 0 ? mp_int(c->number) : c->number == 2 ? mp_null() : mp_int(2 * c->number);
}

/* A table of this program's own needs no SQLite for its rows. */
static void test_source(void **state)
{
	static const char sql[] = "SELECT t.twice + 1 AS a, number FROM temp.counting t WHERE coalesce(t.twice, 0) < 5";
	struct counting counting;
	const struct mp_row_source source = {"counting", &counting, find_counting, begin_counting, next_counting, give_counting};
	struct mp_query *q;

	(void)state;
	assert_ok(mp_db_run(db, "CREATE TEMP TABLE counting(twice INTEGER, number INTEGER); CREATE TEMP TABLE other(twice INTEGER);", &err), &err);
	db->source = &source;
	assert_true(is_scanned(sql));
	assert_false(is_scanned("SELECT number FROM counting"));
	assert_false(is_scanned("SELECT twice FROM temp.other"));
	assert_false(is_scanned("SELECT rowid FROM temp.counting"));
	assert_ok(mp_query_open_rows(&q, db, sql, sizeof(sql) - 1, &err), &err);
	assert_int_equal(mp_query_next(q, &err), 1);
	assert_int_equal(mp_query_value(q, 0).i, 3);
	assert_int_equal(mp_query_value(q, 1).i, 1);
	assert_int_equal(mp_query_next(q, &err), 1);
	assert_int_equal(mp_query_value(q, 0).type, MP_NULL);
	assert_int_equal(mp_query_value(q, 1).i, 2);
	assert_int_equal(mp_query_next(q, &err), 0);
	mp_query_close(q);
	db->source = NULL;
}

static int count_rows(struct mp_query *q)
{
	int count = 0, more;

	while ((more = mp_query_next(q, &err)) == 1)
		count++;
	return more < 0 ? -1 : count;
}

/* Values bound anew give other rows; a text is converted as SQLite does it. */
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

/* Run again without anything bound: what was computed of the last row says nothing of the next run. */
static void test_again(void **state)
{
	static const char *const statements[] = {"SELECT id & 1 AS a FROM v WHERE id & 1", "SELECT id & 7 AS a FROM v WHERE id >= id & 7"};

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

/* The same value, a hop of keys, and back: whatever the order of what is looked up. */
static void test_lookups(void **state)
{
	(void)state;
	compare("SELECT v.id, v.n FROM j JOIN v ON v.id = j.odd"); /* reals and texts that equal a key, too */
	assert_false(is_scanned("SELECT v.id, v.n FROM j JOIN v ON v.id = j.odd"));
	compare("SELECT v.id, v.n FROM j JOIN v ON v.id = j.to_v");
	assert_true(is_scanned("SELECT v.id, j.a FROM v JOIN j ON j.rowid = v.i"));
	compare("SELECT v.id, j.a FROM v JOIN j ON j.rowid = v.i"); /* behind all rows, and back to one in another leaf */
}

/* A row that failed is not that of who asks the same later. */
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
	assert_memory_equal(mp_query_value(q, 0).text, "--5", 3);
	mp_query_close(q);
}

/* Rows of all sizes around those at which they go on in other pages. */
static void test_large_row(void **state)
{
	(void)state;
	assert_true(is_scanned("SELECT i, t FROM large"));
	compare("SELECT i, t, n FROM large");
	compare("SELECT n FROM large WHERE i > 100 AND t > 'A'");
}

/* Keys that are nobody's, behind all or between two, say nothing of those that are asked for next. */
static void test_missing(void **state)
{
	(void)state;
	assert_true(is_scanned("SELECT k, t FROM asked JOIN few ON k = to_few"));
	compare("SELECT k, t FROM asked JOIN few ON k = to_few");
}

static void change(long at, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "rb+");

	assert_non_null(f);
	assert_int_equal(fseek(f, at, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes, size, 1, f), 1);
	assert_int_equal(fclose(f), 0);
	mp_db_close(db);
	open_file();
}

/* The rows of a table; -1: one error. */
static int count(const char *sql)
{
	struct mp_query *q;
	int rows = 0, more;

	assert_true(is_scanned(sql));
	assert_ok(mp_query_open_rows(&q, db, sql, strlen(sql), &err), &err);
	while ((more = mp_query_next(q, &err)) == 1)
		rows++;
	mp_query_close(q);
	if (more < 0)
		assert_non_null(strstr(err.text, "database disk image is malformed"));
	return more < 0 ? -1 : rows;
}

/* Where the page of a table begins. */
static long find_root(const char *sql)
{
	int64_t root;

	assert_ok(mp_db_number(db, sql, 0, &root, &err), &err);
	return 512 * ((long)root - 1);
}

/* That of `pair`; the page ends with its first row: size, rowid, header 3, types 7 and 1, 1.5, 2. */
static long find_pair(void)
{
	return find_root("SELECT rootpage FROM sqlite_schema WHERE name = 'pair'");
}

enum { PAIR_ROW = 512 - 14 };

/* No number is NULL to SQLite. */
static void test_no_number(void **state)
{
	static const unsigned char nan[] = {0x7f, 0xf8, 0, 0, 0, 0, 0, 1};

	(void)state;
	assert_int_equal(count("SELECT a, b FROM pair"), 2);
	change(find_pair() + PAIR_ROW + 5, nan, sizeof(nan));
	compare("SELECT a, b FROM pair");
	compare("SELECT b FROM pair WHERE a IS NULL");
}

/* What SQLite calls damage in a row; what it takes. */
static void test_damaged_row(void **state)
{
	static const struct {
		long at;
		unsigned char byte;
		int rows;
	} changes[] = {{0, 11, -1} /* cut */, {0, 13, -1} /* bytes behind its values */, {2, 4, -1}, {2, 2, -1}, {2, 1, -1}, {2, 0, 2} /* NULLs */, {3, 6, 2}, {3, 5, -1}, {4, 2, -1}, {4, 8, -1}};
	const long at = find_pair() + PAIR_ROW;
	const unsigned char whole[] = {12, 1, 3, 7, 1};

	(void)state;
	for (size_t i = 0; i < COUNT(changes); i++) {
		change(at + changes[i].at, &changes[i].byte, 1);
		if (count("SELECT a, b FROM pair") != changes[i].rows)
			fail_msg("change %zu", i);
		if (changes[i].rows > 0)
			compare("SELECT a, b FROM pair");
		change(at, whole, sizeof(whole));
	}
}

/* Rows that do not ascend end in an error: some would be there twice, or be missed. */
static void test_order(void **state)
{
	static const unsigned char swapped[] = {1, 0xe4, 1, 0xf2};

	(void)state;
	change(find_pair() + 8, swapped, sizeof(swapped));
	assert_int_equal(count("SELECT a, b FROM pair"), -1);
}

/* There is no page 0, also where nothing was read yet. */
static void test_no_page(void **state)
{
	static const unsigned char none[4] = {0, 0, 0, 0};

	(void)state;
	change(find_root("SELECT rootpage FROM sqlite_schema WHERE name = 'v'") + 8, none, sizeof(none));
	assert_int_equal(count("SELECT n FROM v WHERE id >= 9223372036854775000"), -1);
	assert_int_equal(count("SELECT n FROM v"), -1);
}

/* A page behind those that the header counts is not the database's. */
static void test_page_count(void **state)
{
	int64_t pages;
	unsigned char fewer[4];

	(void)state;
	assert_int_equal(count("SELECT k FROM grown"), 500);
	assert_ok(mp_db_number(db, "PRAGMA page_count", 0, &pages, &err), &err);
	mp_page_put32(fewer, (uint32_t)pages - 1);
	change(28, fewer, sizeof(fewer));
	assert_int_equal(count("SELECT k FROM grown"), -1);
}

/* Whatever bytes are wrong: rows, or one error. */
static void test_damage(void **state)
{
	static const char *const statements[] = {"SELECT id, i, r, t, b, n FROM v", "SELECT v.i, v.t, j.a FROM j JOIN v ON v.id = j.to_v", "SELECT n FROM v WHERE id BETWEEN 100 AND 9000 ORDER BY id", "SELECT i, t, n FROM large"};
	FILE *f = fopen(path, "rb+");
	unsigned state_of = 12345;
	long size, errors = 0;

	(void)state;
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	setvbuf(f, NULL, _IONBF, 0);
	mp_db_close(db);
	for (int round = 0; round < 3000; round++) {
		struct mp_query *q;
		unsigned char was, is;
		long at;

		state_of = state_of * 1664525u + 1013904223u;
		/* headers of pages, pointers and the beginnings of cells matter most; the schema's first page stays */
		at = 512 * (1 + (long)(state_of >> 8) % (size / 512 - 1)) + (long)(state_of >> 3) % (round % 3 ? 12 : 512);
		is = (unsigned char)(round % 5 ? state_of >> 24 : round % 2 ? 0xff : 0x80);
		fseek(f, at, SEEK_SET);
		assert_int_equal(fread(&was, 1, 1, f), 1);
		fseek(f, at, SEEK_SET);
		fwrite(&is, 1, 1, f);
		if (mp_db_open(&db, AT_FDCWD, path, path, &err) == 0) {
			db->foreign = false;
			if (mp_query_open_rows(&q, db, statements[round % 4], strlen(statements[round % 4]), &err) == 0) {
				errors += count_rows(q) < 0;
				mp_query_close(q);
			}
			mp_db_close(db);
		}
		if (round % 16) { /* else it stays damaged */
			fseek(f, at, SEEK_SET);
			fwrite(&was, 1, 1, f);
		}
	}
	fclose(f);
	assert_true(errors > 100);
	remove_dir(scratch);
	make_file();
	open_file();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_scanned, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_left, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_bound, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_again, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_lookups, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_source, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_failed, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_large_row, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_missing, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_number, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_damaged_row, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_order, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_page, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_page_count, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_damage, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
