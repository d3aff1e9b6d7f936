/*
 * remote.h: what a board can do, and the few things done there that are no transfer:
 * a directory made, its free space, the program started and stopped, JOBs listed.
 *
 * One script finds out everything at once, because a round trip to a board may be slow.
 * Nothing is assumed but a POSIX shell; busybox will do. struct mp_remote holds no
 * memory and is read only after the probe. Errors name the board.
 */
#ifndef MP_BOARD_REMOTE_H
#define MP_BOARD_REMOTE_H

#include "board/remote_pipe.h"

enum { MP_REMOTE_PATH = 4096 };

struct mp_remote {
	bool tar, tail;
	bool list;       /* find and stat -c: directories can be listed by a script */
	bool find_plus;  /* find -exec ... {} + */
	bool xargs_null; /* xargs -0 */
	bool sha256sum, flock, setsid;
	bool sftp;             /* a server for the sftp protocol answers */
	char sftp_server[256]; /* its program, "" when unknown: then only as a subsystem of SSH */
	char home[MP_REMOTE_PATH];
};

/* Find out. A board with neither tar nor sftp is an error, said here before anything is sent. */
int mp_remote_probe(struct mp_remote *remote, struct mp_board *board, struct mp_error *err);

/* Make dir ("~/..." is below home) with umask 027; its absolute path into real[MP_REMOTE_PATH]. */
int mp_remote_dir_make(struct mp_board *board, const char *dir, char *real, struct mp_error *err);

/* Bytes that may be written below dir, as df -Pk says; -1 in *bytes where the board has no df. */
int mp_remote_space(struct mp_board *board, const char *dir, int64_t *bytes, struct mp_error *err);

/* The bytes that a line of df -Pk says are available, or -1. The line is changed. */
int64_t mp_remote_space_parse(char *line);

/* A program on the board. */
struct mp_remote_program {
	const char *dir;         /* where it runs */
	const char *const *argv; /* NULL-terminated; argv[0] with a '/' or found in PATH */
	const char *pid_file;    /* absolute: holds the process group while it runs */
};

/* Start it in a session of its own with umask 027; its streams and exit status are the command's.
 * 127 or 126 as from a shell when it cannot be run; 100 when dir is not there. */
int mp_remote_program_start(struct mp_command **command, struct mp_board *board, const struct mp_remote *remote,
    const struct mp_remote_program *program, struct mp_error *err);

/* TERM to the whole process group named in pid_file, KILL after grace_s; returns when nothing of it is left.
 * No such file or no such group is success. */
int mp_remote_program_stop(struct mp_board *board, const char *pid_file, int grace_s, struct mp_error *err);

/* Directories named JOB*, as absolute paths, sorted, each once. */
struct mp_remote_jobs {
	char **paths;
	size_t count;
};

/* All JOBs below the given directories; those not there are passed over. */
int mp_remote_jobs_list(struct mp_remote_jobs *jobs, struct mp_board *board, const char *const *dirs, size_t dir_count,
    struct mp_error *err);

/* Drop from jobs what was in earlier already. */
void mp_remote_jobs_subtract(struct mp_remote_jobs *jobs, const struct mp_remote_jobs *earlier);
void mp_remote_jobs_free(struct mp_remote_jobs *jobs);

/* Remove files of dir on the board; names are relative, each NUL-terminated in names[size]. */
int mp_remote_remove(struct mp_board *board, const struct mp_remote *remote, const char *dir, const char *names,
    size_t size, struct mp_error *err);

#endif
