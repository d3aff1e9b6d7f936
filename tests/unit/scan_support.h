/* scan_support.h: a database file with small pages, and whether its rows are read without SQLite. */
#ifndef SCAN_SUPPORT_H
#define SCAN_SUPPORT_H

#include "expr_support.h"

#include "leaf/page.h"

#include <unistd.h>

static char *scratch;
static char path[1024];

/*
 * Small pages, so that trees have three levels. Rowids with gaps, of both signs; all serial types; values with another
 * type than their column.
 */
static const char tables[] =
    "PRAGMA page_size=512; PRAGMA application_id=0x6d737072; PRAGMA user_version=4;"
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
    "CREATE TABLE pair(a REAL, b INTEGER); INSERT INTO pair VALUES(1.5, 2), (2.5, 3);"
    "CREATE TABLE grown(k INTEGER); INSERT INTO grown SELECT i FROM large LIMIT 500;"
    "CREATE VIEW view_of_v AS SELECT id, i FROM v;";

static inline void make_file(void)
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

static inline void open_file(void)
{
	assert_ok(mp_db_open(&db, AT_FDCWD, path, path, &err), &err);
	db->foreign = false; /* its tables belong to a test */
	mp_expr_attach(db, 0);
}

static inline int setup(void **state)
{
	(void)state;
	make_file();
	open_file();
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	mp_db_close(db);
	remove_dir(scratch);
	return 0;
}

static inline bool is_scanned(const char *sql)
{
	struct mp_engine_rows *rows;
	const struct mp_expr_query *c;
	sqlite3_stmt *whole;
	bool scanned;

	assert_int_equal(sqlite3_prepare_v2(db->handle, sql, -1, &whole, NULL), SQLITE_OK);
	assert_ok(db->engine(&rows, db, whole, &err), &err);
	c = (const struct mp_expr_query *)rows;
	scanned = c && c->scan;
	if (rows)
		rows->close(rows);
	sqlite3_finalize(whole);
	return scanned;
}

static inline int count_rows(struct mp_query *q)
{
	int count = 0, more;

	while ((more = mp_query_next(q, &err)) == 1)
		count++;
	return more < 0 ? -1 : count;
}

#endif
