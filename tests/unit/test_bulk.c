/* test_bulk.c: bulk rows equal the rows of an INSERT, and SQLite continues with them. */
#include "store_support.h"

#include "expr/engine.h"
#include "store/sink.h"

#include <sys/stat.h>

enum { COLUMNS = 5, TEXT_MAX = 600 };

struct bulk_test {
	char *dir;
	char path[1024];
	int fd;
	struct mp_db *db;
	struct mp_bulks *bulks;
	struct mp_query *insert; /* inserts the same rows by SQLite */
	struct mp_error err;
	uint64_t random;
};

static int setup(void **state)
{
	struct bulk_test *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	t->dir = temp_dir();
	snprintf(t->path, sizeof(t->path), "%s/test.db", t->dir);
	t->fd = open(t->path, O_RDWR | O_CREAT | O_EXCL, 0600);
	assert_true(t->fd >= 0);
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct bulk_test *t = *state;

	mp_query_close(t->insert);
	mp_bulks_close(t->bulks);
	mp_db_close(t->db);
	close(t->fd);
	remove_dir(t->dir);
	free(t);
	return 0;
}

static void connect_db(struct bulk_test *t, int page_size)
{
	char sql[512];

	assert_ok(mp_db_connect(&t->db, t->fd, t->path, &t->err), &t->err);
	snprintf(sql, sizeof(sql),
	    "PRAGMA page_size=%d; PRAGMA journal_mode=OFF; BEGIN;"
	    "CREATE TABLE bulk(a INTEGER, id INTEGER PRIMARY KEY, r REAL, t TEXT, b BLOB);"
	    "CREATE TABLE same(a INTEGER, id INTEGER PRIMARY KEY, r REAL, t TEXT, b BLOB);",
	    page_size);
	assert_ok(mp_db_run(t->db, sql, &t->err), &t->err);
	assert_ok(mp_db_open_bulks(&t->bulks, t->db, "main", t->path, t->fd, &t->err), &t->err);
}

static void open_insert(struct bulk_test *t)
{
	static const char sql[] = "INSERT INTO same VALUES(:0, :1, :2, :3, :4)";

	assert_ok(mp_query_open(&t->insert, t->db, sql, sizeof(sql) - 1, &t->err), &t->err);
}

/* Integers of all widths and both signs, at their limits and near them. */
static struct mp_value random_int(struct bulk_test *t)
{
	uint64_t bits = next_random(&t->random);
	uint64_t near = (UINT64_C(1) << (bits & 63)) + (bits >> 8 & 3) - 2;

	return mp_int(bits >> 16 & 1   ? (int64_t)near
		      : bits >> 17 & 1 ? (int64_t)-near
				       : (int64_t)next_random(&t->random) >> (bits >> 20 & 63));
}

static struct mp_value random_real(struct bulk_test *t)
{
	static const double odd[] = {0.0, -0.0, 1.0, 0.5, -1.0, 1e300, -1e-300, 140737488355327.0, 140737488355328.0,
	    -140737488355328.0, -140737488355329.0, 9007199254740993.0, 9223372036854775808.0, -9223372036854775808.0,
	    9223372036854774784.0, -9223372036854774784.0, 1.0 / 0.0, -1.0 / 0.0};
	uint64_t bits = next_random(&t->random);

	if (bits & 1)
		return mp_real(odd[bits / 2 % COUNT(odd)]);
	return mp_real(bits & 2 ? (double)(int64_t)next_random(&t->random) / 1000
				: (double)((int64_t)next_random(&t->random) >> 30));
}

static struct mp_value random_bytes(struct bulk_test *t, char *room, enum mp_type type, size_t max)
{
	struct mp_value v = mp_text(room, next_random(&t->random) % (max + 1));

	for (size_t i = 0; i < v.len; i++)
		room[i] = (char)(type == MP_TEXT ? 'a' + next_random(&t->random) % 26 : next_random(&t->random));
	v.type = (uint16_t)type;
	return v;
}

