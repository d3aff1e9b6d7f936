/* db_export.c: runs the export script of a family from msprof.db to a new database. Knows no table of the two. */
#include "import/db_export.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/out.h"
#include "base/schema.h"
#include "import/import_internal.h"
#include "store/connection.h"

#define NEW "out" /* the name of the new database in scripts */

enum { PATH_SIZE = 64 };

/* The scripts of each kind of database, in the order in which they run; a family may lack some. */
static const char *const export_steps[] = {"export", "export_samples", NULL};
static const char *const analysis_steps[] = {"analysis", NULL};
static const char *const pytorch_steps[] = {
    "export", "export_samples", "pytorch", "pytorch_memory", "pytorch_steps", NULL};
static const char *const pytorch_analysis_steps[] = {"analysis", "pytorch_analysis", NULL};

/* Whether a script makes other databases of that of a job, and nothing of it. */
static bool only_exports(const char *path)
{
	static const char *const *const kinds[] = {pytorch_steps, pytorch_analysis_steps};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		for (const char *const *step = kinds[i]; *step; step++)
			if (strncmp(name, *step, strlen(*step)) == 0 && strcmp(name + strlen(*step), ".sql") == 0)
				return true;
	return false;
}

uint64_t mp_db_made_by(void)
{
	return mp_schema_fingerprint("sql/", only_exports);
}

/* What the scripts of a database need. */
struct scripts {
	const char *const *steps;
	enum mp_family family;
	const struct mp_db_export_options *options;
};

/* Returns the text of the script of a step, or NULL when not found; `path` receives its path. */
static const char *find_script(enum mp_family family, const char *step, char path[PATH_SIZE])
{
	snprintf(path, PATH_SIZE, "sql/%s/%s.sql", mp_family_name(family), step);
	return mp_schema_text(path);
}

bool mp_db_can_export(enum mp_family family)
{
	char path[PATH_SIZE];

	return find_script(family, export_steps[0], path) != NULL;
}

/* Returns 1 when the table has rows, 0 when not, -1 on error. */
static int has_rows(struct mp_db *db, const char *table, struct mp_error *err)
{
	char *sql = sqlite3_mprintf("SELECT 1 FROM out.\"%w\"", table);
	struct mp_query *rows;
	int status;

	if (!sql)
		return mp_fail_memory(err, "a statement");
	status = mp_query_ask(&rows, db, sql, NULL, 0, err);
	mp_query_close(rows);
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
static int run_scripts(struct mp_db *db, const struct mp_new_db *new, int fd, const char *label, struct mp_error *err)
{
	const struct scripts *t = new->user;
	struct mp_export_rows rows = {
	    .db = db, .schema = NEW, .progress = t->options->progress, .progress_user = t->options->progress_user};
	const struct mp_script_runner runner = {&rows, mp_export_rows_run};
	char path[PATH_SIZE];
	int status = mp_db_open_bulks(&rows.bulks, db, NEW, label, fd, err);

	for (const char *const *step = t->steps; !status && *step; step++) {
		const char *script = find_script(t->family, *step, path);

		if (script)
			status = mp_script_run_by(db, path, script, &runner, err);
	}
	mp_bulks_close(rows.bulks);
	return status;
}

/* Fill the part file. No journal and no sync are needed here, because only a complete file is renamed. */
static int fill(
    struct mp_db *db, const struct mp_new_db *t, int fd, const char *label, int64_t *tables, struct mp_error *err)
{
	struct mp_error unused;
	char stamp[64];
	int status;

	if (mp_db_attach(db, fd, NEW, err))
		return -1;
	snprintf(stamp, sizeof(stamp), "PRAGMA out.user_version=%u;", t->stamp);
	status =
	    mp_db_run(db,
		"PRAGMA out.page_size=16384; PRAGMA out.journal_mode=MEMORY; PRAGMA out.synchronous=OFF; PRAGMA out.auto_vacuum=NONE; PRAGMA out.locking_mode=NORMAL; BEGIN;",
		err) ||
		    t->fill(db, t, fd, label, err) || (!t->keeps_empty && drop_empty(db, err)) ||
		    mp_db_number(db, "SELECT count(*) FROM out.sqlite_schema", 0, tables, err) ||
		    mp_db_run(db, stamp, err) || mp_db_run(db, "PRAGMA out.application_id=0x6d737072; COMMIT;", err)
		? -1
		: 0;
	if (status)
		mp_db_run(db, "ROLLBACK;", &unused); /* an error if SQLite already rolled back */
	return mp_db_run(db, "DETACH out;", status ? &unused : err) || status ? -1 : 0;
}

int mp_new_db_write(struct mp_db *db, const struct mp_new_db *t, struct mp_error *err)
{
	char label[4096];
	int64_t tables;
	int fd, status;

	snprintf(label, sizeof(label), "%s/%s", t->dir, t->part);
	fd = mp_part_create(t->dirfd, t->part, label, err);
	if (fd < 0)
		return -1;
	mp_maps_lie_in(db->maps, t->dirfd);
	status = fill(db, t, fd, label, &tables, err);
	if (!status && (tables || !t->or_nothing))
		return mp_part_publish(t->dirfd, fd, t->part, t->name, true, label, err) ? -1 : 1;
	mp_part_discard(t->dirfd, fd, t->part);
	return status;
}

int mp_db_export(struct mp_db *db, const struct mp_job *job, const char *name,
    const struct mp_db_export_options *options, struct mp_error *err)
{
	struct scripts scripts = {export_steps, job->family, options};
	const struct mp_new_db new = {.dirfd = job->exports.dirfd,
	    .dir = job->exports.path,
	    .part = MP_DB_EXPORT_PART,
	    .name = name,
	    .fill = run_scripts,
	    .user = &scripts};

	return mp_new_db_write(db, &new, err) < 0 ? -1 : 0;
}

/* Write a database into a directory of files. */
static int write_beside(struct mp_db *db, const char *const *steps, enum mp_family family,
    const struct mp_db_beside *place, bool keeps_empty, struct mp_error *err)
{
	struct scripts scripts = {steps, family, &(struct mp_db_export_options){NULL, NULL}};
	const struct mp_new_db new = {.dirfd = place->dirfd,
	    .dir = place->dir,
	    .part = MP_OUT_PART,
	    .name = place->name,
	    .keeps_empty = keeps_empty,
	    .fill = run_scripts,
	    .user = &scripts};

	return mp_new_db_write(db, &new, err) < 0 ? -1 : 0;
}

int mp_db_analysis(struct mp_db *db, enum mp_family family, int dirfd, const char *dir, struct mp_error *err)
{
	const struct mp_db_beside place = {dirfd, dir, MP_DB_ANALYSIS};

	return write_beside(db, analysis_steps, family, &place, true, err);
}

int mp_db_pytorch(struct mp_db *db, const struct mp_db_beside *place, struct mp_error *err)
{
	return write_beside(db, pytorch_steps, MP_FAMILY_PROF, place, false, err);
}

int mp_db_pytorch_analysis(struct mp_db *db, const struct mp_db_beside *place, struct mp_error *err)
{
	return write_beside(db, pytorch_analysis_steps, MP_FAMILY_PROF, place, true, err);
}
