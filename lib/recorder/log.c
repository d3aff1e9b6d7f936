/*
 * log.c: prints a line with a single write, so that lines of several threads do not mix. A thread with descriptors of
 * its own has no standard error: its lines wait for a thread that has. Blocks the signals of a write, and discards
 * those that arrived.
 */
#define _GNU_SOURCE /* secure_getenv */
#include "recorder/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

static const int of_writes[] = {SIGPIPE, SIGXFSZ};
enum { OF_WRITES = sizeof(of_writes) / sizeof(of_writes[0]) };

void mp_shield_raise(struct mp_shield *shield)
{
	sigset_t ours;

	sigemptyset(&ours);
	for (int i = 0; i < OF_WRITES; i++)
		sigaddset(&ours, of_writes[i]);
	sigpending(&shield->waiting);
	pthread_sigmask(SIG_BLOCK, &ours, &shield->before);
}

void mp_shield_lower(const struct mp_shield *shield)
{
	static const struct timespec at_once = {0, 0};
	int error = errno;
	sigset_t now, one;

	sigpending(&now);
	for (int i = 0; i < OF_WRITES; i++) {
		if (!sigismember(&now, of_writes[i]) || sigismember(&shield->waiting, of_writes[i]))
			continue;
		sigemptyset(&one);
		sigaddset(&one, of_writes[i]);
		while (sigtimedwait(&one, NULL, &at_once) < 0 && errno == EINTR)
			;
	}
	pthread_sigmask(SIG_SETMASK, &shield->before, NULL);
	errno = error;
}

static _Thread_local bool waits __attribute__((tls_model("initial-exec")));
static struct {
	pthread_mutex_t lock;
	_Atomic size_t size;
	char text[8192];
} waiting = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Standard error, as it was at first. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_error;
static struct stat error_file;

static int threshold(void)
{
	static const char *const names[] = {"error", "warning", "info"};
	const char *wanted = secure_getenv("MSPROF_LOG");

	if (wanted && strcmp(wanted, "off") == 0)
		return -1;
	for (int i = 0; wanted && i < (int)(sizeof(names) / sizeof(names[0])); i++)
		if (strcmp(wanted, names[i]) == 0)
			return i;
	return MP_LOG_WARNING;
}

static void look(void)
{
	has_error = fstat(STDERR_FILENO, &error_file) == 0;
}

void mp_log_begin(void)
{
	pthread_once(&once, look);
}

/* The application may have given the number to a file of its own since. */
static void print(const char *text, size_t size)
{
	struct mp_shield shield;
	struct stat now;

	mp_log_begin();
	if (!has_error || fstat(STDERR_FILENO, &now) || now.st_dev != error_file.st_dev ||
	    now.st_ino != error_file.st_ino)
		return;
	mp_shield_raise(&shield);
	(void)!write(STDERR_FILENO, text, size); /* no other place to report the failure */
	mp_shield_lower(&shield);
}

/* Without room a line is dropped. */
static void keep(const char *line, size_t size)
{
	size_t used;

	pthread_mutex_lock(&waiting.lock);
	used = atomic_load(&waiting.size);
	if (used + size <= sizeof(waiting.text)) {
		memcpy(waiting.text + used, line, size);
		atomic_store(&waiting.size, used + size);
	}
	pthread_mutex_unlock(&waiting.lock);
}

void mp_log(enum mp_log_level level, const char *fmt, ...)
{
	static const char *const words[] = {"ERROR", "WARNING", "INFO"};
	char raw[1024], line[2048];
	va_list args;
	size_t len;

	if ((int)level > threshold())
		return;
	va_start(args, fmt);
	vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	len = (size_t)snprintf(line, sizeof(line), "[%s] msprof: ", words[level]);
	len += mp_sanitise(line + len, sizeof(line) - len - 1, raw, strlen(raw));
	line[len++] = '\n';
	if (waits)
		keep(line, len);
	else
		print(line, len);
}

void mp_log_later(void)
{
	waits = true;
}

/* A handler of a signal does not wait for the lock. */
void mp_log_now(void)
{
	char text[sizeof(waiting.text)];
	int error = errno;
	size_t size;

	if (waits || !atomic_load_explicit(&waiting.size, memory_order_relaxed) || pthread_mutex_trylock(&waiting.lock))
		return;
	size = atomic_exchange(&waiting.size, 0);
	memcpy(text, waiting.text, size);
	pthread_mutex_unlock(&waiting.lock);
	if (size)
		print(text, size);
	errno = error;
}

void mp_log_before_fork(void)
{
	pthread_mutex_lock(&waiting.lock);
}

void mp_log_after_fork(bool child)
{
	if (child)
		atomic_store(&waiting.size, 0); /* the parent prints them */
	pthread_mutex_unlock(&waiting.lock);
}
