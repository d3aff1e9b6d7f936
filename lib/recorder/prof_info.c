/*
 * prof_info.c: writes facts about the host, the process and the clocks into the control files, each as the system
 * reports it; continues the PROF directory of an ended process.
 */
#include "recorder/prof_writer_internal.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/out.h"
#include "base/text.h"
#include "recorder/recorder_internal.h"
#include "recorder/table.h"

/* The number of lost records is first in info.json, in a field of this width. */
enum { LOST_WIDTH = 20, SECOND_NS = 1000000000, HOST_ID = 64 /* the host as a device, as the vendor numbers it */ };
static const char lost_before[] = "{\"lost\": ";

/*
 * The vendor's parser requires a kind of chip, network cards, modes of the AI Core and the cache, and the frequency of
 * the host's counter. The counter is a clock in ns. The others have no meaning without a device.
 */
#define PLATFORM "5"
#define COUNTER_MHZ "1000"

static void add(struct mp_out *out, const char *fmt, ...) MP_PRINTF(2, 3);
static void add(struct mp_out *out, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	mp_out_text(out, text);
}

/* Add `, "KEY": "TEXT"`. */
static void add_text(struct mp_out *out, const char *key, const char *text)
{
	char clean[256];

	mp_sanitise(clean, sizeof(clean), text, strlen(text));
	add(out, ", \"%s\": \"", key);
	for (const char *at = clean; *at; at++) {
		if (*at == '"' || *at == '\\')
			mp_out_char(out, '\\');
		mp_out_char(out, *at);
	}
	mp_out_char(out, '"');
}

static int write_info(int dirfd, struct mp_error *err)
{
	const char *name = "";
	char *program = mp_executable_split(&name);
	struct utsname system;
	struct mp_out *out;

	if (uname(&system))
		memset(&system, 0, sizeof(system));
	if (mp_out_create(&out, mp_fd_use(dirfd), "info.json", "info.json", err)) {
		free(program);
		return -1;
	}
	add(out, "%s%-*d, \"version\": \"1.0\", \"collector\": \"host\", \"pid\": \"%d\"", lost_before, LOST_WIDTH, 0,
	    (int)getpid());
	add(out, ", \"process\": \"%016llx\"", (unsigned long long)mp_process_identity());
	add_text(out, "pid_name", program ? name : "");
	add_text(out, "hostname", system.nodename);
	add_text(out, "OS", system.sysname);
	add_text(out, "hwtype", system.machine);
	add(out, ", \"platform_version\": \"%s\", \"cpuCores\": %ld", PLATFORM, sysconf(_SC_NPROCESSORS_ONLN));
	add(out, ", \"CPU\": [{\"Id\": 0, \"Frequency\": \"%s\"}]", COUNTER_MHZ);
	add(out, ", \"memoryTotal\": %lld, \"netCard\": [], \"DeviceInfo\": []}\n",
	    (long long)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 1024);
	free(program);
	return mp_out_commit(out, err);
}

