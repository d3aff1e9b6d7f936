/*
 * job_writer.h: the JOB directory of one device during its recording.
 *
 * It is what the library of a board writes (job_facts.h, call_files.h), with files of ours in data/ for what that form
 * cannot say. The writer owns its descriptors; free with mp_job_writer_free. One thread at a time.
 */
#ifndef MP_RECORDER_JOB_WRITER_H
#define MP_RECORDER_JOB_WRITER_H

#include <stdbool.h>

#include "base/error.h"
#include "raw/layout.h"
#include "recorder/recorder.h"

enum { MP_JOB_NAME_SIZE = 33 };

struct mp_job_writer;

/*
 * Make a JOB directory below dirfd, which must outlive the writer, in the form of the soc with this index. `members`
 * are JSON members for recorder.json.N, see session.h. When all files together exceed `limit` bytes (0: no limit), the
 * largest file loses the older half of its records. Returns 0, or -1 with err.
 */
int mp_job_writer_open(struct mp_job_writer **writer, int dirfd, int device, const struct mp_layouts *layouts, int soc,
    uint64_t limit, const char *members, struct mp_error *err);

/*
 * Continue the JOB of an ended process, to add events that are not in it yet. `jobfd` is its directory, which stays the
 * caller's; `events` is the number of events to come. Returns 0, or -1 with err.
 */
int mp_job_writer_continue(struct mp_job_writer **writer, int jobfd, int device, uint32_t pid, int64_t events,
    const struct mp_layouts *layouts, struct mp_error *err);

/* The descriptor of the directory; -1 after mp_job_writer_stop. */
int mp_job_writer_dir(const struct mp_job_writer *writer);

/* The name of the directory, valid until mp_job_writer_free. */
const char *mp_job_writer_name(const struct mp_job_writer *writer);

/* Store one event. */
void mp_job_writer_event(struct mp_job_writer *writer, const struct mp_event *event);
/* Write all buffers. */
void mp_job_writer_flush(struct mp_job_writer *writer);
/* Count events that found no room in a ring. */
void mp_job_writer_lost(struct mp_job_writer *writer, uint64_t count);

/* The number of records lost so far, to full rings and to failed writes. */
uint64_t mp_job_writer_lost_count(const struct mp_job_writer *writer);

/*
 * Flush, write the loss into recorder.json.N and close all descriptors. Returns -1 with err when the disk lost
 * anything. Afterwards only finish and free are allowed.
 */
int mp_job_writer_stop(struct mp_job_writer *writer, struct mp_error *err);

/* Write the .done markers. Does nothing when the directory was removed. Returns 0, or -1 with err. */
int mp_job_writer_finish(struct mp_job_writer *writer, struct mp_error *err);

/* Remove the directory, in which nothing was recorded. */
void mp_job_writer_remove(struct mp_job_writer *writer);

/* Close descriptors without writing, and free. NULL is allowed. */
void mp_job_writer_free(struct mp_job_writer *writer);

#endif
