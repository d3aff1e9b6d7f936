/*
 * sandbox.h: takes rights from the process before the process reads foreign data.
 *
 * Call mp_sandbox_enter once, before threads are started. The restrictions bind this thread and all later threads, and
 * cannot be undone. Landlock (Linux 5.13) guards files; a filter of system calls guards everything else. The filter
 * refuses a list of calls with EPERM. A list of allowed calls would break with each release of the C library. A kernel
 * without one of the two is no error: the result tells what is in force. A kernel that has them and fails is one.
 * Nothing is allocated or kept.
 */
#ifndef MP_BASE_SANDBOX_H
#define MP_BASE_SANDBOX_H

#include <stddef.h>

#include "base/error.h"

/* What may be done below a directory; of a file, what of it may be done with a file. */
enum mp_reach {
	MP_REACH_LIST,      /* list the directories below this one */
	MP_REACH_READ,      /* list and read */
	MP_REACH_TEMPORARY, /* make, read, write and remove files, without a list of them */
	MP_REACH_WRITE      /* do all of that, with directories as well */
};

struct mp_sandbox_place {
	const char *path; /* one that is missing, or that this process cannot reach, is skipped */
	enum mp_reach reach;
};

enum {
	MP_SANDBOX_FILES = 1, /* only files of the given places can be opened, made or removed */
	MP_SANDBOX_CALLS = 2  /* no program can be started, no network, process or part of the system touched */
};

/* What a client of a network, or a server, may do all the same; 0: nothing. */
enum {
	MP_MAY_CONNECT = 1,      /* connect to addresses of a network */
	MP_MAY_CONNECT_HERE = 2, /* with that: to sockets of this machine, too */
	MP_MAY_USE_KEYS = 4,     /* read and store keys of the kernel */
	MP_MAY_SIGNAL = 8        /* send signals to other processes, as one that starts some must */
};

/*
 * Allow only `places`, and what `may` says. Returns the set of MP_SANDBOX_... in force; 0 in builds with a sanitizer,
 * which needs more rights, and where the environment has MSPROF_SANDBOX=off; -1 with err.
 */
int mp_sandbox_enter(const struct mp_sandbox_place *places, size_t count, unsigned may, struct mp_error *err);

#endif
