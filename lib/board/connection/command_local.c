/*
 * command_local.c: commands as processes of this machine, for collect --local: /bin/sh with pipes, in a session of its
 * own. Works like command_ssh.c: only the wait blocks, and a closed command continues to run.
 */
#define _GNU_SOURCE /* pipe2: other threads fork, too; a leaked descriptor would hide the end of a stream */
#include "board/connection/connection_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_POLL_MS = 5, POLL_MAX = 64 };

struct local_command {
	struct mp_command base;
	pid_t pid; /* 0 once reaped */
	int in;
	int out[2];     /* by enum mp_board_stream; -1 when ended */
	bool passed[2]; /* a wait has reported the stream, and nobody has read it since */
	int status;
};

/* Make a pipe. Its descriptors are never 0, 1 or 2, even when those are closed: dup2 would overwrite them. */
static int make_pipe(int fds[2])
{
	if (pipe2(fds, O_CLOEXEC))
		return -1;
	for (int i = 0; i < 2; i++) {
		int fd = fds[i];

		if (fd > STDERR_FILENO)
			continue;
		fds[i] = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		close(fd);
	}
	return fds[0] < 0 || fds[1] < 0 ? -1 : 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Run in the child: only calls that are safe after a fork in a process with threads. */
static _Noreturn void become(const struct mp_board *board, const char *script, int in, int out, int err)
{
	sigset_t none;

	setsid();
	if (board->in_child)
		board->in_child();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* exec keeps ignored signals, but these should end the command as over SSH */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0)
		execl("/bin/sh", "sh", "-c", script, (char *)NULL);
	_exit(127);
}

static int start(struct mp_command *command, const char *script, struct mp_error *err)
{
	struct local_command *c = (struct local_command *)command;
	int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
	int status = -1;

	c->in = c->out[MP_STDOUT] = c->out[MP_STDERR] = -1;
	for (int i = 0; i < 3; i++)
		if (make_pipe(pipes[i])) {
			mp_fail_errno(err, "cannot make a pipe");
			goto out;
		}
	c->pid = fork();
	if (c->pid < 0) {
		c->pid = 0;
		mp_fail_errno(err, "cannot start a process");
		goto out;
	}
	if (c->pid == 0)
		become(command->board, script, pipes[0][0], pipes[1][1], pipes[2][1]);
	c->in = pipes[0][1];
	c->out[MP_STDOUT] = pipes[1][0];
	c->out[MP_STDERR] = pipes[2][0];
	pipes[0][1] = pipes[1][0] = pipes[2][0] = -1;
	fcntl(c->in, F_SETFL, O_NONBLOCK);
	fcntl(c->out[MP_STDOUT], F_SETFL, O_NONBLOCK);
	fcntl(c->out[MP_STDERR], F_SETFL, O_NONBLOCK);
	status = 0;
out:
	for (int i = 0; i < 3; i++) {
		close_fd(&pipes[i][0]);
		close_fd(&pipes[i][1]);
	}
	return status;
}

/* write(2) without SIGPIPE, whatever the disposition of that signal. */
static ssize_t write_quietly(int fd, const void *bytes, size_t size)
{
	const struct timespec now = {0};
	sigset_t pipe_set, before, pending;
	bool was_pending;
	ssize_t n;
	int code;

	sigemptyset(&pipe_set);
	sigaddset(&pipe_set, SIGPIPE);
	sigpending(&pending);
	was_pending = sigismember(&pending, SIGPIPE) == 1;
	pthread_sigmask(SIG_BLOCK, &pipe_set, &before);
	n = write(fd, bytes, size);
	code = errno;
	if (n < 0 && code == EPIPE && !was_pending)
		while (sigtimedwait(&pipe_set, NULL, &now) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = code;
	return n;
}

static ssize_t write_input(struct mp_command *command, const void *bytes, size_t size, struct mp_error *err)
{
	struct local_command *c = (struct local_command *)command;
	ssize_t n;

	if (c->in < 0)
		return mp_fail(err, "the input of the command is closed");
	n = write_quietly(c->in, bytes, size);
	if (n >= 0)
		return n;
	if (errno == EAGAIN || errno == EINTR)
		return 0;
	if (errno != EPIPE)
		return mp_fail_errno(err, "cannot write to a command");
	close_fd(&c->in);
	return mp_fail(err, "the command reads no more");
}

static int end_input(struct mp_command *command, struct mp_error *err)
{
	struct local_command *c = (struct local_command *)command;

	(void)err;
	close_fd(&c->in);
	return 0;
}

static ssize_t read_stream(
    struct mp_command *command, enum mp_board_stream stream, void *bytes, size_t size, struct mp_error *err)
{
	struct local_command *c = (struct local_command *)command;
	ssize_t n;

	c->passed[stream] = false;
	if (c->out[stream] < 0)
		return -2;
	if (!size)
		return 0;
	n = read(c->out[stream], bytes, size);
	if (n > 0)
		return n;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n < 0)
		return mp_fail_errno(err, "cannot read from a command");
	close_fd(&c->out[stream]);
	return -2;
}

