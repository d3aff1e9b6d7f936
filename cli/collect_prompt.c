/* collect_prompt.c: asks the user for passwords and about host keys, on the terminal only. */
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

bool collect_consent(const struct collect_plan *plan, const char *question)
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
	return collect_consent(user, text);
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
