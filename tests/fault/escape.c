/*
 * escape.c: a library to preload that tries to break out of the sandbox whenever the program reads a file of a job.
 *   ESCAPE_BELOW   the directory whose files count
 *   ESCAPE_FILE    instead of that: what comes from a network counts, and this file must not be readable. Sockets of
 * the network are no escape then, but those of this machine are ESCAPE_REPORT  a file that is given a line for each
 * such read: "confined", or "escaped: " and what was possible A process that reads none of them leaves no line.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *below, *other;
static int report = -1;

__attribute__((constructor)) static void start(void)
{
	const char *path = getenv("ESCAPE_REPORT");

	below = getenv("ESCAPE_BELOW");
	other = getenv("ESCAPE_FILE");
	report = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
}

static const char *escape(void)
{
	char *const none[] = {NULL};
	int fd = (int)syscall(SYS_openat, AT_FDCWD, other ? other : "/etc/passwd", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		syscall(SYS_close, fd);
		return "escaped: opened another file\n";
	}
	fd = (int)syscall(SYS_socket, other ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
	if (fd >= 0) {
		syscall(SYS_close, fd);
		return "escaped: made a socket\n";
	}
	if (syscall(SYS_execve, "/nonexistent", none, none) && errno == ENOENT)
		return "escaped: may start a program\n";
	return "confined\n";
}

static void report_attempt(void)
{
	const char *line = escape();

	if (syscall(SYS_write, report, line, strlen(line)) < 0)
		abort();
}

static void report_attempts(int fd)
{
	char link[64], path[4096];
	ssize_t len;

	if (report < 0 || !below)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	path[len < 0 ? 0 : len] = '\0';
	if (strncmp(path, below, strlen(below)) == 0)
		report_attempt();
}

ssize_t recv(int fd, void *to, size_t size, int flags)
{
	if (report >= 0 && other)
		report_attempt();
	return (ssize_t)syscall(SYS_recvfrom, fd, to, size, flags, NULL, NULL);
}

ssize_t read(int fd, void *to, size_t size)
{
	report_attempts(fd);
	return (ssize_t)syscall(SYS_read, fd, to, size);
}

ssize_t pread(int fd, void *to, size_t size, off_t at)
{
	report_attempts(fd);
	return (ssize_t)syscall(SYS_pread64, fd, to, size, at);
}

ssize_t pread64(int fd, void *to, size_t size, off64_t at)
{
	report_attempts(fd);
	return (ssize_t)syscall(SYS_pread64, fd, to, size, at);
}

size_t fread(void *to, size_t size, size_t count, FILE *file)
{
	size_t (*next)(void *, size_t, size_t, FILE *) = dlsym(RTLD_NEXT, "fread");

	report_attempts(fileno(file));
	return next(to, size, count, file);
}
