/* test_chain.c: rows that continue in other pages of a file's b-tree have pages of their own. */
#include "expr_support.h"

#include <unistd.h>

#include "leaf/page.h"

enum { PAGE = 512, PAGES_OF_ROW = 40 };

/* The leaf has 39 bytes of each row; 40 pages have the rest. */
static const char table[] =
    "PRAGMA page_size=512; PRAGMA application_id=0x6d737072; PRAGMA user_version=2;"
    "CREATE TABLE chain(k INTEGER PRIMARY KEY, t TEXT); INSERT INTO chain VALUES(1, hex(zeroblob(10177))), (2, hex(zeroblob(10177)));";
static const char all[] = "SELECT k, t FROM chain";
static char *scratch;
static char path[1024];

static void open_file(void)
{
	assert_ok(mp_db_open(&db, AT_FDCWD, path, path, &err), &err);
	db->foreign = false; /* its table belongs to a test */
	mp_expr_attach(db, 0);
}

static int setup(void **state)
{
	sqlite3 *handle;
	int fd;

	(void)state;
	scratch = temp_dir();
	snprintf(path, sizeof(path), "%s/chain.db", scratch);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	assert_int_equal(sqlite3_exec(handle, table, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(handle), SQLITE_OK);
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

static void read_at(long at, unsigned char *bytes, size_t size)
{
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	assert_int_equal(fseek(f, at, SEEK_SET), 0);
	assert_int_equal(fread(bytes, 1, size, f), size);
	fclose(f);
}

static void change(long at, const unsigned char *bytes, size_t size)
{
	FILE *f = fopen(path, "rb+");

	assert_non_null(f);
	assert_int_equal(fseek(f, at, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
	mp_db_close(db);
	open_file();
}

/* The number of rows; -1: an error. */
static int count(void)
{
	struct mp_query *q;
	int rows = 0, more;

	assert_ok(mp_query_open_rows(&q, db, all, strlen(all), &err), &err);
	while ((more = mp_query_next(q, &err)) == 1)
		rows++;
	mp_query_close(q);
	if (more < 0)
		assert_non_null(strstr(err.text, "database disk image is malformed"));
	return more < 0 ? -1 : rows;
}

/* The end of a row in the leaf, with the number of its next page. Rows are stored one before the other. */
static long end_of(int row)
{
	int64_t root;
	unsigned char cell[2];

	assert_ok(mp_db_number(db, "SELECT rootpage FROM sqlite_schema WHERE name = 'chain'", 0, &root, &err), &err);
	if (row == 0)
		return PAGE * (long)root - 4;
	read_at(PAGE * ((long)root - 1) + 8, cell, sizeof(cell));
	return PAGE * ((long)root - 1) + mp_page_get16(cell) - 4;
}

static void test_loop(void **state)
{
	unsigned char first[4];

	(void)state;
	assert_int_equal(count(), 2);
	compare(all);
	read_at(end_of(0), first, sizeof(first));
	change(PAGE * ((long)mp_page_get32(first) - 1), first, sizeof(first)); /* a page that continues in itself */
	assert_int_equal(count(), -1);
}

/* Rows cannot have more pages than the file. */
static void test_shared(void **state)
{
	unsigned char first[4], fewer[4];

	(void)state;
	read_at(end_of(0), first, sizeof(first));
	change(end_of(1), first, sizeof(first));
	mp_page_put32(fewer, mp_page_get32(first) + PAGES_OF_ROW - 1);
	change(28, fewer, sizeof(fewer));
	assert_int_equal(count(), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_loop, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_shared, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
