/*
 * call_files.c: finds the files of an event, and appends its records; writes what waits in the files, and their
 * markers; opens the files of an ended process, to add what is not in them yet. The form of the records is
 * call_form.c's.
 */
#include "recorder/call_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/text.h"
#include "recorder/data_file.h"
#include "recorder/log.h"
#include "recorder/recorder.h"
#include "recorder/recorder_internal.h"
#include "recorder/table.h"

enum { MP_CALL_FILES_MAX = 64, MP_CALL_TAIL = 240 };

enum mp_call_kind { MP_CALL_ALL, MP_CALL_BOARD, MP_CALL_KINDS };

/* The files of a model. */
struct mp_call_file {
	uint32_t model_id; /* MSPROF_NO_MODEL: the program's own file, until there is a model */
	const char *model; /* the model's name; valid as long as the process */
	char tail[MP_CALL_TAIL];
	struct mp_data_file data[MP_CALL_KINDS];
	bool open[MP_CALL_KINDS];                 /* it was made; stays true when it is closed */
	struct mp_record_set seen[MP_CALL_KINDS]; /* what a continued file has */
	bool marked;                              /* the board's file has its marker */
};

struct mp_call_files {
	struct mp_call_home home;
	struct mp_call_form form;
	struct mp_call_file *items[MP_CALL_FILES_MAX];
	size_t count, last; /* number of files; that of the last event */
	uint64_t unopened_lost;
	bool continued, told; /* told: a loss was reported */
};

enum { MODEL_NAME_MAX = 180 };
static const char *const prefixes[MP_CALL_KINDS] = {"msprof_api", "acl_api"};

int mp_call_files_open(struct mp_call_files **files, const struct mp_call_home *home, const struct mp_layouts *layouts,
    struct mp_error *err)
{
	struct mp_call_files *c = calloc(1, sizeof(*c));

	*files = c;
	if (!c)
		return mp_fail_memory(err, "a job");
	c->home = *home;
	return mp_call_form_init(&c->form, layouts, home->soc, &home->wall, home->pid, err);
}

/* What follows the prefix: ".DEVICE.MODEL.MODEL_ID". Of a name the board's library changes the same characters. */
static void tail_of(const struct mp_call_files *c, char tail[MP_CALL_TAIL], const char *model, uint32_t model_id)
{
	char clean[MODEL_NAME_MAX + 1];

	mp_sanitise(clean, sizeof(clean), model, strlen(model));
	for (char *at = clean; *at; at++)
		if (strchr("./ ", *at))
			*at = '_';
	snprintf(tail, MP_CALL_TAIL, ".%d.%s.%u", c->home.device, clean, (unsigned)model_id);
}

static const struct mp_call_place *place_of(const struct mp_call_files *c, enum mp_call_kind kind)
{
	return kind == MP_CALL_ALL ? &c->home.own : &c->home.job;
}

static void file_name(const struct mp_call_file *f, enum mp_call_kind kind, char name[MP_DATA_NAME])
{
	snprintf(name, MP_DATA_NAME, "%s%s", prefixes[kind], f->tail);
}

static void complain(struct mp_call_files *c, const struct mp_error *err)
{
	if (!c->told)
		mp_log(MP_LOG_ERROR, "%s: data is lost", err->text);
	c->told = true;
}

static bool create(struct mp_call_files *c, struct mp_call_file *f, enum mp_call_kind kind)
{
	char name[MP_DATA_NAME];
	struct mp_error err;

	file_name(f, kind, name);
	f->open[kind] = mp_data_file_create(&f->data[kind], place_of(c, kind)->datafd, name, &err) == 0;
	if (!f->open[kind])
		complain(c, &err);
	return f->open[kind];
}

static struct mp_call_file *add_file(struct mp_call_files *c, const char *model, uint32_t model_id)
{
	char tail[MP_CALL_TAIL];
	struct mp_call_file *f;

	tail_of(c, tail, model, model_id == MSPROF_NO_MODEL ? 0 : model_id);
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->items[i]->tail, tail) == 0)
			return c->items[c->last = i]; /* names may differ only in characters that files cannot have */
	f = c->count < MP_CALL_FILES_MAX ? calloc(1, sizeof(*f)) : NULL;
	if (!f)
		return NULL;
	memcpy(f->tail, tail, sizeof(tail));
	f->model = model;
	f->model_id = model_id;
	if (!create(c, f, MP_CALL_ALL)) {
		free(f);
		return NULL;
	}
	c->items[c->count++] = f;
	return f;
}

