/* loader.c: finds, starts and waits for msprof-publish. */
#define _GNU_SOURCE /* pipe2 */
#include "loader.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"

enum { WORDS_MAX = 8 };

/* Beside msprof, where libraries keep programs, or in PATH. The caller frees *path. */
static int find_program(char **path, struct mp_error *err)
{
	static const char *const places[] = {"msprof-publish", "../libexec/msprof/msprof-publish"};
	char self[PATH_MAX], candidate[PATH_MAX + 64];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (len > 0) {
		self[len] = '\0';
		*strrchr(self, '/') = '\0';
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
			snprintf(candidate, sizeof(candidate), "%s/%s", self, places[i]);
			if (access(candidate, X_OK) == 0) {
				*path = strdup(candidate);
				return *path ? 0 : mp_fail_memory(err, "a path");
			}
		}
	}
	if (launch_find(path, "msprof-publish", err) == 0)
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
