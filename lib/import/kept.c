/*
 * kept.c: see job_db.h. The file is a database of SQLite with a line behind its last page: what the tables were made
 * from, and a hash of all bytes before it.
 */
#include "import/job_db.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/index.h"
#include "base/out.h"
#include "base/schema.h"
#include "store/connection.h"

#define PART_NAME "." MP_KEPT_NAME ".part"
#define FILE_NAME "kept" /* the name of the file's database in statements */

/* A file beyond FILE_MAX is neither made nor read: reading it would not be faster. */
enum { LINE_SIZE = 256, STATE_SIZE = 4096, BUFFER_SIZE = 8192, FILE_MAX = 256 << 20 };

/* The hash of the first `size` bytes of a file. Returns 0, or -1 when they cannot be read. */
static int hash_file(int fd, off_t size, uint64_t *hash)
{
	char bytes[BUFFER_SIZE];

	*hash = 0;
	for (off_t at = 0; at < size;) {
		size_t wanted = size - at < BUFFER_SIZE ? (size_t)(size - at) : BUFFER_SIZE;
		ssize_t n = pread(fd, bytes, wanted, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		*hash = mp_fnv(*hash, bytes, (size_t)n);
		at += n;
	}
	return 0;
}

/*
 * The line of a file whose other bytes have this hash: the size, the time and the beginning of the database, where
 * SQLite counts changes; the schema and the version of the program. Returns 0; -1 for a database without a file.
 */
static int make_line(char line[LINE_SIZE], const struct mp_db *db, const struct mp_kept *kept, uint64_t hash)
{
	struct stat st;
	uint64_t state;

	if (db->fd < 0 || fstat(db->fd, &st) ||
	    hash_file(db->fd, st.st_size < STATE_SIZE ? st.st_size : STATE_SIZE, &state))
		return -1;
	memset(line, 0, LINE_SIZE);
	return snprintf(line, LINE_SIZE, "\n%lld %lld.%09ld %016" PRIx64 " %016" PRIx64 " %s %016" PRIx64 "\n",
		   (long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, state,
		   mp_schema_fingerprint("", NULL), kept->tool_version, hash) < LINE_SIZE
		   ? 0
		   : -1;
}

/* Returns whether a file was made from this database by this program, and has all its bytes. */
static bool is_valid(int fd, const struct mp_db *db, const struct mp_kept *kept)
{
	char line[LINE_SIZE], wanted[LINE_SIZE];
	struct stat st;
	uint64_t hash;

	return fstat(fd, &st) == 0 && st.st_size > LINE_SIZE && st.st_size <= FILE_MAX &&
	       hash_file(fd, st.st_size - LINE_SIZE, &hash) == 0 && make_line(wanted, db, kept, hash) == 0 &&
	       pread(fd, line, LINE_SIZE, st.st_size - LINE_SIZE) == LINE_SIZE && memcmp(line, wanted, LINE_SIZE) == 0;
}

/* Run a statement for each of the tables: "%w" is its name, twice at most. */
static int each_table(struct mp_db *db, const struct mp_kept *kept, const char *format, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT name FROM temp.sqlite_schema WHERE type = 'table' AND name GLOB :tables || '*'";
	sqlite3_str *built = sqlite3_str_new(db->handle);
	struct mp_query *q;
	int status;

	status = mp_query_open(&q, db, sql, sizeof(sql) - 1, err) || mp_query_bind_text(q, "tables", kept->tables, err)
		     ? -1
		     : 0;
	while (!status && (status = mp_query_next(q, err)) == 1) {
		const char *name = mp_query_text(q, 0);

		sqlite3_str_appendf(built, format, name, name);
		status = 0;
	}
	mp_query_close(q);
	if (!status)
		return mp_db_run_built(db, built, err);
	sqlite3_free(sqlite3_str_finish(built));
	return -1;
}

/* Only tables: a view, or a table that a module makes, would run what the file says. */
static int check_tables(struct mp_db *db, struct mp_error *err)
{
	int64_t others;

	if (mp_db_number(db,
		"SELECT count(*) FROM " FILE_NAME
		".sqlite_schema WHERE type <> 'table' OR sql NOT LIKE 'CREATE TABLE%'",
		1, &others, err))
		return -1;
	return others ? mp_fail(err, "the file has more than tables") : 0;
}

static bool load(struct mp_db *db, int fd, const struct mp_kept *kept)
{
	struct mp_error ignored;
	int status;

	if (mp_db_attach(db, fd, FILE_NAME, &ignored))
		return false;
	status = mp_db_run(db, "BEGIN", &ignored) || check_tables(db, &ignored) ||
		 each_table(db, kept, "INSERT INTO temp.\"%w\" SELECT * FROM " FILE_NAME ".\"%w\";", &ignored) ||
		 mp_db_run(db, "COMMIT", &ignored);
	if (status)
		mp_db_run(db, "ROLLBACK", &ignored);
	mp_db_run(db, "DETACH " FILE_NAME, &ignored);
	return !status;
}

bool mp_kept_load(struct mp_db *db, const struct mp_job *job, const struct mp_kept *kept)
{
	struct mp_error ignored;
	int dirfd = mp_dir_open(job->database.dirfd, "sqlite", "sqlite", &ignored);
	int fd = dirfd < 0 ? -1 : mp_dir_open_file(dirfd, MP_KEPT_NAME, NULL);
	bool loaded = fd >= 0 && is_valid(fd, db, kept) && load(db, fd, kept);

	if (fd >= 0)
		close(fd); /* read only: nothing to lose */
	if (dirfd >= 0)
		close(dirfd); /* no data was written through this descriptor */
	return loaded;
}

/* No journal is needed, because only a complete file is renamed. */
static int save(struct mp_db *db, int fd, const struct mp_kept *kept)
{
	struct mp_error ignored;
	int status;

	if (mp_db_attach(db, fd, FILE_NAME, &ignored))
		return -1;
	status = mp_db_run(db,
		     "PRAGMA " FILE_NAME ".journal_mode=MEMORY; PRAGMA " FILE_NAME ".synchronous=OFF; BEGIN;"
		     "PRAGMA " FILE_NAME ".application_id=0x6d737072;",
		     &ignored) ||
		 each_table(db, kept, "CREATE TABLE " FILE_NAME ".\"%w\" AS SELECT * FROM temp.\"%w\";", &ignored) ||
		 mp_db_run(db, "COMMIT", &ignored);
	if (status)
		mp_db_run(db, "ROLLBACK", &ignored);
	return mp_db_run(db, "DETACH " FILE_NAME, &ignored) || status ? -1 : 0;
}

static int end_file(struct mp_db *db, int fd, const struct mp_kept *kept)
{
	char line[LINE_SIZE];
	struct stat st;
	uint64_t hash;

	return fstat(fd, &st) || st.st_size > FILE_MAX - LINE_SIZE || hash_file(fd, st.st_size, &hash) ||
		       make_line(line, db, kept, hash) || pwrite(fd, line, LINE_SIZE, st.st_size) != LINE_SIZE
		   ? -1
		   : 0;
}

static void replace(struct mp_db *db, int dirfd, const struct mp_kept *kept)
{
	struct mp_error ignored;
	int fd = mp_part_create(dirfd, PART_NAME, MP_KEPT_NAME, &ignored);

	if (fd < 0)
		return;
	if (save(db, fd, kept) || end_file(db, fd, kept))
		mp_part_discard(dirfd, fd, PART_NAME);
	else
		(void)mp_part_publish(dirfd, fd, PART_NAME, MP_KEPT_NAME, true, MP_KEPT_NAME, &ignored);
}

void mp_kept_store(struct mp_db *db, const struct mp_job *job, const struct mp_kept *kept)
{
	const struct mp_wait none = {.polls = 0};
	struct mp_error ignored;
	int dirfd = db->fd < 0 ? -1 : mp_dir_open(job->database.dirfd, "sqlite", "sqlite", &ignored);

	/* one that imports, or keeps the same, is not waited for */
	if (dirfd >= 0 && mp_dir_lock(dirfd, PART_NAME, "keeping", "sqlite", &none, &ignored) == 0) {
		kept->part(dirfd, PART_NAME);
		replace(db, dirfd, kept);
		kept->part(-1, PART_NAME);
	}
	if (dirfd >= 0)
		close(dirfd); /* no data was written through this descriptor */
}