/* Give the program's own file to the first model. */
static struct mp_call_file *give_to(
    struct mp_call_files *c, struct mp_call_file *f, const char *model, uint32_t model_id)
{
	struct mp_data_file *data = &f->data[MP_CALL_ALL];
	int datafd = mp_fd_use(c->home.own.datafd);
	struct mp_call_file renamed;
	char name[MP_DATA_NAME];

	tail_of(c, renamed.tail, model, model_id);
	file_name(&renamed, MP_CALL_ALL, name);
	if (renameat(datafd, data->name, datafd, name) == 0) {
		memcpy(data->name, name, sizeof(name));
		memcpy(f->tail, renamed.tail, sizeof(f->tail));
	}
	f->model = model;
	f->model_id = model_id;
	return f;
}

/* Continued files keep their names: each is that of a model, or of the program. */
static struct mp_call_file *find_again(struct mp_call_files *c, uint32_t model_id, const char *model)
{
	struct mp_call_file *f;

	if (!model && c->count)
		return c->items[0];
	f = add_file(c, model ? model : c->home.program, model_id);
	if (f)
		f->model_id = model ? model_id : MSPROF_NO_MODEL;
	return f;
}

static struct mp_call_file *find_file(struct mp_call_files *c, uint32_t model_id, const char *model)
{
	if (c->continued)
		return find_again(c, model_id, model);
	if (!model)
		return c->count ? c->items[c->last = 0] : add_file(c, c->home.program, MSPROF_NO_MODEL);
	if (c->count && c->items[c->last]->model_id == model_id && c->items[c->last]->model == model)
		return c->items[c->last];
	for (size_t i = 0; i < c->count; i++)
		if (c->items[i]->model_id == model_id && c->items[i]->model == model)
			return c->items[c->last = i];
	if (c->count && c->items[0]->model_id == MSPROF_NO_MODEL)
		return give_to(c, c->items[c->last = 0], model, model_id);
	return add_file(c, model, model_id);
}

/* The bytes of a record. */
static size_t size_of(const struct mp_call_files *c, enum mp_call_kind kind)
{
	return (kind == MP_CALL_ALL ? &c->form.all : &c->form.board)->layout->size;
}

/* A record without a model may be in the file of any model. */
static bool is_seen(struct mp_call_files *c, enum mp_call_kind kind, const void *record)
{
	for (size_t i = 0; c->continued && i < c->count; i++)
		if (mp_record_set_take(&c->items[i]->seen[kind], record))
			return true;
	return false;
}

/* The marker tells the end of the file: it goes when the file grows. */
static void unmark(struct mp_call_files *c, struct mp_call_file *f)
{
	char name[MP_DATA_NAME + 8];

	snprintf(name, sizeof(name), "%s.done", f->data[MP_CALL_BOARD].name);
	unlinkat(mp_fd_use(c->home.job.datafd), name, 0);
	f->marked = false;
}

/* Write a call in the form of the board. It is in the other file, too: without room for it nothing is lost. */
static void add_numbered(struct mp_call_files *c, struct mp_call_file *f, const struct mp_event *event, int number)
{
	size_t size = size_of(c, MP_CALL_BOARD);
	unsigned char record[MP_CALL_RECORD_MAX];

	if (f->model_id == MSPROF_NO_MODEL)
		return;
	mp_call_form_board(&c->form, event, number, f->model_id, record);
	if (is_seen(c, MP_CALL_BOARD, record))
		return;
	if (!f->open[MP_CALL_BOARD] && !create(c, f, MP_CALL_BOARD))
		return;
	if (f->marked)
		unmark(c, f);
	memcpy(mp_data_file_room(&f->data[MP_CALL_BOARD], size), record, size);
	mp_data_file_added(&f->data[MP_CALL_BOARD], size);
}

void mp_call_files_event(struct mp_call_files *c, const struct mp_event *event)
{
	struct mp_call_file *f = find_file(c, event->model_id, event->model);
	size_t size = size_of(c, MP_CALL_ALL);
	unsigned char *record;
	int number;

	if (!f) {
		c->unopened_lost++;
		return;
	}
	record = (unsigned char *)mp_data_file_room(&f->data[MP_CALL_ALL], size);
	number = mp_call_form_all(&c->form, event, record);
	if (!is_seen(c, MP_CALL_ALL, record))
		mp_data_file_added(&f->data[MP_CALL_ALL], size);
	if (number >= 0)
		add_numbered(c, f, event, number);
}

