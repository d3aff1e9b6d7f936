/*
 * job_writer.h: the JOB directory of one device while it is recorded.
 *
 * Records are encoded from the layout svp.acl_api and appended to data/acl_api.DEVICE.MODEL.MODEL_ID, one file a model.
 * What belongs to no model goes to the first model's file; until there is one, to a file named after the program, which
 * then takes the first model's name. Operators and stamps are records of types 1 and 5; a message is cut to the width
 * of a name. A write that fails costs the records that it held and is tried again with the next; the file ends with a
 * whole record at any time. One thread at a time.
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
 * A new JOB directory below dirfd, which lives longer than the writer. `members` are JSON members for info.json.N, as
 * in session.h. Where all files together exceed `limit` bytes (0: none) the largest loses the older half of its
 * records.
 */
int mp_job_writer_open(struct mp_job_writer **writer, int dirfd, int device, const struct mp_layouts *layouts,
    uint64_t limit, const char *members, struct mp_error *err);

const char *mp_job_writer_name(const struct mp_job_writer *writer);

void mp_job_writer_event(struct mp_job_writer *writer, const struct mp_event *event);
void mp_job_writer_flush(struct mp_job_writer *writer);
void mp_job_writer_lost(struct mp_job_writer *writer, uint64_t count);

/* Records lost so far, to full rings and to failed writes. */
uint64_t mp_job_writer_lost_count(const struct mp_job_writer *writer);

/*
 * Flush, write the loss into info.json.N and close all descriptors; -1 when anything was lost to the disk. Only finish
 * and free are left then.
 */
int mp_job_writer_stop(struct mp_job_writer *writer, struct mp_error *err);

/* Write the .done markers. */
int mp_job_writer_finish(struct mp_job_writer *writer, struct mp_error *err);

/* Remove the directory again, in which nothing was recorded. */
void mp_job_writer_remove(struct mp_job_writer *writer);

/* Close descriptors, write nothing, free. NULL is fine. */
void mp_job_writer_free(struct mp_job_writer *writer);

#endif
