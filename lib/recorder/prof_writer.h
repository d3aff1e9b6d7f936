/*
 * prof_writer.h: a PROF directory while it is recorded: its part host/, since nothing of a device is known here.
 *
 * Calls and operators are records of prof.api at the level of the ACL, stamps those of prof.msproftx; names are in the
 * dictionaries, each once. With a limit of the storage the oldest slices of calls and stamps are removed.
 * As with job_writer.h a failed write costs what it held. One thread at a time.
 */
#ifndef MP_RECORDER_PROF_WRITER_H
#define MP_RECORDER_PROF_WRITER_H

#include "base/error.h"
#include "raw/layout.h"
#include "recorder/recorder.h"

enum { MP_PROF_NAME_SIZE = 47 };

struct mp_prof_writer;

/* A new directory below dirfd, the number'th of the process (from 1). limit: bytes, 0 for none. */
int mp_prof_writer_open(struct mp_prof_writer **writer, int dirfd, unsigned number, const struct mp_layouts *layouts,
    uint64_t limit, const char *members, struct mp_error *err);

const char *mp_prof_writer_name(const struct mp_prof_writer *writer);

void mp_prof_writer_event(struct mp_prof_writer *writer, const struct mp_event *event);
void mp_prof_writer_flush(struct mp_prof_writer *writer);
void mp_prof_writer_lost(struct mp_prof_writer *writer, uint64_t count);

/* Flush and close; -1 when anything was lost to the disk. */
int mp_prof_writer_stop(struct mp_prof_writer *writer, struct mp_error *err);

/* The markers of the last slices, and end_info. */
int mp_prof_writer_finish(struct mp_prof_writer *writer, struct mp_error *err);

/* Close descriptors, write nothing, free. NULL is fine. */
void mp_prof_writer_free(struct mp_prof_writer *writer);

#endif
