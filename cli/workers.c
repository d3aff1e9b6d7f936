/* workers.c: starts processes, waits for them, and passes on signals. */
#include "workers.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "process.h"

static sigset_t child_ended(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	return set;
}

/* In the new process: signals work as usual, also that of the kernel when the command is killed. */
static void become_worker(pid_t command, const sigset_t *blocked)
{
	interrupt_forget();
	sigprocmask(SIG_UNBLOCK, blocked, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != command)
		_exit(EXIT_FAILED);
}

int workers_start(struct workers *w)
{
	const sigset_t ended = child_ended();
	const pid_t command = getpid();
	pid_t pid;

	/* it waits in sigtimedwait, so that none is missed */
	sigprocmask(SIG_BLOCK, &ended, NULL);
	pid = w->count < WORKERS_MAX && fflush(NULL) == 0 ? fork() : -1;
	if (pid == 0)
		become_worker(command, &ended);
	if (pid < 0)
		message_error("cannot start a process: %s", strerror(errno));
	if (pid > 0)
		w->pids[w->count++] = pid;
	return pid < 0 ? -1 : pid > 0;
}

static void end_all(struct workers *w)
{
	for (int i = 0; i < w->count; i++)
		kill(w->pids[i], SIGTERM);
	w->ended = true;
}

/* One that has ended, or 0. The command has other children, such as a pager: their ends are not ours to take. */
static pid_t take_ended(const struct workers *w, int *status)
{
	for (int i = 0; i < w->count; i++)
		if (waitpid(w->pids[i], status, WNOHANG) > 0)
			return w->pids[i];
	return 0;
}

/* Wait until one has ended. A signal that comes before the wait is seen a moment later. */
static pid_t wait_for_one(struct workers *w, int *status, void (*meanwhile)(void *user), void *user)
{
	const struct timespec moment = {.tv_nsec = 100000000};
	const sigset_t ended = child_ended();
	pid_t pid;

	while ((pid = take_ended(w, status)) == 0 && w->count) {
		if (interrupt_count() && !w->ended)
			end_all(w);
		if (meanwhile)
			meanwhile(user);
		sigtimedwait(&ended, NULL, &moment);
	}
	return pid;
}

int workers_wait(struct workers *w, void (*meanwhile)(void *user), void *user)
{
	int status;
	pid_t pid = wait_for_one(w, &status, meanwhile, user);

	w->left = -1;
	for (int i = 0; pid && i < w->count; i++)
		if (w->pids[i] == pid)
			w->left = i;
	if (pid)
		w->pids[w->left] = w->pids[--w->count];
	if (pid && WIFEXITED(status))
		return WEXITSTATUS(status);
	/* a reader of standard output that ends is no error */
	if (pid && !interrupt_count() && WTERMSIG(status) != SIGPIPE)
		message_error("a process of this command was killed by signal %d", WTERMSIG(status));
	return EXIT_FAILED;
}
