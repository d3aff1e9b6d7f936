/*
 * db_open.c: opens connections, and further ones for threads; the only place where SQLite gets a file. Knows the schema
 * version, no table.
 *
 * SQLite gets open descriptors in place of names, by a VFS that reads and writes one descriptor and knows no lock. So
 * nobody can rename or link a file to make SQLite read another one. SQLite never reads, replays or removes a journal, a
 * write-ahead log or shared memory beside a database. Only temporary files use the system's VFS. The descriptors stay
 * the caller's.
 */
#define _GNU_SOURCE /* sched_getaffinity: the process may be bound to some processors */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "store/connection.h"
#include "store/sink.h"
#include "store/words.h"

#define VFS "msprof"

enum { URI_SIZE = 128 };

struct file {
	sqlite3_file base;
	int fd;
};

static int fd_of(sqlite3_file *file)
{
	return ((struct file *)file)->fd;
}

/* The descriptor stays the caller's. */
static int file_close(sqlite3_file *file)
{
	(void)file;
	return SQLITE_OK;
}

static int file_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset)
{
	const ssize_t n = mp_file_read(fd_of(file), bytes, (size_t)size, offset);

	if (n < 0)
		return SQLITE_IOERR_READ;
	memset((char *)bytes + n, 0, (size_t)(size - n));
	return n < size ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
	if (mp_file_write(fd_of(file), bytes, (size_t)size, offset) == 0)
		return SQLITE_OK;
	return errno == ENOSPC || errno == EDQUOT ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	return ftruncate(fd_of(file), size) ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
}

static int file_sync(sqlite3_file *file, int flags)
{
	(void)flags;
	return fsync(fd_of(file)) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
	struct stat st;

	if (fstat(fd_of(file), &st))
		return SQLITE_IOERR_FSTAT;
	*size = st.st_size;
	return SQLITE_OK;
}

/* No lock is needed: a file that is read never changes, and nobody else has a file that is written. */
static int file_lock(sqlite3_file *file, int level)
{
	(void)file;
	(void)level;
	return SQLITE_OK;
}

static int file_is_reserved(sqlite3_file *file, int *is)
{
	(void)file;
	*is = 0;
	return SQLITE_OK;
}

static int file_control(sqlite3_file *file, int what, void *argument)
{
	(void)file;
	(void)what;
	(void)argument;
	return SQLITE_NOTFOUND;
}

static int file_characteristics(sqlite3_file *file)
{
	(void)file;
	return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static const sqlite3_io_methods methods = {.iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_lock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xDeviceCharacteristics = file_characteristics};

/* A file without a name is temporary. A file with a name opens only as a database whose URI gives a descriptor. */
static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *got)
{
	sqlite3_vfs *system = vfs->pAppData;
	int fd, mode;

	file->pMethods = NULL;
	if (!name)
		return system->xOpen(system, NULL, file, flags, got);
	fd = flags & SQLITE_OPEN_MAIN_DB ? (int)sqlite3_uri_int64(name, "fd", -1) : -1;
	mode = fd < 0 ? -1 : fcntl(fd, F_GETFL);
	if (mode < 0)
		return SQLITE_CANTOPEN;
	((struct file *)file)->fd = fd;
	file->pMethods = &methods;
	if (got)
		*got = (flags & ~(SQLITE_OPEN_READONLY | SQLITE_OPEN_READWRITE)) |
		       ((mode & O_ACCMODE) == O_RDONLY ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE);
	return SQLITE_OK;
}

/* No file with a name exists. */
static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync_directory)
{
	(void)vfs;
	(void)name;
	(void)sync_directory;
	return SQLITE_OK;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int what, int *is)
{
	(void)vfs;
	(void)name;
	(void)what;
	*is = 0;
	return SQLITE_OK;
}

static int vfs_full_name(sqlite3_vfs *vfs, const char *name, int size, char *full)
{
	(void)vfs;
	return snprintf(full, (size_t)size, "%s", name) < size ? SQLITE_OK : SQLITE_CANTOPEN;
}

/* Make the VFS. SQLite keeps a VFS until the process ends. */
static int add_vfs(void)
{
	sqlite3_vfs *system = sqlite3_vfs_find(NULL), *own;
	int status;

	if (!system)
		return SQLITE_ERROR;
	own = malloc(sizeof(*own));
	if (!own)
		return SQLITE_NOMEM;
	*own = *system; /* the system gives random numbers and times */
	own->iVersion = system->iVersion > 2 ? 2 : system->iVersion;
	if (own->szOsFile < (int)sizeof(struct file))
		own->szOsFile = sizeof(struct file);
	own->pNext = NULL;
	own->zName = VFS;
	own->pAppData = system;
	own->xOpen = vfs_open;
	own->xDelete = vfs_delete;
	own->xAccess = vfs_access;
	own->xFullPathname = vfs_full_name;
	status = sqlite3_vfs_register(own, 0);
	if (status)
		free(own);
	return status;
}

/* Register the VFS with SQLite; further calls do nothing. Returns an SQLite code. */
static int register_vfs(void)
{
	int status = sqlite3_initialize();
	sqlite3_mutex *mutex;

	if (status)
		return status;
	mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1); /* a static mutex of SQLite: never freed */
	sqlite3_mutex_enter(mutex);
	if (!sqlite3_vfs_find(VFS))
		status = add_vfs();
	sqlite3_mutex_leave(mutex);
	return status;
}

