/* job_writer.c: the directory of a JOB, from its hidden name to its end markers. Knows no record. */
#include "recorder/job_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "recorder/call_files.h"
#include "recorder/executable.h"
#include "recorder/job_facts.h"
#include "recorder/log.h"
#include "recorder/recorder_internal.h"
#include "recorder/table.h"

struct mp_job_writer {
	int outfd; /* the directory of all jobs, owned by the caller */
	int dirfd, datafd, device;
	struct mp_job_facts facts;
	struct mp_call_files *calls;
	uint64_t ring_lost, limit, aged; /* limit in bytes; records removed because of the limit */
	char name[MP_JOB_NAME_SIZE];
	char *program; /* its path */
};

static int random_name(char name[MP_JOB_NAME_SIZE], struct mp_error *err)
{
	unsigned char bytes[29];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return mp_fail_errno(err, "cannot get random bytes");
	memcpy(name, "JOB", 3);
	for (size_t i = 0; i < sizeof(bytes); i++)
		name[3 + i] = (char)('A' + bytes[i] % 26);
	name[3 + sizeof(bytes)] = '\0';
	return 0;
}

/* The name of the directory until its info.json.N exists, so that a killed process leaves no job without that file. */
static void hidden_name(const struct mp_job_writer *w, char name[MP_JOB_NAME_SIZE + 1])
{
	snprintf(name, MP_JOB_NAME_SIZE + 1, ".%s", w->name);
}

static int make_directories(struct mp_job_writer *w, struct mp_error *err)
{
	char hidden[MP_JOB_NAME_SIZE + 1];
	struct stat st;

	do
		if (random_name(w->name, err))
			return -1;
	while (fstatat(mp_fd_use(w->outfd), w->name, &st, AT_SYMLINK_NOFOLLOW) == 0);
	hidden_name(w, hidden);
	w->dirfd = mp_fd_hold(mp_dir_make(mp_fd_use(w->outfd), hidden, hidden, err));
	if (w->dirfd < 0)
		return -1;
	w->datafd = mp_fd_hold(mp_dir_make(mp_fd_use(w->dirfd), "data", "data", err));
	return w->datafd < 0 ? -1 : 0;
}

static int show_directory(const struct mp_job_writer *w, struct mp_error *err)
{
	char hidden[MP_JOB_NAME_SIZE + 1];

	hidden_name(w, hidden);
	if (renameat(mp_fd_use(w->outfd), hidden, mp_fd_use(w->outfd), w->name))
		return mp_fail_errno(err, "cannot rename '%s' to '%s'", hidden, w->name);
	return 0;
}

static int open_calls(struct mp_job_writer *w, const struct mp_layouts *layouts, int soc, struct mp_error *err)
{
	const char *program;
	struct mp_call_home home = {.job = w->name,
	    .dirfd = w->dirfd,
	    .datafd = w->datafd,
	    .device = w->device,
	    .wall = mp_recorder.wall,
	    .pid = (uint32_t)getpid(),
	    .soc = soc};

	w->program = mp_executable_split(&program);
	home.program = w->program ? program : "program";
	return mp_call_files_open(&w->calls, &home, layouts, err);
}

int mp_job_writer_open(struct mp_job_writer **writer, int dirfd, int device, const struct mp_layouts *layouts, int soc,
    uint64_t limit, const char *members, struct mp_error *err)
{
	struct mp_job_writer *w = calloc(1, sizeof(*w));

	*writer = NULL;
	if (!w)
		return mp_fail_memory(err, "a job");
	w->dirfd = w->datafd = w->facts.fd = -1;
	w->outfd = dirfd;
	w->device = device;
	w->limit = limit;
	if (make_directories(w, err) || open_calls(w, layouts, soc, err) ||
	    mp_job_facts_write(
		&w->facts, w->dirfd, w->datafd, device, &layouts->socs[soc], &mp_recorder.wall, members, err) ||
	    show_directory(w, err)) {
		mp_job_writer_remove(w);
		mp_job_writer_free(w);
		return -1;
	}
	*writer = w;
	return 0;
}

const char *mp_job_writer_name(const struct mp_job_writer *writer)
{
	return writer->name;
}

/* The soc that an ended process had chosen. */
static int soc_of(const struct mp_layouts *layouts, const char *name)
{
	int soc = mp_layouts_soc(layouts, name);

	return soc < 0 ? layouts->soc_count - 1 : soc;
}

