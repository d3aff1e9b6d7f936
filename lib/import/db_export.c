/* db_export.c: runs the export script of a family from msprof.db to a new database. Knows no table of the two. */
#include "import/db_export.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/out.h"
#include "base/schema.h"
#include "store/connection.h"

#define NEW "out" /* the name of the new database in scripts */

enum { PATH_SIZE = 64 };

/* The scripts of an export, in the order in which they run. */
static const char *const steps[] = {"export", "export_samples"};
enum { STEP_COUNT = sizeof(steps) / sizeof(steps[0]) };

/* Returns the text of the script of a step, or NULL when not found; `path` receives its path. */
static const char *find_script(enum mp_family family, const char *step, char path[PATH_SIZE])
{
	snprintf(path, PATH_SIZE, "sql/%s/%s.sql", mp_family_name(family), step);
	return mp_schema_text(path);
}

bool mp_db_can_export(enum mp_family family)
{
	char path[PATH_SIZE];

	return find_script(family, steps[0], path) != NULL;
}

/* Returns 1 when the table has rows, 0 when not, -1 on error. */
static int has_rows(struct mp_db *db, const char *table, struct mp_error *err)
{
	char *sql = sqlite3_mprintf("SELECT 1 FROM out.\"%w\"", table);
	struct mp_query *rows;
	int status = -1;

	if (!sql)
		return mp_fail_memory(err, "a statement");
	if (mp_query_open(&rows, db, sql, strlen(sql), err) == 0) {
		status = mp_query_next(rows, err);
		mp_query_close(rows);
	}
	sqlite3_free(sql);
	return status;
}

/*
 * Find a table without rows. Returns 1, 0 when not found, -1 on error. *drop receives a statement that drops the table;
 * free the text with sqlite3_free.
 */
static int find_empty(struct mp_db *db, char **drop, struct mp_error *err)
{
	static const char sql[] = "SELECT name FROM out.sqlite_schema WHERE type = 'table'";
	struct mp_query *tables;
	int status = -1, full = 1;

	*drop = NULL;
	if (mp_query_open(&tables, db, sql, sizeof(sql) - 1, err))
		return -1;
	while (full == 1 && (status = mp_query_next(tables, err)) == 1)
		full = has_rows(db, mp_query_text(tables, 0), err);
	if (full == 0) {
		*drop = sqlite3_mprintf("DROP TABLE out.\"%w\"", mp_query_text(tables, 0));
		status = *drop ? 1 : mp_fail_memory(err, "a statement");
	}
	mp_query_close(tables);
	return full < 0 ? -1 : status;
}

/* Drop all tables without rows. */
static int drop_empty(struct mp_db *db, struct mp_error *err)
{
	char *drop;
	int status;

	while ((status = find_empty(db, &drop, err)) == 1) {
		status = mp_db_run(db, drop, err);
		sqlite3_free(drop);
		if (status)
			return -1;
	}
	return status;
}

/* Run the scripts in a transaction. */
static int run_scripts(struct mp_db *db, enum mp_family family, int fd, const char *label,
    const struct mp_db_export_options *options, struct mp_error *err)
{
	struct mp_export_rows rows = {
	    .db = db, .schema = NEW, .progress = options->progress, .progress_user = options->progress_user};
	const struct mp_script_runner runner = {&rows, mp_export_rows_run};
	char path[PATH_SIZE];
	int status = mp_db_open_bulks(&rows.bulks, db, NEW, label, fd, err);

	for (int i = 0; !status && i < STEP_COUNT; i++) {
		const char *script = find_script(family, steps[i], path);

		if (script)
			status = mp_script_run_by(db, path, script, &runner, err);
	}
	mp_bulks_close(rows.bulks);
	return status;
}

/* Fill the part file. No journal and no sync are needed here, because only a complete file is renamed. */
static int fill(struct mp_db *db, enum mp_family family, int fd, const char *label,
    const struct mp_db_export_options *options, struct mp_error *err)
{
	struct mp_error unused;
	int status;

	if (mp_db_attach(db, fd, NEW, err))
		return -1;
	status =
	    mp_db_run(db,
		"PRAGMA out.page_size=16384; PRAGMA out.journal_mode=MEMORY; PRAGMA out.synchronous=OFF; PRAGMA out.auto_vacuum=NONE; PRAGMA out.locking_mode=NORMAL; BEGIN;",
		err) ||
		    run_scripts(db, family, fd, label, options, err) || drop_empty(db, err) ||
		    mp_db_run(db, "PRAGMA out.application_id=0x6d737072; COMMIT;", err)
		? -1
		: 0;
	if (status)
		mp_db_run(db, "ROLLBACK;", &unused); /* an error if SQLite already rolled back */
	return mp_db_run(db, "DETACH out;", status ? &unused : err) || status ? -1 : 0;
}

int mp_db_export(struct mp_db *db, const struct mp_job *job, const char *name,
    const struct mp_db_export_options *options, struct mp_error *err)
{
	char label[4096];
	int fd;

	snprintf(label, sizeof(label), "%s/%s", job->exports.path, MP_DB_EXPORT_PART);
	fd = mp_part_create(job->exports.dirfd, MP_DB_EXPORT_PART, label, err);
	if (fd < 0)
		return -1;
	mp_maps_lie_in(db->maps, job->exports.dirfd);
	if (fill(db, job->family, fd, label, options, err) == 0)
		return mp_part_publish(job->exports.dirfd, fd, MP_DB_EXPORT_PART, name, true, label, err);
	mp_part_discard(job->exports.dirfd, fd, MP_DB_EXPORT_PART);
	return -1;
}
