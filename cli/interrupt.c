/* interrupt.c: counts signals, or removes a part file and waits for the pager; and writes a file beside its place. */
#include "process.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/door.h"
#include "base/out.h"

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

enum { BEGIN_MAX = 128 };

/* Returns 0 when the file is missing, empty, or begins with a text; -1 with err. */
static int check_kind(int dirfd, const char *name, const char *path, const char *begin, struct mp_error *err)
{
	int fd = mp_dir_open_file(dirfd, name, NULL);
	char text[BEGIN_MAX];
	ssize_t len;

	if (fd < 0)
		return errno == ENOENT ? 0 : mp_file_refuse(path, err);
	len = mp_file_read(fd, text, sizeof(text), 0);
	close(fd); /* read only: nothing to lose */
	if (len == 0 || (len >= (ssize_t)strlen(begin) && memcmp(text, begin, strlen(begin)) == 0))
		return 0;
	return mp_fail(
	    err, "'%s' is a file of another kind, and is not replaced: remove it, or name another file", path);
}

int whole_file_open(struct whole_file *f, const char *path, const char *begin, struct mp_error *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char dir[PATH_MAX];
	int status, type;

	if (strlen(path) >= sizeof(dir))
		return mp_fail(err, "path too long: '%s'", path);
	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(slash - path) + (slash == path) : 1, slash ? path : ".");
	f->dirfd = mp_named_dir(dir, err);
	if (f->dirfd < 0)
		return -1;
	type = *name ? mp_dir_type(f->dirfd, name, path, err) : S_IFDIR;
	if (type > 0 && type != S_IFREG)
		status = mp_fail(err, "'%s' is not a regular file, and is not replaced%s", path,
		    type == S_IFDIR ? ": it is a directory; name a file in it" : "");
	else if (type < 0 || check_kind(f->dirfd, name, path, begin, err))
		status = -1;
	else
		status = flock(f->dirfd, LOCK_EX) ? mp_fail_errno(err, "cannot lock '%s'", dir)
						  : mp_out_create(&f->out, f->dirfd, name, path, err);
	if (status) {
		close(f->dirfd); /* nothing was written through it */
	} else {
		mp_out_sync(f->out);
		interrupt_removes(f->dirfd, MP_OUT_PART);
	}
	return status;
}

int whole_file_close(struct whole_file *f, int status, struct mp_error *err)
{
	if (status)
		mp_out_abort(f->out);
	else
		status = mp_out_commit(f->out, err);
	interrupt_removes(-1, MP_OUT_PART);
	close(f->dirfd); /* nothing was written through it */
	return status;
}