/* Write the URI of the file behind fd. A descriptor opened for reading only makes the file immutable to SQLite. */
static void write_uri(char uri[URI_SIZE], int fd)
{
	bool fixed = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;

	snprintf(uri, URI_SIZE, "file:msprof.db?vfs=" VFS "&fd=%d%s", fd, fixed ? "&immutable=1" : "");
}

enum { VALUE_SIZE_MAX = 16 << 20 }; /* bytes of a text or a row; bounds what a crafted database may ask for */

/* The file behind fd, or a private database. */
static int open_handle(struct mp_db *d, int fd)
{
	const int flags =
	    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI;
	char uri[URI_SIZE] = "";
	int status = register_vfs();

	if (fd >= 0)
		write_uri(uri, fd);
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
	if (open_handle(d, fd) || mp_functions_register(d->handle) || mp_tables_register(d) || mp_words_register(d))
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

/* Open the file NAME, and close it again unless `check` returns 0. */
static int open_checked(struct mp_db **db, int dirfd, const char *name, const char *path,
    int (*check)(struct mp_db *db, struct mp_error *err), struct mp_error *err)
{
	int fd = mp_dir_open_file(dirfd, name, NULL);

	*db = NULL;
	if (fd < 0)
		return mp_file_refuse(path, err);
	if (open_fixed(db, fd, path, err))
		return -1;
	if (check(*db, err) == 0)
		return 0;
	mp_db_close(*db);
	*db = NULL;
	return -1;
}

static int check_ours(struct mp_db *db, struct mp_error *err)
{
	if (check_version(db, err) || mp_db_compare_schema(db, err))
		return -1;
	db->foreign = db->foreign || db->version < MP_SCHEMA_VERSION;
	return 0;
}

int mp_db_open(struct mp_db **db, int dirfd, const char *name, const char *path, struct mp_error *err)
{
	return open_checked(db, dirfd, name, path, check_ours, err);
}

/* A view of somebody else may never end. */
static int count_steps(void *user)
{
	struct mp_db *db = user;

	return ++db->foreign_steps > FOREIGN_STEPS_MAX;
}

static int check_foreign(struct mp_db *db, struct mp_error *err)
{
	int64_t application;

	db->foreign = true;
	sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, FOREIGN_LENGTH_MAX); /* so that a step is short */
	sqlite3_progress_handler(db->handle, FOREIGN_STEP, count_steps, db);
	if (mp_db_number(db, "PRAGMA main.application_id", 0, &application, err))
		return -1;
	return application == APPLICATION_ID ? mp_fail(err, "'%s' is our own database", db->path) : 0;
}

int mp_db_open_foreign(struct mp_db **db, int dirfd, const char *name, const char *path, struct mp_error *err)
{
	return open_checked(db, dirfd, name, path, check_foreign, err);
}

int mp_db_attach(struct mp_db *db, int fd, const char *name, struct mp_error *err)
{
	char sql[URI_SIZE + 64], uri[URI_SIZE];

	write_uri(uri, fd);
	snprintf(sql, sizeof(sql), "ATTACH '%s' AS %s;", uri, name);
	return mp_db_run(db, sql, err);
}

int mp_team_processors(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return count < MP_TEAM_MAX ? count : MP_TEAM_MAX;
}

void mp_team_begin(struct mp_team *team, struct mp_db *db, int wanted)
{
	if (db->plain & MP_PLAIN_THREADS)
		wanted = 1;
	*team = (struct mp_team){.dbs = {db}, .count = 1, .wanted = wanted < MP_TEAM_MAX ? wanted : MP_TEAM_MAX};
}

/* Copy the rows of a temporary table, which both connections have. */
static int copy_rows(struct mp_db *to, struct mp_db *from, const char *table, struct mp_error *err)
{
	char sql[64];
	struct mp_query *rows;
	int status;

	snprintf(sql, sizeof(sql), "SELECT * FROM temp.%s", table);
	if (mp_query_open(&rows, from, sql, strlen(sql), err))
		return -1;
	status = mp_sink_query(to, NULL, table, rows, err);
	mp_query_close(rows);
	return status;
}

/* Returns another connection to the same file with the same engine and choice, or NULL on error and where only
 * this one has the tables. */
static struct mp_db *open_again(struct mp_db *db)
{
	static const char *const tables[] = {"choice", "unwanted", "time_range", "wanted_device"};
	int fd = db->fd < 0 || db->narrowed ? -1 : fcntl(db->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), status;
	struct mp_error err;
	struct mp_db *d;

	if (fd < 0 || open_fixed(&d, fd, db->path, &err))
		return NULL;
	d->version = db->version;
	d->foreign = db->foreign;
	d->plain = db->plain;
	d->engine = db->engine;
	d->limits = db->limits;
	status = mp_db_run(d, "PRAGMA cache_size=-1000; DELETE FROM temp.choice;", &err);
	for (size_t i = 0; !status && i < sizeof(tables) / sizeof(tables[0]); i++)
		status = copy_rows(d, db, tables[i], &err);
	if (!status)
		return d;
	mp_db_close(d);
	return NULL;
}

void mp_team_grow(struct mp_team *team)
{
	while (team->count < team->wanted && (team->dbs[team->count] = open_again(team->dbs[0])))
		team->count++;
	team->wanted = team->count; /* do not try again after an error */
}

void mp_team_end(struct mp_team *team)
{
	while (team->count > 1)
		mp_db_close(team->dbs[--team->count]);
}
