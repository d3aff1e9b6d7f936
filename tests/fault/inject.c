/*
 * inject.c: a library to preload that lets calls fail, to see what a program makes of it.
 *   FAULT_CALLS    names of calls, separated by ',' (see below)
 *   FAULT_AT       the first call that fails, counted from 1 over all that are named; 0: none
 *   FAULT_COUNT    how many fail from there on (default: all)
 *   FAULT_ERRNO    ENOMEM, EIO, EINTR, EAGAIN or ENOSPC (default); memory fails with ENOMEM always.
 *                  SHORT: reads and writes of half the bytes instead. KILL, INT, TERM, HUP, PIPE: the first sends that
 *                  signal, none fails
 *   FAULT_PROGRAM  the name of the only program whose calls fail; others may start it, or be started by it
 *   FAULT_SPARES   a part of the name of a library: no allocation made in it fails
 *   FAULT_REPORT   a file that is given the number of calls when the program ends
 *   FAULT_SITES    a file that is given a line for each first call from another place of the program: the number of the
 *                  call, and what tells the place from others: the callers within the program, FAULT_DEPTH (8) at most
 * Allocations go to glibc's own entry points, or those of the address sanitizer, so that looking one up needs no
 * memory. That sanitizer must be told verify_asan_link_order=0.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "sites.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
/* the functions of the sanitizer, when present */
extern void *__interceptor_malloc(size_t size) __attribute__((weak));
extern void *__interceptor_calloc(size_t count, size_t size) __attribute__((weak));
extern void *__interceptor_realloc(void *old, size_t size) __attribute__((weak));
extern void *__interceptor_memalign(size_t align, size_t size) __attribute__((weak));

static bool ready, halves;
static int report = -1; /* opened before the program may give up its rights */
static const char *calls, *spares;
static long long at, count, seen;
static int code, signal_number;
static __thread int paused __attribute__((tls_model("initial-exec")));
static __thread bool is_ours __attribute__((tls_model("initial-exec"))); /* the thread runs the program's code */

static bool fails(const char *call)
{
	size_t len = strlen(call);
	long long number;

	if (!ready || paused)
		return false;
	for (const char *s = calls; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL)
		if (strncmp(s, call, len) == 0 && (s[len] == ',' || s[len] == '\0')) {
			number = __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED);
			sites_count(number);
			if (number == at && signal_number)
				kill(getpid(), signal_number);
			return at && !signal_number && number >= at && number - at < count && !sites_within(spares);
		}
	return false;
}

static bool fails_with(const char *call)
{
	if (!fails(call))
		return false;
	errno = code;
	return true;
}

/* The number of bytes of a read or write to transfer; -1: fail. */
static ssize_t part(const char *call, size_t size)
{
	if (halves)
		return (ssize_t)(fails(call) && size > 1 ? size / 2 : size);
	return fails_with(call) ? -1 : (ssize_t)size;
}

/* Nothing fails in this thread while it does what is not the program's own. */
void fault_pause(bool is_paused);
void fault_pause(bool is_paused)
{
	paused += is_paused ? 1 : -1;
}

static void take_code(const char *name)
{
	static const struct {
		const char *name;
		int code;
		int signal_number;
	} codes[] = {{"ENOMEM", ENOMEM, 0}, {"EIO", EIO, 0}, {"EINTR", EINTR, 0}, {"EAGAIN", EAGAIN, 0},
	    {"KILL", 0, SIGKILL}, {"INT", 0, SIGINT}, {"TERM", 0, SIGTERM}, {"HUP", 0, SIGHUP}, {"PIPE", 0, SIGPIPE}};

	code = ENOSPC;
	for (size_t i = 0; name && i < sizeof(codes) / sizeof(codes[0]); i++)
		if (strcmp(name, codes[i].name) == 0) {
			code = codes[i].code;
			signal_number = codes[i].signal_number;
		}
}

__attribute__((constructor)) static void start(void)
{
	const char *name = getenv("FAULT_ERRNO"), *path = getenv("FAULT_REPORT"), *program = getenv("FAULT_PROGRAM");
	int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;

	if (fd >= 0) {
		report = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 500);
		syscall(SYS_close, fd);
	}
	calls = getenv("FAULT_CALLS");
	spares = getenv("FAULT_SPARES");
	at = getenv("FAULT_AT") ? atoll(getenv("FAULT_AT")) : 0;
	count = getenv("FAULT_COUNT") ? atoll(getenv("FAULT_COUNT")) : INT64_MAX;
	take_code(name);
	halves = name && strcmp(name, "SHORT") == 0;
	sites_start();
	ready = is_ours = calls && (!program || strcmp(program, program_invocation_short_name) == 0);
}

