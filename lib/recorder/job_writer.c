/* job_writer.c: names, files and records of a JOB. The layout defines the bytes of a record. */
#include "recorder/job_writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/out.h"
#include "base/text.h"
#include "raw/encode.h"
#include "recorder/data_file.h"
#include "recorder/log.h"
#include "recorder/executable.h"
#include "recorder/recorder_internal.h"
#include "recorder/record_set.h"

enum { FILES_MAX = 64, MODEL_NAME_MAX = 180, SECOND_NS = 1000000000, WIDTH = 20 };
#define NUMBERS "%-*llu, \"aged\": %-*llu"
enum { TYPE_STAMP = 5 }; /* type of a record, beyond enum msprof_api_type */
enum { SLOT_TYPE, SLOT_BEGIN, SLOT_END, SLOT_PID, SLOT_TID, SLOT_NAME, SLOT_DETAIL, SLOTS };
static const char *const slot_names[SLOTS] = {"type", "begin", "end", "pid", "tid", "name", "detail"};

struct api_file {
	uint32_t model_id; /* MSPROF_NO_MODEL: the program's own file, until there is a model */
	const char *model; /* the model's name; valid as long as the process */
	struct mp_data_file data;
	struct mp_record_set seen; /* what a continued file has */
};

struct mp_job_writer {
	int outfd; /* the directory of all jobs, owned by the caller */
	int dirfd, datafd, infofd, device;
	off_t lost_at;                 /* offset of the numbers in info.json.N */
	uint64_t lost_told, aged_told; /* the numbers written there */
	uint64_t limit, aged;          /* limit in bytes; records removed because of the limit */
	char name[MP_JOB_NAME_SIZE];
	char *members, *program;
	const char *program_name;           /* points into the program's path */
	uint64_t realtime_ns, monotonic_ns; /* both clocks at the start */
	uint64_t ring_lost, unopened_lost;
	bool told;      /* a loss was reported */
	bool continued; /* the files are those of an ended process */
	pid_t pid;
	struct mp_encoder encoder;
	struct api_file *files[FILES_MAX];
	size_t file_count, last; /* number of files; file of the last event */
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

/*
 * Write info.json.N. Its number of lost records has room to grow: it is overwritten in place, which needs no space on a
 * full disk.
 */
static int write_info(struct mp_job_writer *w, struct mp_error *err)
{
	char name[32], text[512];
	struct mp_out *out;
	int at;

	snprintf(name, sizeof(name), "info.json.%d", w->device);
	if (mp_out_create(&out, w->dirfd, name, name, err))
		return -1;
	at = snprintf(text, sizeof(text),
	    "{\"version\": 1, \"device\": %d, \"collector\": \"host\", \"pid\": %d, \"process\": \"%016llx\", "
	    "\"clock_realtime_ns\": %llu, \"clock_monotonic_ns\": %llu, \"lost\": ",
	    w->device, (int)w->pid, (unsigned long long)mp_process_identity(), (unsigned long long)w->realtime_ns,
	    (unsigned long long)w->monotonic_ns);
	w->lost_at = at;
	snprintf(text + at, sizeof(text) - (size_t)at, NUMBERS, WIDTH, 0ULL, WIDTH, 0ULL);
	mp_out_text(out, text);
	mp_out_text(out, w->members[0] ? ", " : "");
	mp_out_text(out, w->members);
	mp_out_text(out, "}\n");
	if (mp_out_commit(out, err))
		return -1;
	w->infofd = mp_fd_keep(openat(w->dirfd, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
	return w->infofd < 0 ? mp_fail_errno(err, "cannot open '%s'", name) : 0;
}

/* Write the numbers at once, so that they are right even when the process is killed. */
static void tell_numbers(struct mp_job_writer *w)
{
	uint64_t lost = mp_job_writer_lost_count(w);
	char text[128];
	int len;

	if (w->infofd < 0 || (lost == w->lost_told && w->aged == w->aged_told))
		return;
	len =
	    snprintf(text, sizeof(text), NUMBERS, WIDTH, (unsigned long long)lost, WIDTH, (unsigned long long)w->aged);
	if (pwrite(w->infofd, text, (size_t)len, w->lost_at) != len)
		return; /* try again at the next time */
	w->lost_told = lost;
	w->aged_told = w->aged;
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
	while (fstatat(w->outfd, w->name, &st, AT_SYMLINK_NOFOLLOW) == 0);
	hidden_name(w, hidden);
	w->dirfd = mp_dir_make(w->outfd, hidden, hidden, err);
	if (w->dirfd < 0)
		return -1;
	w->datafd = mp_dir_make(w->dirfd, "data", "data", err);
	return w->datafd < 0 ? -1 : 0;
}

static int show_directory(const struct mp_job_writer *w, struct mp_error *err)
{
	char hidden[MP_JOB_NAME_SIZE + 1];

	hidden_name(w, hidden);
	if (renameat(w->outfd, hidden, w->outfd, w->name))
		return mp_fail_errno(err, "cannot rename '%s' to '%s'", hidden, w->name);
	return 0;
}

int mp_job_writer_open(struct mp_job_writer **writer, int dirfd, int device, const struct mp_layouts *layouts,
    uint64_t limit, const char *members, struct mp_error *err)
{
	struct mp_job_writer *w = calloc(1, sizeof(*w));
	struct timespec t;

	*writer = NULL;
	if (!w)
		return mp_fail_memory(err, "a job");
	w->dirfd = w->datafd = w->infofd = -1;
	w->outfd = dirfd;
	w->device = device;
	w->limit = limit;
	w->pid = getpid();
	clock_gettime(CLOCK_REALTIME, &t);
	w->realtime_ns = (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
	w->monotonic_ns = mp_recorder_now();
	w->program = mp_executable_split(&w->program_name);
	w->members = strdup(members);
	if (!w->members)
		mp_error_set(err, "out of memory for a job");
	if (!w->members || mp_encoder_init(&w->encoder, layouts, "svp.acl_api", slot_names, SLOTS, err) ||
	    make_directories(w, err) || write_info(w, err) || show_directory(w, err)) {
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

/* The file name acl_api.DEVICE.MODEL.MODEL_ID, valid for any name of a model. */
static void file_name(const struct mp_job_writer *w, char name[MP_DATA_NAME], const char *model, uint32_t model_id)
{
	char clean[MODEL_NAME_MAX + 1];

	mp_sanitise(clean, sizeof(clean), model, strlen(model));
	for (char *at = clean; *at; at++)
		if (*at == '/' || *at == '\\')
			*at = '_';
	snprintf(name, MP_DATA_NAME, "acl_api.%d.%s.%u", w->device, clean, (unsigned)model_id);
}

static struct api_file *add_file(struct mp_job_writer *w, const char *model, uint32_t model_id)
{
	char name[MP_DATA_NAME];
	struct mp_error err;
	struct api_file *f;

	file_name(w, name, model, model_id == MSPROF_NO_MODEL ? 0 : model_id);
	for (size_t i = 0; i < w->file_count; i++)
		if (strcmp(w->files[i]->data.name, name) == 0)
			return w
			    ->files[w->last = i]; /* the names differ only in characters that file names cannot have */
	f = w->file_count < FILES_MAX ? calloc(1, sizeof(*f)) : NULL;
	if (!f)
		return NULL;
	if (mp_data_file_create(&f->data, w->datafd, name, &err)) {
		if (!w->told)
			mp_log(MP_LOG_ERROR, "%s: data is lost", err.text);
		w->told = true;
		free(f);
		return NULL;
	}
	f->model = model;
	f->model_id = model_id;
	w->files[w->file_count++] = f;
	return f;
}

/* Give the program's own file to the first model. */
static struct api_file *give_to(struct mp_job_writer *w, struct api_file *f, const char *model, uint32_t model_id)
{
	char name[MP_DATA_NAME];

	file_name(w, name, model, model_id);
	if (renameat(w->datafd, f->data.name, w->datafd, name) == 0)
		memcpy(f->data.name, name, sizeof(name));
	f->model = model;
	f->model_id = model_id;
	return f;
}

static struct api_file *find_file(struct mp_job_writer *w, uint32_t model_id, const char *model)
{
	if (w->continued) /* files keep their names: each is that of a model, or of the program */
		return !model && w->file_count ? w->files[0] : add_file(w, model ? model : "program", model_id);
	if (!model)
		return w->file_count ? w->files[w->last = 0]
				     : add_file(w, w->program ? w->program_name : "program", MSPROF_NO_MODEL);
	if (w->file_count && w->files[w->last]->model_id == model_id && w->files[w->last]->model == model)
		return w->files[w->last];
	for (size_t i = 0; i < w->file_count; i++)
		if (w->files[i]->model_id == model_id && w->files[i]->model == model)
			return w->files[w->last = i];
	if (w->file_count && w->files[0]->model_id == MSPROF_NO_MODEL)
		return give_to(w, w->files[w->last = 0], model, model_id);
	return add_file(w, model, model_id);
}

/* Continue a file of an ended process. Its model is found by the name of the file. */
static int continue_file(struct mp_job_writer *w, const char *name, int64_t events, struct mp_error *err)
{
	struct api_file *f = calloc(1, sizeof(*f));
	size_t size = w->encoder.layout->size;

	if (!f || mp_data_file_append(&f->data, w->datafd, name, size, err)) {
		free(f);
		return f ? -1 : mp_fail_memory(err, name);
	}
	f->model_id = MSPROF_NO_MODEL;
	f->seen.size = size;
	w->files[w->file_count++] = f;
	return mp_record_set_add(&f->seen, w->datafd, name, f->data.size, events, err) < 0 ? -1 : 0;
}

static int continue_files(struct mp_job_writer *w, int64_t events, struct mp_error *err)
{
	char prefix[32];
	int fd = dup(w->datafd), status = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return mp_fail_errno(err, "cannot list the data of a job");
	}
	snprintf(prefix, sizeof(prefix), "acl_api.%d.", w->device);
	while (!status && w->file_count < FILES_MAX && (entry = readdir(dir)) != NULL)
		if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 && !strstr(entry->d_name, ".done") &&
		    strlen(entry->d_name) < MP_DATA_NAME)
			status = continue_file(w, entry->d_name, events, err);
	closedir(dir);
	return status;
}

int mp_job_writer_continue(struct mp_job_writer **writer, int jobfd, int device, uint32_t pid, int64_t events,
    const struct mp_layouts *layouts, struct mp_error *err)
{
	struct mp_job_writer *w = calloc(1, sizeof(*w));

	*writer = NULL;
	if (!w)
		return mp_fail_memory(err, "a job");
	w->dirfd = w->infofd = w->outfd = -1;
	w->device = device;
	w->pid = (pid_t)pid;
	w->continued = true;
	snprintf(w->name, sizeof(w->name), "the result");
	w->datafd = mp_dir_open(jobfd, "data", "data", err);
	if (w->datafd < 0 || mp_encoder_init(&w->encoder, layouts, "svp.acl_api", slot_names, SLOTS, err) ||
	    continue_files(w, events, err)) {
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

static unsigned record_type(const struct mp_event *event)
{
	if (event->kind == MP_EVENT_CALL)
		return event->type;
	return event->kind == MP_EVENT_OP ? MSPROF_OP : TYPE_STAMP;
}

/* A record without a model may be in the file of any model. */
static bool is_seen(struct mp_job_writer *w)
{
	for (size_t i = 0; i < w->file_count; i++)
		if (mp_record_set_take(&w->files[i]->seen, w->encoder.record))
			return true;
	return false;
}

void mp_job_writer_event(struct mp_job_writer *w, const struct mp_event *event)
{
	struct api_file *f = find_file(w, event->model_id, event->model);
	struct mp_encoder *e = &w->encoder;
	size_t size = e->layout->size;

	if (!f) {
		w->unopened_lost++;
		return;
	}
	mp_encoder_begin(e);
	mp_encoder_number(e, SLOT_TYPE, record_type(event));
	mp_encoder_number(e, SLOT_BEGIN, event->begin_ns);
	mp_encoder_number(e, SLOT_END, event->end_ns);
	mp_encoder_number(e, SLOT_PID, (uint64_t)w->pid);
	mp_encoder_number(e, SLOT_TID, event->tid);
	mp_encoder_cut(e, SLOT_NAME, event->text);
	if (event->kind == MP_EVENT_DOMAIN_STAMP)
		mp_encoder_cut(e, SLOT_DETAIL, event->domain_text);
	else if (event->op_type)
		mp_encoder_cut(e, SLOT_DETAIL, event->op_type_text);
	if (w->continued && is_seen(w))
		return;
	memcpy(mp_data_file_room(&f->data, size), e->record, size);
	mp_data_file_added(&f->data, size);
}

static void keep_to_limit(struct mp_job_writer *w)
{
	struct mp_data_file *largest = NULL;
	int64_t size = (int64_t)w->encoder.layout->size, keep, dropped;
	uint64_t all = 0;

	for (size_t i = 0; w->limit && i < w->file_count; i++) {
		struct mp_data_file *data = &w->files[i]->data;

		all += (uint64_t)data->size;
		if (!largest || data->size > largest->size)
			largest = data;
	}
	if (all <= w->limit || !largest)
		return;
	keep = largest->size / size / 2 * size;
	dropped = (largest->size - keep) / size;
	if (mp_data_file_trim(largest, w->datafd, w->dirfd, keep) == 0)
		w->aged += (uint64_t)dropped;
}

void mp_job_writer_flush(struct mp_job_writer *w)
{
	for (size_t i = 0; i < w->file_count; i++) {
		struct mp_data_file *data = &w->files[i]->data;

		mp_data_file_flush(data);
		if (data->failure && !w->told)
			mp_log(MP_LOG_ERROR, "cannot write '%s/data/%s': %s: data is lost", w->name, data->name,
			    strerror(data->failure));
		w->told = w->told || data->failure;
	}
	keep_to_limit(w);
	tell_numbers(w);
}

void mp_job_writer_lost(struct mp_job_writer *w, uint64_t count)
{
	w->ring_lost += count;
}

uint64_t mp_job_writer_lost_count(const struct mp_job_writer *w)
{
	uint64_t lost = w->ring_lost + w->unopened_lost;

	for (size_t i = 0; i < w->file_count; i++)
		lost += w->files[i]->data.lost;
	return lost;
}

static void close_directories(struct mp_job_writer *w)
{
	int *const all[] = {&w->infofd, &w->datafd, &w->dirfd};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (*all[i] >= 0)
			close(*all[i]);
		*all[i] = -1;
	}
}

int mp_job_writer_stop(struct mp_job_writer *w, struct mp_error *err)
{
	int status = 0;

	mp_job_writer_flush(w);
	for (size_t i = 0; i < w->file_count; i++) {
		struct mp_data_file *data = &w->files[i]->data;

		mp_data_file_close(data);
		if (data->failure && !status)
			status =
			    mp_fail(err, "cannot write '%s/data/%s': %s", w->name, data->name, strerror(data->failure));
	}
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
	fd = openat(w->outfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? mp_fail_errno(err, "cannot open '%s'", path) : fd;
}

int mp_job_writer_finish(struct mp_job_writer *w, struct mp_error *err)
{
	int datafd, status = 0;

	if (mp_dir_is_missing(w->outfd, w->name))
		return 0;
	datafd = open_data(w, err);
	if (datafd < 0)
		return -1;
	for (size_t i = 0; !status && i < w->file_count; i++)
		status = mp_data_file_mark(&w->files[i]->data, datafd, "", err);
	close(datafd); /* a directory: nothing can be lost */
	return status;
}

void mp_job_writer_remove(struct mp_job_writer *w)
{
	char name[32], hidden[MP_JOB_NAME_SIZE + 1];

	if (!w->name[0])
		return;
	hidden_name(w, hidden);
	snprintf(name, sizeof(name), "info.json.%d", w->device);
	if (w->dirfd >= 0) {
		unlinkat(w->dirfd, name, 0);
		unlinkat(w->dirfd, "data", AT_REMOVEDIR);
	}
	/* the directory has one of the two names, and stays when not empty */
	unlinkat(w->outfd, hidden, AT_REMOVEDIR);
	unlinkat(w->outfd, w->name, AT_REMOVEDIR);
}

void mp_job_writer_free(struct mp_job_writer *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->file_count; i++) {
		mp_data_file_abandon(&w->files[i]->data);
		mp_record_set_free(&w->files[i]->seen);
		free(w->files[i]);
	}
	close_directories(w);
	free(w->members);
	free(w->program);
	free(w);
}
