/*
 * job_writer.c: the directory of a JOB, from its hidden name to its end markers, with its control files. What
 * info.json.N tells of a soc is in the layouts. Knows no record.
 */
#define _GNU_SOURCE /* secure_getenv */
#include "recorder/writers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/json.h"
#include "base/out.h"
#include "raw/job.h"
#include "recorder/call_files.h"
#include "recorder/data_file.h"
#include "recorder/log.h"
#include "recorder/recorder_internal.h"
#include "recorder/table.h"

/*
 * What a JOB directory says of itself: info.json.N, as the library of a board writes it; and data/recorder.json.N of
 * the directory beside it, where the recorder tells what that form has no place for. Its numbers of lost records are
 * overwritten in place: that needs no space on a full disk. The struct owns a descriptor of the file.
 */
struct facts {
	int fd;        /* of recorder.json.N; -1: closed, or there is none */
	off_t lost_at; /* where the numbers are */
	uint64_t lost, aged;
};

enum { OWN_NAME_SIZE = MP_JOB_NAME_SIZE + sizeof(MP_JOB_BESIDE) };

struct mp_job_writer {
	struct mp_result result; /* first, so that a pointer to it is one to the writer */
	int outfd;               /* the directory of all jobs, owned by the caller */
	int device;
	struct mp_call_place job, own; /* the directory of the form of a board; the one beside it */
	struct facts facts;
	struct mp_call_files *calls;
	uint64_t ring_lost, limit, aged; /* limit in bytes; records removed because of the limit */
	char name[MP_JOB_NAME_SIZE], own_name[OWN_NAME_SIZE];
	char *program; /* its path */
};

enum { WIDTH = 20, FACTS_MAX = 64 * 1024 };
#define NUMBERS "%-*llu, \"aged\": %-*llu"

void mp_job_info_name(int device, char name[MP_FACTS_NAME])
{
	snprintf(name, MP_FACTS_NAME, "info.json.%d", device);
}

void mp_job_recorder_name(int device, char name[MP_FACTS_NAME])
{
	snprintf(name, MP_FACTS_NAME, "recorder.json.%d", device);
}

static int write_info(int dirfd, int device, const struct mp_soc *soc, struct mp_error *err)
{
	char name[MP_FACTS_NAME];
	struct mp_out *out;

	mp_job_info_name(device, name);
	if (mp_out_create(&out, mp_fd_use(dirfd), name, name, err))
		return -1;
	mp_out_text(out, "{\"DeviceInfo\": [");
	for (int i = 0; i < soc->tell_count; i++) {
		char member[2 * MP_NAME_SIZE + 16];

		snprintf(
		    member, sizeof(member), "%s{\"%s\": \"%s\"}", i ? "," : "", soc->tells[i].key, soc->tells[i].value);
		mp_out_text(out, member);
	}
	mp_out_text(out, "]}");
	return mp_out_commit(out, err);
}

