/* child.h: runs a part of a test in a process of its own, in an empty directory, because a process has one recorder. */
#ifndef TEST_CHILD_H
#define TEST_CHILD_H

#include "../unit/support.h"

#include <sys/wait.h>

/*
 * Standard error goes to the file "stderr" in the directory. With `dir`, *dir receives the directory; otherwise the
 * directory is removed. Returns the exit status of `run`, or 128 plus the signal.
 */
static inline int in_child(int (*run)(void *arg), void *arg, char **dir)
{
	char *place = temp_dir();
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (chdir(place) || setenv("XDG_RUNTIME_DIR", place, 1) || !freopen("stderr", "w", stderr))
			_exit(3);
		exit(run(arg)); /* exit runs the checks of sanitizers */
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	if (status) {
		char *said = read_text(place, "stderr");

		print_error("%s", said);
		free(said);
	}
	if (dir)
		*dir = place;
	else
		remove_dir(place);
	return status;
}

/* In a child: print the failed condition, and end. */
#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

static inline int count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	CHECK(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

/* The messages of the child contain `part`. */
static inline void assert_said(const char *dir, const char *part)
{
	char *said = read_text(dir, "stderr");

	if (!strstr(said, part))
		fail_msg("\"%s\" does not say \"%s\"", said, part);
	free(said);
}

#endif
