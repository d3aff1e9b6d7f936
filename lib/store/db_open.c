/* db_open.c: opens connections; the only place where SQLite gets a file. Knows the schema version, no table. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/door.h"
#include "store/connection.h"
#include "store/db_vfs.h"
#include "base/map.h"
#include "store/words.h"

enum { VALUE_SIZE_MAX = 16 << 20 }; /* bytes of a text or a row; bounds what a crafted database may ask for */

/* The file behind fd, or a private database. */
static int open_handle(struct mp_db *d, int fd)
{
	const int flags =
	    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI;
	char uri[MP_URI_SIZE] = "";
	int status = mp_vfs_register();

	if (fd >= 0)
		mp_vfs_uri(uri, fd);
	return status ? status : sqlite3_open_v2(uri, &d->handle, flags, NULL);
}

int mp_db_connect(struct mp_db **db, int fd, const char *path, struct mp_error *err)
{
	struct mp_db *d = calloc(1, sizeof(*d));
	int status = -1;

	*db = NULL;
	if (!d)
		return mp_fail_memory(err, "a database");
	d->fd = -1;
	snprintf(d->path, sizeof(d->path), "%s", path);
	/* SQLite's statistics of memory cost a lock for each allocation. The first call sets the whole process. */
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	if (open_handle(d, fd) || mp_functions_register(d->handle) || mp_maps_register(d) || mp_words_register(d))
		mp_db_fail(d, err, "cannot open");
	else if (sqlite3_limit(d->handle, SQLITE_LIMIT_LENGTH, VALUE_SIZE_MAX) >= 0)
		/* bounded caches keep memory flat; all tallies share one table, since a used table cannot be dropped */
		status = mp_db_run(d,
		    "PRAGMA cache_size=-8000; PRAGMA temp_store=FILE; PRAGMA trusted_schema=OFF;"
		    "CREATE TEMP TABLE tally(count, total, longest, shortest, also_total, k1, k2, k3, k4, k5, k6, k7, k8, squares);"
		    "CREATE TEMP TABLE choice(job, label, dir, model_id, iteration_id, iteration_count, chosen, step, each_step, grouping, opened_s);"
		    "INSERT INTO choice VALUES(NULL, NULL, NULL, NULL, 1, 1, 0, NULL, 1, 'name', CAST(strftime('%s', 'now') AS INTEGER));"
		    "CREATE TEMP TABLE unwanted(layer TEXT PRIMARY KEY) WITHOUT ROWID;"
		    "CREATE TEMP TABLE time_range(clock TEXT PRIMARY KEY, from_ns INTEGER, to_ns INTEGER) WITHOUT ROWID;"
		    "CREATE TEMP TABLE wanted_device(device_id INTEGER PRIMARY KEY);",
		    err);
	if (status) {
		mp_db_close(d);
		return -1;
	}
	*db = d;
	return 0;
}

int mp_db_private(struct mp_db **db, struct mp_error *err)
{
	return mp_db_connect(db, -1, "", err);
}

#define APPLICATION_ID 0x6d737072

/* About a second of a processor, or millions of rows. */
enum { FOREIGN_STEP = 1 << 20, FOREIGN_STEPS_MAX = 100, FOREIGN_LENGTH_MAX = 1 << 16 };

static int check_version(struct mp_db *db, struct mp_error *err)
{
	int64_t application, version;

	if (mp_db_number(db, "PRAGMA application_id", 0, &application, err) ||
	    mp_db_number(db, "PRAGMA user_version", 0, &version, err))
		return -1;
	if (application != APPLICATION_ID)
		return mp_fail(err, "'%s' is not a database of msprof", db->path);
	if (version > MP_SCHEMA_VERSION)
		return mp_fail(err, "'%s' has schema version %lld, newer than version %d that this msprof knows",
		    db->path, (long long)version, MP_SCHEMA_VERSION);
	db->version = version;
	return 0;
}

/* Open the database behind fd, and take over fd. An open database never changes: imports replace the whole file. */
static int open_fixed(struct mp_db **db, int fd, const char *path, struct mp_error *err)
{
	if (mp_db_connect(db, fd, path, err)) {
		close(fd); /* read only: nothing to lose */
		return -1;
	}
	(*db)->fd = fd;
	(*db)->fixed = true;
	if (sqlite3_db_config((*db)->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL))
		mp_db_fail(*db, err, "cannot open");
	else if (mp_db_run(*db, "PRAGMA cell_size_check=ON;", err) == 0)
		return 0;
	mp_db_close(*db);
	*db = NULL;
	return -1;
}

int mp_db_open(struct mp_db **db, int dirfd, const char *name, const char *path, struct mp_error *err)
{
	int fd = mp_dir_open_file(dirfd, name, NULL);

	*db = NULL;
	if (fd < 0)
		return mp_file_refuse(path, err);
	if (open_fixed(db, fd, path, err))
		return -1;
	if (check_version(*db, err) == 0 && mp_db_compare_schema(*db, err) == 0) {
		(*db)->foreign = (*db)->foreign || (*db)->version < MP_SCHEMA_VERSION;
		return 0;
	}
	mp_db_close(*db);
	*db = NULL;
	return -1;
}

/* A view of somebody else may never end. */
static int count_steps(void *user)
{
	struct mp_db *db = user;

	return ++db->foreign_steps > FOREIGN_STEPS_MAX;
}

int mp_db_open_foreign(struct mp_db **db, int dirfd, const char *name, const char *path, struct mp_error *err)
{
	int fd = mp_dir_open_file(dirfd, name, NULL);
	int64_t application;

	*db = NULL;
	if (fd < 0)
		return mp_file_refuse(path, err);
	if (open_fixed(db, fd, path, err))
		return -1;
	(*db)->foreign = true;
	sqlite3_limit((*db)->handle, SQLITE_LIMIT_LENGTH, FOREIGN_LENGTH_MAX); /* so that a step is short */
	sqlite3_progress_handler((*db)->handle, FOREIGN_STEP, count_steps, *db);
	if (mp_db_number(*db, "PRAGMA main.application_id", 0, &application, err) == 0) {
		if (application != APPLICATION_ID)
			return 0;
		mp_error_set(err, "'%s' is our own database", path);
	}
	mp_db_close(*db);
	*db = NULL;
	return -1;
}

int mp_db_open_again(struct mp_db **again, const struct mp_db *db, struct mp_error *err)
{
	int fd = fcntl(db->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	*again = NULL;
	if (fd < 0)
		return mp_fail_errno(err, "cannot open '%s' again", db->path);
	if (open_fixed(again, fd, db->path, err))
		return -1;
	(*again)->version = db->version;
	(*again)->foreign = db->foreign;
	(*again)->plain = db->plain;
	(*again)->engine = db->engine;
	return 0;
}

int mp_db_attach(struct mp_db *db, int fd, const char *name, struct mp_error *err)
{
	char sql[MP_URI_SIZE + 64], uri[MP_URI_SIZE];

	mp_vfs_uri(uri, fd);
	snprintf(sql, sizeof(sql), "ATTACH '%s' AS %s;", uri, name);
	return mp_db_run(db, sql, err);
}
