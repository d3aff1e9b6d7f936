/* call_files_again.c: opens the files of calls of an ended process, to add what is not in them yet. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "recorder/call_files_internal.h"
#include "recorder/recorder.h"

static int again(
    struct mp_call_files *c, struct mp_call_file *f, enum mp_call_kind kind, int64_t events, struct mp_error *err)
{
	size_t size = kind == MP_CALL_ALL ? mp_call_form_all_size(&c->form) : mp_call_form_board_size(&c->form);
	char name[MP_DATA_NAME];

	mp_call_file_name(f, kind, name);
	if (mp_data_file_append(&f->data[kind], c->home.datafd, name, size, err))
		return -1;
	f->open[kind] = true;
	f->seen[kind].size = size;
	return mp_record_set_add(&f->seen[kind], c->home.datafd, name, f->data[kind].size, events, err) < 0 ? -1 : 0;
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
	mp_call_file_name(f, MP_CALL_BOARD, name);
	is_board = mp_dir_look(c->home.datafd, name, &st) == 0;
	f->model_id = is_board ? (uint32_t)strtoul(strrchr(tail, '.') + 1, NULL, 10) : MSPROF_NO_MODEL;
	strcat(name, ".done");
	f->marked = is_board && mp_dir_look(c->home.datafd, name, &st) == 0;
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
	mp_call_file_name(&any, MP_CALL_ALL, prefix);
	len = strlen(prefix) - strlen(any.tail);
	status = mp_dir_list(&names, c->home.datafd, is_of_calls, prefix, "data", err);
	for (size_t i = 0; !status && i < names.count && c->count < MP_CALL_FILES_MAX; i++)
		if (strlen(names.items[i] + len) < MP_CALL_TAIL)
			status = continue_file(c, names.items[i] + len, events, err);
	mp_dir_names_free(&names);
	return status;
}
