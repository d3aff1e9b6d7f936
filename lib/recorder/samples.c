/* samples.c: reads /proc at set frequencies, and makes lines of text. */
#include "recorder/samples.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/recorder.h"

enum { PROCESSES_MAX = 64, TEXT_SIZE = 65536, LINE_SIZE = 512, SECOND_NS = 1000000000 };

const char *const mp_sample_names[MP_SAMPLE_KINDS] = {"msprof.cpu", "msprof.memory", "msprof.process"};

struct mp_host_samples {
	struct mp_samples_request request;
	long ticks; /* of the kernel's accounting, a second */
	long page_kb;
	struct {
		int64_t step_ns, due_ns; /* step_ns: 0: not requested */
	} series[MP_SAMPLE_KINDS];
	char text[TEXT_SIZE];
};

static void put_line(struct mp_host_samples *s, enum mp_host_sample kind, const char *fmt, ...) MP_PRINTF(3, 4);
static void put_line(struct mp_host_samples *s, enum mp_host_sample kind, const char *fmt, ...)
{
	char line[LINE_SIZE];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	if (len > 0 && len < LINE_SIZE)
		s->request.put(s->request.state, kind, line, (size_t)len);
}

/* Read a small file of /proc; returns its length, or -1. */
static ssize_t slurp(struct mp_host_samples *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got, used = 0;

	if (fd < 0)
		return -1;
	while ((got = read(fd, s->text + used, TEXT_SIZE - 1 - (size_t)used)) > 0)
		used += got;
	close(fd);
	s->text[used] = '\0';
	return got < 0 ? -1 : used;
}

static int64_t microseconds(const struct mp_host_samples *s, unsigned long long ticks)
{
	return (int64_t)(ticks * 1000000 / (unsigned long long)s->ticks);
}

/* "cpu  user nice system idle iowait irq softirq ...", one line for all and one for each processor */
static void take_cpu(struct mp_host_samples *s, int64_t now)
{
	char *line, *rest = s->text;

	if (slurp(s, "/proc/stat") < 0)
		return;
	while ((line = strsep(&rest, "\n")) && strncmp(line, "cpu", 3) == 0) {
		unsigned long long t[7];
		char *numbers = line + strcspn(line, " ");

		if (sscanf(numbers, "%llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3], &t[4], &t[5],
			&t[6]) != 7)
			return;
		*numbers = '\0';
		put_line(s, MP_SAMPLE_CPU,
		    "%" PRId64 " %s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", now,
		    line[3] ? line + 3 : "all", microseconds(s, t[0] + t[1]), microseconds(s, t[2]),
		    microseconds(s, t[4]), microseconds(s, t[5]), microseconds(s, t[6]), microseconds(s, t[3]));
	}
}

static long long meminfo(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	long long kb;

	return at && sscanf(at + strlen(key), " %lld", &kb) == 1 ? kb : 0;
}

static void take_memory(struct mp_host_samples *s, int64_t now)
{
	if (slurp(s, "/proc/meminfo") < 0)
		return;
	put_line(s, MP_SAMPLE_MEMORY, "%" PRId64 " %lld %lld %lld %lld %lld %lld\n", now, meminfo(s->text, "MemTotal:"),
	    meminfo(s->text, "MemFree:"), meminfo(s->text, "MemAvailable:"), meminfo(s->text, "Buffers:"),
	    meminfo(s->text, "\nCached:"), meminfo(s->text, "Shmem:"));
}

/* Write the line of a process; false if the process has ended. */
static bool take_process(struct mp_host_samples *s, int64_t now, pid_t pid)
{
	unsigned long long user, system;
	long long size, resident, shared;
	char path[64], name[64] = "";
	char *close_bracket;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	if (slurp(s, path) < 0)
		return false;
	close_bracket = strrchr(s->text, ')'); /* a name may contain any character, also brackets */
	if (!close_bracket ||
	    sscanf(close_bracket + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user, &system) != 2)
		return false;
	*close_bracket = '\0';
	snprintf(name, sizeof(name), "%s", strchr(s->text, '(') ? strchr(s->text, '(') + 1 : "?");
	for (char *c = name; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	snprintf(path, sizeof(path), "/proc/%ld/statm", (long)pid);
	if (slurp(s, path) < 0 || sscanf(s->text, "%lld %lld %lld", &size, &resident, &shared) != 3)
		return false;
	if (!size)
		return false; /* the process has ended, and waits for its parent */
	put_line(s, MP_SAMPLE_PROCESS, "%" PRId64 " %ld %" PRId64 " %" PRId64 " %lld %lld %lld %s\n", now, (long)pid,
	    microseconds(s, user), microseconds(s, system), size * s->page_kb, resident * s->page_kb,
	    shared * s->page_kb, name);
	return true;
}

/* Find the program and all its descendants, breadth first. */
static void take_processes(struct mp_host_samples *s, int64_t now)
{
	pid_t pids[PROCESSES_MAX] = {s->request.pid};
	int count = 1;

	for (int i = 0; i < count; i++) {
		char path[64], *rest = s->text, *word;

		if (!take_process(s, now, pids[i]))
			continue;
		snprintf(path, sizeof(path), "/proc/%ld/task/%ld/children", (long)pids[i], (long)pids[i]);
		if (slurp(s, path) < 0)
			continue;
		while ((word = strsep(&rest, " ")) && count < PROCESSES_MAX)
			if (atoi(word) > 0)
				pids[count++] = (pid_t)atoi(word);
	}
}

static void (*const takers[MP_SAMPLE_KINDS])(struct mp_host_samples *, int64_t) = {
    take_cpu, take_memory, take_processes};

struct mp_host_samples *mp_samples_new(const struct mp_samples_request *request)
{
	struct mp_host_samples *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->request = *request;
	s->ticks = sysconf(_SC_CLK_TCK);
	s->page_kb = sysconf(_SC_PAGESIZE) / 1024;
	for (int i = 0; i < MP_SAMPLE_KINDS; i++)
		if (request->hz[i]) {
			s->series[i].step_ns = SECOND_NS / request->hz[i];
			s->series[i].due_ns = request->from_ns;
		}
	return s;
}

int64_t mp_samples_take(struct mp_host_samples *s)
{
	int64_t now = (int64_t)mp_recorder_now(), next = INT64_MAX;

	for (int i = 0; i < MP_SAMPLE_KINDS; i++) {
		int64_t step_ns = s->series[i].step_ns, *due_ns = &s->series[i].due_ns;

		if (!step_ns || (s->request.until_ns && now >= s->request.until_ns))
			continue;
		if (now >= *due_ns) {
			takers[i](s, now);
			*due_ns =
			    now - *due_ns < step_ns ? *due_ns + step_ns : now + step_ns; /* missed ones are skipped */
		}
		next = *due_ns < next ? *due_ns : next;
	}
	return next == INT64_MAX ? INT64_MAX : next > now ? next - now : 0;
}

void mp_samples_free(struct mp_host_samples *s)
{
	free(s);
}
