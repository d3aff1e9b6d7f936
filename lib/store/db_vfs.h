/*
 * db_vfs.h: gives SQLite open descriptors in place of names.
 *
 * So nobody can rename or link a file to make SQLite read another one. SQLite never reads, replays or removes a
 * journal, a write-ahead log or shared memory beside a database. Only temporary files use the system's VFS. The
 * descriptors stay the caller's. Any thread.
 */
#ifndef MP_STORE_DB_VFS_H
#define MP_STORE_DB_VFS_H

#include <stddef.h>

#define MP_VFS "msprof"

enum { MP_URI_SIZE = 128 };

/* Register MP_VFS with SQLite; further calls do nothing. Returns an SQLite code. */
int mp_vfs_register(void);

/* Write the URI of the file behind fd. A descriptor opened for reading only makes the file immutable to SQLite. */
void mp_vfs_uri(char uri[MP_URI_SIZE], int fd);

#endif
