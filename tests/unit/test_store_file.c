/* test_store_file.c: the database file: complete or absent, never trusted. */
#include <sqlite3.h>

#include "store_file_support.h"

static void test_file(void **state)
{
	struct job_test *t = *state;
	char path[2048];
	struct stat st;
	mode_t mask = umask(0077);

	write_job(t);
	job_open(t);
	assert_false(mp_job_db_exists(t->job));
	import(t);
	umask(mask);
	assert_true(mp_job_db_exists(t->job));
	assert_ok(mp_job_db_path(t->job, path, sizeof(path), &t->err), &t->err);
	assert_string_equal(path, db_path(t));
	assert_int_equal(task_count(t), 2);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640); /* regardless of the umask */
	assert_int_equal(stat(below(t->dir, "sqlite"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0750);
	assert_false(exists(below(t->dir, "sqlite/.msprof.db.part")));
	assert_refused(mp_job_db_path(t->job, path, 8, &t->err), &t->err, "path too long");
}

/* A query that was closed and opened again behaves like a new query. */
static void test_queries_again(void **state)
{
	struct job_test *t = *state;
	struct mp_query *q, *same;
	struct mp_db *db;
	char sql[64];

	write_job(t);
	import(t);
	db = open_db(t);
	for (int round = 0; round < 30; round++) {
		snprintf(sql, sizeof(sql), "SELECT :a, abs(:b)%.*s", round % 12, "             ");
		assert_ok(mp_query_open(&q, db, sql, strlen(sql), &t->err), &t->err);
		assert_ok(mp_query_open(&same, db, sql, strlen(sql), &t->err), &t->err);
		assert_ptr_not_equal(q, same);
		assert_int_equal(mp_query_next(same, &t->err), 1);
		assert_int_equal(mp_query_value(same, 0).type, MP_NULL);
		assert_ok(mp_query_bind_int(q, "a", round, &t->err), &t->err);
		assert_int_equal(mp_query_next(q, &t->err), 1);
		assert_true(mp_query_int(q, 0) == round);
		mp_query_close(q);
		mp_query_rewind(same);
		assert_ok(mp_query_bind_int(same, "b", INT64_MIN, &t->err), &t->err);
		assert_refused(mp_query_next(same, &t->err), &t->err, "integer overflow");
		mp_query_close(same);
	}
	assert_refused(mp_query_open(&q, db, "SELEC", 5, &t->err), &t->err, "cannot query");
	mp_db_close(db);
}

static void test_earlier_database_survives(void **state)
{
	struct job_test *t = *state;
	char *before, *after;

	write_job(t);
	import(t);
	before = read_text(t->dir, "sqlite/msprof.db");
	write_text(t->dir, "info.json.0", "{\"DeviceInfo\": []}");
	job_open(t);
	assert_refused(mp_import(t->job, &t->layouts, &import_options, &t->err), &t->err, "'aic_frequency'");
	assert_false(exists(below(t->dir, "sqlite/.msprof.db.part")));
	after = read_text(t->dir, "sqlite/msprof.db");
	assert_memory_equal(before, after, 1 << 20);
	assert_int_equal(task_count(t), 2);
	free(before);
	free(after);
}

static void test_layout_without_column(void **state)
{
	struct job_test *t = *state;

	write_job(t);
	import(t);
	assert_ok(mp_layouts_parse(&t->layouts, "x.rec",
		      "record x v1 verified\nfile \"x\"\ntable api_call\nsize 1\nfield colour u8 @0\n", &t->err),
	    &t->err);
	assert_refused(mp_import(t->job, &t->layouts, &import_options, &t->err), &t->err,
	    "x.rec:1: layout 'x': table of records 'api_call' with column 'colour' not found");
	assert_int_equal(task_count(t), 2);
}

/* A layout may fill tables of records, but not the program's own tables. */
static void test_layout_for_another_table(void **state)
{
	static const char *const tables[] = {"source", "meta", "damage", "device", "sqlite_master", "nosuch", "op"};
	static const char *const columns[] = {"size", "value", "bytes", "lost", "rootpage", "x", "names"};
	struct job_test *t = *state;
	char text[256], message[128];

	write_job(t);
	import(t);
	for (size_t i = 0; i < COUNT(tables); i++) {
		snprintf(text, sizeof(text), "record x v1 verified\nfile \"x\"\ntable %s\nsize 1\nfield %s u8 @0\n",
		    tables[i], columns[i]);
		snprintf(message, sizeof(message), "table of records '%s' with column '%s' not found", tables[i],
		    columns[i]);
		assert_ok(mp_layouts_parse(&t->layouts, "x.rec", text, &t->err), &t->err);
		assert_refused(mp_import(t->job, &t->layouts, &import_options, &t->err), &t->err, message);
	}
	assert_int_equal(task_count(t), 2);
}

static void test_lock(void **state)
{
	struct job_test *t = *state;
	int fd;

	write_job(t);
	import(t);
	write_text(t->dir, "sqlite/.msprof.db.part", "another's");
	fd = open(below(t->dir, "sqlite"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	assert_refused(
	    mp_import(t->job, &t->layouts, &import_options, &t->err), &t->err, "another msprof is importing into '");
	assert_true(exists(below(t->dir, "sqlite/.msprof.db.part")));
	assert_int_equal(task_count(t), 2);
	close(fd);
	/* leftovers of a killed import stop nobody */
	write_text(t->dir, "sqlite/.msprof.db.part", "rubbish");
	import(t);
	assert_int_equal(task_count(t), 2);
}

/* A part file that is a link, of either kind, is replaced; its target is unchanged. */
static void test_links(void **state)
{
	struct job_test *t = *state;
	char *text;

	write_job(t);
	write_text(t->dir, "victim", "precious");
	assert_int_equal(mkdir(below(t->dir, "sqlite"), 0700), 0);
	for (int hard = 0; hard < 2; hard++) {
		const char *part = below(t->dir, "sqlite/.msprof.db.part");

		assert_int_equal(hard ? link(below(t->dir, "victim"), part) : symlink("../victim", part), 0);
		import(t);
		assert_int_equal(task_count(t), 2);
		assert_false(exists(part));
		text = read_text(t->dir, "victim");
		assert_string_equal(text, "precious");
		free(text);
	}
	assert_int_equal(mkdir(below(t->dir, "sqlite/.msprof.db.part"), 0700), 0);
	assert_refused(mp_import(t->job, &t->layouts, &import_options, &t->err), &t->err, "/sqlite/.msprof.db.part'");
	assert_int_equal(task_count(t), 2);
	remove_at(AT_FDCWD, below(t->dir, "sqlite"));
	assert_int_equal(symlink("data", below(t->dir, "sqlite")), 0);
	job_open(t);
	assert_refused(mp_import(t->job, &t->layouts, &import_options, &t->err), &t->err, "is a link");
}

/* Links on the way to the job are the user's decision. */
static void test_job_below_link(void **state)
{
	struct job_test *t = *state;
	char *other = temp_dir();
	struct mp_db *db;
	char path[2048];

	write_job(t);
	assert_int_equal(symlink(t->dir, below(other, "link")), 0);
	assert_ok(mp_job_open(&t->job, below(other, "link"), &t->layouts, NULL, &t->err), &t->err);
	assert_ok(mp_import(t->job, &t->layouts, &import_options, &t->err), &t->err);
	assert_true(exists(db_path(t)));
	assert_ok(mp_job_db_path(t->job, path, sizeof(path), &t->err), &t->err);
	assert_ok(mp_db_open(&db, AT_FDCWD, path, path, &t->err), &t->err);
	mp_db_close(db);
	remove_dir(other);
}

/* Overwrite bytes of the database. */
static void patch(struct job_test *t, off_t offset, const void *bytes, size_t size)
{
	int fd = open(db_path(t), O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, bytes, size, offset), size);
	close(fd);
}

static void test_versions(void **state)
{
	static const unsigned char newer[4] = {0, 0, 0, MP_SCHEMA_VERSION + 1}, older[4] = {0, 0, 0, 2},
				   same[4] = {0, 0, 0, MP_SCHEMA_VERSION}, stranger[4] = {1, 2, 3, 4};
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	import(t);
	patch(t, 60, newer, 4); /* user_version */
	assert_refused(mp_db_open(&db, AT_FDCWD, db_path(t), db_path(t), &t->err), &t->err,
	    "has schema version 6, newer than version 5 that this msprof knows");
	assert_null(db);
	patch(t, 60, older, 4);
	assert_false(fresh(t, 0));
	patch(t, 60, same, 4);
	assert_true(fresh(t, 0));
	patch(t, 68, stranger, 4); /* application_id */
	assert_refused(
	    mp_db_open(&db, AT_FDCWD, db_path(t), db_path(t), &t->err), &t->err, "is not a database of msprof");
}

/* Tables of another development version: what both know is read, where there are no raw files to import anew. */
static void test_another_schema(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;
	sqlite3 *handle;
	bool is_fresh;

	write_job(t);
	import(t);
	assert_int_equal(sqlite3_open(db_path(t), &handle), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(handle, "CREATE TABLE mine(x); DROP TABLE aicpu_task", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(handle);
	assert_false(fresh(t, 0));
	remove_at(AT_FDCWD, t->data);
	assert_int_equal(mkdir(t->data, 0700), 0);
	job_open(t);
	assert_ok(mp_job_db_open(&db, t->job, 0, &t->err), &t->err);
	assert_true(mp_job_db_is_other(db));
	assert_ok(mp_job_db_fresh(db, t->job, &t->layouts, 0, &is_fresh, &t->err), &t->err);
	assert_true(is_fresh);
	assert_rows(db, "SELECT count(*), total(ticks) FROM aicore_task", "2|42");
	assert_rows(db, "SELECT count(*) FROM op", "2");
	assert_rows(db, "SELECT count(*) FROM aicpu_task", "0");
	mp_db_close(db);
}

static void test_not_a_database(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;

	assert_refused(mp_db_open(&db, AT_FDCWD, db_path(t), db_path(t), &t->err), &t->err, "cannot open '");
	assert_null(db);
	assert_int_equal(mkdir(below(t->dir, "sqlite"), 0700), 0);
	write_text(t->dir, "sqlite/msprof.db", "");
	assert_refused(
	    mp_db_open(&db, AT_FDCWD, db_path(t), db_path(t), &t->err), &t->err, "is not a database of msprof");
	write_text(
	    t->dir, "sqlite/msprof.db", "SQLite format 3 is not what this text is, although it begins so.........");
	assert_refused(mp_db_open(&db, AT_FDCWD, db_path(t), db_path(t), &t->err), &t->err, "msprof.db'");
	assert_null(db);
	assert_int_equal(unlink(db_path(t)), 0);
	write_job(t);
	import(t);
	assert_int_equal(rename(db_path(t), below(t->dir, "sqlite/real.db")), 0);
	assert_int_equal(symlink("real.db", db_path(t)), 0);
	assert_refused(mp_db_open(&db, AT_FDCWD, db_path(t), db_path(t), &t->err), &t->err, "msprof.db'");
}

/* Damage behind a valid header is an error of a query, not a crash and not an answer. */
static void test_corrupt_database(void **state)
{
	struct job_test *t = *state;
	unsigned char rubbish[16384 - 100];
	struct mp_db *db = NULL;
	int64_t count;

	write_job(t);
	import(t);
	memset(rubbish, 0xee, sizeof(rubbish));
	patch(t, 100, rubbish, sizeof(rubbish));
	if (mp_db_open(&db, AT_FDCWD, db_path(t), db_path(t), &t->err) == 0)
		assert_refused(
		    mp_db_number(db, "SELECT count(*) FROM aicore_task", -1, &count, &t->err), &t->err, "msprof.db'");
	assert_non_null(strstr(t->err.text, "malformed"));
	mp_db_close(db);
}

/* Nothing of the job changes when it is imported into memory. */
static void test_private(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	db = import_private(t);
	assert_rows(db, "SELECT count(*) FROM aicore_task", "2");
	assert_false(exists(below(t->dir, "sqlite")));
	mp_db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_file),
	    TEST(test_queries_again),
	    TEST(test_earlier_database_survives),
	    TEST(test_layout_without_column),
	    TEST(test_layout_for_another_table),
	    TEST(test_lock),
	    TEST(test_links),
	    TEST(test_job_below_link),
	    TEST(test_versions),
	    TEST(test_another_schema),
	    TEST(test_not_a_database),
	    TEST(test_corrupt_database),
	    TEST(test_private),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
