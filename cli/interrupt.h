/*
 * interrupt.h: handles SIGINT, SIGTERM, SIGHUP and SIGPIPE. A command that must clean up counts the first three; other
 * commands have the file removed that they were writing.
 *
 * A process has one count. Blocking calls return EINTR.
 */
#ifndef MSPROF_INTERRUPT_H
#define MSPROF_INTERRUPT_H

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

#endif
