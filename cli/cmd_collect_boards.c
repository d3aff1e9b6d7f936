/* cmd_collect_boards.c: several boards at once, a process each; one that fails does not stop the others. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "cmd_collect.h"
#include "interrupt.h"

enum { LINE_SIZE = 8192 };

struct stream {
	int fd; /* -1: ended */
	FILE *to;
	size_t len;
	char line[LINE_SIZE];
};

struct child {
	pid_t pid;
	char label[256]; /* the board's address, as a file name */
	struct stream streams[2];
	int status;
};

/* Whole lines, each with the board's address before it. A line that is too long is cut into several. */
static void print_lines(struct child *c, struct stream *s, bool all)
{
	char *at = s->line, *end = s->line + s->len, *stop;

	while (at < end) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop && !all && (at > s->line || s->len < LINE_SIZE))
			break;
		fprintf(s->to, "[%s] %.*s\n", c->label, (int)((stop ? stop : end) - at), at);
		at = stop ? stop + 1 : end;
	}
	s->len = (size_t)(end - at);
	memmove(s->line, at, s->len);
	fflush(s->to);
}

static void take(struct child *c, struct stream *s)
{
	ssize_t n = read(s->fd, s->line + s->len, LINE_SIZE - s->len);

	if (n > 0) {
		s->len += (size_t)n;
		print_lines(c, s, false);
	} else if (n == 0 || errno != EINTR) {
		print_lines(c, s, true);
		close(s->fd);
		s->fd = -1;
	}
}

/* The address may hold what a directory's name had better not; two boards of one address are told apart by number. */
static void name_child(struct child *children, size_t at, const char *ip)
{
	struct child *c = &children[at];
	size_t len = mp_sanitise(c->label, 200, ip, strlen(ip));

	if (c->label[0] == '.')
		c->label[0] = '_';
	for (size_t i = 0; i < at; i++)
		if (strcmp(children[i].label, c->label) == 0) {
			snprintf(c->label + len, sizeof(c->label) - len, "_%zu", at + 1);
			break;
		}
}

static _Noreturn void be_child(const struct plan *plan, const struct child *c, const char *ini, const char *output,
    int out, int err)
{
	char path[4096];
	int status;

	interrupt_follow();
	if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
		_exit(EXIT_FAILED);
	snprintf(path, sizeof(path), "%s/%s", output, c->label);
	status = collect_board(plan, ini, path);
	if (fflush(stdout))
		status = collect_worse(status, EXIT_FAILED);
	_exit(status);
}

static int start(const struct plan *plan, struct child *c, const char *ini, const char *output)
{
	int out[2], err[2] = {-1, -1};

	if (pipe(out) || pipe(err)) {
		message_error("cannot make a pipe: %s", strerror(errno));
		return -1;
	}
	/* the ends of this process must not stay open in the other children and their programs */
	fcntl(out[0], F_SETFD, FD_CLOEXEC);
	fcntl(err[0], F_SETFD, FD_CLOEXEC);
	c->pid = fork();
	if (c->pid == 0)
		be_child(plan, c, ini, output, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	if (c->pid < 0) {
		message_error("cannot start a process: %s", strerror(errno));
		close(out[0]);
		close(err[0]);
		return -1;
	}
	c->streams[0].fd = out[0];
	c->streams[1].fd = err[0];
	return 0;
}

static void watch(struct child *children, size_t count)
{
	int passed = 0;

	for (;;) {
		struct pollfd set[2 * OPTION_LIST_MAX];
		struct child *of[2 * OPTION_LIST_MAX];
		nfds_t n = 0;

		for (size_t i = 0; i < count; i++)
			for (int s = 0; s < 2; s++)
				if (children[i].streams[s].fd >= 0) {
					of[n] = &children[i];
					set[n++] = (struct pollfd){.fd = children[i].streams[s].fd, .events = POLLIN};
				}
		if (!n)
			return;
		poll(set, n, 200);
		for (; passed < interrupt_count(); passed++)
			for (size_t i = 0; i < count; i++)
				if (children[i].pid > 0)
					interrupt_pass(children[i].pid);
		for (nfds_t i = 0; i < n; i++)
			if (set[i].revents)
				take(of[i], set[i].fd == of[i]->streams[0].fd ? &of[i]->streams[0] : &of[i]->streams[1]);
	}
}

static int gather(struct child *children, size_t count)
{
	int status = EXIT_OK;

	for (size_t i = 0; i < count; i++) {
		int how = 0;

		if (children[i].pid > 0) {
			while (waitpid(children[i].pid, &how, 0) < 0 && errno == EINTR)
				;
			children[i].status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
		}
		if (children[i].status != EXIT_OK)
			message_warning("[%s] ended with exit status %d", children[i].label, children[i].status);
		status = collect_worse(status, children[i].status);
	}
	return status;
}

/* Every ini is read before anything begins; the children read theirs again, for secrets are not inherited. */
static int name_all(const struct option_list *inis, struct child *children)
{
	for (size_t i = 0; i < inis->count; i++) {
		struct mp_board_config config;
		struct mp_error err;

		children[i].streams[0] = (struct stream){.fd = -1, .to = stdout};
		children[i].streams[1] = (struct stream){.fd = -1, .to = stderr};
		if (mp_board_ini_read(&config, inis->items[i], &err)) {
			message_error("%s", err.text);
			return -1;
		}
		name_child(children, i, config.ip);
		mp_board_config_free(&config);
	}
	return 0;
}

int collect_boards(const struct plan *plan, const struct option_list *inis, const char *output)
{
	struct child *children = calloc(inis->count, sizeof(*children));
	int status = EXIT_FAILED;

	if (!children) {
		message_error("out of memory");
		return EXIT_FAILED;
	}
	if (mkdir(output, 0750) && errno != EEXIST) {
		message_error("cannot make the directory '%s': %s", output, strerror(errno));
	} else if (!name_all(inis, children)) {
		fflush(stdout); /* or each child would print it again */
		for (size_t i = 0; i < inis->count; i++)
			if (start(plan, &children[i], inis->items[i], output))
				children[i].status = EXIT_FAILED;
		watch(children, inis->count);
		status = gather(children, inis->count);
	}
	free(children);
	return status;
}