static void add_same(struct bulk_test *t, const struct mp_value *row)
{
	for (int i = 0; i < COLUMNS; i++) {
		char name[2] = {(char)('0' + i), '\0'};

		assert_ok(mp_query_bind(t->insert, name, &row[i], &t->err), &t->err);
	}
	assert_int_equal(mp_query_next(t->insert, &t->err), 0);
	mp_query_rewind(t->insert);
}

/* Add a row to the bulk. */
static int put(struct bulk_test *t, struct mp_bulk *bulk, const struct mp_value *row)
{
	const struct mp_value *places[COLUMNS];

	for (int i = 0; i < COLUMNS; i++)
		places[i] = &row[i];
	return mp_bulk_add(bulk, places, &t->err);
}

/* Add rows of all kinds to both tables, alternating. */
static void add_rows(struct bulk_test *t, int count, size_t text_max)
{
	char text[TEXT_MAX], blob[TEXT_MAX];
	struct mp_bulk *bulk;

	assert_ok(mp_bulk_find(&bulk, t->bulks, "bulk", &t->err), &t->err);
	assert_non_null(bulk);
	for (int i = 0; i < count; i++) {
		struct mp_value row[COLUMNS] = {i % 4 ? random_int(t) : random_real(t), mp_null(), random_real(t),
		    random_bytes(t, text, MP_TEXT, text_max), random_bytes(t, blob, MP_BLOB, text_max)};

		row[next_random(&t->random) % COLUMNS] = mp_null();
		add_same(t, row);
		assert_ok(put(t, bulk, row), &t->err);
	}
	assert_int_equal(bulk->rows, count);
}

static void assert_alike(struct bulk_test *t)
{
	struct mp_error unused;
	int64_t pages;

	assert_rows(t->db, "PRAGMA integrity_check", "ok");
	assert_rows(t->db,
	    "SELECT count(*) FROM (SELECT *, typeof(a), typeof(r), typeof(t), typeof(b) FROM bulk"
	    " EXCEPT SELECT *, typeof(a), typeof(r), typeof(t), typeof(b) FROM same)",
	    "0");
	assert_rows(t->db,
	    "SELECT (SELECT count(*) FROM bulk) = (SELECT count(*) FROM same), (SELECT max(id) FROM bulk) IS (SELECT max(id) FROM same)",
	    "1|1");
	if (mp_db_number(t->db, "SELECT count(*) FROM dbstat", 0, &pages, &unused) == 0)
		assert_rows(t->db,
		    "SELECT sum(payload) FILTER (WHERE name = 'bulk') = sum(payload) FILTER (WHERE name = 'same') FROM dbstat",
		    "1");
}

static void commit_and_reopen(struct bulk_test *t)
{
	mp_query_close(t->insert);
	t->insert = NULL;
	assert_ok(mp_db_run(t->db, "COMMIT", &t->err), &t->err);
	mp_bulks_close(t->bulks);
	t->bulks = NULL;
	mp_db_close(t->db);
	assert_ok(mp_db_connect(&t->db, t->fd, t->path, &t->err), &t->err);
}

static void check_rows(struct bulk_test *t, int page_size, int count, size_t text_max)
{
	char sql[128];

	connect_db(t, page_size);
	open_insert(t);
	add_rows(t, count, text_max);
	assert_rows(t->db, "SELECT count(*) FROM bulk", "0");
	assert_ok(mp_bulks_attach(t->bulks, &t->err), &t->err);
	assert_alike(t);
	/* SQLite continues */
	snprintf(sql, sizeof(sql), "INSERT INTO %s(t) VALUES('last'), ('of all')", "bulk");
	assert_ok(mp_db_run(t->db, sql, &t->err), &t->err);
	assert_ok(mp_db_run(t->db, "INSERT INTO same(t) VALUES('last'), ('of all')", &t->err), &t->err);
	for (int i = 0; i < 2; i++) {
		snprintf(sql, sizeof(sql),
		    "DELETE FROM %s WHERE id %% 7 = 3; UPDATE %s SET t = t || t WHERE id %% 5 = 1", i ? "bulk" : "same",
		    i ? "bulk" : "same");
		assert_ok(mp_db_run(t->db, sql, &t->err), &t->err);
	}
	assert_alike(t);
	commit_and_reopen(t);
	assert_alike(t);
}

