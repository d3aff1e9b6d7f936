/* child.h: run a part of a test in a process of its own, in an empty directory: the recorder is one of a process. */
#ifndef TEST_CHILD_H
#define TEST_CHILD_H

#include "../unit/support.h"

#include <sys/wait.h>

/*
 * Standard error goes to the file "stderr" of the directory, which *dir is set to where it is wanted, and else is
 * removed. The exit status of `run`, or 128 and the signal.
 */
static inline int in_child(int (*run)(void *arg), void *arg, char **dir)
{
	char *place = temp_dir();
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (chdir(place) || setenv("XDG_RUNTIME_DIR", place, 1) || !freopen("stderr", "w", stderr))
			_exit(3);
		exit(run(arg)); /* with the checks that sanitizers make at the end */
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

/* In a child: say what is not as it should be, and end. */
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

/* What the child said holds `part`. */
static inline void assert_said(const char *dir, const char *part)
{
	char *said = read_text(dir, "stderr");

	if (!strstr(said, part))
		fail_msg("\"%s\" does not say \"%s\"", said, part);
	free(said);
}

#endif