static int write_recorder(struct facts *f, int datafd, int device, const struct mp_soc *soc, const struct mp_wall *wall,
    const char *members, struct mp_error *err)
{
	char name[MP_FACTS_NAME], text[512];
	struct mp_out *out;
	int at;

	mp_job_recorder_name(device, name);
	if (mp_out_create(&out, mp_fd_use(datafd), name, name, err))
		return -1;
	at = snprintf(text, sizeof(text),
	    "{\"device\": %d, \"collector\": \"host\", \"soc\": \"%s\", \"pid\": %d, \"process\": \"%016llx\", "
	    "\"clock_realtime_ns\": %llu, \"clock_monotonic_ns\": %llu, \"lost\": ",
	    device, soc->name, (int)getpid(), (unsigned long long)mp_process_identity(),
	    (unsigned long long)wall->realtime_ns, (unsigned long long)wall->monotonic_ns);
	f->lost_at = at;
	snprintf(text + at, sizeof(text) - (size_t)at, NUMBERS, WIDTH, 0ULL, WIDTH, 0ULL);
	mp_out_text(out, text);
	mp_out_text(out, members[0] ? ", " : "");
	mp_out_text(out, members);
	mp_out_text(out, "}\n");
	if (mp_out_commit(out, err))
		return -1;
	f->fd = mp_fd_hold(openat(mp_fd_use(datafd), name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
	return f->fd < 0 ? mp_fail_errno(err, "cannot open '%s'", name) : 0;
}

/*
 * Write both files of a device. A recording of the host alone knows no frequency: of DeviceInfo it writes what tells
 * the soc. `members` are JSON members of the settings, or "".
 */
static int write_facts(struct mp_job_writer *w, const struct mp_soc *soc, const char *members, struct mp_error *err)
{
	w->facts = (struct facts){.fd = -1};
	if (write_recorder(&w->facts, w->own.datafd, w->device, soc, &mp_recorder.wall, members, err))
		return -1;
	return write_info(w->job.dirfd, w->device, soc, err);
}

static void tell_facts(struct facts *f, uint64_t lost, uint64_t aged)
{
	char text[128];
	int len;

	if (f->fd < 0 || (lost == f->lost && aged == f->aged))
		return;
	len = snprintf(text, sizeof(text), NUMBERS, WIDTH, (unsigned long long)lost, WIDTH, (unsigned long long)aged);
	if (pwrite(mp_fd_use(f->fd), text, (size_t)len, f->lost_at) != len)
		return; /* try again at the next time */
	f->lost = lost;
	f->aged = aged;
}

static void close_facts(struct facts *facts)
{
	mp_fd_drop(facts->fd); /* the numbers were told at once */
	facts->fd = -1;
}

/* Remove both files. A descriptor may be -1. */
static void remove_facts(const struct mp_job_writer *w)
{
	char name[MP_FACTS_NAME];

	mp_job_info_name(w->device, name);
	unlinkat(mp_fd_use(w->job.dirfd), name, 0);
	mp_job_recorder_name(w->device, name);
	unlinkat(mp_fd_use(w->own.datafd), name, 0);
}

/* The whole file, NUL-terminated; the caller frees the text. */
static char *read_text(int datafd, const char *name, size_t *size, struct mp_error *err)
{
	struct stat st;
	int fd = mp_data_file_reopen(datafd, name, O_RDONLY, &st, err);
	char *text = NULL;
	ssize_t n;

	if (fd < 0)
		return NULL;
	if (st.st_size > FACTS_MAX) {
		mp_error_set(err, "'%s' is too large", name);
	} else if (!(text = malloc((size_t)st.st_size + 1))) {
		mp_error_set_memory(err, name);
	} else if ((n = pread(fd, text, (size_t)st.st_size, 0)) != (ssize_t)st.st_size) {
		mp_error_set_errno(err, "cannot read '%s'", name);
		free(text);
		text = NULL;
	} else {
		text[n] = '\0';
		*size = (size_t)n;
	}
	mp_fd_drop(fd); /* opened read-only: nothing can be lost */
	return text;
}

/* A time of a clock, or 0. */
static uint64_t time_of(const cJSON *object, const char *key)
{
	int64_t ns;

	return mp_json_integer(mp_json_member(object, key), &ns) && ns > 0 ? (uint64_t)ns : 0;
}

int mp_job_facts_read(int datafd, int device, struct mp_wall *wall, char soc[MP_NAME_SIZE], struct mp_error *err)
{
	cJSON *object;
	char name[MP_FACTS_NAME], *text;
	const char *fault = NULL, *name_of_soc;
	size_t size = 0;

	mp_job_recorder_name(device, name);
	text = read_text(datafd, name, &size, err);
	if (!text)
		return -1;
	object = mp_json_parse(text, size, &fault);
	wall->realtime_ns = time_of(object, "clock_realtime_ns");
	wall->monotonic_ns = time_of(object, "clock_monotonic_ns");
	name_of_soc = cJSON_GetStringValue(mp_json_member(object, "soc"));
	snprintf(soc, MP_NAME_SIZE, "%.31s", name_of_soc ? name_of_soc : "");
	cJSON_Delete(object);
	free(text);
	if (wall->realtime_ns && wall->monotonic_ns)
		return 0;
	return mp_fail(err, "'%s' does not tell the clocks of the recording", name);
}

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

/* Make a directory with data/. */
static int make_place(struct mp_call_place *place, int outfd, const char *name, struct mp_error *err)
{
	place->dirfd = mp_fd_hold(mp_dir_make(mp_fd_use(outfd), name, name, err));
	if (place->dirfd < 0)
		return -1;
	place->datafd = mp_fd_hold(mp_dir_make(mp_fd_use(place->dirfd), "data", "data", err));
	return place->datafd < 0 ? -1 : 0;
}

/* Whether our files lie beside the JOB; else in its data/, among the board's. */
static bool is_beside(void)
{
	const char *text = secure_getenv("MSPROF_BESIDE");

	return !text || strcmp(text, "off") != 0;
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
	if (make_place(&w->job, w->outfd, hidden, err))
		return -1;
	if (is_beside()) {
		snprintf(w->own_name, sizeof(w->own_name), MP_JOB_BESIDE "%s", w->name);
		return make_place(&w->own, w->outfd, w->own_name, err);
	}
	snprintf(w->own_name, sizeof(w->own_name), "%s", w->name);
	w->own.dirfd = mp_fd_hold(fcntl(mp_fd_use(w->job.dirfd), F_DUPFD_CLOEXEC, 0));
	w->own.datafd = mp_fd_hold(fcntl(mp_fd_use(w->job.datafd), F_DUPFD_CLOEXEC, 0));
	return w->own.dirfd < 0 || w->own.datafd < 0 ? mp_fail_errno(err, "cannot open '%s'", w->name) : 0;
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
	struct mp_call_home home = {.job = w->job,
	    .own = w->own,
	    .device = w->device,
	    .wall = mp_recorder.wall,
	    .pid = (uint32_t)getpid(),
	    .soc = soc};

	w->program = mp_executable_split(&program);
	home.program = w->program ? program : "program";
	return mp_call_files_open(&w->calls, &home, layouts, err);
}

static const struct mp_result methods;

int mp_job_writer_open(struct mp_result **result, int dirfd, int device, const struct mp_layouts *layouts, int soc,
    uint64_t limit, const char *members, struct mp_error *err)
{
	struct mp_job_writer *w = calloc(1, sizeof(*w));

	*result = NULL;
	if (!w)
		return mp_fail_memory(err, "a job");
	w->result = methods;
	w->result.name = w->name;
	w->facts.fd = -1;
	w->job = (struct mp_call_place){w->name, -1, -1};
	w->own = (struct mp_call_place){w->own_name, -1, -1};
	w->outfd = dirfd;
	w->device = device;
	w->limit = limit;
	if (make_directories(w, err) || open_calls(w, layouts, soc, err) ||
	    write_facts(w, &layouts->socs[soc], members, err) || show_directory(w, err)) {
		w->result.remove(&w->result);
		w->result.free(&w->result);
		return -1;
	}
	*result = &w->result;
	return 0;
}

/* The soc that an ended process had chosen. */
static int soc_of(const struct mp_layouts *layouts, const char *name)
{
	int soc = mp_layouts_soc(layouts, name);

	return soc < 0 ? layouts->soc_count - 1 : soc;
}

int mp_job_writer_continue(struct mp_result **result, int jobfd, int ownfd, int device, uint32_t pid, int64_t events,
    const struct mp_layouts *layouts, struct mp_error *err)
{
	struct mp_job_writer *w = calloc(1, sizeof(*w));
	struct mp_call_home home = {.program = "program", .device = device, .pid = pid};
	char soc[MP_NAME_SIZE];

	*result = NULL;
	if (!w)
		return mp_fail_memory(err, "a job");
	w->result = methods;
	w->result.name = w->name;
	w->facts.fd = w->outfd = -1;
	w->device = device;
	snprintf(w->name, sizeof(w->name), "the result");
	w->job = (struct mp_call_place){w->name, -1, mp_dir_open(jobfd, "data", "data", err)};
	w->own = (struct mp_call_place){w->name, -1, w->job.datafd < 0 ? -1 : mp_dir_open(ownfd, "data", "data", err)};
	home.job = w->job;
	home.own = w->own;
	home.job.dirfd = jobfd;
	home.own.dirfd = ownfd;
	if (w->own.datafd < 0 || mp_job_facts_read(w->own.datafd, device, &home.wall, soc, err)) {
		w->result.free(&w->result);
		return -1;
	}
	home.soc = soc_of(layouts, soc);
	if (mp_call_files_open(&w->calls, &home, layouts, err) || mp_call_files_continue(w->calls, events, err)) {
		w->result.free(&w->result);
		return -1;
	}
	*result = &w->result;
	return 0;
}

static int dir_of(const struct mp_result *result)
{
	return ((const struct mp_job_writer *)result)->own.dirfd;
}

static void put_event(struct mp_result *result, const struct mp_event *event)
{
	struct mp_job_writer *w = (struct mp_job_writer *)result;

	mp_call_files_event(w->calls, event);
}

/* The number of records lost so far, to full rings and to failed writes. */
static uint64_t lost_count(const struct mp_job_writer *w)
{
	return w->ring_lost + mp_call_files_lost(w->calls);
}

/* Write the numbers at once, so that they are right even when the process is killed. */
static void tell_numbers(struct mp_job_writer *w)
{
	tell_facts(&w->facts, lost_count(w), w->aged);
}

static void flush(struct mp_result *result)
{
	struct mp_job_writer *w = (struct mp_job_writer *)result;

	mp_call_files_flush(w->calls);
	if (w->limit)
		w->aged += mp_call_files_trim(w->calls, w->limit);
	tell_numbers(w);
}

static void lose(struct mp_result *result, uint64_t count)
{
	struct mp_job_writer *w = (struct mp_job_writer *)result;

	w->ring_lost += count;
}

static void close_directories(struct mp_job_writer *w)
{
	int *const all[] = {&w->job.datafd, &w->job.dirfd, &w->own.datafd, &w->own.dirfd};

	close_facts(&w->facts);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		mp_fd_drop(*all[i]);
		*all[i] = -1;
	}
}

static int stop(struct mp_result *result, struct mp_error *err)
{
	struct mp_job_writer *w = (struct mp_job_writer *)result;
	int status;

	flush(result);
	status = mp_call_files_stop(w->calls, err);
	tell_numbers(w);
	if (lost_count(w))
		mp_log(MP_LOG_WARNING, "%s: %llu records were lost", w->name, (unsigned long long)lost_count(w));
	close_directories(w);
	return status;
}

/* Open data/ of a directory of a stopped job. */
static int open_data(const struct mp_job_writer *w, const char *name, struct mp_error *err)
{
	char path[OWN_NAME_SIZE + 8];
	int fd;

	snprintf(path, sizeof(path), "%s/data", name);
	fd = mp_fd_hold(openat(mp_fd_use(w->outfd), path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	return fd < 0 ? mp_fail_errno(err, "cannot open '%s'", path) : fd;
}

static int finish(struct mp_result *result, struct mp_error *err)
{
	struct mp_job_writer *w = (struct mp_job_writer *)result;
	int datafd, ownfd, status;

	if (mp_dir_is_missing(mp_fd_use(w->outfd), w->name) || mp_dir_is_missing(mp_fd_use(w->outfd), w->own_name))
		return 0;
	datafd = open_data(w, w->name, err);
	ownfd = datafd < 0 ? -1 : open_data(w, w->own_name, err);
	status = ownfd < 0 ? -1 : mp_call_files_mark(w->calls, datafd, ownfd, err);
	mp_fd_drop(datafd); /* directories: nothing can be lost */
	mp_fd_drop(ownfd);
	return status;
}

static void discard(struct mp_result *result)
{
	struct mp_job_writer *w = (struct mp_job_writer *)result;
	char hidden[MP_JOB_NAME_SIZE + 1];

	if (!w->name[0])
		return;
	hidden_name(w, hidden);
	remove_facts(w);
	unlinkat(mp_fd_use(w->job.dirfd), "data", AT_REMOVEDIR);
	unlinkat(mp_fd_use(w->own.dirfd), "data", AT_REMOVEDIR);
	/* the directory has one of the two names; what is not empty stays */
	unlinkat(mp_fd_use(w->outfd), hidden, AT_REMOVEDIR);
	unlinkat(mp_fd_use(w->outfd), w->name, AT_REMOVEDIR);
	unlinkat(mp_fd_use(w->outfd), w->own_name, AT_REMOVEDIR);
}

static void release(struct mp_result *result)
{
	struct mp_job_writer *w = (struct mp_job_writer *)result;

	mp_call_files_free(w->calls);
	close_directories(w);
	free(w->program);
	free(w);
}

static const struct mp_result methods = {.dir = dir_of,
    .event = put_event,
    .flush = flush,
    .lost = lose,
    .stop = stop,
    .finish = finish,
    .remove = discard,
    .free = release};
