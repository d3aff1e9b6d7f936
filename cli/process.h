/*
 * process.h: what bounds the process of a command: its memory and the size of its files, its sandbox, and signals. And
 * how files stay whole and private in spite of these.
 */
#ifndef MSPROF_PROCESS_H
#define MSPROF_PROCESS_H

#include <stdint.h>

#include "base/error.h"

struct mp_out;
struct options;
/*
 * Limits of the memory that a command uses, of the size of the files that it writes, and of its wait for a board.
 *
 * A process has one budget. The kernel enforces the limit of memory (RLIMIT_DATA) for all libraries: an allocation
 * beyond the limit fails.
 */

/* What a command may use, unless the variables say otherwise; the size of outputs depends on that of their input. */
enum { BUDGET_MEMORY_MIB = 2048, BUDGET_BY_INPUT = -1 };

/* Set the limits of MSPROF_MAX_MEMORY and MSPROF_MAX_OUTPUT, or these; -1: a variable is invalid. */
int budget_begin(int64_t memory_mib, int64_t output_mib, struct mp_error *err);

/* How long to wait for a board, of MSPROF_BOARD_PATIENCE; 100 otherwise. -1: the variable is invalid. */
int budget_patience(int *percent, struct mp_error *err);

/* Restore the limit of memory that held before; may be called in a child after a fork. */
void budget_end(void);

/* Limit the size of all files to budget_output(from_bytes) until budget_database_end(); the kernel enforces it
 * (RLIMIT_FSIZE). */
void budget_database_begin(int64_t from_bytes);
void budget_database_end(void);

/* The maximum size in bytes of a file made from `from_bytes` of input. */
int64_t budget_output(int64_t from_bytes);

/* Advice to append to the message of an error that the budget caused; "" for all other errors. */
const char *budget_advice(enum mp_error_kind kind);

/*
 * A sandbox for a process that reads a job.
 *
 * A process enters its sandbox once. Afterwards it reaches only the places that its options name, each for the use in
 * the option's row. With MSPROF_SANDBOX=off there is no sandbox.
 */

/* Enter the sandbox; 0, or -1 with err. Call before the first byte of a job, database or layout is read and before
 * threads start. */
int confine(const struct options *options, struct mp_error *err);

/* The same for a process that starts others, each with a sandbox of its own inside of this one: it may end them. */
int confine_server(const struct options *options, struct mp_error *err);

/* A umask that leaves new files open to other users. Files of msprof itself are always private. */

/* With --strict such a umask is an error: EXIT_FAILED with the error printed. */
int umask_check(const struct options *options);

/* Print the warning, once; nothing with -q or --dry-run. */
void umask_warn(const struct options *options);

/*
 * SIGINT, SIGTERM, SIGHUP and SIGPIPE. A command that must clean up counts the first three; other commands have the
 * file removed that they were writing.
 *
 * A process has one count. Blocking calls return EINTR.
 */

/* Start to count SIGINT, SIGTERM and SIGHUP, and to ignore SIGPIPE. */
void interrupt_watch(void);

/* In a child of a process that counts: count only interrupts that the parent passes on, and its exit. */
void interrupt_follow(void);

/* Pass an interrupt on to such a child. */
void interrupt_pass(int pid);

/* The number of interrupts so far. */
int interrupt_count(void);

/* The exit status: 128 plus the number of the first signal. */
int interrupt_status(void);

/* Before one of these signals ends the program, close standard output and wait for this child, a pager. */
void interrupt_waits(int pid);

/*
 * Until the next call, the four signals remove the file `name` in the directory `dirfd`, then end the program
 * as usual. The directory is open and locked. dirfd -1: there is no such file. Signals that are ignored or counted stay
 * so.
 */
void interrupt_removes(int dirfd, const char *name);

/* Restore the default actions of the signals. */
void interrupt_forget(void);

/*
 * A file of the user that is written whole or not at all.
 *
 * Its directory is locked meanwhile, and a signal leaves no partial file. Functions return 0, or -1 with err.
 */

struct whole_file {
	struct mp_out *out;
	int dirfd;
};

/*
 * Begin a file beside PATH. A device, a pipe or a link would give way to the file: they are refused, and so is a file
 * that is neither empty nor begins like the new file, such as the raw data of a job.
 */
int whole_file_open(struct whole_file *file, const char *path, const char *begin, struct mp_error *err);

/* Rename the file to PATH; with a status that is not 0 remove it, and return that status. */
int whole_file_close(struct whole_file *file, int status, struct mp_error *err);

#endif