__attribute__((destructor)) static void finish(void)
{
	char text[32];
	int len;

	ready = false;
	sites_finish();
	if (!getenv("FAULT_REPORT"))
		return;
	len = snprintf(text, sizeof(text), "%lld\n", seen);
	if (syscall(SYS_ftruncate, report, 0L) || syscall(SYS_pwrite64, report, text, (size_t)len, 0L) != len)
		syscall(SYS_exit_group, 99);
}

/*
 * Fails in started threads, and in the first thread unless the sanitizer is there: the sanitizer cannot start without
 * memory.
 */
static bool no_memory(void)
{
	if (!is_ours || !fails("memory"))
		return false;
	errno = ENOMEM;
	return true;
}

static void *allocate(size_t size)
{
	return __interceptor_malloc ? __interceptor_malloc(size) : __libc_malloc(size);
}

void *malloc(size_t size)
{
	return no_memory() ? NULL : allocate(size);
}

void *calloc(size_t number, size_t size)
{
	if (no_memory())
		return NULL;
	return __interceptor_calloc ? __interceptor_calloc(number, size) : __libc_calloc(number, size);
}

void *realloc(void *old, size_t size)
{
	if (no_memory())
		return NULL;
	return __interceptor_realloc ? __interceptor_realloc(old, size) : __libc_realloc(old, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
	if (no_memory())
		return ENOMEM;
	*out = __interceptor_memalign ? __interceptor_memalign(align, size) : __libc_memalign(align, size);
	return *out ? 0 : ENOMEM;
}

/* A child that ends without its parent's destructors. */
void _exit(int status)
{
	sites_finish();
	syscall(SYS_exit_group, status);
	__builtin_unreachable();
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

ssize_t write(int fd, const void *bytes, size_t size)
{
	/* messages about the failure must get out */
	ssize_t n = fd > 2 ? part("write", size) : (ssize_t)size;

	return n < 0 ? -1 : syscall(SYS_write, fd, bytes, (size_t)n);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset)
{
	ssize_t n = part("write", size);

	return n < 0 ? -1 : syscall(SYS_pwrite64, fd, bytes, (size_t)n, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	return pwrite64(fd, bytes, size, offset);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset)
{
	ssize_t n = part("read", size);

	return n < 0 ? -1 : syscall(SYS_pread64, fd, bytes, (size_t)n, offset);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
	return pread64(fd, bytes, size, offset);
}

ssize_t read(int fd, void *bytes, size_t size)
{
	ssize_t n = part("read", size);

	return n < 0 ? -1 : syscall(SYS_read, fd, bytes, (size_t)n);
}

/* Calls by the program and its libraries; calls inside glibc are not seen. */
void *mmap(void *where, size_t size, int protection, int flags, int fd, off_t offset)
{
	return fails_with("map") ? MAP_FAILED : (void *)syscall(SYS_mmap, where, size, protection, flags, fd, offset);
}

int posix_fallocate(int fd, off_t offset, off_t size)
{
	if (fails("allocate"))
		return code;
	return REAL(int, "posix_fallocate", int, off_t, off_t)(fd, offset, size);
}

/* The function of a thread. */
struct start {
	void *(*run)(void *user);
	void *user;
};

static void *begin(void *user)
{
	struct start start = *(struct start *)user;

	free(user);
	is_ours = true;
	return start.run(start.user);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *user), void *user)
{
	struct start *start;
	int status;

	if (fails("thread"))
		return code;
	start = allocate(sizeof(*start));
	if (!start)
		return EAGAIN;
	*start = (struct start){run, user};
	status = REAL(int, "pthread_create", pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)(
	    thread, attributes, begin, start);
	if (status)
		free(start);
	return status;
}

int fsync(int fd)
{
	return fails_with("fsync") ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	return fails_with("fsync") ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int ftruncate64(int fd, off64_t size)
{
	return fails_with("ftruncate") ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate(int fd, off_t size)
{
	return ftruncate64(fd, size);
}

int close(int fd)
{
	/* like the system: the descriptor is closed whatever the result */
	int status = (int)syscall(SYS_close, fd);

	return fails_with("close") ? -1 : status;
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	return fails_with("rename") ? -1 : (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
}

int unlinkat(int dir, const char *path, int flags)
{
	return fails_with("unlink") ? -1 : (int)syscall(SYS_unlinkat, dir, path, flags);
}

int mkdirat(int dir, const char *path, mode_t mode)
{
	return fails_with("mkdir") ? -1 : (int)syscall(SYS_mkdirat, dir, path, mode);
}

int fchmod(int fd, mode_t mode)
{
	return fails_with("chmod") ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

int flock(int fd, int how)
{
	return fails_with("flock") ? -1 : (int)syscall(SYS_flock, fd, how);
}

int fstat(int fd, struct stat *st)
{
	return fails_with("stat") ? -1 : REAL(int, "fstat", int, struct stat *)(fd, st);
}

int fstatat(int dir, const char *path, struct stat *st, int flags)
{
	return fails_with("stat") ? -1
				  : REAL(int, "fstatat", int, const char *, struct stat *, int)(dir, path, st, flags);
}

int faccessat(int dir, const char *path, int mode, int flags)
{
	return fails_with("stat") ? -1 : REAL(int, "faccessat", int, const char *, int, int)(dir, path, mode, flags);
}

int fstat64(int fd, struct stat64 *st)
{
	return fails_with("stat") ? -1 : REAL(int, "fstat64", int, struct stat64 *)(fd, st);
}

int stat64(const char *path, struct stat64 *st)
{
	return fails_with("stat") ? -1 : REAL(int, "stat64", const char *, struct stat64 *)(path, st);
}

int lstat64(const char *path, struct stat64 *st)
{
	return fails_with("stat") ? -1 : REAL(int, "lstat64", const char *, struct stat64 *)(path, st);
}

static mode_t mode_of(int flags, va_list args)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

int openat(int dir, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return fails_with("open") ? -1 : (int)syscall(SYS_openat, dir, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return fails_with("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return fails_with("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int stat(const char *path, struct stat *st)
{
	return fails_with("path") ? -1 : REAL(int, "stat", const char *, struct stat *)(path, st);
}

int lstat(const char *path, struct stat *st)
{
	return fails_with("path") ? -1 : REAL(int, "lstat", const char *, struct stat *)(path, st);
}

int access(const char *path, int mode)
{
	return fails_with("path") ? -1 : (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

char *realpath(const char *path, char *resolved)
{
	return fails_with("path") ? NULL : REAL(char *, "realpath", const char *, char *)(path, resolved);
}

ssize_t readlink(const char *path, char *text, size_t size)
{
	return fails_with("path") ? -1 : syscall(SYS_readlinkat, AT_FDCWD, path, text, size);
}

int fstatfs(int fd, struct statfs *st)
{
	return fails_with("path") ? -1 : (int)syscall(SYS_fstatfs, fd, st);
}

int fstatvfs(int fd, struct statvfs *st)
{
	return fails_with("path") ? -1 : REAL(int, "fstatvfs", int, struct statvfs *)(fd, st);
}

int mkdir(const char *path, mode_t mode)
{
	return fails_with("mkdir") ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	return fails_with("rename") ? -1 : (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
}

int futimens(int fd, const struct timespec times[2])
{
	return fails_with("chmod") ? -1 : (int)syscall(SYS_utimensat, fd, NULL, times, 0);
}

DIR *fdopendir(int fd)
{
	return fails_with("dir") ? NULL : REAL(DIR *, "fdopendir", int)(fd);
}

struct dirent *readdir(DIR *dir)
{
	return fails_with("dir") ? NULL : REAL(struct dirent *, "readdir", DIR *)(dir);
}

int dup(int fd)
{
	return fails_with("dir") ? -1 : (int)syscall(SYS_dup, fd);
}

int dup2(int fd, int other)
{
	return fails_with("process") ? -1 : REAL(int, "dup2", int, int)(fd, other);
}

pid_t fork(void)
{
	return fails_with("process") ? -1 : REAL(pid_t, "fork", void)();
}

int pipe(int fds[2])
{
	return fails_with("process") ? -1 : (int)syscall(SYS_pipe2, fds, 0);
}

int pipe2(int fds[2], int flags)
{
	return fails_with("process") ? -1 : (int)syscall(SYS_pipe2, fds, flags);
}