uint64_t mp_call_files_trim(struct mp_call_files *c, uint64_t limit)
{
	struct mp_call_file *of = NULL;
	enum mp_call_kind kind = MP_CALL_ALL;
	int64_t size, keep, largest = -1;
	uint64_t all = 0;

	for (size_t i = 0; i < MP_CALL_KINDS * c->count; i++) {
		struct mp_call_file *f = c->items[i / MP_CALL_KINDS];
		enum mp_call_kind k = (enum mp_call_kind)(i % MP_CALL_KINDS);

		all += f->open[k] ? (uint64_t)f->data[k].size : 0;
		if (!f->open[k] || f->data[k].size <= largest)
			continue;
		largest = f->data[k].size;
		of = f;
		kind = k;
	}
	if (all <= limit || !of)
		return 0;
	size = (int64_t)size_of(c, kind);
	keep = largest / size / 2 * size;
	if (mp_data_file_trim(&of->data[kind], place_of(c, kind)->datafd, place_of(c, kind)->dirfd, keep))
		return 0;
	if (kind == MP_CALL_BOARD && of->marked)
		unmark(c, of);
	return kind == MP_CALL_ALL ? (uint64_t)((largest - keep) / size) : 0;
}

uint64_t mp_call_files_lost(const struct mp_call_files *c)
{
	uint64_t lost = c->unopened_lost;

	for (size_t i = 0; i < c->count; i++)
		lost += c->items[i]->data[MP_CALL_ALL].lost;
	return lost;
}

void mp_call_files_free(struct mp_call_files *c)
{
	for (size_t i = 0; c && i < c->count; i++) {
		for (int kind = 0; kind < MP_CALL_KINDS; kind++) {
			if (c->items[i]->open[kind])
				mp_data_file_abandon(&c->items[i]->data[kind]);
			mp_record_set_free(&c->items[i]->seen[kind]);
		}
		free(c->items[i]);
	}
	free(c);
}

/* Read the record of `size` bytes at `at`. */
static int read_record(int fd, const char *name, unsigned char *record, size_t size, int64_t at, struct mp_error *err)
{
	return pread(mp_fd_use(fd), record, size, (off_t)at) == (ssize_t)size
		   ? 0
		   : mp_fail_errno(err, "cannot read '%s'", name);
}

/* The marker of a file of the board, as its library writes it. It needs the file, whose first records may be aged. */
static int mark_board(struct mp_call_files *c, struct mp_call_file *f, int datafd, struct mp_error *err)
{
	unsigned char first[MP_RECORD_SIZE_MAX], last[MP_RECORD_SIZE_MAX];
	const struct mp_data_file *data = &f->data[MP_CALL_BOARD];
	size_t size = size_of(c, MP_CALL_BOARD);
	struct mp_call_times times;
	char text[160];
	struct stat st;
	int fd, status;

	if (f->marked || !f->open[MP_CALL_BOARD] || data->size < (int64_t)size)
		return 0;
	fd = mp_data_file_reopen(datafd, data->name, O_RDONLY, &st, err);
	if (fd < 0)
		return -1;
	status = read_record(fd, data->name, first, size, 0, err) ||
		 read_record(fd, data->name, last, size, data->size - (int64_t)size, err);
	mp_fd_drop(fd); /* opened read-only: nothing can be lost */
	if (status)
		return -1;
	mp_call_form_times(&c->form, first, last, &times);
	snprintf(text, sizeof(text), "file_len:%lld\nstart_time:%llu\nend_time:%llu\npid:%lu\ntid:%lu\n",
	    (long long)data->size, (unsigned long long)times.begin_us, (unsigned long long)times.end_us,
	    (unsigned long)times.pid, (unsigned long)times.tid);
	if (mp_data_file_tell(data->name, datafd, text, err))
		return -1;
	f->marked = true;
	return 0;
}

/* Whether the model of the files was unloaded, or another model has its number now. */
static bool is_gone(const struct mp_call_file *f)
{
	return f->model_id != MSPROF_NO_MODEL &&
	       (mp_model_state(f->model_id) == MP_MODEL_UNLOADED || mp_model_name(f->model_id) != f->model);
}

