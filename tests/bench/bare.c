/*
 * bare.c: the references that benchmarks divide by, as plain as SQLite allows.
 *   bare insert DB OUT   the rows of DB's record tables into OUT, same schema, from a canned virtual table
 *   bare scan DB VIEW    every column of every row of a view, read and thrown away
 *   bare time COMMAND... runs it quietly; prints wall seconds and the largest RSS in KiB
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/schema.h"

enum { CANNED = 4096, COLUMNS = 24 };

/* The first rows of a table, which the virtual table repeats. */
static struct canned {
	int columns;
	int count;
	sqlite3_int64 total;
	sqlite3_value *cells[CANNED][COLUMNS];
} canned;

struct cursor {
	sqlite3_vtab_cursor base;
	sqlite3_int64 row;
};

static _Noreturn void die(const char *what, sqlite3 *db)
{
	fprintf(stderr, "bare: %s: %s\n", what, db ? sqlite3_errmsg(db) : "");
	exit(1);
}

static int connect_table(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **vtab, char **error)
{
	char sql[512] = "CREATE TABLE x(c0";

	(void)aux, (void)argc, (void)argv, (void)error;
	for (int i = 1; i < canned.columns; i++)
		sprintf(sql + strlen(sql), ", c%d", i);
	strcat(sql, ")");
	*vtab = sqlite3_malloc(sizeof(**vtab));
	memset(*vtab, 0, sizeof(**vtab));
	return sqlite3_declare_vtab(db, sql);
}

static int disconnect_table(sqlite3_vtab *vtab)
{
	sqlite3_free(vtab);
	return SQLITE_OK;
}

static int best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	(void)vtab, (void)info;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
	(void)vtab;
	*cursor = sqlite3_malloc(sizeof(struct cursor));
	memset(*cursor, 0, sizeof(struct cursor));
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	sqlite3_free(cursor);
	return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *cursor, int index, const char *text, int argc, sqlite3_value **argv)
{
	(void)index, (void)text, (void)argc, (void)argv;
	((struct cursor *)cursor)->row = 0;
	return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *cursor)
{
	((struct cursor *)cursor)->row++;
	return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *cursor)
{
	return ((struct cursor *)cursor)->row >= canned.total;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int index)
{
	sqlite3_result_value(context, canned.cells[((struct cursor *)cursor)->row % canned.count][index]);
	return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *cursor, sqlite3_int64 *row)
{
	*row = ((struct cursor *)cursor)->row;
	return SQLITE_OK;
}

static sqlite3_module module = {
    .xCreate = connect_table,
    .xConnect = connect_table,
    .xBestIndex = best_index,
    .xDisconnect = disconnect_table,
    .xDestroy = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next_row,
    .xEof = at_end,
    .xColumn = column,
    .xRowid = row_number,
};

static void can_table(sqlite3 *db, const char *table)
{
	char sql[128];
	sqlite3_stmt *s;

	canned.count = 0;
	snprintf(sql, sizeof(sql), "SELECT (SELECT count(*) FROM %s), * FROM %s LIMIT %d", table, table, CANNED);
	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL))
		die(sql, db);
	canned.columns = sqlite3_column_count(s) - 1;
	canned.total = 0;
	while (sqlite3_step(s) == SQLITE_ROW) {
		canned.total = sqlite3_column_int64(s, 0);
		for (int i = 0; i < canned.columns; i++)
			canned.cells[canned.count][i] = sqlite3_value_dup(sqlite3_column_value(s, i + 1));
		canned.count++;
	}
	sqlite3_finalize(s);
}

static void run(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL))
		die(sql, db);
}

static void insert(const char *from, const char *to)
{
	static const char *const tables[] = {"api_call", "aicore_task", "aicpu_task"};
	sqlite3 *source, *db;
	char sql[128];
	int fd;

	unlink(to);
	if (sqlite3_open(from, &source) ||
	    sqlite3_open_v2(to, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "unix-none"))
		die("open", NULL);
	run(db,
	    "PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
	    "PRAGMA cache_size=-8000; BEGIN");
	run(db, mp_schema_text("sql/tables.sql"));
	run(db, mp_schema_text("sql/svp/tables.sql"));
	sqlite3_create_module(db, "canned", &module, NULL);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		can_table(source, tables[i]);
		if (!canned.count)
			continue;
		snprintf(sql, sizeof(sql),
		    "CREATE VIRTUAL TABLE temp.v%zu USING canned; INSERT INTO %s SELECT * FROM temp.v%zu", i, tables[i],
		    i);
		run(db, sql);
	}
	run(db, "COMMIT");
	sqlite3_close(db);
	fd = open(to, O_RDWR);
	if (fd < 0 || fsync(fd))
		die("fsync", NULL);
	close(fd);
}

static void scan(const char *path, const char *view)
{
	long long sum = 0, rows = 0;
	char sql[128];
	sqlite3 *db;
	sqlite3_stmt *s;

	snprintf(sql, sizeof(sql), "SELECT * FROM %s", view);
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) || sqlite3_prepare_v2(db, sql, -1, &s, NULL))
		die(sql, db);
	while (sqlite3_step(s) == SQLITE_ROW) {
		rows++;
		for (int i = 0, n = sqlite3_column_count(s); i < n; i++)
			switch (sqlite3_column_type(s, i)) {
			case SQLITE_INTEGER:
				sum += sqlite3_column_int64(s, i);
				break;
			case SQLITE_TEXT:
				sum += sqlite3_column_text(s, i)[0] + sqlite3_column_bytes(s, i);
				break;
			default:
				break;
			}
	}
	printf("%lld rows (%lld)\n", rows, sum);
	sqlite3_finalize(s);
	sqlite3_close(db);
}

static int time_command(char **command)
{
	struct timespec begin, end;
	struct rusage usage;
	int status;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 1);
		dup2(null, 2);
		execvp(command[0], command);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		die("fork", NULL);
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%.4f %ld\n", (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9,
	    usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "time") == 0)
		return time_command(argv + 2);
	if (argc == 4 && strcmp(argv[1], "insert") == 0)
		insert(argv[2], argv[3]);
	else if (argc == 4 && strcmp(argv[1], "scan") == 0)
		scan(argv[2], argv[3]);
	else
		die("usage: bare insert DB OUT | bare scan DB VIEW", NULL);
	return 0;
}
