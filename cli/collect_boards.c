/* collect_boards.c: several boards at once, a process for each. A failure of one does not stop the others. */
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
#include "collect_plan.h"
#include "process.h"
#include "terminal.h"

/*
 * Lines at the bottom of a terminal that change in place, below other output.
 *
 * Call status_lines_hide before other output. Without a terminal no line is shown. Nothing is allocated; texts belong
 * to the caller and are cut at the width of the screen.
 */
struct status_lines {
	bool active;  /* stderr is a terminal */
	size_t shown; /* number of lines; the cursor is at the end of the last */
};

enum { LINES_MAX = 16 };

/* Remove the lines. */
static void status_lines_hide(struct status_lines *lines)
{
	if (lines->shown > 1)
		fprintf(stderr, "\033[%zuA", lines->shown - 1);
	if (lines->shown)
		fputs("\r\033[J", stderr);
	lines->shown = 0;
}

/* A line must not wrap: it ends before the last column, and '?' replaces characters that may be wide. */
static void draw(const char *text, int width)
{
	for (int column = 1; *text && (!width || column < width); text++, column++)
		fputc(*text >= ' ' && *text < 0x7f ? *text : '?', stderr);
}

/* Replace the lines by these, as many as fit a small screen; empty texts are skipped. */
static void status_lines_show(struct status_lines *lines, const char *const *texts, size_t count)
{
	int width = term_inspect(STDERR_FILENO).width;

	status_lines_hide(lines);
	for (size_t i = 0; lines->active && i < count && lines->shown < LINES_MAX; i++) {
		if (!texts[i][0])
			continue;
		if (lines->shown++)
			fputc('\n', stderr);
		draw(texts[i], width);
	}
	fflush(stderr);
}

enum { LINE_SIZE = 8192, STREAMS = 3 };

struct child_stream {
	int fd;   /* -1: closed */
	FILE *to; /* NULL: lines of progress */
	size_t len;
	char line[LINE_SIZE];
};

struct child {
	pid_t pid;
	char label[256];    /* the board's address, as a file name */
	char progress[512]; /* "" for none */
	struct child_stream streams[STREAMS];
	int status;
};

static void take_line(struct child *c, struct child_stream *s, const char *line, int len)
{
	if (s->to)
		fprintf(s->to, "[%s] %.*s\n", c->label, len, line);
	else if (len)
		snprintf(c->progress, sizeof(c->progress), "[%s] %.*s", c->label, len, line);
	else
		c->progress[0] = '\0';
}

/* Print complete lines, each with the address of the board before it. Too long lines are cut. */
static void take_lines(struct child *c, struct child_stream *s, bool all)
{
	char *at = s->line, *end = s->line + s->len, *stop;

	while (at < end) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop && !all && (at > s->line || s->len < LINE_SIZE))
			break;
		take_line(c, s, at, (int)((stop ? stop : end) - at));
		at = stop ? stop + 1 : end;
	}
	s->len = (size_t)(end - at);
	memmove(s->line, at, s->len);
	if (s->to)
		fflush(s->to);
}

static void take(struct child *c, struct child_stream *s)
{
	ssize_t n = read(s->fd, s->line + s->len, LINE_SIZE - s->len);

	if (n > 0) {
		s->len += (size_t)n;
		take_lines(c, s, false);
	} else if (n == 0 || errno != EINTR) {
		take_lines(c, s, true);
		if (!s->to)
			c->progress[0] = '\0';
		close(s->fd);
		s->fd = -1;
	}
}

/* Make the address safe as the name of a directory; boards of the same address get numbers. */
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

/* Collect in the child; `ends` are the descriptors that it writes to, in the order of its streams. */
static _Noreturn void be_child(
    const struct collect_plan *plan, const struct child *c, const char *ini, const char *output, const int *ends)
{
	struct collect_plan own = *plan;
	char path[4096];
	int status;

	interrupt_follow();
	if (dup2(ends[0], STDOUT_FILENO) < 0 || dup2(ends[1], STDERR_FILENO) < 0)
		_exit(EXIT_FAILED);
	own.progress_fd = ends[2];
	if (ends[2] >= 0)
		fcntl(ends[2], F_SETFD, FD_CLOEXEC);
	snprintf(path, sizeof(path), "%s/%s", output, c->label);
	status = collect_board(&own, ini, path);
	if (fflush(stdout))
		status = collect_worse(status, EXIT_FAILED);
	_exit(status);
}

static void close_all(const int *fds)
{
	for (int s = 0; s < STREAMS; s++)
		if (fds[s] >= 0)
			close(fds[s]);
}