static void test_no_rows(void **state)
{
	check_rows(*state, 512, 0, 0);
}

static void test_one_leaf(void **state)
{
	check_rows(*state, 16384, 40, 0);
}

static void test_many_leaves(void **state)
{
	check_rows(*state, 16384, 20000, 300);
}

static void test_largest_pages(void **state)
{
	check_rows(*state, 65536, 3000, 600);
}

/* Pages of 512 bytes have 34 children each, so that there are four levels. */
static void test_many_levels(void **state)
{
	check_rows(*state, 512, 12000, 190);
}

/* Numbers of leaves that fill their parents exactly, and near that. */
static void test_counts_of_leaves(void **state)
{
	for (int leaves = 1; leaves <= 72; leaves++) {
		struct bulk_test *t = *state;
		struct mp_bulk *bulk;
		char text[400], expected[32];

		memset(text, 'x', sizeof(text));
		connect_db(t, 512);
		assert_ok(mp_bulk_find(&bulk, t->bulks, "bulk", &t->err), &t->err);
		for (int i = 0; i < leaves; i++) {
			const struct mp_value row[COLUMNS] = {
			    mp_int(i), mp_null(), mp_null(), mp_text(text, sizeof(text)), mp_null()};

			assert_ok(put(t, bulk, row), &t->err);
		}
		assert_ok(mp_bulks_attach(t->bulks, &t->err), &t->err);
		snprintf(expected, sizeof(expected), "%d|%d", leaves, leaves);
		assert_rows(t->db, "SELECT count(*), sum(id = a + 1) FROM bulk", expected);
		assert_rows(t->db, "PRAGMA integrity_check", "ok");
		teardown(state);
		setup(state);
	}
}

static void test_tables_that_sqlite_must_fill(void **state)
{
	static const char *const others[] = {"CREATE TABLE other(a INTEGER NOT NULL)",
	    "CREATE TABLE other(a INTEGER PRIMARY KEY) WITHOUT ROWID", "CREATE TABLE other(a TEXT PRIMARY KEY)",
	    "CREATE TABLE other(a INTEGER UNIQUE)", "CREATE TABLE other(a INTEGER DEFAULT 3)",
	    "CREATE TABLE other(a INTEGER CHECK(a > 1))", "CREATE TABLE other(a)", "CREATE TABLE other(a DATE)",
	    "CREATE TABLE other(a INTEGER, b INTEGER AS (a + 1))",
	    "CREATE TABLE other(a INTEGER); CREATE INDEX i ON other(a)",
	    "CREATE TABLE other(a INTEGER); CREATE TRIGGER i AFTER INSERT ON other BEGIN SELECT 1; END",
	    "CREATE TABLE other(id INTEGER PRIMARY KEY AUTOINCREMENT)"};
	struct bulk_test *t = *state;
	struct mp_bulk *bulk;

	connect_db(t, 16384);
	for (size_t i = 0; i < COUNT(others); i++) {
		assert_ok(mp_db_run(t->db, others[i], &t->err), &t->err);
		assert_ok(mp_bulk_find(&bulk, t->bulks, "other", &t->err), &t->err);
		if (bulk)
			fail_msg("%s: taken", others[i]);
		assert_ok(mp_bulks_attach(t->bulks, &t->err), &t->err); /* which forgets it */
		assert_ok(mp_db_run(t->db, "DROP TABLE other", &t->err), &t->err);
	}
	assert_refused(mp_bulk_find(&bulk, t->bulks, "nothing", &t->err), &t->err, "table 'nothing' not found");
}