static void add_time(struct mp_out *out, const char *which, uint64_t realtime_ns)
{
	time_t seconds = (time_t)(realtime_ns / SECOND_NS);
	char date[32] = "";
	struct tm tm;

	if (localtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
	add(out, "\"collectionDate%s\": \"%s.%06u\", \"collectionTime%s\": \"%llu\"", which, date,
	    (unsigned)(realtime_ns % SECOND_NS / 1000), which, (unsigned long long)(realtime_ns / 1000));
}

/* Write start_info, or with an end end_info. */
static int write_times(
    int dirfd, const char *name, struct mp_wall start, const struct mp_wall *end, struct mp_error *err)
{
	struct mp_out *out;

	if (mp_out_create(&out, mp_fd_use(dirfd), name, name, err))
		return -1;
	mp_out_char(out, '{');
	add_time(out, "Begin", start.realtime_ns);
	mp_out_text(out, ", ");
	if (end)
		add_time(out, "End", end->realtime_ns);
	else
		mp_out_text(out, "\"collectionDateEnd\": \"\", \"collectionTimeEnd\": \"\"");
	add(out, ", \"clockMonotonicRaw\": \"%llu\"}\n",
	    (unsigned long long)(end ? end->monotonic_ns : start.monotonic_ns));
	return mp_out_commit(out, err);
}

static int write_text(int dirfd, const char *name, const char *text, struct mp_error *err)
{
	struct mp_out *out;

	if (mp_out_create(&out, mp_fd_use(dirfd), name, name, err))
		return -1;
	mp_out_text(out, text);
	return mp_out_commit(out, err);
}

static int write_sample(int dirfd, const char *devices, const char *members, struct mp_error *err)
{
	struct mp_out *out;

	if (mp_out_create(&out, mp_fd_use(dirfd), "sample.json", "sample.json", err))
		return -1;
	add(out, "{\"devices\": \"%d\", \"requested_devices\": \"%s\", \"ai_core_profiling_mode\": \"\"", HOST_ID,
	    devices);
	if (!strstr(members, "\"llc_profiling\""))
		mp_out_text(out, ", \"llc_profiling\": \"\"");
	mp_out_text(out, *members ? ", " : "");
	mp_out_text(out, members);
	mp_out_text(out, "}\n");
	return mp_out_commit(out, err);
}

int mp_prof_info_begin(int dirfd, struct mp_wall start, const char *devices, const char *members, struct mp_error *err)
{
	char log[256];

	snprintf(log, sizeof(log),
	    "[Host]\nclock_realtime: %llu\nclock_monotonic_raw: %llu\ncntvct: %llu\ncntvct_diff: 0\n",
	    (unsigned long long)start.realtime_ns, (unsigned long long)start.monotonic_ns,
	    (unsigned long long)start.monotonic_ns);
	return write_info(dirfd, err) || write_sample(dirfd, devices, members, err) ||
		       write_times(dirfd, "start_info", start, NULL, err) ||
		       write_text(dirfd, "host_start.log", log, err)
		   ? -1
		   : 0;
}

void mp_prof_info_remove(int dirfd)
{
	static const char *const names[] = {"info.json", "sample.json", "start_info", "host_start.log"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlinkat(mp_fd_use(dirfd), names[i], 0);
}

int mp_prof_info_lost(int dirfd, uint64_t lost)
{
	int fd = openat(mp_fd_use(dirfd), "info.json", O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char text[LOST_WIDTH + 1];
	ssize_t n;

	if (fd < 0)
		return -1;
	snprintf(text, sizeof(text), "%-*llu", LOST_WIDTH, (unsigned long long)lost);
	n = pwrite(fd, text, LOST_WIDTH, sizeof(lost_before) - 1);
	return close(fd) || n != LOST_WIDTH ? -1 : 0;
}

int mp_prof_info_end(int dirfd, struct mp_wall start, struct mp_wall end, struct mp_error *err)
{
	return write_times(dirfd, "end_info", start, &end, err);
}

/* The last records of the slices of a stream. */
static int read_seen(struct mp_prof_writer *w, enum stream stream, int64_t most, struct mp_error *err)
{
	size_t size = w->encoders[stream].layout->size;
	char name[MP_DATA_NAME];
	struct stat st;

	w->seen[stream].size = size;
	for (unsigned i = w->streams[stream].count; i-- && most > 0;) {
		int64_t count;

		mp_stream_name(&w->streams[stream], i, "", name);
		if (fstatat(w->datafd, name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		count = mp_record_set_add(
		    &w->seen[stream], w->datafd, name, st.st_size - st.st_size % (int64_t)size, most, err);
		if (count < 0)
			return -1;
		most -= count;
	}
	return 0;
}

enum { LINES_MOST = 64 * 1024 * 1024 }; /* of a dictionary; that of a process has 10 MB at most */

/* Append the lines of a slice to a text. */
static int add_lines(char **text, size_t *size, int dirfd, const char *name, struct mp_error *err)
{
	struct stat st;
	char *more;
	ssize_t n;
	int fd;

	if (mp_dir_is_missing(dirfd, name))
		return 0;
	fd = mp_data_file_reopen(dirfd, name, O_RDONLY, &st, err);
	if (fd < 0)
		return -1;
	more = st.st_size <= LINES_MOST - (off_t)*size ? realloc(*text, *size + (size_t)st.st_size + 1) : NULL;
	n = more ? pread(fd, more + *size, (size_t)st.st_size, 0) : -1;
	mp_fd_drop(fd); /* opened read-only: nothing can be lost */
	if (!more)
		return mp_fail_memory(err, name);
	*text = more;
	*size += n > 0 ? (size_t)n : 0;
	more[*size] = '\0';
	return n == st.st_size ? 0 : mp_fail(err, "cannot read '%s'", name);
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Split a text into sorted lines. */
static int sort_lines(struct mp_prof_lines *lines)
{
	size_t count = 0;

	for (const char *at = lines->text; (at = strchr(at, '\n')) != NULL; at++)
		count++;
	lines->sorted = calloc(count + 1, sizeof(*lines->sorted));
	if (!lines->sorted)
		return -1;
	for (char *at = lines->text, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
		lines->sorted[lines->count++] = at;
		*end = '\0';
	}
	qsort(lines->sorted, lines->count, sizeof(*lines->sorted), compare_lines);
	return 0;
}

bool mp_prof_has_line(const struct mp_prof_lines *lines, const char *line)
{
	return lines->count && bsearch(&line, lines->sorted, lines->count, sizeof(*lines->sorted), compare_lines);
}

/* Read a dictionary, so that no line comes twice. */
static int read_lines(struct mp_prof_writer *w, enum stream stream, struct mp_error *err)
{
	struct mp_prof_lines *lines = &w->lines[stream];
	char name[MP_DATA_NAME];
	size_t size = 0;

	lines->text = strdup("");
	if (!lines->text)
		return mp_fail_memory(err, "a PROF directory");
	for (unsigned i = 0; i < w->streams[stream].count; i++) {
		mp_stream_name(&w->streams[stream], i, "", name);
		if (add_lines(&lines->text, &size, w->datafd, name, err))
			return -1;
	}
	return sort_lines(lines) ? mp_fail_memory(err, "a dictionary") : 0;
}

static int continue_streams(struct mp_prof_writer *w, int64_t events, struct mp_error *err)
{
	w->seen = calloc(RECORDS, sizeof(*w->seen));
	if (!w->seen)
		return mp_fail_memory(err, "a PROF directory");
	mp_prof_streams_init(w);
	for (int i = 0; i < RECORDS; i++)
		if (mp_stream_continue(&w->streams[i], w->encoders[i].layout->size, err) ||
		    read_seen(w, (enum stream)i, (i == STAMPS ? SEGMENTS_MAX : 1) * events, err))
			return -1;
	for (int i = RECORDS; i < DICTIONARIES; i++)
		if (mp_stream_continue(&w->streams[i], 0, err) || read_lines(w, (enum stream)i, err))
			return -1;
	return 0;
}

int mp_prof_writer_continue(struct mp_result **result, int hostfd, uint32_t pid, int64_t events,
    const struct mp_layouts *layouts, struct mp_error *err)
{
	struct mp_prof_writer *w = calloc(1, sizeof(*w));

	*result = NULL;
	if (!w)
		return mp_fail_memory(err, "a PROF directory");
	w->result = mp_prof_result;
	w->result.name = w->name;
	w->outfd = w->dirfd = w->datafd = -1;
	w->hostfd = mp_fd_keep(dup(hostfd));
	w->pid = pid;
	snprintf(w->name, sizeof(w->name), "the result");
	if (w->hostfd >= 0)
		w->datafd = mp_dir_open(w->hostfd, "data", "data", err);
	if (w->datafd < 0 || mp_prof_encoders_init(w, layouts, err) || continue_streams(w, events, err)) {
		w->result.free(&w->result);
		return -1;
	}
	*result = &w->result;
	return 0;
}
