/*
 * sandbox.h: takes from a process what it does not need, before it reads what strangers made.
 *
 * mp_sandbox_enter is called once, before threads are started: they and everything later are bound by it, and there is
 * no way back. Files are guarded by landlock (Linux 5.13), everything else by a filter of system calls. The filter
 * refuses a list of calls with EPERM. It is not a list of allowed calls: what the C library calls for the same purpose
 * changes with each release. A kernel without one of the two is no error: the result says what is in force.
 */
#ifndef MP_BASE_SANDBOX_H
#define MP_BASE_SANDBOX_H

#include <stddef.h>

enum mp_reach {
	MP_REACH_FILE,      /* read this file */
	MP_REACH_LIST,      /* list the directories below this one */
	MP_REACH_READ,      /* list and read what is below this directory */
	MP_REACH_TEMPORARY, /* make, read, write and remove files below this directory, without a list of them */
	MP_REACH_WRITE      /* do all of that, with directories as well */
};

struct mp_place {
	const char *path; /* a place that is not there is passed over */
	enum mp_reach reach;
};

enum {
	MP_SANDBOX_FILES = 1, /* no file but those of the places can be opened, made or removed */
	MP_SANDBOX_CALLS = 2  /* no program, no network, no other process, no part of the system can be touched */
};

/* Leave only `places`. Returns what is in force: a set of MP_SANDBOX_..., 0 in builds with a sanitizer, which needs
 * more. */
unsigned mp_sandbox_enter(const struct mp_place *places, size_t count);

#endif
