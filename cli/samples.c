/* samples.c: reads /proc at set frequencies and writes lines of text. */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/door.h"

enum { KINDS = 3, PROCESSES_MAX = 64, TEXT_SIZE = 65536 };

static const char *const names[KINDS] = {"msprof.cpu.slice_0", "msprof.memory.slice_0", "msprof.process.slice_0"};

struct series {
	FILE *file; /* NULL: not requested */
	int64_t step_ns, due_ns;
};

struct samples {
	int dirfd;
	pid_t pid;
	long ticks; /* of the kernel's accounting, a second */
	long page_kb;
	int64_t until_ns;
	struct series series[KINDS];
	char text[TEXT_SIZE];
};

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Read a small file of /proc; returns its length, or -1. */
static ssize_t slurp(struct samples *s, const char *path)
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

static int64_t microseconds(const struct samples *s, unsigned long long ticks)
{
	return (int64_t)(ticks * 1000000 / (unsigned long long)s->ticks);
}

/* "cpu  user nice system idle iowait irq softirq ...", one line for all and one for each processor */
static void take_cpu(struct samples *s, FILE *out, int64_t now)
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
		fprintf(out, "%" PRId64 " %s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
		    now, line[3] ? line + 3 : "all", microseconds(s, t[0] + t[1]), microseconds(s, t[2]),
		    microseconds(s, t[4]), microseconds(s, t[5]), microseconds(s, t[6]), microseconds(s, t[3]));
	}
}

static long long meminfo(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	long long kb;

	return at && sscanf(at + strlen(key), " %lld", &kb) == 1 ? kb : 0;
}

static void take_memory(struct samples *s, FILE *out, int64_t now)
{
	if (slurp(s, "/proc/meminfo") < 0)
		return;
	fprintf(out, "%" PRId64 " %lld %lld %lld %lld %lld %lld\n", now, meminfo(s->text, "MemTotal:"),
	    meminfo(s->text, "MemFree:"), meminfo(s->text, "MemAvailable:"), meminfo(s->text, "Buffers:"),
	    meminfo(s->text, "\nCached:"), meminfo(s->text, "Shmem:"));
}

/* Write the line of a process; false if the process has ended. */
static bool take_process(struct samples *s, FILE *out, int64_t now, pid_t pid)
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
	fprintf(out, "%" PRId64 " %ld %" PRId64 " %" PRId64 " %lld %lld %lld %s\n", now, (long)pid,
	    microseconds(s, user), microseconds(s, system), size * s->page_kb, resident * s->page_kb,
	    shared * s->page_kb, name);
	return true;
}

/* Find the program and all its descendants, breadth first. */
static void take_processes(struct samples *s, FILE *out, int64_t now)
{
	pid_t pids[PROCESSES_MAX] = {s->pid};
	int count = 1;

	for (int i = 0; i < count; i++) {
		char path[64], *rest = s->text, *word;

		if (!take_process(s, out, now, pids[i]))
			continue;
		snprintf(path, sizeof(path), "/proc/%ld/task/%ld/children", (long)pids[i], (long)pids[i]);
		if (slurp(s, path) < 0)
			continue;
		while ((word = strsep(&rest, " ")) && count < PROCESSES_MAX)
			if (atoi(word) > 0)
				pids[count++] = (pid_t)atoi(word);
	}
}

static void (*const takers[KINDS])(struct samples *, FILE *, int64_t) = {take_cpu, take_memory, take_processes};

static int close_series(struct samples *s, struct mp_error *err)
{
	int status = 0;

	for (int i = 0; i < KINDS; i++) {
		struct series *series = &s->series[i];
		bool bad;

		if (!series->file)
			continue;
		bad = ferror(series->file);
		if (fclose(series->file))
			bad = true;
		series->file = NULL;
		if (bad && !status)
			status = mp_fail_errno(err, "cannot write '%s'", names[i]);
	}
	return status;
}

