/* stop.c: a library for LD_PRELOAD that stops the program before and after each call that syncs or renames a file. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static void stop(void)
{
	syscall(SYS_kill, getpid(), SIGSTOP);
}

int fsync(int fd)
{
	int status;

	stop();
	status = (int)syscall(SYS_fsync, fd);
	stop();
	return status;
}

int renameat(int from, const char *name, int to, const char *new_name)
{
	int status;

	stop();
	status = (int)syscall(SYS_renameat2, from, name, to, new_name, 0);
	stop();
	return status;
}
