/* job_db.c: opens, examines and removes the database of a job; makes that of a process. */
#include "import/job_db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/door.h"
#include "base/schema.h"
#include "expr/engine.h"
#include "import/import_internal.h"
#include "store/connection.h"

static const char FIND_FILE[] = "SELECT size, mtime_ns, has_done FROM source WHERE file = :file";

int mp_job_db_path(const struct mp_job *job, char *path, size_t size, struct mp_error *err)
{
	if (snprintf(path, size, "%s/sqlite/msprof.db", job->database.real_path) >= (int)size)
		return mp_fail(err, "path too long: '%s'", job->database.path);
	return 0;
}

/* A link in place of the directory counts as a database: mp_job_db_open reports the link. */
bool mp_job_db_exists(const struct mp_job *job)
{
	struct mp_error told_later;
	int type = mp_dir_type(job->database.dirfd, "sqlite", "sqlite", &told_later), fd;

	if (type != S_IFDIR)
		return type < 0 || type == S_IFLNK;
	fd = mp_dir_open(job->database.dirfd, "sqlite", "sqlite", &told_later);
	if (fd < 0)
		return mp_is_machine_failure(errno);
	type = mp_dir_type(fd, "msprof.db", "msprof.db", &told_later);
	close(fd); /* only looked at */
	return type != 0;
}

static int open_sqlite(const struct mp_job *job, struct mp_error *err)
{
	char label[4096];

	snprintf(label, sizeof(label), "%s/sqlite", job->database.real_path);
	return mp_dir_open(job->database.dirfd, "sqlite", label, err);
}

/* Returns whether the job has raw files, which can be decoded again. */
static bool has_raw(const struct mp_job *job)
{
	for (size_t i = 0; i < job->file_count; i++)
		if (job->files[i].state == MP_FILE_RAW)
			return true;
	return false;
}

/*
 * Replace a database of another schema. While all its raw files are there, they are imported anew: their list is enough
 * then. `job` may be NULL.
 */
static int renew(struct mp_db **db, const struct mp_job *job, struct mp_error *err)
{
	struct mp_db *renewed = NULL;
	int64_t gone = 1;

	if (job && has_raw(job)) {
		if (mp_db_renew(&renewed, *db, "source", err))
			return -1;
		if (mp_job_db_gone(renewed, job, &gone, err) || gone) {
			mp_db_close(renewed);
			renewed = NULL;
		}
	}
	if (!renewed && mp_db_renew(&renewed, *db, NULL, err))
		return -1;
	mp_db_close(*db);
	*db = renewed;
	return 0;
}

static int open_at(struct mp_db **db, int dirfd, const char *name, const char *path, const struct mp_job *job,
    unsigned plain, struct mp_error *err)
{
	if (mp_db_open(db, dirfd, name, path, err))
		return -1;
	if ((*db)->foreign && renew(db, job, err)) {
		mp_db_close(*db);
		*db = NULL;
		return -1;
	}
	mp_expr_attach(*db, plain);
	return 0;
}

int mp_job_db_open(struct mp_db **db, const struct mp_job *job, unsigned plain, struct mp_error *err)
{
	char path[4096];
	int dirfd, status;

	*db = NULL;
	if (mp_job_db_path(job, path, sizeof(path), err))
		return -1;
	dirfd = open_sqlite(job, err);
	if (dirfd < 0)
		return -1;
	status = open_at(db, dirfd, "msprof.db", path, job, plain, err);
	close(dirfd); /* no data was written through this descriptor */
	return status;
}

int mp_job_db_open_path(struct mp_db **db, const char *path, unsigned plain, struct mp_error *err)
{
	return open_at(db, AT_FDCWD, path, path, NULL, plain, err);
}

