/*
 * fuzz_btree.c: a database with damage, read from its b-trees and by SQLite. The first byte chooses the statement or
 * the page that a walk begins at, the second how much of the file is cut off; then come changes: two bytes of offset,
 * one that goes there. Where both ways read a whole table without an error, it is the same. (In a tree whose keys are
 * out of order, who looks for one finds another.)
 */
#include "fuzz.h"

#include "leaf/btree.h"
#include "expr/expr.h"
#include "expr/engine.h"

enum { PAGE = 512, COLUMNS = 6 };

/* Trees of one to three levels, rows that go on in other pages, all types of values. */
static const char tables[] =
    "PRAGMA page_size=512;"
    "CREATE TABLE v(id INTEGER PRIMARY KEY, i INTEGER, r REAL, t TEXT, b BLOB, n);"
    "INSERT INTO v WITH RECURSIVE k(k) AS (SELECT -900 UNION ALL SELECT k + 7 FROM k WHERE k < 4000)"
    " SELECT k, CASE k % 9 WHEN 0 THEN NULL WHEN 1 THEN k WHEN 2 THEN k * 100 WHEN 3 THEN k * 10000 WHEN 4 THEN k * 1000000 WHEN 5 THEN k << 32"
    "   WHEN 6 THEN k << 50 WHEN 7 THEN 0 ELSE 'word' END,"
    "  CASE k % 5 WHEN 0 THEN NULL WHEN 1 THEN k WHEN 2 THEN k / 8.0 WHEN 3 THEN 1e300 ELSE 2.0 END,"
    "  CASE WHEN k % 4 THEN 'text ' || k END, CASE k % 3 WHEN 0 THEN x'00ff' WHEN 1 THEN x'' END, k % 100 FROM k;"
    "CREATE TABLE j(a INTEGER, to_v INTEGER); INSERT INTO j SELECT id % 50, id FROM v WHERE id % 5 = 0 ORDER BY abs(id % 97);"
    "CREATE TABLE large(i INTEGER, t TEXT); INSERT INTO large WITH RECURSIVE k(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM k WHERE k < 12)"
    " SELECT k, substr(replace(hex(zeroblob(900)), '0', char(65 + k)), 1, k * 140) FROM k;";

static const char *const statements[] = {"SELECT id, i, r, t, b, n FROM v", "SELECT i, t FROM large",
    "SELECT a FROM j WHERE to_v >= 70", "SELECT a + 1 AS b, to_v FROM j ORDER BY rowid",
    "SELECT n, t FROM v WHERE id BETWEEN 100 AND 2000 AND i IS NOT NULL ORDER BY id"};

enum { STATEMENTS = sizeof(statements) / sizeof(statements[0]), WHOLE_TABLES = 3 };

static struct mp_db *db;            /* a connection for each input: */
static unsigned char *whole, *file; /* as it was made; with the changes of an input */
static size_t whole_size;

static void open_file(const uint8_t *data, size_t size)
{
	size_t used = whole_size - whole_size * data[1] / 256;
	struct mp_error err;

	CHECK(mp_db_connect(&db, -1, "fuzz", &err) == 0);
	CHECK(mp_db_run(db, "PRAGMA cell_size_check=ON;", &err) == 0);
	file = malloc(used); /* anew: what is read behind its end is found */
	CHECK(file);
	memcpy(file, whole, used);
	for (size_t i = 2; i + 3 <= size; i += 3)
		file[(data[i] | (size_t)data[i + 1] << 8) % used] = data[i + 2];
	CHECK(sqlite3_deserialize(db->handle, "main", file, (sqlite3_int64)used, (sqlite3_int64)used,
		  SQLITE_DESERIALIZE_READONLY) == SQLITE_OK);
	db->fixed = true;
	mp_expr_attach(db, 0);
}

static void close_file(void)
{
	mp_db_close(db);
	free(file);
}

