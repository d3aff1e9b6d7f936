/* call_files_end.c: writes what waits in the files of calls, and their markers. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recorder/call_files_internal.h"
#include "recorder/log.h"
#include "recorder/recorder_internal.h"
#include "recorder/table.h"

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
	size_t size = mp_call_form_board_size(&c->form);
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
			mp_log(MP_LOG_ERROR, "cannot write '%s/data/%s': %s: data is lost", c->home.job, data->name,
			    strerror(data->failure));
		c->told = c->told || data->failure;
	}
	if (!c->continued && is_gone(f))
		(void)mark_board(c, f, c->home.datafd, &err); /* else at the end, which tells errors */
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
		struct mp_call_file *f = c->items[i / MP_CALL_KINDS];
		struct mp_data_file *data = &f->data[i % MP_CALL_KINDS];

		if (!f->open[i % MP_CALL_KINDS])
			continue;
		mp_data_file_close(data);
		if (data->failure && !status)
			status = mp_fail(
			    err, "cannot write '%s/data/%s': %s", c->home.job, data->name, strerror(data->failure));
	}
	return status;
}

int mp_call_files_mark(struct mp_call_files *c, int datafd, struct mp_error *err)
{
	int status = 0;

	for (size_t i = 0; !status && i < c->count; i++)
		status = mp_data_file_mark(&c->items[i]->data[MP_CALL_ALL], datafd, "", err) ||
				 mark_board(c, c->items[i], datafd, err)
			     ? -1
			     : 0;
	return status;
}
