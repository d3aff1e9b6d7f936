/*
 * pager.c: a process that waits for the first byte of a table, and then becomes the pager.
 *
 * The process is started early, because a process in the sandbox starts no programs. Until a table comes, progress and
 * errors have the terminal for themselves.
 */
#define _GNU_SOURCE /* pipe2 */
#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"
#include "process.h"
#include "terminal.h"

enum { EXIT_NOT_FOUND = 127 }; /* of a shell */

static pid_t pager; /* 0: no pager */
static const char *program;
static int screen;

static bool has_less(void)
{
	struct mp_error ignored;
	char *path;

	if (launch_find(&path, "less", &ignored))
		return false;
	free(path);
	return true;
}

/* A terminal that less can scroll. */
static bool is_dumb(void)
{
	const char *type = getenv("TERM");

	return !type || !*type || strcmp(type, "dumb") == 0;
}

/* The command of the user, or less, or NULL. */
static const char *choose(void)
{
	static const char *const names[] = {"MSPROF_PAGER", "PAGER"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value)
			return *value && strcmp(value, "cat") != 0 ? value : NULL;
	}
	return !is_dumb() && has_less() ? "less" : NULL;
}

static bool prints_tables(const struct command *command, const struct options *options)
{
	static const char table[] = "table";
	const char *format = options->values[OPTION_FORMAT];

	if (!command->formats || strncmp(command->formats, table, strlen(table)) != 0)
		return false;
	return !format || strcmp(format, table) == 0;
}

static void become_pager(int input, bool ascii)
{
	struct pollfd ready = {.fd = input, .events = POLLIN};

	while (poll(&ready, 1, -1) < 0 && errno == EINTR)
		;
	if (!(ready.revents & POLLIN))
		_exit(0);
	/*
	 * less ends at once where all fits (F), passes colours on (R) and leaves the text on the screen (X). It would
	 * take the bytes of lines for control characters where the locale says nothing of UTF-8, or is not installed.
	 */
	if (dup2(input, STDIN_FILENO) < 0 || setenv("LESS", "FRX", 0) || (!ascii && setenv("LESSCHARSET", "utf-8", 0)))
		_exit(EXIT_NOT_FOUND);
	execl("/bin/sh", "sh", "-c", program, (char *)NULL);
	_exit(EXIT_NOT_FOUND);
}

void pager_start(const struct command *command, const struct options *options)
{
	struct term term = term_inspect(STDOUT_FILENO);
	int ends[2];

	if (!term.tty || !prints_tables(command, options) || !(program = choose()) || pipe2(ends, O_CLOEXEC))
		return;
	screen = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	pager = screen < 0 ? -1 : fork();
	if (pager == 0) {
		close(ends[1]);
		become_pager(ends[0], term.ascii);
	}
	close(ends[0]);
	if (pager > 0 && dup2(ends[1], STDOUT_FILENO) >= 0) {
		signal(SIGPIPE, SIG_DFL); /* who leaves the pager has seen enough */
		term_page(screen);
		interrupt_waits(pager);
	}
	close(ends[1]);
}

int pager_finish(int status)
{
	int ended;

	if (pager <= 0)
		return status;
	fflush(stdout); /* main sees the error */
	/* Ctrl-C is a key of the pager */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	if (dup2(screen, STDOUT_FILENO) < 0)
		close(STDOUT_FILENO);
	while (waitpid(pager, &ended, 0) < 0)
		if (errno != EINTR)
			return status;
	if (WIFEXITED(ended) && WEXITSTATUS(ended) == EXIT_NOT_FOUND) {
		message_error("cannot run the pager '%s'; with MSPROF_PAGER= tables are printed without one", program);
		return EXIT_FAILED;
	}
	return status;
}
