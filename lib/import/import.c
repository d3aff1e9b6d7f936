/* import.c: the steps of an import, and the database file, which appears complete or not at all. */
#include "import/import.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/map.h"
#include "base/out.h"
#include "expr/engine.h"
#include "import/import_internal.h"
#include "import/job_db.h"
#include "join/rules.h"
#include "join/tasks.h"
#include "store/sink.h"
#include "store/words.h"

#define PART_NAME ".msprof.db.part"

/* Load all files, and run the joins. `tasks` is NULL for families without joins while reading. */
static int load_files(struct mp_load *load, struct mp_tasks *tasks, struct mp_error *err)
{
	struct mp_db *db = load->db;
	enum mp_family family = load->job->family;

	for (size_t i = 0; i < load->job->file_count; i++)
		if (mp_load_file(load, &load->job->files[i], err))
			return -1;
	if (tasks && mp_tasks_seen(tasks, err))
		return -1;
	if ((load->bulks && mp_bulks_attach(load->bulks, err)) || mp_load_put_in_order(load, err))
		return -1;
	/* names, clocks, joins; then what follows from tasks */
	if (mp_db_derive(db, family, MP_STEPS("words", "finish"), err) || (tasks && mp_tasks_store(tasks, err)) ||
	    mp_db_derive(db, family,
		MP_STEPS("relate", "communication", "aicpu", "overlap", "busy", "operators", "notes", "board"), err) ||
	    mp_db_make(db, family, MP_STEPS_VIEWS, err))
		return -1;
	/* the rules are known when the last records are: those that are joined are read by the join */
	return mp_load_put_rules(load, err) || mp_beside_compare(db, load->job, err) ||
		       mp_db_derive(db, family, MP_STEPS("checks"), err)
		   ? -1
		   : 0;
}

static int load_all(struct mp_load *load, const struct mp_import_options *options, struct mp_error *err)
{
	struct mp_tasks *tasks = NULL;
	int status;

	for (size_t i = 0; i < load->job->file_count; i++)
		if (load->job->files[i].state == MP_FILE_RAW)
			load->bytes_total += load->job->files[i].size;
	if (mp_load_open(load, err))
		return -1;
	status = load->job->family == MP_FAMILY_PROF ? mp_tasks_create(&tasks, load, err) : 0;
	load->joiner = tasks ? mp_tasks_joiner(tasks) : NULL;
	if (!status)
		status = mp_import_job(load, options, err) || load_files(load, tasks, err) ? -1 : 0;
	load->joiner = NULL;
	mp_tasks_free(tasks);
	return status;
}

/*
 * Fill an empty database. fd is the database file and dirfd its directory, or both are -1. After an error the caller
 * discards the database.
 */
static int build(struct mp_db *db, int dirfd, int fd, const struct mp_job *job, const struct mp_layouts *layouts,
    const struct mp_import_options *options, struct mp_error *err)
{
	struct mp_load load = {.db = db,
	    .job = job,
	    .layouts = layouts,
	    .progress = options->progress,
	    .progress_user = options->progress_user,
	    .sequence_device = -1,
	    .dirfd = dirfd};
	char version[96];
	int status;

	if (job->missing)
		return mp_fail(err, "cannot import '%s': %s", job->path, job->missing);
	mp_expr_attach(db, options->plain);
	mp_maps_lie_in(db->maps, dirfd);
	if (mp_rules_register(db, err))
		return -1;
	snprintf(version, sizeof(version), "PRAGMA application_id=0x6d737072; PRAGMA user_version=%d; COMMIT;",
	    MP_SCHEMA_VERSION);
	status = mp_db_run(db,
	    "PRAGMA page_size=16384; PRAGMA cache_size=-4000; PRAGMA temp.cache_size=-2000; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA auto_vacuum=NONE; PRAGMA main.locking_mode=NORMAL; BEGIN;",
	    err);
	if (!status && fd >= 0)
		status = mp_db_open_bulks(&load.bulks, db, "main", db->path, fd, err);
	if (!status)
		status = load_all(&load, options, err);
	mp_load_close(&load);
	return status ? -1 : mp_db_run(db, version, err);
}

