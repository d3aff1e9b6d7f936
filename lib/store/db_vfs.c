/* db_vfs.c: reads and writes one descriptor for SQLite. Knows no name and no lock: see db_vfs.h. */
#include "store/db_vfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/connection.h"

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
	char *at = bytes;

	while (size > 0) {
		ssize_t n = pread(fd_of(file), at, (size_t)size, offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return SQLITE_IOERR_READ;
		if (n == 0) {
			memset(at, 0, (size_t)size);
			return SQLITE_IOERR_SHORT_READ;
		}
		at += n;
		size -= (int)n;
		offset += n;
	}
	return SQLITE_OK;
}

static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
	const char *at = bytes;

	while (size > 0) {
		ssize_t n = pwrite(fd_of(file), at, (size_t)size, offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 || errno == ENOSPC || errno == EDQUOT ? SQLITE_FULL : SQLITE_IOERR_WRITE;
		at += n;
		size -= (int)n;
		offset += n;
	}
	return SQLITE_OK;
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

static int file_sector_size(sqlite3_file *file)
{
	(void)file;
	return 4096;
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
    .xSectorSize = file_sector_size,
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
	own->zName = MP_VFS;
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

int mp_vfs_register(void)
{
	int status = sqlite3_initialize();
	sqlite3_mutex *mutex;

	if (status)
		return status;
	mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1); /* a static mutex of SQLite: never freed */
	sqlite3_mutex_enter(mutex);
	if (!sqlite3_vfs_find(MP_VFS))
		status = add_vfs();
	sqlite3_mutex_leave(mutex);
	return status;
}

void mp_vfs_uri(char uri[MP_URI_SIZE], int fd)
{
	bool fixed = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;

	snprintf(uri, MP_URI_SIZE, "file:msprof.db?vfs=" MP_VFS "&fd=%d%s", fd, fixed ? "&immutable=1" : "");
}
