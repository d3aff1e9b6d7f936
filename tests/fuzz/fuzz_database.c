/*
 * fuzz_database.c: the database of a job with other values and with damage, read by a reader that the input chooses.
 *
 * The bytes of an input: the job (the seeds of fuzz_job that no fuzzer found), two that choose a reader
 * (fuzz_readers.h), how much of the file is cut off, and changes. A change has a byte of its kind. An odd one is a
 * value: a byte each for table, column and row, two for the value. An even one is damage: three bytes of offset, a byte
 * of content.
 */
#include "fuzz_readers.h"

enum { BASE_MAX = 16, TABLES_MAX = 256, HEAD = 4, CHANGE = 6 };

static struct base {
	uint8_t *job;
	size_t job_size;
	sqlite3 *handle; /* its database, in memory */
	char *tables[TABLES_MAX];
	unsigned table_count;
} bases[BASE_MAX];
static unsigned count, current = BASE_MAX; /* the job that is unpacked */

static uint8_t *slurp(int dirfd, const char *name, size_t *size)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);
	struct stat st;
	uint8_t *bytes;

	CHECK(fd >= 0 && fstat(fd, &st) == 0);
	*size = (size_t)st.st_size;
	bytes = malloc(*size + 1);
	CHECK(bytes && read(fd, bytes, *size) == (ssize_t)*size);
	close(fd);
	return bytes;
}

static void run(sqlite3 *handle, const char *sql)
{
	CHECK(sqlite3_exec(handle, sql, NULL, NULL, NULL) == SQLITE_OK);
}

/* The tables with rows. */
static void list_tables(struct base *b)
{
	sqlite3_stmt *names, *row;
	char sql[256];

	CHECK(sqlite3_prepare_v2(b->handle,
		  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1", -1,
		  &names, NULL) == SQLITE_OK);
	while (sqlite3_step(names) == SQLITE_ROW && b->table_count < TABLES_MAX) {
		const char *name = (const char *)sqlite3_column_text(names, 0);

		snprintf(sql, sizeof(sql), "SELECT 1 FROM \"%s\"", name);
		CHECK(sqlite3_prepare_v2(b->handle, sql, -1, &row, NULL) == SQLITE_OK);
		if (sqlite3_step(row) == SQLITE_ROW)
			CHECK((b->tables[b->table_count++] = strdup(name)));
		sqlite3_finalize(row);
	}
	sqlite3_finalize(names);
}

/* Take the database of the job into memory, where each input changes it and takes the changes back. */
static void take_database(struct base *b, int dirfd)
{
	sqlite3_backup *copy;
	sqlite3 *file;
	size_t size;
	uint8_t *bytes = slurp(dirfd, "sqlite/msprof.db", &size);

	CHECK(sqlite3_open(":memory:", &file) == SQLITE_OK && sqlite3_open(":memory:", &b->handle) == SQLITE_OK);
	CHECK(sqlite3_deserialize(file, "main", bytes, (sqlite3_int64)size, (sqlite3_int64)size,
		  SQLITE_DESERIALIZE_READONLY) == SQLITE_OK);
	copy = sqlite3_backup_init(b->handle, "main", file, "main");
	CHECK(copy && sqlite3_backup_step(copy, -1) == SQLITE_DONE && sqlite3_backup_finish(copy) == SQLITE_OK);
	CHECK(sqlite3_close(file) == SQLITE_OK);
	free(bytes);
	run(b->handle, "PRAGMA ignore_check_constraints=ON");
	list_tables(b);
}

static void add_base(int seeds, const char *name)
{
	const struct mp_import_options options = {.tool_version = "fuzz"};
	struct base *b = &bases[count];
	struct mp_error err = {.text = ""};
	struct mp_job *job;

	b->job = slurp(seeds, name, &b->job_size);
	unpack_job(b->job + 2, b->job_size - 2);
	CHECK(mp_job_open(&job, job_path, embedded_layouts(), 0, &err) == 0);
	CHECK(mp_import(job, embedded_layouts(), &options, &err) == 0);
	take_database(b, job->dirfd);
	mp_job_close(job);
	count++;
}

