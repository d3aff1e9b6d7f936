/* launch.h: processes: a program that msprof records, workers of a command, and msprof-publish. */
#ifndef MSPROF_LAUNCH_H
#define MSPROF_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "recorder/samples.h"

/*
 * Files of samples (recorder/samples.h). Each kind has its own file in the directory: msprof.cpu.slice_0,
 * msprof.memory.slice_0, msprof.process.slice_0. A file that cannot be written ends the sampling with one error. For
 * one thread at a time.
 */
struct samples;

/*
 * Create the files; *samples is NULL where nothing is requested. The caller closes it. The request needs no `put`.
 */
int samples_open(struct samples **samples, int dirfd, struct mp_samples_request *request, struct mp_error *err);

/* Take the samples that are due; *wait_ns is the time until the next one. After an error no sample is due. */
int samples_take(struct samples *samples, int64_t *wait_ns, struct mp_error *err);

/* Write buffered lines, close the files, free. NULL is allowed. */
int samples_close(struct samples *samples, struct mp_error *err);

/* Move the files of samples from one directory to another of the same file system. */
int samples_move(int from, int to, struct mp_error *err);

/* Remove the files of samples that exist. */
void samples_remove(int dirfd);

/*
 * Commands on standard input that start and stop the recording of a program (--dynamic=on).
 *
 * The commands "start", "stop" and "quit" are lines. They become messages to processes (lib/recorder/attach.h), which
 * make a result of each window. "quit" stops and, like the end of the input, is the last command. For one thread.
 */

struct dynamic;

/* The settings are those of mp_environment_write, and are copied; the rest outlives the struct. */
struct dynamic_target {
	const char *settings;
	int dirfd;         /* between msprof and its own program (lib/recorder/session.h); -1: another's is commanded */
	pid_t pid;         /* then: a process, which is commanded with those of its descendants that listen */
	const char *place; /* then: where the results are */
};

/* The caller closes it. Returns 0, or -1 with err. */
int dynamic_open(struct dynamic **dynamic, const struct dynamic_target *target, struct mp_error *err);

/* Whether there is a process of this user that was started so that it can be commanded. Returns 0, or -1 with err. */
int dynamic_find(pid_t pid, struct mp_error *err);

/* Do commands until the input or the process ends; *ended tells whether the process has. Returns 0, or -1 with err. */
int dynamic_follow(struct dynamic *dynamic, pid_t pid, bool *ended, struct mp_error *err);

/* Do the commands that have come; *wait_ns is lowered to the time after which to look again. Returns 0, or -1 with err.
 */
int dynamic_take(struct dynamic *dynamic, int64_t *wait_ns, struct mp_error *err);

/* Whether a command has started a recording. */
bool dynamic_has_started(const struct dynamic *dynamic);

/* Close and free. NULL is allowed. */
void dynamic_close(struct dynamic *dynamic);

/* Finds, starts and waits for the program. */

/* Whether this program lies in a tree in place of CANN's, whose front ends take any exit status but 0 for a failure. */
bool launch_is_cann(void);

/* Find the file that `word` names, as a shell does; the caller frees *path. Errors: not found, not a program. */
int launch_find(char **path, const char *word, struct mp_error *err);

/* Find a file in one of these places, which are relative to the directory of this program and end with NULL; the caller
 * frees *path. */
int launch_beside(char **path, const char *const *places, const char *name, struct mp_error *err);

struct launch_request {
	const char *path;
	char *const *words;          /* argv */
	const char *const *settings; /* "NAME=VALUE", put into its environment; ends with NULL */
	bool no_input;               /* its standard input is empty */
};

/* Start the program with the signal mask of the caller. Signals of this process are blocked until launch_wait. */
int launch_start(pid_t *pid, const struct launch_request *request, struct mp_error *err);

/*
 * Wait until the program ends, and meanwhile take samples and commands (NULL: none). The first signal is passed on to
 * the program, the second kills it. *status is that of waitpid; *interrupted is the number of the first signal, or 0.
 */
int launch_wait(
    pid_t pid, struct samples *samples, struct dynamic *dynamic, int *status, int *interrupted, struct mp_error *err);

/* Take samples for `seconds`, or until a signal. */
int launch_sample(struct samples *samples, int64_t seconds, int *interrupted, struct mp_error *err);

/* Processes of a command: workers that are copies of it, and msprof-publish. */

/*
 * Workers: several at a time, which end with the command.
 *
 * A signal that ends the command, or that it counts (interrupt_watch), is passed on to the processes, so none of them
 * works on, and files that they were writing are removed. A struct of zeros has no process.
 */

enum { WORKERS_MAX = 256 };

struct workers {
	pid_t pids[WORKERS_MAX];
	int count;  /* that run */
	int left;   /* where in pids the one was that workers_wait waited for; the last one is there now. -1: none */
	bool ended; /* they were told to end */
};

/* Start a process. Returns 0 in it, 1 in this one, -1 with the error printed. At most WORKERS_MAX may run. */
int workers_start(struct workers *w);

/*
 * Wait for one of them, and call `meanwhile` (or NULL) now and then. Returns its exit status; EXIT_FAILED, with the
 * error printed, after a signal.
 */
int workers_wait(struct workers *w, void (*meanwhile)(void *user), void *user);

/*
 * msprof-publish as a child: the process with the network, which reads no job.
 *
 * It ends when its input does; the caller closes both pipes and waits. Functions that return int give 0, or -1 with
 * err.
 */

struct loader {
	pid_t pid;
	int to, from; /* its input and output */
};

/* Start it with these words, of which the last is NULL. It gets the environment, with passwords, and no other secret.
 */
int loader_start(struct loader *loader, const char *const *words, struct mp_error *err);

/* Close the pipes that are open (not -1), and wait. Returns its exit status, or -1. */
int loader_end(struct loader *loader);

#endif
