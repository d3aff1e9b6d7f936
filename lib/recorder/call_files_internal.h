/*
 * call_files_internal.h: the files of calls, shared by their parts: call_files.c appends, call_files_end.c flushes,
 * closes and marks, call_files_again.c continues those of an ended process.
 */
#ifndef MP_RECORDER_CALL_FILES_INTERNAL_H
#define MP_RECORDER_CALL_FILES_INTERNAL_H

#include "recorder/call_files.h"
#include "recorder/data_file.h"
#include "recorder/record_set.h"

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

void mp_call_file_name(const struct mp_call_file *file, enum mp_call_kind kind, char name[MP_DATA_NAME]);

#endif
