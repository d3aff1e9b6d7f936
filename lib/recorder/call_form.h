/*
 * call_form.h: the bytes of an event in a JOB, by the layouts that also decode them.
 *
 * Every event is a record of svp.host_call. A call that the board's own library would record is one of that library's
 * layout for the soc as well: the layouts whose files those of svp.host_call cover. Which calls those are, and their
 * numbers, is in the layout. Owns nothing. One thread at a time.
 */
#ifndef MP_RECORDER_CALL_FORM_H
#define MP_RECORDER_CALL_FORM_H

#include <stdbool.h>

#include "raw/encode.h"
#include "recorder/recorder.h"
#include "recorder/wall.h"

enum { MP_KNOWN_NAMES = 64 };

struct mp_call_form {
	struct mp_encoder all, board;
	struct mp_wall wall;
	uint32_t pid;
	bool names_model; /* a record of the board has the number of its model */
	int name_column;  /* of the layout of the board, whose map has the numbers */
	struct {
		uint32_t name;
		int number;      /* of the call; -1: not one of the board's */
	} known[MP_KNOWN_NAMES]; /* by number of the name; 0: free */
};

/*
 * Prepare the form of records of the process `pid` for the soc with this index. Errors: the layouts lack a record or
 * one of its fields.
 */
int mp_call_form_init(struct mp_call_form *form, const struct mp_layouts *layouts, int soc, const struct mp_wall *wall,
    uint32_t pid, struct mp_error *err);

/* Make form->all.record of an event. */
void mp_call_form_all(struct mp_call_form *form, const struct mp_event *event);

/* The number that the board's library has for a call; -1 for everything else. */
int mp_call_form_number(struct mp_call_form *form, const struct mp_event *event);

/* Make form->board.record of a call with a number. */
void mp_call_form_board(struct mp_call_form *form, const struct mp_event *event, int number, uint32_t model_id);

/* The bytes of the records. */
size_t mp_call_form_all_size(const struct mp_call_form *form);
size_t mp_call_form_board_size(const struct mp_call_form *form);

/* What the marker of a file of the board tells of its first and its last record. */
struct mp_call_times {
	uint64_t begin_us, end_us;
	uint32_t pid, tid; /* of the last record */
};
void mp_call_form_times(const struct mp_call_form *form, const unsigned char *first, const unsigned char *last,
    struct mp_call_times *times);

#endif
