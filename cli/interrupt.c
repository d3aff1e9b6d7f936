/* interrupt.c: counts signals, or removes a part file and waits for the pager. */
#include "interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t count, first;
static pid_t parent; /* of a child that follows, else 0 */

/* The directory of the file that is being written, or -1. */
static volatile sig_atomic_t part_dirfd = -1;
static const char *volatile part_name;

static volatile sig_atomic_t pager; /* a process, or 0 */

/* The terminal sends Ctrl-C to every process of msprof; only the parent sends this signal. */
#define PASSED SIGUSR1

static void take(int signal_number)
{
	if (!first)
		first = signal_number == PASSED ? SIGINT : signal_number;
	if (count < 1000)
		count++;
}

static void handle(int signal_number, void (*handler)(int))
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	sigaction(signal_number, &action, NULL);
}

void interrupt_watch(void)
{
	handle(SIGINT, take);
	handle(SIGTERM, take);
	handle(SIGHUP, take);
	handle(SIGPIPE, SIG_IGN);
}

void interrupt_follow(void)
{
	parent = getppid();
	handle(PASSED, take);
	handle(SIGINT, SIG_IGN);
	handle(SIGTERM, SIG_IGN);
	handle(SIGHUP, SIG_IGN);
}

/* A handler: async-signal-safe calls only. The signal is blocked until it returns, then raised again. */
static void end(int signal_number)
{
	if (part_dirfd >= 0)
		unlinkat(part_dirfd, part_name, 0);
	if (pager) {
		close(STDOUT_FILENO);
		waitpid(pager, NULL, 0);
	}
	handle(signal_number, SIG_DFL);
	raise(signal_number);
}

/* Handle the signals that would end the program, and neither those that are ignored nor those that are counted. */
static void handle_ends(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	struct sigaction now;

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			handle(signals[i], end);
}

void interrupt_removes(int dirfd, const char *name)
{
	part_dirfd = -1;
	part_name = name;
	part_dirfd = dirfd;
	handle_ends();
}

void interrupt_waits(int pid)
{
	pager = pid;
	handle_ends();
}

void interrupt_pass(int pid)
{
	kill(pid, PASSED);
}

int interrupt_count(void)
{
	/* the parent has ended: it passes nothing on and reads no output */
	if (parent && getppid() != parent)
		return 2;
	return count;
}

int interrupt_status(void)
{
	return 128 + (first ? first : SIGINT);
}

void interrupt_forget(void)
{
	handle(SIGINT, SIG_DFL);
	handle(SIGTERM, SIG_DFL);
	handle(SIGHUP, SIG_DFL);
	handle(SIGPIPE, SIG_DFL);
}
