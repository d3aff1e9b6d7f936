/* test_rows.c: cells, sources and sinks: what a source gives is what a table has, by pages and by SQLite. */
#include "store_support.h"

#include "expr/engine.h"
#include "store/sink.h"

#include <sys/stat.h>

enum { ROWS = 3000, COLUMNS = 3 };

struct rows_test {
	char *dir;
	char path[1024];
	int fd;
	struct mp_db *db;
	struct mp_bulks *bulks;
	struct mp_error err;
};

static int setup(void **state)
{
	struct rows_test *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	t->dir = temp_dir();
	snprintf(t->path, sizeof(t->path), "%s/test.db", t->dir);
	t->fd = open(t->path, O_RDWR | O_CREAT | O_EXCL, 0600);
	assert_true(t->fd >= 0);
	assert_ok(mp_db_connect(&t->db, t->fd, t->path, &t->err), &t->err);
	assert_ok(
	    mp_db_run(t->db,
		"PRAGMA page_size=512; PRAGMA journal_mode=OFF; BEGIN;"
		"CREATE TABLE paged(a INTEGER, b TEXT, c REAL, d INTEGER); CREATE TABLE plain(a INTEGER, b TEXT, c REAL, d INTEGER);",
		&t->err),
	    &t->err);
	assert_ok(mp_db_open_bulks(&t->bulks, t->db, "main", t->path, t->fd, &t->err), &t->err);
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct rows_test *t = *state;

	mp_bulks_close(t->bulks);
	mp_db_close(t->db);
	close(t->fd);
	remove_dir(t->dir);
	free(t);
	return 0;
}

/* Rows n, 'n...', n / 8, of which each third and seventh value is NULL. */
struct counted_rows {
	struct mp_rows base;
	int n, fails_at;
	char text[32];
	struct mp_value values[COLUMNS];
	const struct mp_value *places[COLUMNS];
};

static int next(struct mp_rows *rows, struct mp_error *err)
{
	struct counted_rows *r = (struct counted_rows *)rows;

	if (r->n == r->fails_at)
		return mp_fail(err, "row %d cannot be read", r->n);
	if (r->n == ROWS)
		return 0;
	snprintf(r->text, sizeof(r->text), "%d of many", r->n);
	r->values[0] = r->n % 3 ? mp_int(r->n) : mp_null();
	r->values[1] = r->n % 7 ? mp_string(r->text) : mp_null();
	r->values[2] = mp_real(r->n / 8.0);
	r->n++;
	return 1;
}

static struct mp_rows *begin(struct counted_rows *r, int fails_at)
{
	*r = (struct counted_rows){.base = {next, r->places}, .fails_at = fails_at};
	for (int i = 0; i < COLUMNS; i++)
		r->places[i] = &r->values[i];
	return &r->base;
}

static void take(struct rows_test *t, const char *table, bool pages, const char *const *columns)
{
	struct counted_rows rows;
	struct mp_sink sink;

	assert_ok(mp_sink_open(&sink, t->db, pages ? t->bulks : NULL, table, columns, COLUMNS, &t->err), &t->err);
	assert_int_equal(sink.bulk != NULL, pages);
	assert_ok(mp_sink_take(&sink, begin(&rows, -1), &t->err), &t->err);
	mp_sink_close(&sink);
}

static void compare(struct rows_test *t)
{
	assert_ok(mp_bulks_attach(t->bulks, &t->err), &t->err);
	assert_rows(t->db, "PRAGMA integrity_check", "ok");
	assert_rows(t->db,
	    "SELECT count(*), total(p.a IS q.a AND p.b IS q.b AND p.c IS q.c AND p.d IS q.d AND typeof(p.c) = typeof(q.c))"
	    " FROM paged p JOIN plain q ON p.rowid = q.rowid",
	    "3000|3000");
}

static void test_columns_in_their_order(void **state)
{
	static const char *const columns[] = {"a", "b", "c"};

	take(*state, "paged", true, columns);
	take(*state, "plain", false, columns);
	compare(*state);
	assert_rows(((struct rows_test *)*state)->db, "SELECT b, c, d FROM paged WHERE a = 8", "8 of many|1|null");
}

static void test_columns_in_another_order(void **state)
{
	static const char *const columns[] = {"d", "b", "c"};

	take(*state, "paged", true, columns);
	take(*state, "plain", false, columns);
	compare(*state);
	assert_rows(((struct rows_test *)*state)->db, "SELECT a, b FROM paged WHERE d = 8", "null|8 of many");
}

static void test_source_that_fails(void **state)
{
	static const char *const columns[] = {"a", "b", "c"}, *const wrong[] = {"a", "b", "e"};
	struct rows_test *t = *state;
	struct counted_rows rows;
	struct mp_sink sink;

	assert_refused(
	    mp_sink_open(&sink, t->db, t->bulks, "paged", wrong, COLUMNS, &t->err), &t->err, "column 'e' not found");
	assert_ok(mp_sink_open(&sink, t->db, NULL, "plain", columns, COLUMNS, &t->err), &t->err);
	assert_refused(mp_sink_take(&sink, begin(&rows, 5), &t->err), &t->err, "row 5 cannot be read");
	mp_sink_close(&sink);
	assert_rows(t->db, "SELECT count(*) FROM plain", "5");
}

