/* store_file_support.h: the database file of a small job. */
#ifndef STORE_FILE_SUPPORT_H
#define STORE_FILE_SUPPORT_H

#include "store_support.h"

#include <sys/file.h>
#include <time.h>

#define TEST(function) cmocka_unit_test_setup_teardown(function, job_setup, job_teardown)

static inline const char *db_path(struct job_test *t)
{
	return below(t->dir, "sqlite/msprof.db");
}

static inline void import(struct job_test *t)
{
	job_open(t);
	assert_ok(mp_import(t->job, &t->layouts, &import_options, &t->err), &t->err);
}

static inline struct mp_db *open_db(struct job_test *t)
{
	struct mp_db *db;

	assert_ok(mp_db_open(&db, AT_FDCWD, db_path(t), db_path(t), &t->err), &t->err);
	return db;
}

static inline int64_t task_count(struct job_test *t)
{
	struct mp_db *db = open_db(t);
	int64_t count;

	assert_ok(mp_db_number(db, "SELECT count(*) FROM aicore_task", -1, &count, &t->err), &t->err);
	mp_db_close(db);
	return count;
}

static inline bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static inline bool fresh(struct job_test *t, int64_t frequency_mhz)
{
	struct mp_db *db = open_db(t);
	bool is_fresh;

	job_open(t);
	assert_ok(mp_job_db_fresh(db, t->job, &t->layouts, frequency_mhz, &is_fresh, &t->err), &t->err);
	mp_db_close(db);
	return is_fresh;
}

#endif