/* Of the file without damage. */
static bool is_scanned(const char *sql)
{
	static const uint8_t nothing[2] = {0, 0};
	struct mp_error err;
	struct mp_engine_rows *rows;
	sqlite3_stmt *statement;
	bool scanned;

	open_file(nothing, sizeof(nothing));
	CHECK(sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL) == SQLITE_OK);
	CHECK(db->engine(&rows, db, statement, &err) == 0);
	scanned = rows && ((struct mp_expr_query *)rows)->scan;
	if (rows)
		rows->close(rows);
	sqlite3_finalize(statement);
	close_file();
	return scanned;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	sqlite3_int64 size;
	sqlite3 *made;

	(void)argc;
	(void)argv;
	CHECK(sqlite3_open(":memory:", &made) == SQLITE_OK);
	CHECK(sqlite3_exec(made, tables, NULL, NULL, NULL) == SQLITE_OK);
	whole = sqlite3_serialize(made, "main", &size, 0);
	CHECK(whole && size < 65536);
	whole_size = (size_t)size;
	CHECK(sqlite3_close(made) == SQLITE_OK);
	for (size_t i = 0; i < STATEMENTS; i++)
		CHECK(is_scanned(statements[i]));
	return 0;
}

static uint64_t sum(uint64_t sum, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
	return sum;
}

static uint64_t sum_value(uint64_t so_far, struct mp_value v)
{
	so_far = sum(so_far, &v.type, sizeof(v.type));
	if (v.type == MP_INT)
		return sum(so_far, &v.i, sizeof(v.i));
	if (v.type == MP_REAL)
		return sum(so_far, &v.d, sizeof(v.d));
	return v.type == MP_NULL ? so_far : sum(so_far, v.text, v.len);
}

/* The sum of all rows; false: an error, with a message. */
static bool read_rows(const char *sql, bool many, uint64_t *rows)
{
	struct mp_error err = {.text = ""};
	struct mp_query *q;
	int status;

	*rows = 0;
	if ((many ? mp_query_open_rows : mp_query_open)(&q, db, sql, strlen(sql), &err)) {
		CHECK(err.text[0]);
		return false;
	}
	while ((status = mp_query_next(q, &err)) == 1)
		for (int i = 0; i < mp_query_column_count(q); i++)
			*rows = sum_value(*rows, mp_query_value(q, i));
	CHECK(status == 0 || err.text[0]);
	mp_query_close(q);
	return status == 0;
}

/* From any page and rowid, whatever it is: there are not more rows than bytes. */
static void walk(uint32_t root, int64_t rowid, size_t size)
{
	struct mp_value values[COLUMNS];
	struct mp_wanted columns[COLUMNS];
	struct mp_error err = {.text = ""};
	struct mp_btree *tree;
	size_t rows = 0;
	int status;

	for (int i = 0; i < COLUMNS; i++)
		columns[i] = (struct mp_wanted){i, i == 2, &values[i]};
	if (mp_btree_open(&tree, db->handle, db->path, root, &err) || !tree) {
		CHECK(!tree);
		return;
	}
	for (status = mp_btree_seek(tree, rowid, &err); status == 1; status = mp_btree_next(tree, &err)) {
		CHECK(mp_btree_rowid(tree) >= rowid || rows);
		CHECK(++rows <= size);
		if (mp_btree_columns(tree, columns, COLUMNS, &err))
			CHECK(err.text[0]);
		else
			for (int i = 0; i < COLUMNS; i++)
				if (values[i].type == MP_TEXT || values[i].type == MP_BLOB)
					sum(0, values[i].text, values[i].len);
	}
	CHECK(status == 0 || err.text[0]);
	mp_btree_close(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t ours, sqlites;

	if (size < 2)
		return -1;
	open_file(data, size);
	if (data[0] >= STATEMENTS)
		walk(data[0] - STATEMENTS + 2, (int64_t)data[0] * 16 - 1000, whole_size);
	else if (read_rows(statements[data[0]], true, &ours) && data[0] < WHOLE_TABLES &&
		 read_rows(statements[data[0]], false, &sqlites))
		CHECK(ours == sqlites);
	close_file();
	return 0;
}
