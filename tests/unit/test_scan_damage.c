/* test_scan_damage.c: damaged pages end in an error, never in a crash. */
#include "scan_support.h"

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

/* The number of rows of a table; -1: one error. */
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

/* The offset of a table's root page. */
static long find_root(const char *sql)
{
	int64_t root;

	assert_ok(mp_db_number(db, sql, 0, &root, &err), &err);
	return 512 * ((long)root - 1);
}

/* The root of `pair`; the page ends with its first row: size, rowid, header 3, types 7 and 1, 1.5, 2. */
static long find_pair(void)
{
	return find_root("SELECT rootpage FROM sqlite_schema WHERE name = 'pair'");
}

enum { PAIR_ROW = 512 - 14 };

/* SQLite reads NaN as NULL. */
static void test_no_number(void **state)
{
	static const unsigned char nan[] = {0x7f, 0xf8, 0, 0, 0, 0, 0, 1};

	(void)state;
	assert_int_equal(count("SELECT a, b FROM pair"), 2);
	change(find_pair() + PAIR_ROW + 5, nan, sizeof(nan));
	compare("SELECT a, b FROM pair");
	compare("SELECT b FROM pair WHERE a IS NULL");
}

/* Changes of a row that SQLite calls damage, and changes that it accepts. */
static void test_damaged_row(void **state)
{
	static const struct {
		long at;
		unsigned char byte;
		int rows;
	} changes[] = {{0, 11, -1} /* cut */, {0, 13, -1} /* bytes behind its values */, {2, 4, -1}, {2, 2, -1},
	    {2, 1, -1}, {2, 0, 2} /* NULLs */, {3, 6, 2}, {3, 5, -1}, {4, 2, -1}, {4, 8, -1}};
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

/* Rows that do not ascend end in an error: otherwise some rows would be given twice, or be missed. */
static void test_order(void **state)
{
	static const unsigned char swapped[] = {1, 0xe4, 1, 0xf2};

	(void)state;
	change(find_pair() + 8, swapped, sizeof(swapped));
	assert_int_equal(count("SELECT a, b FROM pair"), -1);
}

/* There is no page 0, even before the first read. */
static void test_no_page(void **state)
{
	static const unsigned char none[4] = {0, 0, 0, 0};

	(void)state;
	change(find_root("SELECT rootpage FROM sqlite_schema WHERE name = 'v'") + 8, none, sizeof(none));
	assert_int_equal(count("SELECT n FROM v WHERE id >= 9223372036854775000"), -1);
	assert_int_equal(count("SELECT n FROM v"), -1);
}

/* A page beyond the number of pages in the header does not belong to the database. */
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
	static const char *const statements[] = {"SELECT id, i, r, t, b, n FROM v",
	    "SELECT a + 1 AS b, to_v FROM j ORDER BY rowid",
	    "SELECT n FROM v WHERE id BETWEEN 100 AND 9000 ORDER BY id", "SELECT i, t, n FROM large"};
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
		/*
		 * headers of pages, pointers and the beginnings of cells matter most; the first page of the schema
		 * stays
		 */
		at = 512 * (1 + (long)(state_of >> 8) % (size / 512 - 1)) +
		     (long)(state_of >> 3) % (round % 3 ? 12 : 512);
		is = (unsigned char)(round % 5 ? state_of >> 24 : round % 2 ? 0xff : 0x80);
		fseek(f, at, SEEK_SET);
		assert_int_equal(fread(&was, 1, 1, f), 1);
		fseek(f, at, SEEK_SET);
		fwrite(&is, 1, 1, f);
		if (mp_db_open(&db, AT_FDCWD, path, path, &err) == 0) {
			db->foreign = false;
			mp_expr_attach(db, 0);
			if (mp_query_open_rows(&q, db, statements[round % 4], strlen(statements[round % 4]), &err) ==
			    0) {
				errors += count_rows(q) < 0;
				mp_query_close(q);
			}
			mp_db_close(db);
		}
		if (round % 16) { /* otherwise the damage stays */
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
	    cmocka_unit_test_setup_teardown(test_no_number, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_damaged_row, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_order, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_page, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_page_count, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_damage, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
