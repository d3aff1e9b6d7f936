/* launch.c: finds, starts and waits for a program. */
#define _GNU_SOURCE /* pipe2 */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int check_program(const char *path, struct mp_error *err)
{
	struct stat st;

	if (stat(path, &st))
		return mp_fail_errno(err, "cannot find program '%s'", path);
	if (S_ISDIR(st.st_mode))
		return mp_fail(err, "'%s' is not a program; did you mean 'msprof show -dir %s'?", path, path);
	if (!S_ISREG(st.st_mode))
		return mp_fail(err, "'%s' is not a program: it is not a regular file", path);
	if (access(path, X_OK))
		return mp_fail_errno(err, "cannot run '%s'", path);
	return 0;
}

int launch_find(char **path, const char *word, struct mp_error *err)
{
	const char *dirs = getenv("PATH");
	char candidate[PATH_MAX];

	if (strchr(word, '/')) {
		if (check_program(word, err))
			return -1;
		*path = strdup(word);
		return *path ? 0 : mp_fail_memory(err, "the path of the program");
	}
	while (dirs && *dirs) {
		size_t len = strcspn(dirs, ":");

		if (snprintf(candidate, sizeof(candidate), "%.*s/%s", len ? (int)len : 1, len ? dirs : ".", word) <
			(int)sizeof(candidate) &&
		    check_program(candidate, err) == 0) {
			*path = strdup(candidate);
			return *path ? 0 : mp_fail_memory(err, "the path of the program");
		}
		dirs += len + (dirs[len] == ':');
	}
	return mp_fail(err, "cannot find program '%s' in PATH", word);
}

/* The real path of this program; -1 with errno. */
static int read_self(char self[PATH_MAX])
{
	ssize_t len = readlink("/proc/self/exe", self, PATH_MAX - 1);

	self[len < 0 ? 0 : len] = '\0';
	return len < 0 ? -1 : 0;
}

bool launch_is_cann(void)
{
	static const char place[] = "/tools/profiler/bin/msprof";
	char self[PATH_MAX];
	size_t len;

	if (read_self(self))
		return false;
	len = strlen(self);
	return len >= sizeof(place) - 1 && strcmp(self + len - (sizeof(place) - 1), place) == 0;
}

int launch_beside(char **path, const char *const *places, const char *name, struct mp_error *err)
{
	char self[PATH_MAX], candidate[PATH_MAX + 256];

	if (read_self(self))
		return mp_fail_errno(err, "cannot read '/proc/self/exe'");
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; places[i]; i++) {
		snprintf(candidate, sizeof(candidate), "%s/%s/%s", self, places[i], name);
		if (access(candidate, R_OK) == 0) {
			*path = realpath(candidate, NULL);
			return *path ? 0 : mp_fail_errno(err, "cannot find '%s'", candidate);
		}
	}
	return mp_fail(
	    err, "'%s' is neither beside msprof nor in ../lib of '%s': install it with 'make install'", name, self);
}

static void our_signals(sigset_t *set)
{
	static const int signals[] = {SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP};

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(set, signals[i]);
}

/* Sets errno on failure. */
static void close_input(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		dup2(fd, STDIN_FILENO); /* the copy stays open */
}

/* Run the program in the child; does not return. An error goes through the pipe, which a started program closes. */
static void become(const struct launch_request *request, const sigset_t *before, int pipe_end)
{
	int code;

	errno = 0;
	for (const char *const *s = request->settings; *s && !errno; s++)
		putenv((char *)*s);
	if (request->no_input && !errno)
		close_input();
	sigprocmask(SIG_SETMASK, before, NULL);
	signal(SIGXFSZ, SIG_DFL);
	if (!errno)
		execv(request->path, request->words);
	code = errno;
	_exit(write(pipe_end, &code, sizeof(code)) == sizeof(code) ? 126 : 127);
}

int launch_start(pid_t *pid, const struct launch_request *request, struct mp_error *err)
{
	sigset_t set, before;
	int ends[2], code = 0;

	our_signals(&set);
	if (sigprocmask(SIG_BLOCK, &set, &before) || pipe2(ends, O_CLOEXEC))
		return mp_fail_errno(err, "cannot start '%s'", request->path);
	fflush(NULL);
	*pid = fork();
	if (*pid == 0)
		become(request, &before, ends[1]);
	if (*pid < 0)
		mp_error_set_errno(err, "cannot start '%s'", request->path);
	close(ends[1]);
	if (*pid > 0 && read(ends[0], &code, sizeof(code)) == sizeof(code)) {
		waitpid(*pid, NULL, 0);
		errno = code;
		mp_error_set_errno(err, "cannot run '%s'", request->path);
		*pid = -1;
	}
	close(ends[0]);
	return *pid < 0 ? -1 : 0;
}

/* The next signal, or 0 after wait_ns. */
static int next_signal(const sigset_t *set, int64_t wait_ns, siginfo_t *info)
{
	struct timespec t = {(time_t)(wait_ns / 1000000000), (long)(wait_ns % 1000000000)};
	int signal_number;

	do
		signal_number = sigtimedwait(set, info, &t);
	while (signal_number < 0 && errno == EINTR);
	return signal_number < 0 ? 0 : signal_number;
}

int launch_wait(
    pid_t pid, struct samples *samples, struct dynamic *dynamic, int *status, int *interrupted, struct mp_error *err)
{
	int64_t wait_ns = 1000000000;
	siginfo_t info;
	sigset_t set;
	pid_t gone;

	*interrupted = 0;
	our_signals(&set);
	while ((gone = waitpid(pid, status, WNOHANG)) == 0 || (gone < 0 && errno == EINTR)) {
		int signal_number;

		wait_ns = 1000000000;
		if ((samples && samples_take(samples, &wait_ns, err)) ||
		    (dynamic && dynamic_take(dynamic, &wait_ns, err))) {
			kill(pid, SIGTERM);
			waitpid(pid, status, 0);
			return -1;
		}
		signal_number = next_signal(&set, wait_ns < 1000000000 ? wait_ns : 1000000000, &info);
		if (signal_number == 0 || signal_number == SIGCHLD)
			continue;
		/* the terminal has sent it to the program as well */
		if (*interrupted)
			kill(pid, SIGKILL);
		else if (info.si_code == SI_USER || signal_number == SIGTERM || signal_number == SIGHUP)
			kill(pid, signal_number);
		*interrupted = *interrupted ? *interrupted : signal_number;
	}
	if (gone < 0)
		return mp_fail_errno(err, "cannot wait for the program");
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return 0;
}

int launch_sample(struct samples *samples, int64_t seconds, int *interrupted, struct mp_error *err)
{
	struct timespec now, end;
	int64_t wait_ns;
	siginfo_t info;
	sigset_t set;

	our_signals(&set);
	*interrupted = 0;
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return mp_fail_errno(err, "cannot block signals");
	clock_gettime(CLOCK_MONOTONIC, &now);
	end = (struct timespec){now.tv_sec + (time_t)seconds, now.tv_nsec};
	while (!*interrupted && (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec))) {
		if (samples_take(samples, &wait_ns, err))
			return -1;
		*interrupted = next_signal(&set, wait_ns < 1000000000 ? wait_ns : 1000000000, &info);
		if (*interrupted == SIGCHLD)
			*interrupted = 0;
		clock_gettime(CLOCK_MONOTONIC, &now);
	}
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return 0;
}
