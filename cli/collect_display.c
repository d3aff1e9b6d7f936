/* collect_display.c: what the user sees of a collection, and what is asked on the terminal. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/text.h"
#include "collect_plan.h"
#include "process.h"
#include "terminal.h"

enum { ANSWER_MAX = 1024, TURN_MS = 200 };

/* Open the terminal, once no other process of msprof asks; -1: no terminal. */
static int begin(const struct collect_plan *plan)
{
	int fd = isatty(STDIN_FILENO) ? open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) : -1;

	if (fd >= 0 && plan->prompt_lock >= 0 && lockf(plan->prompt_lock, F_LOCK, 0)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void end(const struct collect_plan *plan, int fd)
{
	if (plan->prompt_lock >= 0)
		(void)lockf(plan->prompt_lock, F_ULOCK, 0); /* closing releases the lock, too */
	close(fd);
}

static int say(int fd, const char *text)
{
	char safe[2048];
	size_t len = mp_sanitise(safe, sizeof(safe), text, strlen(text));

	return write(fd, safe, len) == (ssize_t)len ? 0 : -1;
}

/* Poll with a timeout: a Ctrl-C just before poll() would not end the wait. */
static bool wait_for_key(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	while (!interrupt_count()) {
		int n = poll(&p, 1, TURN_MS);

		if (n > 0)
			return true;
		if (n < 0 && errno != EINTR)
			return false;
	}
	return false;
}

/* Read a line without its end; returns its length, or -1. The caller wipes it. */
static ssize_t read_line(int fd, char *line, size_t size)
{
	size_t len = 0;
	char c;

	/* byte by byte, so that no other buffer holds a password */
	while (len + 1 < size && wait_for_key(fd) && read(fd, &c, 1) == 1) {
		if (c == '\n' || c == '\r') {
			line[len] = '\0';
			return (ssize_t)len;
		}
		line[len++] = c;
	}
	return -1;
}

/* Whether the user answers yes; false without a terminal. */
static bool ask_consent(const struct collect_plan *plan, const char *question)
{
	char answer[16];
	int fd = begin(plan);
	bool yes;

	if (fd < 0)
		return false;
	yes = !say(fd, question) && read_line(fd, answer, sizeof(answer)) > 0 && strcmp(answer, "yes") == 0;
	end(plan, fd);
	return yes;
}

static bool accept_host(void *user, const char *host, const char *sha256)
{
	char text[1024];

	snprintf(text, sizeof(text), "The host key of '%s' is not known: %s. Trust it? (yes/no) ", host, sha256);
	return ask_consent(user, text);
}

/* Turn the echo off before the question appears: early input must be neither shown nor lost. */
static int read_secret(int fd, const char *prompt, struct mp_secret *secret)
{
	struct termios before, quiet;
	char line[ANSWER_MAX];
	struct mp_error err;
	ssize_t len = -1;
	int status = -1;

	if (tcgetattr(fd, &before))
		return -1;
	quiet = before;
	quiet.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
	if (tcsetattr(fd, TCSAFLUSH, &quiet) == 0) {
		if (!say(fd, prompt))
			len = read_line(fd, line, sizeof(line));
		tcsetattr(fd, TCSAFLUSH, &before);
	}
	if (len >= 0)
		status = mp_secret_set(secret, line, (size_t)len, &err);
	explicit_bzero(line, sizeof(line));
	if (write(fd, "\n", 1) < 0)
		return -1;
	return status;
}

static int ask_password(void *user, const char *prompt, struct mp_secret *secret)
{
	const struct collect_plan *plan = user;
	int fd = begin(plan), status;

	if (fd < 0)
		return -1;
	status = read_secret(fd, prompt, secret);
	end(plan, fd);
	return status;
}

static void warn(void *user, const char *text)
{
	(void)user;
	message_warning("%s", text);
}

/* Nothing was begun on the board yet. */
static bool interrupted(void *user)
{
	(void)user;
	return interrupt_count() > 0;
}

struct mp_board_ask collect_ask(const struct collect_plan *plan)
{
	return (struct mp_board_ask){
	    accept_host, ask_password, warn, interrupted, (void *)plan, options_has(plan->options, OPTION_ACCEPT_NEW)};
}

enum { SHOW_MS = 200, LINE_MS = 10000, BEGIN_MS = 500 };

static void hide(struct collect_display *v)
{
	if (v->shown && v->progress_fd >= 0)
		dprintf(v->progress_fd, "\n");
	else if (v->shown)
		fputs("\r\033[K", stderr);
	v->shown = false;
}

static void note(void *user, enum mp_collect_note kind, const char *text)
{
	struct collect_display *v = user;
	char safe[4096];

	hide(v);
	switch (kind) {
	case MP_COLLECT_ERROR:
		message_error("%s", text);
		break;
	case MP_COLLECT_WARNING:
		message_warning("%s", text);
		break;
	case MP_COLLECT_INFO:
		message_info(v->options, "%s", text);
		break;
	case MP_COLLECT_PLAN:
		mp_sanitise(safe, sizeof(safe), text, strlen(text));
		puts(safe);
		break;
	}
}

static void failed(void *user, const struct mp_error *err)
{
	hide(user);
	message_failure(err);
}

/* Pass the output of the program on unchanged, as ssh does. */
static void output(void *user, enum mp_board_stream stream, const void *bytes, size_t size)
{
	int fd = stream == MP_STDOUT ? STDOUT_FILENO : STDERR_FILENO;
	const char *at = bytes;

	hide(user);
	while (size) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno != EINTR)
			return; /* nobody reads the output; the data is still collected */
		if (n > 0) {
			at += n;
			size -= (size_t)n;
		}
	}
}