static void test_values_that_are_refused(void **state)
{
	struct bulk_test *t = *state;
	struct mp_value row[COLUMNS] = {mp_null(), mp_null(), mp_null(), mp_null(), mp_null()};
	size_t max;
	struct mp_bulk *bulk;
	char *text;

	connect_db(t, 512);
	assert_ok(mp_bulk_find(&bulk, t->bulks, "bulk", &t->err), &t->err);
	assert_int_equal(bulk->count, COLUMNS);
	assert_int_equal(mp_bulk_column(bulk, "t"), 3);
	assert_int_equal(mp_bulk_column(bulk, "u"), -1);
	row[1] = mp_text("7", 1);
	assert_false(mp_bulk_takes(bulk, 1, MP_TEXT));
	assert_refused(put(t, bulk, row), &t->err, "invalid type of value for column 'id'");
	row[1] = mp_null();
	row[2] = mp_int(7);
	assert_refused(put(t, bulk, row), &t->err, "column 'r'");
	row[2] = mp_null();
	row[0] = mp_text("1", 1);
	assert_refused(put(t, bulk, row), &t->err, "column 'a'");
	row[0] = mp_null();
	max = bulk->row_max - COLUMNS * MP_BULK_VALUE_EXTRA;
	text = calloc(1, 1000);
	assert_non_null(text);
	memset(text, 'x', 1000);
	row[3] = mp_text(text, max);
	assert_ok(put(t, bulk, row), &t->err);
	for (size_t len = max; len <= 1000;
	     len++) { /* some texts still fit, but none that SQLite would spread over pages */
		row[3] = mp_text(text, len);
		if (put(t, bulk, row))
			break;
		max = len;
	}
	assert_true(max < 512 - 35);
	assert_refused(put(t, bulk, row), &t->err, "does not fit a page");
	row[4] = row[3];
	row[4].type = MP_BLOB;
	assert_refused(put(t, bulk, row), &t->err, "does not fit a page");
	assert_ok(mp_bulks_attach(t->bulks, &t->err), &t->err);
	assert_rows(t->db, "PRAGMA integrity_check", "ok");
	free(text);
}

/* Make a table with one row waiting. */
static void add_one(struct bulk_test *t)
{
	const struct mp_value row[COLUMNS] = {mp_int(1), mp_null(), mp_null(), mp_null(), mp_null()};
	struct mp_bulk *bulk;

	connect_db(t, 16384);
	assert_ok(mp_bulk_find(&bulk, t->bulks, "bulk", &t->err), &t->err);
	assert_ok(put(t, bulk, row), &t->err);
}

static void test_table_with_rows(void **state)
{
	struct bulk_test *t = *state;

	add_one(t);
	assert_ok(mp_db_run(t->db, "INSERT INTO bulk(a) VALUES(5)", &t->err), &t->err);
	assert_refused(mp_bulks_attach(t->bulks, &t->err), &t->err, "table 'bulk' has rows already");
}

/* Rowids are those that the rows give, in ascending order; else SQLite must store the rows. */
static void test_given_rowids(void **state)
{
	struct bulk_test *t = *state;
	struct mp_value row[COLUMNS] = {mp_int(1), mp_null(), mp_null(), mp_null(), mp_null()};
	const int64_t ids[] = {-5, 0, 1, 1000, INT64_MAX - 1};
	struct mp_bulk *bulk;

	connect_db(t, 512);
	assert_ok(mp_bulk_find(&bulk, t->bulks, "bulk", &t->err), &t->err);
	for (size_t i = 0; i < COUNT(ids); i++) {
		row[1] = mp_int(ids[i]);
		assert_ok(put(t, bulk, row), &t->err);
	}
	row[1] = mp_null();
	assert_ok(put(t, bulk, row), &t->err);
	assert_refused(put(t, bulk, row), &t->err, "rowids do not ascend");
	assert_true(bulk->refused);
	assert_ok(mp_bulks_attach(t->bulks, &t->err), &t->err);
	assert_rows(t->db, "SELECT count(*), min(id), max(id), sum(id = 1000) FROM bulk", "6|-5|9223372036854775807|1");
	assert_rows(t->db, "PRAGMA integrity_check", "ok");
}

