/* prof_writer_internal.h: the state of a writer, shared by prof_writer.c and prof_info.c. */
#ifndef MP_RECORDER_PROF_WRITER_INTERNAL_H
#define MP_RECORDER_PROF_WRITER_INTERNAL_H

#include <stdint.h>

#include "base/error.h"
#include "raw/encode.h"
#include "recorder/data_file.h"
#include "recorder/recorder_internal.h"
#include "recorder/writers.h"

/* The control files of host/. Functions that return int give 0, or -1; nothing is kept. */

/* Write info.json, sample.json, start_info and host_start.log. `devices`, `members`: see writers.h. */
int mp_prof_info_begin(int dirfd, struct mp_wall start, const char *devices, const char *members, struct mp_error *err);

/* Remove these files. */
void mp_prof_info_remove(int dirfd);

/* Overwrite the number of lost records in info.json, in place, which needs no disk space. */
int mp_prof_info_lost(int dirfd, uint64_t lost);

/* Write end_info. */
int mp_prof_info_end(int dirfd, struct mp_wall start, struct mp_wall end, struct mp_error *err);

enum {
	LEVEL_ACL = 20000,
	LEVEL_TX = 20500,
	TX_HEADER = 24,
	TX_OF_DOMAIN = 1,
	SEGMENTS_MAX = 3,
	MODELS_KNOWN = 64,
	THREADS_KNOWN = 1024,
	MB = 1024 * 1024,
	AGING_MARGIN_MB = 20
};
enum { LINE_SIZE = 4 * MSPROF_NAME_MAX + 32 }; /* each byte of a name may become four */

enum { API_LEVEL, API_TYPE, API_THREAD, API_BEGIN, API_END, API_ITEM, API_SLOTS };

enum {
	TX_LEVEL,
	TX_THREAD,
	TX_LEN,
	TX_STAMP,
	TX_INFO,
	TX_SEGMENT,
	TX_PID,
	TX_TID,
	TX_CATEGORY,
	TX_EVENT,
	TX_PAYLOAD,
	TX_BEGIN,
	TX_END,
	TX_MARK,
	TX_DOMAIN,
	TX_TEXT,
	TX_SLOTS
};

enum { OP_THREAD, OP_BEGIN, OP_END, OP_NAME, OP_TYPE, OP_SLOTS };

/* Records, then lines of dictionaries, then lines of samples by their kind. */
enum stream { CALLS, STAMPS, OPERATORS, TYPES, HASHES, THREADS, SAMPLES, STREAMS = SAMPLES + MP_SAMPLE_KINDS };
enum { RECORDS = TYPES, DICTIONARIES = SAMPLES };

/* The lines of a dictionary. */
struct mp_prof_lines {
	char *text;    /* owns the bytes */
	char **sorted; /* each line ends with a NUL */
	size_t count;
};

/* Whether a dictionary has the line, given without its end of line. */
bool mp_prof_has_line(const struct mp_prof_lines *lines, const char *line);

struct mp_prof_writer {
	struct mp_result result; /* first, so that a pointer to it is one to the writer */
	char name[MP_PROF_NAME_SIZE];
	int outfd, dirfd, hostfd, datafd; /* outfd belongs to the caller */
	struct mp_wall start;
	uint64_t ring_lost, lost_told, limit;
	bool told;
	uint32_t pid;
	struct mp_record_set *seen; /* of the streams of records, when the writer continues a directory; or NULL */
	struct mp_prof_lines lines[DICTIONARIES]; /* of dictionaries, when the writer continues a directory */
	struct mp_encoder encoders[RECORDS];
	unsigned char aside[MP_RECORD_SIZE_MAX]; /* a record that may be there already, or has no room */
	struct mp_stream streams[STREAMS];
	const char *models[MODELS_KNOWN]; /* models in the dictionary, the latest ones */
	uint64_t model_hashes[MODELS_KNOWN];
	uint32_t threads[THREADS_KNOWN]; /* threads whose name is written, at the rest of their number */
	size_t model_count;
	unsigned char hashes_known[MP_NAMES_MAX / 8];                  /* one bit for each name */
	unsigned char types_known[MSPROF_OTHER + 1][MP_NAMES_MAX / 8]; /* one bit for each name */
};

/* What a PROF directory does; the name is that of each. */
extern const struct mp_result mp_prof_result;

/* Prepare the encoders of all records. Returns 0, or -1 with err. */
int mp_prof_encoders_init(struct mp_prof_writer *w, const struct mp_layouts *layouts, struct mp_error *err);

/* Prepare the streams, when the directory of the data is open. */
void mp_prof_streams_init(struct mp_prof_writer *w);

#endif
