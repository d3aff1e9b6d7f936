/*
 * remote_program.h: starts a program on the board in a process group of its own.
 *
 * The number of the group is in two files, so that the guard can stop the program with all its
 * children, even after a cut of the connection. Owns nothing.
 */
#ifndef MP_BOARD_REMOTE_PROGRAM_H
#define MP_BOARD_REMOTE_PROGRAM_H

#include "board/transfer/remote.h"

struct mp_remote_program {
	const char *dir;         /* the program's working directory */
	const char *const *argv; /* NULL-terminated; argv[0] with a '/' or found in PATH */
	const char *pid_file;    /* absolute: holds the number of the process group while the program runs */
	const char *group_file;  /* absolute: holds the same number, and stays: children may outlive the program */
	const char *mark;        /* absolute: the program begins only while this file is there */
	const char *stats_file;  /* absolute: for samples of the board, see board_stats.sh */
	bool stats;              /* take samples while the program runs, else remove stats_file */
};

/*
 * Start a program with umask 027; its streams and exit status are the pipe's, whose budget has no limits. The status is
 * 127 or 126, as from a shell, when the program cannot be run, and 100 when the directory does not exist.
 */
int mp_remote_program_start(struct mp_pipe *pipe, struct mp_board *board, const struct mp_remote *remote,
    const struct mp_remote_program *program, struct mp_error *err);

#endif
