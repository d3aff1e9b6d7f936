/*
 * board.c: a library to preload into `msprof collect --local` and what it starts, for board.py.
 *   BOARD_SHELL  a program that takes the place of /bin/sh, for the commands that msprof starts
 *   BOARD_STEPS  a file that counts the steps of all other processes: a program begins, a file is opened, written by a
 *                shell, renamed or removed, a directory is made, a signal is sent
 *   BOARD_CUT    at this step msprof is killed, and the process that is about to take the step waits until the guard,
 *                whose number is in BOARD_LOCK, has ended: whatever comes too late comes as late as can be
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct steps {
	long long count;
	pid_t msprof;
};

enum { WORDS_MAX = 8, TURN_US = 20000, TURNS_MAX = 1500 };

static struct steps *steps;
static bool is_msprof;
static long long cut;

__attribute__((constructor)) static void start(void)
{
	const char *path = getenv("BOARD_STEPS");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

	is_msprof = strcmp(program_invocation_short_name, "msprof") == 0;
	if (fd < 0)
		return;
	steps = mmap(NULL, sizeof(*steps), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (steps == MAP_FAILED) {
		steps = NULL;
		return;
	}
	cut = getenv("BOARD_CUT") ? atoll(getenv("BOARD_CUT")) : 0;
	if (is_msprof)
		steps->msprof = getpid();
}

/* The state of a process and its parent; false when it is gone. */
static bool look(pid_t pid, char *state, pid_t *parent)
{
	char path[64], text[512], *end;
	FILE *in;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	in = fopen(path, "re");
	if (!in)
		return false;
	n = fread(text, 1, sizeof(text) - 1, in);
	fclose(in);
	text[n] = '\0';
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %c %d", state, parent) == 2;
}

static pid_t find_guard(void)
{
	const char *path = getenv("BOARD_LOCK");
	FILE *in = path ? fopen(path, "re") : NULL;
	int pid = 0;

	if (in && fscanf(in, "%d", &pid) != 1)
		pid = 0;
	if (in)
		fclose(in);
	return pid;
}

static void wait_for_guard(void)
{
	pid_t guard = find_guard(), parent;
	char state;

	if (guard <= 1)
		return;
	for (pid_t p = getpid(); p > 1; p = parent)
		if (p == guard || !look(p, &state, &parent))
			return; /* the guard itself, or what it waits for */
	for (int i = 0; i < TURNS_MAX && look(guard, &state, &parent) && state != 'Z'; i++)
		usleep(TURN_US);
	usleep(TURN_US);
}

static void step(void)
{
	int code = errno;

	if (!steps || is_msprof || __atomic_add_fetch(&steps->count, 1, __ATOMIC_SEQ_CST) != cut)
		return;
	if (steps->msprof > 1)
		kill(steps->msprof, SIGKILL);
	wait_for_guard();
	errno = code;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int execl(const char *path, const char *word, ...)
{
	const char *shell = getenv("BOARD_SHELL");
	char *words[WORDS_MAX + 1] = {(char *)word};
	va_list more;

	va_start(more, word);
	for (int i = 0; i < WORDS_MAX && words[i]; i++)
		words[i + 1] = va_arg(more, char *);
	va_end(more);
	step();
	return execv(shell && is_msprof && strcmp(path, "/bin/sh") == 0 ? shell : path, words);
}

int execve(const char *path, char *const words[], char *const variables[])
{
	step();
	return REAL(execve)(path, words, variables);
}

static int take_mode(int flags, va_list more)
{
	return flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, int) : 0;
}

#define OPEN(name)                                                                                                     \
	int name(const char *path, int flags, ...)                                                                     \
	{                                                                                                              \
		va_list more;                                                                                          \
		int mode;                                                                                              \
                                                                                                                       \
		va_start(more, flags);                                                                                 \
		mode = take_mode(flags, more);                                                                         \
		va_end(more);                                                                                          \
		if (flags & (O_WRONLY | O_RDWR))                                                                       \
			step();                                                                                        \
		return REAL(name)(path, flags, mode);                                                                  \
	}
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                                   \
	int name(int dir, const char *path, int flags, ...)                                                            \
	{                                                                                                              \
		va_list more;                                                                                          \
		int mode;                                                                                              \
                                                                                                                       \
		va_start(more, flags);                                                                                 \
		mode = take_mode(flags, more);                                                                         \
		va_end(more);                                                                                          \
		if (flags & (O_WRONLY | O_RDWR))                                                                       \
			step();                                                                                        \
		return REAL(name)(dir, path, flags, mode);                                                             \
	}
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int fd, const void *bytes, size_t size)
{
	step();
	return REAL(write)(fd, bytes, size);
}

int rename(const char *from, const char *to)
{
	step();
	return REAL(rename)(from, to);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	step();
	return REAL(renameat)(from_dir, from, to_dir, to);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	step();
	return REAL(renameat2)(from_dir, from, to_dir, to, flags);
}

int unlink(const char *path)
{
	step();
	return REAL(unlink)(path);
}

int unlinkat(int dir, const char *path, int flags)
{
	step();
	return REAL(unlinkat)(dir, path, flags);
}

int mkdir(const char *path, mode_t mode)
{
	step();
	return REAL(mkdir)(path, mode);
}

int kill(pid_t pid, int number)
{
	step();
	return REAL(kill)(pid, number);
}
