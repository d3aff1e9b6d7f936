/* children.c: starts processes, waits for them, and passes on signals; finds msprof-publish. */
#define _GNU_SOURCE /* pipe2 */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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

enum { WORDS_MAX = 8 };

/* Beside msprof, where libraries keep programs, or in PATH. The caller frees *path. */
static int find_program(char **path, struct mp_error *err)
{
	static const char *const places[] = {".", "../libexec/msprof", NULL};

	if (launch_beside(path, places, "msprof-publish", err) == 0 || launch_find(path, "msprof-publish", err) == 0)
		return 0;
	return mp_fail(err,
	    "'msprof-publish' is not installed: it is built where libpq-dev and libcurl4-openssl-dev are "
	    "('make deps-fleet', 'make')");
}

static void run_child(const char *path, const char *const *words, const int in[2], const int out[2])
{
	char *argv[WORDS_MAX] = {(char *)"msprof-publish"};

	for (int i = 0; words[i] && i + 2 < WORDS_MAX; i++)
		argv[i + 1] = (char *)words[i];
	if (dup2(in[0], STDIN_FILENO) >= 0 && dup2(out[1], STDOUT_FILENO) >= 0)
		execv(path, argv);
	_exit(127);
}

int loader_start(struct loader *l, const char *const *words, struct mp_error *err)
{
	int in[2] = {-1, -1}, out[2] = {-1, -1};
	char *path = NULL;

	if (find_program(&path, err))
		return -1;
	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || (l->pid = fork()) < 0) {
		mp_error_set_errno(err, "cannot start '%s'", path);
		for (int i = 0; i < 2; i++) {
			if (in[i] >= 0)
				close(in[i]);
			if (out[i] >= 0)
				close(out[i]);
		}
		free(path);
		return -1;
	}
	if (l->pid == 0)
		run_child(path, words, in, out);
	free(path);
	close(in[0]);
	close(out[1]);
	fcntl(in[1], F_SETPIPE_SZ, 1 << 20); /* a smaller pipe only costs time */
	l->to = in[1];
	l->from = out[0];
	return 0;
}

int loader_end(struct loader *l)
{
	int status;

	if (l->to >= 0)
		close(l->to);
	if (l->from >= 0)
		close(l->from);
	while (waitpid(l->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
