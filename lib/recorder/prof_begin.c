/* prof_begin.c: a PROF directory begins: its name, its directories, the encoders of its records and its streams. */
#include "recorder/prof_writer_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "recorder/table.h"

static const char *const api_names[API_SLOTS] = {"level", "type", "thread_id", "begin", "end", "item_id"};
static const char *const tx_names[TX_SLOTS] = {"level", "thread_id", "data_len", "stamp", "info_type", "segment",
    "process_id", "tid", "category", "event_type", "payload_value", "begin", "end", "mark_id", "domain", "message"};
static const char *const op_names[OP_SLOTS] = {"thread_id", "begin", "end", "op_name", "op_type"};
static const char *const prefixes[SAMPLES] = {"aging.api_event.data", "aging.additional.msproftx", "msprof.operator",
    "unaging.additional.type_info_dic", "unaging.additional.hash_dic", "msprof.thread"};

int mp_prof_encoders_init(struct mp_prof_writer *w, const struct mp_layouts *layouts, struct mp_error *err)
{
	return mp_encoder_init(&w->encoders[CALLS], layouts, "prof.api", api_names, API_SLOTS, err) ||
		       mp_encoder_init(&w->encoders[STAMPS], layouts, "prof.msproftx", tx_names, TX_SLOTS, err) ||
		       mp_encoder_init(&w->encoders[OPERATORS], layouts, "host.operator", op_names, OP_SLOTS, err)
		   ? -1
		   : 0;
}

void mp_prof_streams_init(struct mp_prof_writer *w)
{
	for (int i = 0; i < STREAMS; i++)
		mp_stream_init(&w->streams[i], w->datafd, i < SAMPLES ? prefixes[i] : mp_sample_names[i - SAMPLES]);
}

/* Make a name such as PROF_000001_20230608201922856_LPKNFOADMAQRMDGC. */
static int make_name(struct mp_prof_writer *w, unsigned number, struct mp_error *err)
{
	time_t seconds = (time_t)(w->start.realtime_ns / 1000000000u);
	unsigned char bytes[16];
	char letters[17] = "", date[32] = "";
	struct tm tm;

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes) || !localtime_r(&seconds, &tm))
		return mp_fail_errno(err, "cannot name a PROF directory");
	for (size_t i = 0; i < sizeof(bytes); i++)
		letters[i] = (char)('A' + bytes[i] % 18);
	strftime(date, sizeof(date), "%Y%m%d%H%M%S", &tm);
	snprintf(w->name, sizeof(w->name), "PROF_%06u_%.14s%03u_%s", (number - 1) % 999999 + 1, date,
	    (unsigned)(w->start.realtime_ns / 1000000 % 1000), letters);
	return 0;
}

/* Make the directories. The name is hidden until the control files exist, see job_writer.c. */
static int make_directories(struct mp_prof_writer *w, int dirfd, struct mp_error *err)
{
	char hidden[MP_PROF_NAME_SIZE + 1];

	snprintf(hidden, sizeof(hidden), ".%s", w->name);
	w->dirfd = mp_fd_hold(mp_dir_make(mp_fd_use(dirfd), hidden, hidden, err));
	if (w->dirfd < 0)
		return -1;
	w->hostfd = mp_fd_hold(mp_dir_make(mp_fd_use(w->dirfd), "host", "host", err));
	if (w->hostfd < 0)
		return -1;
	w->datafd = mp_fd_hold(mp_dir_make(mp_fd_use(w->hostfd), "data", "data", err));
	return w->datafd < 0 ? -1 : 0;
}

static int show_directory(const struct mp_prof_writer *w, int dirfd, struct mp_error *err)
{
	char hidden[MP_PROF_NAME_SIZE + 1];

	snprintf(hidden, sizeof(hidden), ".%s", w->name);
	if (renameat(mp_fd_use(dirfd), hidden, mp_fd_use(dirfd), w->name))
		return mp_fail_errno(err, "cannot rename '%s' to '%s'", hidden, w->name);
	return 0;
}

int mp_prof_writer_open(struct mp_result **result, int dirfd, unsigned number, const struct mp_layouts *layouts,
    uint64_t limit, const char *devices, const char *members, struct mp_error *err)
{
	struct mp_prof_writer *w = calloc(1, sizeof(*w));

	*result = NULL;
	if (!w)
		return mp_fail_memory(err, "a PROF directory");
	w->result = mp_prof_result;
	w->result.name = w->name;
	w->outfd = dirfd;
	w->dirfd = w->hostfd = w->datafd = -1;
	w->limit = limit;
	w->pid = (uint32_t)getpid();
	mp_wall_read(&w->start);
	if (mp_prof_encoders_init(w, layouts, err) || make_name(w, number, err) || make_directories(w, dirfd, err) ||
	    mp_prof_info_begin(w->hostfd, w->start, devices, members, err) || show_directory(w, dirfd, err)) {
		w->result.free(&w->result);
		return -1;
	}
	mp_prof_streams_init(w);
	*result = &w->result;
	return 0;
}