static void flush_file(struct mp_call_files *c, struct mp_call_file *f)
{
	struct mp_error err;

	for (int kind = 0; kind < MP_CALL_KINDS; kind++) {
		struct mp_data_file *data = &f->data[kind];

		if (!f->open[kind])
			continue;
		mp_data_file_flush(data);
		if (data->failure && !c->told)
			mp_log(MP_LOG_ERROR, "cannot write '%s/data/%s': %s: data is lost",
			    place_of(c, (enum mp_call_kind)kind)->name, data->name, strerror(data->failure));
		c->told = c->told || data->failure;
	}
	if (!c->continued && is_gone(f))
		(void)mark_board(c, f, c->home.job.datafd, &err); /* else at the end, which tells errors */
}

void mp_call_files_flush(struct mp_call_files *c)
{
	for (size_t i = 0; i < c->count; i++)
		flush_file(c, c->items[i]);
}

int mp_call_files_stop(struct mp_call_files *c, struct mp_error *err)
{
	int status = 0;

	for (size_t i = 0; i < MP_CALL_KINDS * c->count; i++) {
		enum mp_call_kind kind = (enum mp_call_kind)(i % MP_CALL_KINDS);
		struct mp_call_file *f = c->items[i / MP_CALL_KINDS];
		struct mp_data_file *data = &f->data[kind];

		if (!f->open[kind])
			continue;
		mp_data_file_close(data);
		if (data->failure && !status)
			status = mp_fail(err, "cannot write '%s/data/%s': %s", place_of(c, kind)->name, data->name,
			    strerror(data->failure));
	}
	return status;
}

int mp_call_files_mark(struct mp_call_files *c, int datafd, int own_datafd, struct mp_error *err)
{
	int status = 0;

	for (size_t i = 0; !status && i < c->count; i++)
		status = mp_data_file_mark(&c->items[i]->data[MP_CALL_ALL], own_datafd, "", err) ||
				 mark_board(c, c->items[i], datafd, err)
			     ? -1
			     : 0;
	return status;
}

static int again(
    struct mp_call_files *c, struct mp_call_file *f, enum mp_call_kind kind, int64_t events, struct mp_error *err)
{
	size_t size = size_of(c, kind);
	int datafd = place_of(c, kind)->datafd;
	char name[MP_DATA_NAME];

	file_name(f, kind, name);
	if (mp_data_file_append(&f->data[kind], datafd, name, size, err))
		return -1;
	f->open[kind] = true;
	f->seen[kind].size = size;
	return mp_record_set_add(&f->seen[kind], datafd, name, f->data[kind].size, events, err) < 0 ? -1 : 0;
}

/*
 * Continue the files with this tail. A file of the board belongs to a model. Without one there may be a model, too: an
 * event that tells a model then makes the file.
 */
static int continue_file(struct mp_call_files *c, const char *tail, int64_t events, struct mp_error *err)
{
	struct mp_call_file *f = calloc(1, sizeof(*f));
	char name[MP_DATA_NAME + 8];
	struct stat st;
	bool is_board;

	if (!f)
		return mp_fail_memory(err, tail);
	snprintf(f->tail, sizeof(f->tail), "%s", tail);
	file_name(f, MP_CALL_BOARD, name);
	is_board = mp_dir_look(c->home.job.datafd, name, &st) == 0;
	f->model_id = is_board ? (uint32_t)strtoul(strrchr(tail, '.') + 1, NULL, 10) : MSPROF_NO_MODEL;
	strcat(name, ".done");
	f->marked = is_board && mp_dir_look(c->home.job.datafd, name, &st) == 0;
	c->items[c->count++] = f;
	return again(c, f, MP_CALL_ALL, events, err) || (is_board && again(c, f, MP_CALL_BOARD, events, err)) ? -1 : 0;
}

static bool is_of_calls(const void *prefix, const char *name)
{
	return strncmp(name, prefix, strlen(prefix)) == 0 && !strstr(name, ".done");
}

int mp_call_files_continue(struct mp_call_files *c, int64_t events, struct mp_error *err)
{
	struct mp_call_file any = {.tail = ""};
	char prefix[MP_DATA_NAME];
	struct mp_dir_names names;
	size_t len;
	int status;

	c->continued = true;
	snprintf(any.tail, sizeof(any.tail), ".%d.", c->home.device);
	file_name(&any, MP_CALL_ALL, prefix);
	len = strlen(prefix) - strlen(any.tail);
	status = mp_dir_list(&names, c->home.own.datafd, is_of_calls, prefix, "data", err);
	for (size_t i = 0; !status && i < names.count && c->count < MP_CALL_FILES_MAX; i++)
		if (strlen(names.items[i] + len) < MP_CALL_TAIL)
			status = continue_file(c, names.items[i] + len, events, err);
	mp_dir_names_free(&names);
	return status;
}
