/*
 * fork_app.c: a program whose processes mark what they do.
 *
 *   fork_app HOW [acl.json]
 *
 * The parent marks "parent" ten times, then makes others that mark "child" a hundred times, with 4 threads at once:
 *
 *   fork     4 children by fork             spawn    a program by posix_spawn
 *   nested   the child of a child           daemon   the process that daemon leaves; it writes the file "done"
 *   vfork    a program by vfork and exec    bare     4 children by fork, in another directory, without an environment
 *   quiet    a child that marks nothing, with an end of its own
 *
 * With an acl.json the parent begins by it; without one msprof has started the program.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mstx/ms_tools_ext.h>
#include <msprof_recorder.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
enum { THREADS = 4, MARKS = 25, PARENT = 10 };

static void *mark_some(void *unused)
{
	(void)unused;
	for (int i = 0; i < MARKS; i++)
		mstxMarkA("child", NULL);
	return NULL;
}

static void mark_in_threads(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, mark_some, NULL))
			_exit(3);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* Workers of Python end by _exit, too. */
static void be_child(int number)
{
	mark_in_threads();
	if (number % 2)
		_exit(0);
	exit(0);
}

static int wait_for_all(void)
{
	int status, bad = 0;

	while (wait(&status) > 0)
		bad |= status;
	return bad != 0;
}

static int fork_children(int count)
{
	for (int i = 0; i < count; i++)
		if (fork() == 0)
			be_child(i);
	return wait_for_all();
}

static int fork_twice(void)
{
	if (fork() == 0)
		_exit(fork_children(1));
	return wait_for_all();
}

static int run_by_vfork(const char *self)
{
	if (vfork() == 0) {
		execl(self, self, "leaf", (char *)NULL);
		_exit(4);
	}
	return wait_for_all();
}

static int run_by_spawn(const char *self)
{
	char *words[] = {(char *)self, "leaf", NULL};
	pid_t pid;

	return posix_spawn(&pid, self, NULL, NULL, words, environ) || wait_for_all();
}

static int become_daemon(void)
{
	char done[4096] = "";
	int fd;

	if (!getcwd(done, sizeof(done) - 8) || daemon(0, 0))
		return 5;
	mark_in_threads();
	strcat(done, "/done");
	fd = open(done, O_WRONLY | O_CREAT, 0600);
	return fd < 0 ? 6 : 0;
}

static int fork_bare(void)
{
	return chdir("/") || clearenv() || fork_children(4);
}

static int fork_quietly(void)
{
	if (fork() == 0)
		exit(0);
	return wait_for_all();
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int status = 2;

	if (strcmp(how, "leaf") == 0) {
		mark_in_threads();
		return 0;
	}
	if (argc > 2 && msprof_init(argv[2], MSPROF_ASCEND))
		return 7;
	for (int i = 0; i < PARENT; i++)
		mstxMarkA("parent", NULL);
	if (strcmp(how, "fork") == 0)
		status = fork_children(4);
	if (strcmp(how, "nested") == 0)
		status = fork_twice();
	if (strcmp(how, "vfork") == 0)
		status = run_by_vfork(argv[0]);
	if (strcmp(how, "spawn") == 0)
		status = run_by_spawn(argv[0]);
	if (strcmp(how, "daemon") == 0)
		status = become_daemon();
	if (strcmp(how, "bare") == 0)
		status = fork_bare();
	if (strcmp(how, "quiet") == 0)
		status = fork_quietly();
	if (argc > 2 && strcmp(how, "daemon") != 0)
		status |= msprof_finalize();
	return status;
}