/* Open the pipes of a child. The ends of this process must not stay open in other children and their programs. */
static int open_pipes(int count, int *own, int *ends)
{
	for (int s = 0; s < count; s++) {
		int both[2];

		if (pipe(both)) {
			message_error("cannot make a pipe: %s", strerror(errno));
			return -1;
		}
		own[s] = both[0];
		ends[s] = both[1];
		fcntl(own[s], F_SETFD, FD_CLOEXEC);
	}
	return 0;
}

static int start(
    const struct collect_plan *plan, struct child *c, const char *ini, const char *output, bool with_progress)
{
	int own[STREAMS] = {-1, -1, -1}, ends[STREAMS] = {-1, -1, -1};
	int status = open_pipes(with_progress ? 3 : 2, own, ends);

	if (!status)
		c->pid = fork();
	if (!status && c->pid == 0)
		be_child(plan, c, ini, output, ends);
	close_all(ends);
	if (!status && c->pid < 0) {
		message_error("cannot start a process: %s", strerror(errno));
		status = -1;
	}
	if (status)
		close_all(own);
	for (int s = 0; !status && s < STREAMS; s++)
		c->streams[s].fd = own[s];
	return status;
}

/* Show progress, but not during a question, whose answer is typed where the lines are. */
static void show_progress(
    const struct collect_plan *plan, const struct child *children, size_t count, struct status_lines *lines)
{
	const char *texts[OPTION_LIST_MAX];

	for (size_t i = 0; i < count; i++)
		texts[i] = children[i].progress;
	if (plan->prompt_lock < 0 || lockf(plan->prompt_lock, F_TEST, 0) == 0)
		status_lines_show(lines, texts, count);
	else
		lines->shown = 0;
}

static void pass_interrupts(const struct child *children, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (children[i].pid > 0)
			interrupt_pass(children[i].pid);
}

/* The streams of the children that are still open, and what is polled of them. */
static nfds_t open_streams(
    struct child *children, size_t count, struct pollfd *set, struct child **of, struct child_stream **streams)
{
	nfds_t n = 0;

	for (size_t i = 0; i < count; i++)
		for (int s = 0; s < STREAMS; s++)
			if (children[i].streams[s].fd >= 0) {
				of[n] = &children[i];
				streams[n] = &children[i].streams[s];
				set[n++] = (struct pollfd){.fd = children[i].streams[s].fd, .events = POLLIN};
			}
	return n;
}

static void watch(const struct collect_plan *plan, struct child *children, size_t count, struct status_lines *lines)
{
	int passed = 0;

	for (;;) {
		struct pollfd set[STREAMS * OPTION_LIST_MAX];
		struct child *of[STREAMS * OPTION_LIST_MAX];
		struct child_stream *stream[STREAMS * OPTION_LIST_MAX];
		nfds_t n = open_streams(children, count, set, of, stream);
		bool news = false;

		if (!n)
			return;
		poll(set, n, 200);
		for (; passed < interrupt_count(); passed++)
			pass_interrupts(children, count);
		for (nfds_t i = 0; i < n; i++)
			if (set[i].revents) {
				news = true;
				if (stream[i]->to)
					status_lines_hide(lines);
				take(of[i], stream[i]);
			}
		if (news && lines->active)
			show_progress(plan, children, count, lines);
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

/* Read every ini before anything begins. The children read theirs again: secrets are not inherited. */
static int name_all(const struct option_list *inis, struct child *children)
{
	for (size_t i = 0; i < inis->count; i++) {
		struct mp_board_config config;
		struct mp_error err;

		children[i].streams[0] = (struct child_stream){.fd = -1, .to = stdout};
		children[i].streams[1] = (struct child_stream){.fd = -1, .to = stderr};
		children[i].streams[2] = (struct child_stream){.fd = -1};
		if (mp_board_ini_read(&config, inis->items[i], &err))
			return message_failure(&err);
		name_child(children, i, config.ip);
		mp_board_config_free(&config);
	}
	return 0;
}

int collect_boards(const struct collect_plan *plan, const struct option_list *inis, const char *output)
{
	struct child *children = calloc(inis->count, sizeof(*children));
	struct status_lines lines = {.active = term_inspect(STDERR_FILENO).tty};
	int status = EXIT_FAILED;

	if (!children)
		return message_error("out of memory");
	if (mkdir(output, 0750) && errno != EEXIST) {
		message_error("cannot make the directory '%s': %s", output, strerror(errno));
	} else if (!name_all(inis, children)) {
		fflush(stdout); /* or each child would print it again */
		for (size_t i = 0; i < inis->count; i++)
			if (start(plan, &children[i], inis->items[i], output, lines.active))
				children[i].status = EXIT_FAILED;
		watch(plan, children, inis->count, &lines);
		status_lines_hide(&lines);
		status = gather(children, inis->count);
	}
	free(children);
	return status;
}