/* Dropped rows leave the file as it was. */
static void test_discard(void **state)
{
	struct bulk_test *t = *state;
	struct mp_value row[COLUMNS] = {mp_int(1), mp_null(), mp_null(), mp_null(), mp_null()};
	struct mp_bulk *bulk;
	struct stat before, after;

	connect_db(t, 512);
	assert_ok(mp_db_run(t->db, "COMMIT; BEGIN", &t->err), &t->err);
	assert_int_equal(fstat(t->fd, &before), 0);
	assert_ok(mp_bulk_find(&bulk, t->bulks, "bulk", &t->err), &t->err);
	for (int i = 0; i < 20000; i++)
		assert_ok(put(t, bulk, row), &t->err);
	assert_ok(mp_bulks_discard(t->bulks, &t->err), &t->err);
	assert_int_equal(fstat(t->fd, &after), 0);
	assert_int_equal(after.st_size, before.st_size);
	assert_ok(mp_db_run(t->db, "INSERT INTO bulk(a) VALUES(5)", &t->err), &t->err);
	assert_rows(t->db, "SELECT id, a FROM bulk", "1|5");
	assert_rows(t->db, "PRAGMA integrity_check", "ok");
}

/* A statement in progress would continue with pages that have changed. */
static void test_half_done_statement(void **state)
{
	static const char sql[] = "SELECT name FROM main.sqlite_schema";
	struct bulk_test *t = *state;
	struct mp_query *q;

	add_one(t);
	assert_ok(mp_query_open(&q, t->db, sql, sizeof(sql) - 1, &t->err), &t->err);
	assert_int_equal(mp_query_next(q, &t->err), 1);
	assert_refused(mp_bulks_attach(t->bulks, &t->err), &t->err, "a query is still open");
	mp_query_close(q);
}

/* Without pages nothing is written beside SQLite. */
static void test_plain(void **state)
{
	struct bulk_test *t = *state;
	struct mp_bulks *bulks;

	connect_db(t, 4096);
	mp_expr_attach(t->db, MP_PLAIN_PAGES);
	assert_ok(mp_db_open_bulks(&bulks, t->db, "main", t->path, t->fd, &t->err), &t->err);
	assert_null(bulks);
	mp_bulks_close(bulks);
	mp_expr_attach(t->db, MP_PLAIN_ALL & ~MP_PLAIN_PAGES);
	assert_ok(mp_db_open_bulks(&bulks, t->db, "main", t->path, t->fd, &t->err), &t->err);
	assert_non_null(bulks);
	mp_bulks_close(bulks);
}

/* A file that does not belong to the database. */
static void test_other_file(void **state)
{
	struct bulk_test *t = *state;

	add_one(t);
	t->bulks->file.fd = open("/dev/zero", O_RDWR);
	assert_true(t->bulks->file.fd >= 0);
	assert_refused(mp_bulks_attach(t->bulks, &t->err), &t->err, "was changed meanwhile");
	close(t->bulks->file.fd);
}

/* SQLite never uses the page with the byte at 1 GiB. */
static void test_page_that_is_never_used(void **state)
{
	(void)state;
	assert_int_equal(mp_bulk_page_after(1, 16384), 2);
	assert_int_equal(mp_bulk_page_after(65535, 16384), 65536);
	assert_int_equal(mp_bulk_page_after(65536, 16384), 65538);
	assert_int_equal(mp_bulk_page_after(65538, 16384), 65539);
	assert_int_equal(mp_bulk_page_after(2097152, 512), 2097154);
	assert_int_equal(mp_bulk_page_after(16384, 65536), 16386);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_no_rows),
	    TEST(test_one_leaf),
	    TEST(test_many_leaves),
	    TEST(test_largest_pages),
	    TEST(test_many_levels),
	    TEST(test_counts_of_leaves),
	    TEST(test_tables_that_sqlite_must_fill),
	    TEST(test_values_that_are_refused),
	    TEST(test_table_with_rows),
	    TEST(test_half_done_statement),
	    TEST(test_given_rowids),
	    TEST(test_discard),
	    TEST(test_other_file),
	    TEST(test_plain),
	    cmocka_unit_test(test_page_that_is_never_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
