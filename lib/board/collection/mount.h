/*
 * mount.h: a directory of this machine mounted on the board by NFS, as the vendor's guide does it:
 * mount -t nfs -o nolock,tcp SERVER:PATH ~/profiling
 *
 * SERVER is this end of the SSH connection, which the board can reach; a name from /etc/hosts may be 127.0.1.1.
 * A mount that is already there is used and left alone. Who unmounts is the guard of the collection, whatever becomes
 * of this process. No memory; one thread per board.
 */
#ifndef MP_BOARD_MOUNT_H
#define MP_BOARD_MOUNT_H

#include "board/transfer/remote.h"

struct mp_mount {
	char point[MP_REMOTE_PATH]; /* on the board, absolute; "" when nothing is mounted */
	bool ours;                  /* to be unmounted */
};

/*
 * Mount server_path at ~/profiling. The file `marker` on the board is there before the mount is, and as long: who takes
 * it away and unmounts ends a mount that is still on its way as well. On an error nothing is mounted.
 */
int mp_mount_start(struct mp_mount *mount, struct mp_board *board, const char *server_path, const char *marker,
    const struct mp_watch *watch, struct mp_error *err);

/* "SERVER:PATH" for the board into source. */
int mp_mount_source(struct mp_board *board, const char *server_path, char *source, size_t size, struct mp_error *err);

/*
 * The server as mount takes it, from an address of this machine ("" for the board itself). A loopback address is
 * refused unless the board is this machine, and one that only this machine understands always.
 */
int mp_mount_server(const char *own_address, bool board_is_here, char *server, size_t size, struct mp_error *err);

#endif