int mp_import_private(struct mp_db **db, const struct mp_job *job, const struct mp_layouts *layouts,
    const struct mp_import_options *options, struct mp_error *err)
{
	if (mp_db_connect(db, -1, "", err))
		return -1;
	if (build(*db, -1, -1, job, layouts, options, err)) {
		mp_db_close(*db);
		*db = NULL;
		return -1;
	}
	return 0;
}

/* Remove files that other programs would use as journals of the new database. */
static int clear_way(int dirfd, const char *label, struct mp_error *err)
{
	static const char *const in_the_way[] = {"msprof.db-journal", "msprof.db-wal", "msprof.db-shm"};

	for (size_t i = 0; i < sizeof(in_the_way) / sizeof(in_the_way[0]); i++)
		if (unlinkat(dirfd, in_the_way[i], 0) && errno != ENOENT)
			return mp_fail_errno(err, "cannot remove '%s/%s'", label, in_the_way[i]);
	return 0;
}

static int build_part(const char *path, int dirfd, int fd, const struct mp_job *job, const struct mp_layouts *layouts,
    const struct mp_import_options *options, struct mp_error *err)
{
	struct mp_db *db;
	int status;

	if (mp_db_connect(&db, fd, path, err))
		return -1;
	status = build(db, dirfd, fd, job, layouts, options, err);
	if (status && (db->full || (sqlite3_errcode(db->handle) & 0xff) == SQLITE_FULL)) {
		int64_t need = 0;

		for (size_t i = 0; i < job->file_count; i++)
			need += job->files[i].size;
		mp_fail(err, "no space left for '%s': about %lld MiB are needed; an earlier database is unchanged",
		    path, (long long)(need >> 20) + 1);
	}
	mp_words_free(db);
	if (sqlite3_close(db->handle) == SQLITE_OK)
		db->handle = NULL;
	else if (!status)
		status = mp_db_fail(db, err, "cannot close");
	mp_db_close(db);
	return status;
}

/* Build the database in the part file, and rename the complete file. */
static int replace(int dirfd, const char *label, const char *path, const struct mp_job *job,
    const struct mp_layouts *layouts, const struct mp_import_options *options, struct mp_error *err)
{
	int fd = clear_way(dirfd, label, err) ? -1 : mp_part_create(dirfd, PART_NAME, path, err);

	if (fd < 0)
		return -1;
	if (build_part(path, dirfd, fd, job, layouts, options, err) == 0)
		return mp_part_publish(dirfd, fd, PART_NAME, "msprof.db", true, path, err);
	mp_part_discard(dirfd, fd, PART_NAME);
	return -1;
}

int mp_import(const struct mp_job *job, const struct mp_layouts *layouts, const struct mp_import_options *options,
    struct mp_error *err)
{
	char label[4096], path[4096];
	int dirfd, status = 1;
	bool waited;

	if (snprintf(label, sizeof(label), "%s/sqlite", job->database.path) >= (int)sizeof(label) ||
	    snprintf(path, sizeof(path), "%s/sqlite/%s", job->database.real_path, PART_NAME) >= (int)sizeof(path))
		return mp_fail(err, "path too long: '%s'", job->database.path);
	dirfd = mp_dir_open_locked(
	    job->database.dirfd, "sqlite", mp_dir_make, PART_NAME, "importing", label, &options->wait, &waited, err);
	if (dirfd < 0)
		return -1;
	if (!waited || !options->only_first) {
		if (options->part)
			options->part(dirfd, PART_NAME);
		status = replace(dirfd, label, path, job, layouts, options, err);
		if (options->part)
			options->part(-1, PART_NAME);
		if (!status && options->opened) /* before somebody else may remove it */
			status = mp_job_db_open(options->opened, job, options->plain, err);
	}
	close(dirfd); /* no data was written through this descriptor */
	return status;
}
