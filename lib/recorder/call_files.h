/*
 * call_files.h: the files of calls in the data/ of a JOB, two for a model.
 *
 * msprof_api.DEVICE.MODEL.MODEL_ID has every event; acl_api.DEVICE.MODEL.MODEL_ID has the calls that the board's own
 * library records, in its form. Records without a model go to the files of the first model. Until there is a model they
 * go to a file named after the program, which is then renamed to the first model: it has no acl_api, whose records
 * always belong to a model. Both files get their records in the order of the events, and always end with a whole
 * record. A failed write loses its records; the next write tries again.
 *
 * A file of the board gets its .done marker when its model was unloaded, or at the end. The caller owns the descriptors
 * of directories. Functions that return int give 0, or -1 with err. Free with mp_call_files_free. One thread at a time.
 */
#ifndef MP_RECORDER_CALL_FILES_H
#define MP_RECORDER_CALL_FILES_H

#include <stdbool.h>

#include "raw/encode.h"
#include "recorder/recorder.h"

enum { MP_KNOWN_CALLS = 64, MP_CALL_RECORD_MAX = 128 };

/*
 * The bytes of an event in a JOB, by the layouts that also decode them.
 *
 * Every event is a record of svp.host_call. A call that the board's own library would record is one of that library's
 * layout for the soc as well: the layouts whose files those of svp.host_call cover. Which calls those are, and their
 * numbers, is in the layout. Owns nothing.
 */
struct mp_call_form {
	struct mp_encoder all, board;
	struct mp_wall wall;
	uint32_t pid;
	bool names_model; /* a record of the board has the number of its model */
	int name_column;  /* of the layout of the board, whose map has the numbers */
	struct mp_known_call {
		uint32_t name, op_type;
		enum msprof_api_type type;
		int number;                            /* -1: not one of the board's */
		unsigned char all[MP_CALL_RECORD_MAX]; /* without the times and the thread */
	} known[MP_KNOWN_CALLS];                       /* by number of the name; 0: free */
};

/*
 * Prepare the form of records of the process `pid` for the soc with this index. Errors: the layouts lack a record or
 * one of its fields.
 */
int mp_call_form_init(struct mp_call_form *form, const struct mp_layouts *layouts, int soc, const struct mp_wall *wall,
    uint32_t pid, struct mp_error *err);

/* Make the record of an event. Returns the number that the board's library has for a call; -1 for everything else. */
int mp_call_form_all(struct mp_call_form *form, const struct mp_event *event, unsigned char *record);

/* Make the board's record of a call with a number. */
void mp_call_form_board(
    struct mp_call_form *form, const struct mp_event *event, int number, uint32_t model_id, unsigned char *record);

/* What the marker of a file of the board tells of its first and its last record. */
struct mp_call_times {
	uint64_t begin_us, end_us;
	uint32_t pid, tid; /* of the last record */
};
void mp_call_form_times(const struct mp_call_form *form, const unsigned char *first, const unsigned char *last,
    struct mp_call_times *times);

/* A directory with data/. */
struct mp_call_place {
	const char *name; /* for messages */
	int dirfd, datafd;
};

/* What the files belong to. */
struct mp_call_home {
	struct mp_call_place job, own; /* of the files of the board; of ours */
	const char *program;           /* the name of the program */
	int device;
	struct mp_wall wall;
	uint32_t pid;
	int soc; /* index */
};

struct mp_call_files;

/* Begin without files. The texts of `home` are borrowed. */
int mp_call_files_open(struct mp_call_files **files, const struct mp_call_home *home, const struct mp_layouts *layouts,
    struct mp_error *err);

/* Continue the files of an ended process, for `events` events of which some may be in the files already. */
int mp_call_files_continue(struct mp_call_files *files, int64_t events, struct mp_error *err);

void mp_call_files_event(struct mp_call_files *files, const struct mp_event *event);

/* Write all buffers, and the markers of the models that were unloaded. */
void mp_call_files_flush(struct mp_call_files *files);

/*
 * When all files together exceed `limit` bytes, the largest one loses the older half of its records. Returns how many
 * events that costs.
 */
uint64_t mp_call_files_trim(struct mp_call_files *files, uint64_t limit);

/* The number of events that are in no file because a write failed. */
uint64_t mp_call_files_lost(const struct mp_call_files *files);

/* Flush and close the files. Returns -1 with err when any write has failed. */
int mp_call_files_stop(struct mp_call_files *files, struct mp_error *err);

/* Write the markers of closed files into the data/ of the JOB and into ours. */
int mp_call_files_mark(struct mp_call_files *files, int datafd, int own_datafd, struct mp_error *err);

/* Close without writing, and free. NULL is allowed. */
void mp_call_files_free(struct mp_call_files *files);

#endif