/* Write the first text of a query that gave `status`, or "", and close the query. Returns 0, or -1 after an error. */
static int take_text(struct mp_query *q, int status, char *text, size_t size)
{
	struct mp_value v = status == 1 ? mp_text_of(mp_query_value(q, 0)) : mp_text("", 0);

	snprintf(text, size, "%.*s", (int)v.len, v.text);
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

int mp_job_db_meta(struct mp_db *db, const char *key, char *value, size_t size, struct mp_error *err)
{
	struct mp_query *q;
	int status =
	    mp_query_ask(&q, db, "SELECT CAST(value AS TEXT) FROM meta WHERE key = ?", MP_VALUES(mp_string(key)), err);

	return take_text(q, status, value, size);
}

int mp_job_db_remove(const struct mp_job *job, const struct mp_wait *wait, struct mp_error *err)
{
	char label[4096];
	int dirfd, status;
	bool waited;

	if (!has_raw(job))
		return mp_fail(err, "'%s/sqlite/msprof.db' is not removed: the job has no raw files for another import",
		    job->database.path);
	if (mp_dir_is_missing(job->database.dirfd, "sqlite"))
		return 0; /* another process was faster */
	snprintf(label, sizeof(label), "%s/sqlite", job->database.real_path);
	/* made and removed again where another process removes it now */
	dirfd = mp_dir_open_locked(
	    job->database.dirfd, "sqlite", mp_dir_make, "msprof.db", "importing", label, wait, &waited, err);
	if (dirfd < 0)
		return -1;
	unlinkat(dirfd, MP_KEPT_NAME, 0); /* made again when needed */
	status = unlinkat(dirfd, "msprof.db", 0) && errno != ENOENT
		     ? mp_fail_errno(err, "cannot remove '%s/sqlite/msprof.db'", job->database.path)
		     : 0;
	/* while it is locked: others then see that it is not there any more */
	if (!status && unlinkat(job->database.dirfd, "sqlite", AT_REMOVEDIR) && errno != ENOENT && errno != ENOTEMPTY &&
	    errno != EEXIST)
		status = mp_fail_errno(err, "cannot remove '%s/sqlite'", job->database.path);
	close(dirfd); /* no data was written through this descriptor */
	return status;
}

static int same_settings(struct mp_db *db, const struct mp_job *job, const struct mp_layouts *layouts,
    int64_t frequency_mhz, bool *same, struct mp_error *err)
{
	char was[64], now[64];

	if (mp_job_db_meta(db, "layouts", was, sizeof(was), err))
		return -1;
	snprintf(now, sizeof(now), "%016llx", (unsigned long long)layouts->fingerprint);
	*same = strcmp(was, now) == 0;
	if (mp_job_db_meta(db, "schema", was, sizeof(was), err))
		return -1;
	snprintf(now, sizeof(now), "%016llx", (unsigned long long)mp_db_made_by());
	*same = *same && strcmp(was, now) == 0;
	if (mp_job_db_meta(db, "family", was, sizeof(was), err))
		return -1;
	*same = *same && strcmp(was, mp_family_name(job->family)) == 0;
	if (mp_job_db_meta(db, "frequency_option", was, sizeof(was), err))
		return -1;
	if (frequency_mhz || !strtoll(was, NULL, 10)) {
		*same = *same && strtoll(was, NULL, 10) == frequency_mhz;
		return 0;
	}
	/* the frequency of an earlier option stays valid while the job gives no frequency */
	for (int i = 0; i < job->device_count; i++)
		*same = *same && !job->devices[i].file_mhz;
	return 0;
}

/* Set *same to whether the import recorded the file with this size, time and marker. */
static int same_file(struct mp_query *q, const char *file, int64_t size, int64_t mtime_ns, bool has_done, bool *same,
    struct mp_error *err)
{
	int status;

	mp_query_rewind(q);
	if (mp_query_bind_text(q, "file", file, err))
		return -1;
	status = mp_query_next(q, err);
	if (status < 0)
		return -1;
	*same = status == 1 && mp_query_int(q, 0) == size && mp_query_int(q, 1) == mtime_ns &&
		mp_query_int(q, 2) == has_done;
	return 0;
}

static int same_files(struct mp_db *db, const struct mp_job *job, bool *same, struct mp_error *err)
{
	struct mp_query *q;
	char name[512];
	int status = 0;

	*same = true;
	if (mp_query_open(&q, db, FIND_FILE, strlen(FIND_FILE), err))
		return -1;
	for (size_t i = 0; !status && *same && i < job->file_count; i++) {
		const struct mp_job_file *f = &job->files[i];

		mp_job_file_path(job, f, name);
		if (f->state == MP_FILE_RAW)
			status = same_file(q, name, f->size, f->mtime_ns, f->has_done, same, err);
	}
	for (int i = 0; !status && *same && i < job->device_count; i++) {
		const struct mp_device *d = &job->devices[i];

		if (d->info.name[0])
			status = same_file(q, d->info.name, d->info.size, d->info.mtime_ns, false, same, err);
		if (!status && *same && d->host_start.name[0])
			status = same_file(
			    q, d->host_start.name, d->host_start.size, d->host_start.mtime_ns, false, same, err);
	}
	for (int i = 0; !status && *same && i < job->control_count; i++)
		status = same_file(q, job->controls[i].file.name, job->controls[i].file.size,
		    job->controls[i].file.mtime_ns, false, same, err);
	mp_query_close(q);
	return status;
}

bool mp_job_db_is_other(const struct mp_db *db)
{
	return db->foreign || db->renewed;
}

int mp_job_db_gone(struct mp_db *db, const struct mp_job *job, int64_t *gone, struct mp_error *err)
{
	static const char sql[] = "SELECT 1 FROM source WHERE file = ? AND state = 'raw'";
	int64_t made_from, there = 0;

	*gone = 0;
	if (mp_db_number(db, "SELECT count(DISTINCT file) FROM source WHERE state = 'raw'", 0, &made_from, err))
		return -1;
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_query *q;
		char name[512];
		int status;

		/* of a family that the user said, other families know the files */
		if (job->files[i].state != MP_FILE_RAW && !job->family_told)
			continue;
		mp_job_file_path(job, &job->files[i], name);
		status = mp_query_ask(&q, db, sql, MP_VALUES(mp_string(name)), err);
		mp_query_close(q);
		if (status < 0)
			return -1;
		there += status;
	}
	*gone = made_from - there;
	return 0;
}