static int interrupts(void *user)
{
	(void)user;
	return interrupt_count();
}

static void print_size(char *text, size_t size, double bytes)
{
	static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
	size_t unit = 0;

	while (bytes >= 1000 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		bytes /= 1024;
		unit++;
	}
	snprintf(text, size, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

static void print_progress(struct collect_display *v, int64_t done, int64_t total, size_t files, int64_t now)
{
	double seconds = (double)(now - v->begun_ms) / 1000, rate = (double)(done - v->first_done) / seconds;
	char speed[32], amount[32], left[32] = "", line[512];
	int percent = total > 0 ? (int)((double)done / (double)total * 100) : 0;

	print_size(speed, sizeof(speed), rate);
	print_size(amount, sizeof(amount), (double)done);
	if (rate > 0 && total > done && (double)(total - done) / rate < 360000) {
		int s = (int)((double)(total - done) / rate + 0.5);

		snprintf(left, sizeof(left), ", %d:%02d left", s / 60, s % 60);
	}
	snprintf(line, sizeof(line), "%s: %3d %%%s, %s/s, %s, %zu file%s", v->what, percent, left, speed, amount, files,
	    files == 1 ? "" : "s");
	if (v->progress_fd >= 0)
		dprintf(v->progress_fd, "%s\n", line);
	else if (v->terminal) /* a line that wraps cannot be removed */
		fprintf(stderr, "\r%.*s\033[K", v->width > 1 ? v->width - 1 : (int)sizeof(line), line);
	else
		fprintf(stderr, "msprof: %s\n", line);
	v->shown = v->terminal || v->progress_fd >= 0;
}

static void progress(void *user, const char *what, int64_t done, int64_t total, size_t files)
{
	struct collect_display *v = user;
	int64_t now = mp_board_now_ms();
	char safe[sizeof(v->what)];

	if (options_has(v->options, OPTION_QUIET))
		return;
	if (done < 0) {
		hide(v);
		v->what[0] = '\0';
		return;
	}
	mp_sanitise(safe, sizeof(safe), what, strlen(what));
	if (strcmp(safe, v->what) != 0) {
		strcpy(v->what, safe);
		v->begun_ms = v->last_ms = now;
		v->first_done = done;
	}
	if (now - v->begun_ms < BEGIN_MS || now - v->last_ms < (v->terminal || v->progress_fd >= 0 ? SHOW_MS : LINE_MS))
		return;
	v->last_ms = now;
	print_progress(v, done, total, files, now);
}

static bool consent(void *user, const char *question)
{
	const struct collect_display *v = user;

	return ask_consent(v->plan, question);
}

struct mp_collect_events collect_callbacks(struct collect_display *display, const struct collect_plan *plan)
{
	const struct term term = term_inspect(STDERR_FILENO);

	*display = (struct collect_display){.plan = plan,
	    .options = plan->options,
	    .progress_fd = plan->progress_fd,
	    .width = term.width,
	    .terminal = term.tty};
	return (struct mp_collect_events){note, failed, output, interrupts, progress, consent, display};
}
