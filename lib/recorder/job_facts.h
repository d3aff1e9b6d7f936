/*
 * job_facts.h: what a JOB directory says of itself: info.json.N, as the library of a board writes it, and
 * data/recorder.json.N, where the recorder tells what that form has no place for.
 *
 * recorder.json.N has numbers of lost records, which are overwritten in place: that needs no space on a full disk. The
 * struct owns a descriptor of the file. Functions that return int give 0, or -1 with err. One thread at a time.
 */
#ifndef MP_RECORDER_JOB_FACTS_H
#define MP_RECORDER_JOB_FACTS_H

#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "raw/layout.h"
#include "recorder/wall.h"

struct mp_job_facts {
	int fd;        /* of recorder.json.N; -1: closed, or there is none */
	off_t lost_at; /* where the numbers are */
	uint64_t lost, aged;
};

/*
 * Write both files of a device. A recording of the host alone knows no frequency: of DeviceInfo it writes what tells
 * the soc. `members` are JSON members of the settings, or "".
 */
int mp_job_facts_write(struct mp_job_facts *facts, int dirfd, int datafd, int device, const struct mp_soc *soc,
    const struct mp_wall *wall, const char *members, struct mp_error *err);

/* Write the numbers, if they have changed, so that they are right even when the process is killed. */
void mp_job_facts_tell(struct mp_job_facts *facts, uint64_t lost, uint64_t aged);

void mp_job_facts_close(struct mp_job_facts *facts);

/* Remove both files. A descriptor may be -1. */
void mp_job_facts_remove(int dirfd, int datafd, int device);

/* Read what an ended process wrote: the clocks, and the name of the soc, or "". */
int mp_job_facts_read(int datafd, int device, struct mp_wall *wall, char soc[MP_NAME_SIZE], struct mp_error *err);

/* The names of the files. */
enum { MP_FACTS_NAME = 32 };
void mp_job_info_name(int device, char name[MP_FACTS_NAME]);
void mp_job_recorder_name(int device, char name[MP_FACTS_NAME]);

#endif