int mp_job_writer_continue(struct mp_job_writer **writer, int jobfd, int device, uint32_t pid, int64_t events,
    const struct mp_layouts *layouts, struct mp_error *err)
{
	struct mp_job_writer *w = calloc(1, sizeof(*w));
	struct mp_call_home home = {.job = "the result", .program = "program", .device = device, .pid = pid};
	char soc[MP_NAME_SIZE];

	*writer = NULL;
	if (!w)
		return mp_fail_memory(err, "a job");
	w->dirfd = w->facts.fd = w->outfd = -1;
	w->device = device;
	snprintf(w->name, sizeof(w->name), "the result");
	w->datafd = home.datafd = mp_dir_open(jobfd, "data", "data", err);
	home.dirfd = jobfd;
	if (w->datafd < 0 || mp_job_facts_read(w->datafd, device, &home.wall, soc, err)) {
		mp_job_writer_free(w);
		return -1;
	}
	home.soc = soc_of(layouts, soc);
	if (mp_call_files_open(&w->calls, &home, layouts, err) || mp_call_files_continue(w->calls, events, err)) {
		mp_job_writer_free(w);
		return -1;
	}
	*writer = w;
	return 0;
}

int mp_job_writer_dir(const struct mp_job_writer *writer)
{
	return writer->dirfd;
}

void mp_job_writer_event(struct mp_job_writer *w, const struct mp_event *event)
{
	mp_call_files_event(w->calls, event);
}

/* Write the numbers at once, so that they are right even when the process is killed. */
static void tell_numbers(struct mp_job_writer *w)
{
	mp_job_facts_tell(&w->facts, mp_job_writer_lost_count(w), w->aged);
}

void mp_job_writer_flush(struct mp_job_writer *w)
{
	mp_call_files_flush(w->calls);
	if (w->limit)
		w->aged += mp_call_files_trim(w->calls, w->limit);
	tell_numbers(w);
}

void mp_job_writer_lost(struct mp_job_writer *w, uint64_t count)
{
	w->ring_lost += count;
}

uint64_t mp_job_writer_lost_count(const struct mp_job_writer *w)
{
	return w->ring_lost + mp_call_files_lost(w->calls);
}

static void close_directories(struct mp_job_writer *w)
{
	int *const all[] = {&w->datafd, &w->dirfd};

	mp_job_facts_close(&w->facts);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		mp_fd_drop(*all[i]);
		*all[i] = -1;
	}
}

int mp_job_writer_stop(struct mp_job_writer *w, struct mp_error *err)
{
	int status;

	mp_job_writer_flush(w);
	status = mp_call_files_stop(w->calls, err);
	tell_numbers(w);
	if (mp_job_writer_lost_count(w))
		mp_log(MP_LOG_WARNING, "%s: %llu records were lost", w->name,
		    (unsigned long long)mp_job_writer_lost_count(w));
	close_directories(w);
	return status;
}

/* Open data/ of a stopped job. */
static int open_data(const struct mp_job_writer *w, struct mp_error *err)
{
	char path[MP_JOB_NAME_SIZE + 8];
	int fd;

	snprintf(path, sizeof(path), "%s/data", w->name);
	fd = mp_fd_hold(openat(mp_fd_use(w->outfd), path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	return fd < 0 ? mp_fail_errno(err, "cannot open '%s'", path) : fd;
}

int mp_job_writer_finish(struct mp_job_writer *w, struct mp_error *err)
{
	int datafd, status;

	if (mp_dir_is_missing(mp_fd_use(w->outfd), w->name))
		return 0;
	datafd = open_data(w, err);
	if (datafd < 0)
		return -1;
	status = mp_call_files_mark(w->calls, datafd, err);
	mp_fd_drop(datafd); /* a directory: nothing can be lost */
	return status;
}

void mp_job_writer_remove(struct mp_job_writer *w)
{
	char hidden[MP_JOB_NAME_SIZE + 1];

	if (!w->name[0])
		return;
	hidden_name(w, hidden);
	mp_job_facts_remove(w->dirfd, w->datafd, w->device);
	unlinkat(mp_fd_use(w->dirfd), "data", AT_REMOVEDIR);
	/* the directory has one of the two names, and stays when not empty */
	unlinkat(mp_fd_use(w->outfd), hidden, AT_REMOVEDIR);
	unlinkat(mp_fd_use(w->outfd), w->name, AT_REMOVEDIR);
}

void mp_job_writer_free(struct mp_job_writer *w)
{
	if (!w)
		return;
	mp_call_files_free(w->calls);
	close_directories(w);
	free(w->program);
	free(w);
}