static int reap(struct local_command *c, struct mp_error *err)
{
	int how = 0;
	pid_t pid = 0;

	if (c->pid) {
		pid = waitpid(c->pid, &how, WNOHANG);
		if (pid < 0 && errno != EINTR)
			return mp_fail_errno(err, "lost a process");
	}
	if (pid > 0) {
		c->pid = 0;
		c->status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
	}
	return 0;
}

/* The streams to wait for: all of this command, and the streams of others that no wait has reported yet. */
static nfds_t gather(struct mp_board *board, struct local_command *own, struct pollfd *set, struct local_command **of)
{
	nfds_t count = 0;

	for (struct mp_command *m = board->commands; m; m = m->next) {
		struct local_command *c = (struct local_command *)m;

		for (int s = MP_STDOUT; s <= MP_STDERR && count < POLL_MAX; s++) {
			if (c->out[s] < 0 || (c != own && c->passed[s]))
				continue;
			set[count] = (struct pollfd){.fd = c->out[s], .events = POLLIN};
			of[count++] = c;
		}
	}
	return count;
}

/* Note for the other commands of the board that their streams have something. */
static void note_passed(
    const struct local_command *own, const struct pollfd *set, struct local_command *const *of, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++)
		if (set[i].revents && of[i] != own)
			of[i]->passed[set[i].fd == of[i]->out[MP_STDERR] ? MP_STDERR : MP_STDOUT] = true;
}

static int wait_ready(struct mp_command *command, bool want_write, int timeout_ms, struct mp_error *err)
{
	struct local_command *own = (struct local_command *)command;
	struct pollfd set[POLL_MAX + 1];
	struct local_command *of[POLL_MAX + 1];
	nfds_t count = gather(command->board, own, set, of);
	nfds_t streams = count;
	int64_t deadline = mp_board_now_ms() + timeout_ms;

	if (want_write && own->in >= 0)
		set[count++] = (struct pollfd){.fd = own->in, .events = POLLOUT};
	else if (want_write)
		return 0; /* the next write reports the reason */
	for (;;) {
		bool ended = own->out[MP_STDOUT] < 0 && own->out[MP_STDERR] < 0;
		int64_t left = deadline - mp_board_now_ms();
		int slice = left > 0 ? (int)left : 0;
		int n;

		if (ended && (reap(own, err) || !own->pid))
			return own->pid ? -1 : 0;
		if (ended && slice > EXIT_POLL_MS) /* no event announces the end of a process with closed streams */
			slice = EXIT_POLL_MS;
		n = poll(set, count, slice);
		if (n < 0 && errno != EINTR)
			return mp_fail_errno(err, "cannot wait for a command");
		if (n > 0)
			note_passed(own, set, of, streams);
		if (n != 0 || left <= 0)
			return 0;
	}
}

static int finish(struct mp_command *command, int *status, struct mp_error *err)
{
	struct local_command *c = (struct local_command *)command;

	if (c->out[MP_STDOUT] >= 0 || c->out[MP_STDERR] >= 0)
		return 0;
	if (reap(c, err))
		return -1;
	if (c->pid)
		return 0;
	*status = c->status;
	return 1;
}

static void close_streams(struct mp_command *command)
{
	struct local_command *c = (struct local_command *)command;
	struct mp_error dropped;

	close_fd(&c->in);
	close_fd(&c->out[MP_STDOUT]);
	close_fd(&c->out[MP_STDERR]);
	/* A running process goes to init when this process ends; until then it may become a zombie. */
	(void)reap(c, &dropped);
}

static int start_subsystem(struct mp_command *command, const char *name, struct mp_error *err)
{
	struct local_command *c = (struct local_command *)command;

	c->in = c->out[MP_STDOUT] = c->out[MP_STDERR] = -1;
	return mp_fail_board(err, "has no %s server", command->board->name, name);
}

const struct mp_command_kind mp_command_local = {sizeof(struct local_command), true, start, start_subsystem,
    write_input, end_input, read_stream, wait_ready, finish, close_streams, NULL, NULL};
