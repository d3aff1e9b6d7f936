/*
 * remote.h: what a board can do, and three services that every transfer needs: a directory made, its free space, files
 * removed.
 *
 * One script asks for everything at once, because a round trip to a board may be slow.
 * Nothing is assumed but a POSIX shell; busybox will do. struct mp_remote holds no
 * memory and is read only after the probe. Errors name the board.
 */
#ifndef MP_BOARD_REMOTE_H
#define MP_BOARD_REMOTE_H

#include "board/connection/pipe.h"

enum { MP_REMOTE_PATH = 4096 };

struct mp_remote {
	bool tar, tail;
	bool list;       /* find and stat -c: a script can list directories */
	bool find_plus;  /* find -exec ... {} + */
	bool xargs_null; /* xargs -0 */
	bool sha256sum, flock, setsid;
	bool sftp;             /* a server for the sftp protocol answers */
	char sftp_server[256]; /* program of the sftp server; "": unknown, only a subsystem of SSH */
	char home[MP_REMOTE_PATH];
};

/* Find out what the board can do. A board with neither tar nor sftp is an error. */
int mp_remote_probe(struct mp_remote *remote, struct mp_board *board, struct mp_error *err);

/* Make dir ("~/..." is below home) with umask 027; real[MP_REMOTE_PATH] receives its absolute path. */
int mp_remote_dir_make(struct mp_board *board, const char *dir, char *real, struct mp_error *err);

/* Set *bytes to the free space below dir, as df -Pk reports it; -1 when the board has no df. */
int mp_remote_space(struct mp_board *board, const char *dir, int64_t *bytes, struct mp_error *err);

/* The available bytes in a line of df -Pk, or -1. Changes the line. */
int64_t mp_remote_space_parse(char *line);

/* Remove files of dir on the board. names[size] holds relative names, each NUL-terminated. */
int mp_remote_remove(struct mp_board *board, const struct mp_remote *remote, const char *dir, const char *names,
    size_t size, struct mp_error *err);

/*
 * The shell scripts of this folder, as texts by lib/board/embed.sh; each *.sh file says its arguments. Start one with
 * mp_script_argument and mp_script_body.
 */
extern const char mp_sh_list_tree[];
extern const char mp_sh_make_dir[];
extern const char mp_sh_probe[];

#endif
