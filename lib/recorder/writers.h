/*
 * writers.h: what a recording writes: the JOB directory of one device, or a PROF directory. A writer owns its
 * descriptors. One thread at a time.
 */
#ifndef MP_RECORDER_WRITERS_H
#define MP_RECORDER_WRITERS_H

#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "raw/layout.h"
#include "recorder/recorder.h"
#include "recorder/samples.h"

/* Read what recorder.json.N of an ended process tells: the clocks, and the name of the soc, or "". */
int mp_job_facts_read(int datafd, int device, struct mp_wall *wall, char soc[MP_NAME_SIZE], struct mp_error *err);

/* The names of the control files of a JOB. */
enum { MP_FACTS_NAME = 32 };
void mp_job_info_name(int device, char name[MP_FACTS_NAME]);
void mp_job_recorder_name(int device, char name[MP_FACTS_NAME]);

enum { MP_JOB_NAME_SIZE = 33 };

/*
 * The JOB directory of one device during its recording: what the library of a board writes (call_files.h), and beside
 * it the directory msprof.JOB... for what that form cannot say. Free with mp_job_writer_free.
 */
struct mp_job_writer;

/*
 * Make a JOB directory below dirfd, which must outlive the writer, in the form of the soc with this index. `members`
 * are JSON members for recorder.json.N, see session.h. When all files together exceed `limit` bytes (0: no limit), the
 * largest file loses the older half of its records. Returns 0, or -1 with err.
 */
int mp_job_writer_open(struct mp_job_writer **writer, int dirfd, int device, const struct mp_layouts *layouts, int soc,
    uint64_t limit, const char *members, struct mp_error *err);

/*
 * Continue the JOB of an ended process, to add events that are not in it yet. `jobfd` is its directory, `ownfd` the one
 * with our files, which both stay the caller's; `events` is the number of events to come. Returns 0, or -1 with err.
 */
int mp_job_writer_continue(struct mp_job_writer **writer, int jobfd, int ownfd, int device, uint32_t pid,
    int64_t events, const struct mp_layouts *layouts, struct mp_error *err);

/* The descriptor of the directory with our files; -1 after mp_job_writer_stop. */
int mp_job_writer_dir(const struct mp_job_writer *writer);

/* The name of the directory, valid until mp_job_writer_free. */
const char *mp_job_writer_name(const struct mp_job_writer *writer);

/* Store one event. */
void mp_job_writer_event(struct mp_job_writer *writer, const struct mp_event *event);
/* Write all buffers. */
void mp_job_writer_flush(struct mp_job_writer *writer);
/* Count events that found no room in a ring. */
void mp_job_writer_lost(struct mp_job_writer *writer, uint64_t count);

/*
 * Flush, write the loss into recorder.json.N and close all descriptors. Returns -1 with err when the disk lost
 * anything. Afterwards only finish and free are allowed.
 */
int mp_job_writer_stop(struct mp_job_writer *writer, struct mp_error *err);

/* Write the .done markers. Does nothing when the directory was removed. Returns 0, or -1 with err. */
int mp_job_writer_finish(struct mp_job_writer *writer, struct mp_error *err);

/* Remove the directories, in which nothing was recorded. */
void mp_job_writer_remove(struct mp_job_writer *writer);

/* Close descriptors without writing, and free. NULL is allowed. */
void mp_job_writer_free(struct mp_job_writer *writer);

enum { MP_PROF_NAME_SIZE = 47 };

/*
 * A PROF directory during its recording. Only its part host/ is written, since nothing is known about devices. Free
 * with mp_prof_writer_free.
 *
 * Calls and operators are records of prof.api at the level of the ACL; stamps are records of prof.msproftx.
 * Dictionaries contain each name once. A storage limit removes the oldest slices of calls and stamps. A failed write
 * loses its records, like in a JOB.
 */
struct mp_prof_writer;

/*
 * Make a directory below dirfd. `number` counts the directories of the process from 1. `limit` is in bytes, 0 for no
 * limit. `devices` has the numbers that were requested, like "0,1"; `members`: see session.h. Returns 0, or -1 with
 * err.
 */
int mp_prof_writer_open(struct mp_prof_writer **writer, int dirfd, unsigned number, const struct mp_layouts *layouts,
    uint64_t limit, const char *devices, const char *members, struct mp_error *err);

/*
 * Continue the directory of an ended process, to add events that are not in it yet. `hostfd` is its part host/, which
 * stays the caller's; `events` is the number of events to come. Returns 0, or -1 with err.
 */
int mp_prof_writer_continue(struct mp_prof_writer **writer, int hostfd, uint32_t pid, int64_t events,
    const struct mp_layouts *layouts, struct mp_error *err);

/* The descriptor of its part host/. */
int mp_prof_writer_dir(const struct mp_prof_writer *writer);

/* The name of the directory, valid until mp_prof_writer_free. */
const char *mp_prof_writer_name(const struct mp_prof_writer *writer);

/* Store one event. */
void mp_prof_writer_event(struct mp_prof_writer *writer, const struct mp_event *event);
/* Store the line of a sample. */
void mp_prof_writer_sample(struct mp_prof_writer *writer, enum mp_host_sample kind, const char *line, size_t len);
/* Write all buffers. */
void mp_prof_writer_flush(struct mp_prof_writer *writer);
/* Count events that found no room in a ring. */
void mp_prof_writer_lost(struct mp_prof_writer *writer, uint64_t count);

/* Flush and close. Returns -1 with err when the disk lost anything. */
int mp_prof_writer_stop(struct mp_prof_writer *writer, struct mp_error *err);

/*
 * Write the markers of the last slices, and end_info. Does nothing when the directory was removed. Returns 0, or -1
 * with err.
 */
int mp_prof_writer_finish(struct mp_prof_writer *writer, struct mp_error *err);

/* Remove the directory, in which nothing was recorded. NULL is allowed. */
void mp_prof_writer_remove(struct mp_prof_writer *writer);

/* Close descriptors without writing, and free. NULL is allowed. */
void mp_prof_writer_free(struct mp_prof_writer *writer);

#endif