static FILE *create(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

int samples_open(struct samples **samples, int dirfd, const struct samples_request *request, struct mp_error *err)
{
	const int hz[KINDS] = {request->machine_cpu_hz, request->machine_memory_hz, request->process_hz};
	struct samples *s;

	*samples = NULL;
	if (!hz[0] && !hz[1] && !hz[2])
		return 0;
	s = calloc(1, sizeof(*s));
	if (!s)
		return mp_fail_memory(err, "samples");
	s->dirfd = dirfd;
	s->until_ns = request->until_ns;
	s->pid = request->pid;
	s->ticks = sysconf(_SC_CLK_TCK);
	s->page_kb = sysconf(_SC_PAGESIZE) / 1024;
	for (int i = 0; i < KINDS; i++) {
		if (!hz[i])
			continue;
		s->series[i].step_ns = 1000000000 / hz[i];
		s->series[i].due_ns = request->from_ns;
		s->series[i].file = create(dirfd, names[i]);
		if (!s->series[i].file) {
			mp_fail_errno(err, "cannot create '%s'", names[i]);
			close_series(s, &(struct mp_error){0});
			free(s);
			return -1;
		}
	}
	*samples = s;
	return 0;
}

int samples_take(struct samples *s, int64_t *wait_ns, struct mp_error *err)
{
	int64_t now = now_ns(), next = INT64_MAX;

	for (int i = 0; i < KINDS; i++) {
		struct series *series = &s->series[i];

		if (!series->file || (s->until_ns && now >= s->until_ns))
			continue;
		if (now >= series->due_ns) {
			takers[i](s, series->file, now);
			/* missed samples are skipped */
			series->due_ns = now - series->due_ns < series->step_ns ? series->due_ns + series->step_ns
										: now + series->step_ns;
		}
		if (ferror(series->file))
			return close_series(s, err);
		next = series->due_ns < next ? series->due_ns : next;
	}
	*wait_ns = next == INT64_MAX ? INT64_MAX : next > now ? next - now : 0;
	return 0;
}

/* Write the marker "filesize:N" of a complete file. */
static int mark(int dirfd, const char *name, struct mp_error *err)
{
	char marker[64];
	struct stat st;
	FILE *file;
	bool bad;

	if (mp_dir_look(dirfd, name, &st))
		return errno == ENOENT ? 0 : mp_fail_errno(err, "cannot inspect '%s'", name);
	snprintf(marker, sizeof(marker), "%s.done", name);
	file = create(dirfd, marker);
	bad = !file || fprintf(file, "filesize:%lld\n", (long long)st.st_size) < 0;
	if (file && fclose(file))
		bad = true;
	return bad ? mp_fail_errno(err, "cannot write '%s'", marker) : 0;
}

int samples_close(struct samples *s, struct mp_error *err)
{
	int status;

	if (!s)
		return 0;
	status = close_series(s, err);
	for (int i = 0; !status && i < KINDS; i++)
		status = mark(s->dirfd, names[i], err);
	free(s);
	return status;
}

static int each_file(int (*act)(int from, int to, const char *name), int from, int to)
{
	char marker[64];

	for (int i = 0; i < KINDS; i++) {
		snprintf(marker, sizeof(marker), "%s.done", names[i]);
		if ((act(from, to, names[i]) || act(from, to, marker)) && errno != ENOENT)
			return -1;
	}
	return 0;
}

static int move_file(int from, int to, const char *name)
{
	return renameat(from, name, to, name);
}

static int remove_file(int from, int to, const char *name)
{
	(void)to;
	return unlinkat(from, name, 0) && errno != ENOENT ? -1 : 0;
}

int samples_move(int from, int to, struct mp_error *err)
{
	return each_file(move_file, from, to) ? mp_fail_errno(err, "cannot move the samples") : 0;
}

void samples_remove(int dirfd)
{
	each_file(
	    remove_file, dirfd, -1); /* a remaining file keeps its directory from being removed, which is reported */
}
