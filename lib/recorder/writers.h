/* writers.h: what a recording writes: the JOB directory of one device, or a PROF directory. */
#ifndef MP_RECORDER_WRITERS_H
#define MP_RECORDER_WRITERS_H

#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "raw/layout.h"
#include "recorder/recorder.h"
#include "recorder/samples.h"

/* A result during its recording. It owns its descriptors. One thread at a time. */
struct mp_result {
	const char *name; /* of the directory, valid until `free` */
	/* The descriptor of the directory with our files; of a JOB -1 after `stop`. */
	int (*dir)(const struct mp_result *result);
	void (*event)(struct mp_result *result, const struct mp_event *event); /* stores it */
	void (*flush)(struct mp_result *result);                               /* writes all buffers */
	void (*lost)(struct mp_result *result, uint64_t count);                /* events that found no room in a ring */
	/* Flush, tell the loss and close all descriptors. Returns -1 with err when the disk lost anything. Afterwards
	 * only `finish` and `free` are allowed. */
	int (*stop)(struct mp_result *result, struct mp_error *err);
	/* Write the markers of a complete result. Does nothing when the directory was removed. Returns 0, or -1 with
	 * err. */
	int (*finish)(struct mp_result *result, struct mp_error *err);
	void (*remove)(struct mp_result *result); /* the directories, in which nothing was recorded */
	void (*free)(struct mp_result *result);   /* closes descriptors without writing */
};

/* Read what recorder.json.N of an ended process tells: the clocks, and the name of the soc, or "". */
int mp_job_facts_read(int datafd, int device, struct mp_wall *wall, char soc[MP_NAME_SIZE], struct mp_error *err);

/* The names of the control files of a JOB. */
enum { MP_FACTS_NAME = 32 };
void mp_job_info_name(int device, char name[MP_FACTS_NAME]);
void mp_job_recorder_name(int device, char name[MP_FACTS_NAME]);

enum { MP_JOB_NAME_SIZE = 33 };

/*
 * Make the JOB directory of one device, below dirfd, which must outlive it: what the library of a board writes
 * (call_files.h), and beside it the directory msprof.JOB... for what that form cannot say. `soc` is the index of the
 * soc in whose form it is, `members` are JSON members for recorder.json.N, see session.h. When all files together
 * exceed `limit` bytes (0: no limit), the largest file loses the older half of its records. Returns 0, or -1 with err.
 */
int mp_job_writer_open(struct mp_result **result, int dirfd, int device, const struct mp_layouts *layouts, int soc,
    uint64_t limit, const char *members, struct mp_error *err);

/*
 * Continue the JOB of an ended process, to add events that are not in it yet. `jobfd` is its directory, `ownfd` the one
 * with our files, which both stay the caller's; `events` is the number of events to come. Returns 0, or -1 with err.
 */
int mp_job_writer_continue(struct mp_result **result, int jobfd, int ownfd, int device, uint32_t pid, int64_t events,
    const struct mp_layouts *layouts, struct mp_error *err);

enum { MP_PROF_NAME_SIZE = 47 };

/*
 * Make a PROF directory below dirfd. Only its part host/ is written, since nothing is known about devices. Calls and
 * operators are records of prof.api at the level of the ACL; stamps are records of prof.msproftx. Dictionaries contain
 * each name once. A storage limit removes the oldest slices of calls and stamps. A failed write loses its records, like
 * in a JOB. `number` counts the directories of the process from 1. `limit` is in bytes, 0 for no
 * limit. `devices` has the numbers that were requested, like "0,1"; `members`: see session.h. Returns 0, or -1 with
 * err.
 */
int mp_prof_writer_open(struct mp_result **result, int dirfd, unsigned number, const struct mp_layouts *layouts,
    uint64_t limit, const char *devices, const char *members, struct mp_error *err);

/*
 * Continue the directory of an ended process, to add events that are not in it yet. `hostfd` is its part host/, which
 * stays the caller's; `events` is the number of events to come. Returns 0, or -1 with err.
 */
int mp_prof_writer_continue(struct mp_result **result, int hostfd, uint32_t pid, int64_t events,
    const struct mp_layouts *layouts, struct mp_error *err);

/* Store the line of a sample in a PROF directory. */
void mp_prof_writer_sample(struct mp_result *result, enum mp_host_sample kind, const char *line, size_t len);

#endif
