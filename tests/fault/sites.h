/*
 * sites.h: tells from where in the program calls come, for inject.c. Frames of other libraries are left out: a call of
 * SQLite's is a call of the function of the program that called SQLite.
 */
#ifndef FAULT_SITES_H
#define FAULT_SITES_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

enum { SITES_MAX = 1 << 16, OBJECTS_MAX = 8 };

/* The program, and libraries of the project. */
static struct {
	uintptr_t from, to;
} objects[OBJECTS_MAX];

static struct {
	uint64_t hash;
	long long number;
} sites[SITES_MAX]; /* by hash; in the file they are in no order */
static int object_count, depth, sites_fd = -1;
static char sites_lock;
static __thread int within __attribute__((tls_model("initial-exec")));

struct walk {
	uint64_t hash;
	int frames;
};

static _Unwind_Reason_Code take_frame(struct _Unwind_Context *context, void *user)
{
	struct walk *walk = user;
	uintptr_t at = _Unwind_GetIP(context);

	for (int i = 0; i < object_count; i++)
		if (at >= objects[i].from && at < objects[i].to) {
			walk->hash = (walk->hash ^ (at - objects[i].from + (uintptr_t)i)) * 0x9E3779B97F4A7C15;
			walk->hash ^= walk->hash >> 29;
			walk->frames++;
		}
	return walk->frames < depth ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static int take_object(struct dl_phdr_info *info, size_t size, void *user)
{
	const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;

	(void)size;
	(void)user;
	if (object_count == OBJECTS_MAX || (*name && !strstr(name, "msprof")))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
			objects[object_count].from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			objects[object_count].to = objects[object_count].from + info->dlpi_phdr[i].p_memsz;
			object_count++;
			return 0;
		}
	return 0;
}

static void keep(uint64_t hash, long long number)
{
	size_t at = hash % SITES_MAX;

	while (__atomic_test_and_set(&sites_lock, __ATOMIC_ACQUIRE))
		;
	for (int i = 0; i < 64 && sites[at].number && sites[at].hash != hash; i++)
		at = (at + 1) % SITES_MAX;
	if (!sites[at].number) {
		sites[at].hash = hash;
		sites[at].number = number;
	}
	__atomic_clear(&sites_lock, __ATOMIC_RELEASE);
}

static void sites_count(long long number)
{
	struct walk walk = {0, 0};

	if (sites_fd < 0 || within)
		return;
	within = 1;
	_Unwind_Backtrace(take_frame, &walk);
	within = 0;
	if (walk.frames)
		keep(walk.hash | 1, number);
}

struct search {
	const char *part;
	bool found;
};

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context, void *user)
{
	struct search *search = user;
	Dl_info info;

	if (dladdr((void *)_Unwind_GetIP(context), &info) && strstr(info.dli_fname, search->part))
		search->found = true;
	return search->found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Whether a function of a library is among the callers. */
static bool sites_within(const char *part)
{
	struct search search = {part, false};

	if (!part || within)
		return false;
	within = 1;
	_Unwind_Backtrace(look_at_frame, &search);
	within = 0;
	return search.found;
}

static void sites_start(void)
{
	const char *path = getenv("FAULT_SITES"), *most = getenv("FAULT_DEPTH");
	int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;

	if (fd < 0)
		return;
	sites_fd = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 501);
	syscall(SYS_close, fd);
	depth = most ? atoi(most) : 8;
	dl_iterate_phdr(take_object, NULL);
}

static void sites_finish(void)
{
	char line[64];
	int len;

	for (size_t i = 0; sites_fd >= 0 && i < SITES_MAX; i++)
		if (sites[i].number) {
			len = snprintf(
			    line, sizeof(line), "%lld %016llx\n", sites[i].number, (unsigned long long)sites[i].hash);
			if (syscall(SYS_write, sites_fd, line, (size_t)len) != len)
				_exit(99);
		}
}

#endif