/* A query of another database is a source; its titles are the columns. */
static void test_query(void **state)
{
	static const char sql[] = "SELECT 7 AS d, x'00ff' AS b UNION ALL SELECT 'no number', NULL";
	struct rows_test *t = *state;
	struct mp_query *q;
	struct mp_db *other;

	assert_ok(mp_db_private(&other, &t->err), &t->err);
	assert_ok(mp_query_open(&q, other, sql, sizeof(sql) - 1, &t->err), &t->err);
	assert_ok(mp_sink_query(t->db, NULL, "plain", q, &t->err), &t->err);
	mp_query_close(q);
	mp_db_close(other);
	assert_rows(t->db, "SELECT a, hex(b), typeof(b), d FROM plain", "null|00FF|blob|7 / null||null|no number");
}

/* A hostile database has any type anywhere: a number is no address of a text. */
static void test_types_that_nobody_expects(void **state)
{
	static const char sql[] = "SELECT 'text', 5, 2.5, NULL, x'3132'";
	struct rows_test *t = *state;
	struct mp_query *q;

	assert_int_equal(mp_query_ask(&q, t->db, sql, NULL, 0, &t->err), 1);
	for (int i = 0; i < 5; i++)
		assert_int_equal(mp_query_int(q, i), i == 1 ? 5 : 0);
	for (int i = 1; i < 4; i++)
		assert_string_equal(mp_query_text(q, i), "");
	assert_string_equal(mp_query_text(q, 0), "text");
	assert_int_equal(mp_query_value(q, 4).type, MP_TEXT);
	assert_int_equal(mp_query_value(q, 5).type, MP_NULL); /* there is no such column */
	assert_int_equal(mp_query_next(q, &t->err), 0);
	assert_int_equal(mp_query_value(q, 0).type, MP_NULL);
	mp_query_close(q);
}

static void test_values_by_their_order(void **state)
{
	struct rows_test *t = *state;
	struct mp_query *q;

	assert_ok(mp_db_put(t->db, "INSERT INTO plain VALUES(:x, ?, :x + 0.5, ?)",
		      MP_VALUES(mp_int(3), mp_string(NULL), mp_int(-1)), &t->err),
	    &t->err);
	assert_rows(t->db, "SELECT * FROM plain", "3|null|3.5|-1");
	assert_int_equal(mp_query_ask(&q, t->db, "SELECT 1 WHERE ?", MP_VALUES(mp_int(0)), &t->err), 0);
	mp_query_close(q);
	assert_refused(mp_query_ask(&q, t->db, "SELECT what", NULL, 0, &t->err), &t->err, "no such column");
	mp_query_close(q);
	assert_refused(mp_db_put(t->db, "SELECT ?", MP_VALUES(mp_int(1), mp_int(2)), &t->err), &t->err, "cannot query");
}

static void test_virtual_tables(void **state)
{
	struct rows_test *t = *state;

	assert_rows(t->db, "SELECT group_concat(value) FROM numbers(4)", "0,1,2,3");
	assert_rows(t->db, "SELECT count(*) FROM numbers(0)", "0");
	assert_refused(mp_db_run(t->db, "SELECT * FROM numbers", &t->err), &t->err, "no query solution");
	assert_rows(t->db, "SELECT word, place, name, number, unit FROM words('a: 5 MB, b=x c=1.5 (end)')",
	    "a:|0|null|null|null / 5|1|a|5| / MB|2|null|null|null / b=x|3|null|null|null / c=1.5|4|c|1.5| / end|5|null|null|null");
	assert_ok(
	    mp_db_run(t->db,
		"CREATE VIRTUAL TABLE temp.first USING firsts(SELECT value / 3 AS k, value % 2 AS j, value AS v FROM numbers(12))",
		&t->err),
	    &t->err);
	assert_rows(t->db, "SELECT v FROM temp.first WHERE k = 2 AND j = 1", "7");
	assert_rows(t->db, "SELECT count(*) FROM temp.first WHERE k = 2 AND j = NULL", "0");
	assert_refused(mp_db_run(t->db, "SELECT * FROM temp.first WHERE k = 2", &t->err), &t->err, "no query solution");
	/* SQLite reads its schema again: the map is as it was */
	assert_ok(mp_db_run(t->db, "CREATE TEMP TABLE more(x); PRAGMA writable_schema=RESET", &t->err), &t->err);
	assert_rows(t->db, "SELECT v FROM temp.first WHERE k = 3 AND j = 0", "10");
	assert_ok(mp_db_run(t->db, "DROP TABLE temp.first", &t->err), &t->err);
	assert_refused(mp_db_run(t->db, "CREATE VIRTUAL TABLE temp.first USING firsts((SELECT 1, 2), oops)", &t->err),
	    &t->err, "invalid queries");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(test_columns_in_their_order), TEST(test_columns_in_another_order),
	    TEST(test_source_that_fails), TEST(test_query), TEST(test_types_that_nobody_expects),
	    TEST(test_values_by_their_order), TEST(test_virtual_tables)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