/* A seed that is a job. What a fuzzer found need not be one. */
static bool is_base(const char *name)
{
	return name[0] != '.' && strncmp(name, "found_", 6) != 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct dirent **entries;
	int found = scandir(FUZZ_SEEDS "/fuzz_job", &entries, NULL, by_name);
	int seeds = open(FUZZ_SEEDS "/fuzz_job", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)argc;
	(void)argv;
	CHECK(found > 0 && seeds >= 0);
	for (int i = 0; i < found; i++) {
		if (is_base(entries[i]->d_name) && count < BASE_MAX)
			add_base(seeds, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	close(seeds);
	return 0;
}

/* Bind a value at the ends of what a column can have, or of another type. */
static int bind_value(sqlite3_stmt *s, uint8_t kind, uint8_t number)
{
	static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT32_MAX, UINT32_MAX, (int64_t)1 << 52,
	    (int64_t)1 << 53, (int64_t)1 << 62, INT64_MAX - 1, INT64_MAX};
	static const double reals[] = {0.5, -1e300, 1e300, 9.3e18, -0.0, 1e-300};
	static const char *const texts[] = {"", "prof", "svp", "ascend2022", "ascend910", "9223372036854775807",
	    "1e999", "{\"hostname\":[]}", "a\037b", "\x1b[31m", "\xff\xfe", "'\"`"};

	switch (kind % 6) {
	case 0:
		return sqlite3_bind_null(s, 1);
	case 1:
		return sqlite3_bind_double(s, 1, reals[number % (sizeof(reals) / sizeof(reals[0]))]);
	case 2:
		return sqlite3_bind_text(s, 1, texts[number % (sizeof(texts) / sizeof(texts[0]))], -1, SQLITE_STATIC);
	case 3:
		return sqlite3_bind_int64(s, 1, number);
	default:
		return sqlite3_bind_int64(s, 1, ends[number % (sizeof(ends) / sizeof(ends[0]))]);
	}
}

/* Change one value. What the table does not take stays. */
static void change_value(const struct base *b, const uint8_t *change)
{
	const char *table = b->tables[change[1] % b->table_count];
	sqlite3_stmt *s;
	char *sql;
	int columns;

	sql = sqlite3_mprintf("SELECT * FROM \"%w\"", table);
	CHECK(sql && sqlite3_prepare_v2(b->handle, sql, -1, &s, NULL) == SQLITE_OK);
	sqlite3_free(sql);
	columns = sqlite3_column_count(s);
	sql = sqlite3_mprintf(
	    "UPDATE OR IGNORE \"%w\" SET \"%w\" = ?1 WHERE rowid IN (SELECT rowid FROM \"%w\" LIMIT 1 OFFSET %d)",
	    table, sqlite3_column_name(s, change[2] % columns), table, change[3] % 64);
	sqlite3_finalize(s);
	CHECK(sql);
	if (sqlite3_prepare_v2(b->handle, sql, -1, &s, NULL) ==
	    SQLITE_OK) { /* else it has no rowid, or it is computed */
		CHECK(bind_value(s, change[4], change[5]) == SQLITE_OK);
		sqlite3_step(s);
		sqlite3_finalize(s);
	}
	sqlite3_free(sql);
}

/* Write the database of the base with the changes of the input. */
static void write_database(const struct base *b, const uint8_t *data, size_t size)
{
	sqlite3_int64 whole;
	uint8_t *file;
	char path[400];
	size_t used;
	int fd;

	run(b->handle, "BEGIN");
	for (size_t i = HEAD; i + CHANGE <= size; i += CHANGE)
		if (data[i] & 1)
			change_value(b, data + i);
	file = sqlite3_serialize(b->handle, "main", &whole, 0);
	run(b->handle, "ROLLBACK");
	CHECK(file);
	used = (size_t)whole - (size_t)whole * data[3] / 256;
	for (size_t i = HEAD; i + CHANGE <= size; i += CHANGE)
		if (!(data[i] & 1))
			file[(data[i + 1] | (size_t)data[i + 2] << 8 | (size_t)data[i + 3] << 16) % used] = data[i + 4];
	snprintf(path, sizeof(path), "%s/sqlite/msprof.db", job_path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && write(fd, file, used) == (ssize_t)used);
	close(fd);
	sqlite3_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mp_error err = {.text = ""};
	struct mp_job *job;
	char dir[400];
	int64_t held;

	if (size < HEAD)
		return -1;
	if (current != data[0] % count) {
		current = data[0] % count;
		unpack_job(bases[current].job + 2, bases[current].job_size - 2);
		snprintf(dir, sizeof(dir), "%s/sqlite", job_path);
		CHECK(mkdir(dir, 0700) == 0);
	}
	write_database(&bases[current], data, size);
	held = blocks.held;
	CHECK(mp_job_open(&job, job_path, embedded_layouts(), 0, &err) == 0);
	read_database(job, data + 1);
	mp_job_close(job);
	CHECK(blocks.held == held);
	return 0;
}
