/*
 * interrupt.h: Ctrl-C and its relatives: as a count, for commands that have something to clear up; or with a part file
 * removed.
 *
 * One process, one count. Calls that block come back with EINTR.
 */
#ifndef MSPROF_INTERRUPT_H
#define MSPROF_INTERRUPT_H

/* From now on SIGINT, SIGTERM and SIGHUP are counted; SIGPIPE is ignored. */
void interrupt_watch(void);

/* In a child of a process that watches: only what the parent passes on is counted, or its end. */
void interrupt_follow(void);

/* Pass an interrupt on to such a child. */
void interrupt_pass(int pid);

/* How many came. */
int interrupt_count(void);

/* 128 and the number of the first one. */
int interrupt_status(void);

/*
 * Until the next call, a file of that name is made in a directory that is open and locked: SIGINT, SIGTERM and SIGHUP
 * remove it, then end the program as they usually do. dirfd -1: no file is made. A signal that is ignored, or counted,
 * stays so.
 */
void interrupt_removes(int dirfd, const char *name);

/* Signals do again what they usually do. */
void interrupt_forget(void);

#endif
