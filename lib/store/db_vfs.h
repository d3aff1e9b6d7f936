/*
 * db_vfs.h: SQLite's way to a database is an open descriptor, never a name.
 *
 * So nobody can have another file read by renaming or linking, and no journal, write-ahead log or shared memory beside
 * a database is ever looked for, played back or removed. Only temporary files are the system's.
 */
#ifndef MP_STORE_DB_VFS_H
#define MP_STORE_DB_VFS_H

#include <stddef.h>

#define MP_VFS "msprof"

enum { MP_URI_SIZE = 128 };

/* Make MP_VFS known to SQLite: an SQLite code. May be called again. */
int mp_vfs_register(void);

/* The URI of the file behind fd. SQLite reads it as immutable if the descriptor is for reading only. The descriptor
 * stays the caller's. */
void mp_vfs_uri(char uri[MP_URI_SIZE], int fd);

#endif
