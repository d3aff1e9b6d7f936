/*
 * mount.h: mounts a directory of this machine on the board by NFS, as in the vendor's guide:
 * mount -t nfs -o nolock,tcp SERVER:PATH ~/profiling
 *
 * SERVER is the address of this end of the SSH connection, which the board can reach; a name from /etc/hosts may be
 * 127.0.1.1. An existing mount is used and never unmounted. The guard of the collection unmounts, even if this process
 * dies. Owns no memory; one thread per board.
 */
#ifndef MP_BOARD_MOUNT_H
#define MP_BOARD_MOUNT_H

#include "board/transfer/remote.h"

struct mp_mount {
	char point[MP_REMOTE_PATH]; /* on the board, absolute; "" when nothing is mounted */
	bool ours;                  /* mounted here, and to be unmounted */
};

/* Files on the board, absolute paths. */
struct mp_mount_files {
	const char *marker; /* is there before the mount and as long as the mount */
	const char *mark;   /* nothing is mounted unless it is there: that of the guard */
};

/*
 * Mount server_path at ~/profiling. Whoever removes the marker and unmounts also ends a mount that is still under way.
 * After an error nothing is mounted.
 */
int mp_mount_start(struct mp_mount *mount, struct mp_board *board, const char *server_path,
    const struct mp_mount_files *files, const struct mp_watch *watch, struct mp_error *err);

/* Write "SERVER:PATH" for the board into source. */
int mp_mount_source(struct mp_board *board, const char *server_path, char *source, size_t size, struct mp_error *err);

/*
 * Write the server, in the syntax of mount, for an address of this machine ("" for the board itself). A loopback
 * address is an error unless the board is this machine; an address with a zone is always an error.
 */
int mp_mount_server(const char *own_address, bool board_is_here, char *server, size_t size, struct mp_error *err);

#endif
