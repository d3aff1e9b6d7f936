/* db_export.c: runs the export script of a family between msprof.db and a new database. Knows no table of either. */
#include "store/db_export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/schema.h"
#include "store/db_internal.h"

static const char *script(enum mp_family family)
{
	char path[64];

	snprintf(path, sizeof(path), "sql/%s/export.sql", mp_family_name(family));
	return mp_schema_text(path);
}

bool mp_db_can_export(enum mp_family family)
{
	return script(family) != NULL;
}

static int create_part(const struct mp_job *job, struct mp_error *err)
{
	int fd;

	if (unlinkat(job->dirfd, MP_DB_EXPORT_PART, 0) && errno != ENOENT)
		return mp_fail_errno(err, "cannot remove '%s/%s'", job->path, MP_DB_EXPORT_PART);
	fd = openat(job->dirfd, MP_DB_EXPORT_PART, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
	if (fd < 0)
		return mp_fail_errno(err, "cannot create '%s/%s'", job->path, MP_DB_EXPORT_PART);
	if (fchmod(fd, 0640) == 0) /* whatever the umask */
		return fd;
	mp_fail_errno(err, "cannot set the mode of '%s/%s'", job->path, MP_DB_EXPORT_PART);
	close(fd);
	unlinkat(job->dirfd, MP_DB_EXPORT_PART, 0);
	return -1;
}

static int attach(struct mp_db *db, const struct mp_job *job, struct mp_error *err)
{
	char *sql = sqlite3_mprintf("ATTACH '%q/sqlite/msprof.db' AS job", job->real_path);
	int status;

	if (!sql)
		return mp_fail_memory(err, "a statement");
	status = mp_db_run(db, sql, err);
	sqlite3_free(sql);
	return status;
}

/* The name of a table without a row, to be freed with sqlite3_free; NULL with status 0 where there is none. */
static char *empty_table(struct mp_db *db, int *status, struct mp_error *err)
{
	sqlite3_stmt *tables, *row = NULL;
	char *name = NULL;

	*status = sqlite3_prepare_v2(
	    db->handle, "SELECT name FROM main.sqlite_schema WHERE type = 'table'", -1, &tables, NULL);
	while (!*status && !name && sqlite3_step(tables) == SQLITE_ROW) {
		char *sql = sqlite3_mprintf("SELECT 1 FROM main.\"%w\"", sqlite3_column_text(tables, 0));

		*status = sql ? sqlite3_prepare_v2(db->handle, sql, -1, &row, NULL) : SQLITE_NOMEM;
		sqlite3_free(sql);
		if (!*status && sqlite3_step(row) == SQLITE_DONE)
			name = sqlite3_mprintf("%s", sqlite3_column_text(tables, 0));
		sqlite3_finalize(row);
	}
	sqlite3_finalize(tables);
	*status = *status ? mp_db_fail(db, err, "cannot read") : 0;
	return name;
}

/* A table is there where its data is. */
static int drop_empty(struct mp_db *db, struct mp_error *err)
{
	char *name;
	int status;

	while ((name = empty_table(db, &status, err))) {
		char *sql = sqlite3_mprintf("DROP TABLE main.\"%w\"", name);

		status = sql ? mp_db_run(db, sql, err) : mp_fail_memory(err, "a statement");
		sqlite3_free(sql);
		sqlite3_free(name);
		if (status)
			return -1;
	}
	return status;
}

static int fill(const struct mp_job *job, const char *path, struct mp_error *err)
{
	struct mp_db *db;
	int status;

	if (mp_db_connect(&db, path, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, "unix-none", err))
		return -1;
	status = mp_db_run(db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;", err) || attach(db, job, err) ||
			 mp_db_run(db, "BEGIN;", err) || mp_db_run(db, script(job->family), err) ||
			 drop_empty(db, err) || mp_db_run(db, "COMMIT;", err)
		     ? -1
		     : 0;
	if (sqlite3_close(db->handle) && !status)
		status = mp_db_fail(db, err, "cannot close");
	else
		db->handle = NULL;
	mp_db_close(db);
	return status;
}

int mp_db_export(const struct mp_job *job, const char *name, struct mp_error *err)
{
	char path[4096];
	int fd, status;

	if (snprintf(path, sizeof(path), "%s/%s", job->real_path, MP_DB_EXPORT_PART) >= (int)sizeof(path))
		return mp_fail(err, "path too long: '%s'", job->path);
	fd = create_part(job, err);
	if (fd < 0)
		return -1;
	status = fill(job, path, err);
	if (!status && fsync(fd))
		status = mp_fail_errno(err, "cannot write '%s'", path);
	if (!status && renameat(job->dirfd, MP_DB_EXPORT_PART, job->dirfd, name))
		status = mp_fail_errno(err, "cannot rename '%s'", path);
	if (status)
		unlinkat(job->dirfd, MP_DB_EXPORT_PART, 0);
	close(fd); /* synced above */
	return status;
}
