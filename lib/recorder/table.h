/*
 * table.h: keeps the recorder's descriptors apart from those of the application.
 *
 * A thread that writes takes a table of descriptors of its own, and closes in it what is the application's. Then
 * nothing that the application closes, duplicates or opens reaches a file of the recorder, and no process that it
 * starts inherits one. Where the system refuses such a table, the descriptors lie at high numbers in that of the
 * application. There a descriptor is known by device and inode, and is looked at before each use: one that leads to
 * another file is neither used nor closed.
 *
 * Threads that took no table, those of msprof itself, use their descriptors as they are.
 */
#ifndef MP_RECORDER_TABLE_H
#define MP_RECORDER_TABLE_H

#include <stdbool.h>

/*
 * Take a table for the calling thread, once. Of the application's descriptors it keeps `kept`, or none with -1. Returns
 * the number of that one, which is held; -1 without one.
 */
int mp_table_take(int kept);

/* The calling thread ends, and holds nothing any more. */
void mp_table_end(void);

/* Returns whether the calling thread has a table of its own. */
bool mp_table_is_own(void);

/* Hold a new descriptor for later calls. -1 stays -1. Returns its number, which may change; -1 with errno. */
int mp_fd_hold(int fd);

/* The descriptor for a call that follows at once. Returns -1 with EBADF when it leads elsewhere. */
int mp_fd_use(int fd);

/* Close a held descriptor. Returns what close returns; 0 for -1, and when it leads elsewhere. */
int mp_fd_drop(int fd);

/* A child made by fork may inherit the descriptors of the calling thread, which is one of these. */
enum mp_table_lead { MP_TABLE_FLUSHER, MP_TABLE_LISTENER, MP_TABLE_LEADS };
void mp_table_lead(enum mp_table_lead which);

/*
 * Around what a child gives up: the descriptors are the parent's. Between the calls nothing is used or closed. The
 * second call closes what the child inherited.
 */
void mp_table_leave(void);
void mp_table_left(void);

#endif