int mp_job_db_fresh(struct mp_db *db, const struct mp_job *job, const struct mp_layouts *layouts, int64_t frequency_mhz,
    bool *fresh, struct mp_error *err)
{
	char was[32];
	int64_t gone;

	*fresh = true;
	if (!has_raw(job) && job->family_told) {
		if (mp_job_db_meta(db, "family", was, sizeof(was), err) || mp_job_db_gone(db, job, &gone, err))
			return -1;
		*fresh = strcmp(was, mp_family_name(job->family)) == 0;
		if (!*fresh && gone)
			return mp_fail(err, "'%s' was made of family '%s', and the raw files are gone", db->path, was);
		if (!*fresh)
			return 0;
	}
	if (!has_raw(job)) {
		if (mp_job_db_meta(db, "frequency_option", was, sizeof(was), err))
			return -1;
		if (frequency_mhz && strtoll(was, NULL, 10) != frequency_mhz)
			return mp_fail(
			    err, "'%s' was made with another frequency, and the raw files are gone", db->path);
		return 0;
	}
	if (mp_job_db_is_other(db)) {
		*fresh = false;
		return 0;
	}
	if (same_settings(db, job, layouts, frequency_mhz, fresh, err))
		return -1;
	return *fresh ? same_files(db, job, fresh, err) : 0;
}

/* The text that a query gives, or "". */
static int one_text(struct mp_db *db, const char *sql, char *text, size_t size, struct mp_error *err)
{
	struct mp_query *q;
	int status = mp_query_ask(&q, db, sql, NULL, 0, err);

	return take_text(q, status, text, size);
}

int mp_job_db_standing(struct mp_db *db, char *text, size_t size, struct mp_error *err)
{
	return one_text(db, "SELECT lines FROM standing_lines", text, size, err);
}

int mp_job_db_doubts(struct mp_query **q, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] = "SELECT what || ' ' || word, text || '; ' || remedy FROM told_standing "
				  "WHERE is_wrong ORDER BY place";

	return mp_query_open(q, db, sql, sizeof(sql) - 1, err);
}

int mp_job_db_loss(struct mp_db *db, char *text, size_t size, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT group_concat(amount || ' ' || "
	    "CASE amount WHEN 1 THEN substr(what, 1, length(what) - 1) ELSE what END, ', ') FROM loss";

	return one_text(db, sql, text, size, err);
}

/* Makes a private database for the events of one process, with the notes of any job. */

int mp_process_db_make(struct mp_db **db, struct mp_error *err)
{
	if (mp_db_connect(db, -1, "", err))
		return -1;
	if (mp_db_run(*db, "PRAGMA main.journal_mode=OFF; PRAGMA main.synchronous=OFF; BEGIN;", err) ||
	    mp_db_make(*db, MP_FAMILY_SVP, MP_STEPS_TABLES, err) ||
	    mp_db_run(*db, mp_schema_text("sql/process/tables.sql"), err) ||
	    mp_db_make(*db, MP_FAMILY_SVP, MP_STEPS_VIEWS, err)) {
		mp_db_close(*db);
		*db = NULL;
		return -1;
	}
	return 0;
}
