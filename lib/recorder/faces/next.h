/*
 * next.h: the vendor's library beside a face. A program may link or open both, in any order; whichever has the
 * program's call, both must begin and end. Each face has its own copy: RTLD_NEXT is behind it. Define _GNU_SOURCE
 * first, for RTLD_NEXT and dladdr.
 */
#ifndef MP_RECORDER_NEXT_H
#define MP_RECORDER_NEXT_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#include "recorder/face.h"

/* Libraries that the program may have opened, by file name; ends with NULL. */
struct mp_next {
	const char *init, *finalize; /* the functions that begin and end a process */
	const char *libraries[3];
};

/* Returns the function unless it is this library's own, under another name of the file. */
static inline void *mp_next_foreign(void *function)
{
	static const char here;
	Dl_info own, other;

	if (!function || !dladdr(&here, &own) || !dladdr(function, &other))
		return NULL;
	return own.dli_fbase == other.dli_fbase ? NULL : function;
}

static inline void *mp_next_find(const struct mp_next *next, const char *name)
{
	void *function = mp_next_foreign(dlsym(RTLD_NEXT, name));

	for (const char *const *file = next->libraries; !function && *file; file++) {
		void *library = dlopen(*file, RTLD_LAZY | RTLD_NOLOAD);

		if (library) {
			function = mp_next_foreign(dlsym(library, name));
			dlclose(library); /* the program keeps the library loaded */
		}
	}
	return function;
}

/* Returns whether another library may have begun the process without this one. */
static inline bool mp_next_exists(const struct mp_next *next)
{
	return mp_next_find(next, next->init) || mp_next_foreign(dlsym(RTLD_DEFAULT, next->init));
}

/* Begin the process by both. The vendor's result is the program's; ours is only printed then. */
static inline int mp_next_init(const struct mp_next *next, const struct msprof_face *face, const char *config)
{
	int (*init)(const char *);
	int result = 0, code;

	*(void **)&init = mp_next_find(next, next->init); /* POSIX allows this cast, ISO C does not */
	if (init)
		result = init(config);
	code = result ? 0 : msprof_control_acl_init(face, config);
	return init ? result : code;
}

static inline int mp_next_finalize(const struct mp_next *next, const struct msprof_face *face)
{
	int code = msprof_control_acl_finalize(face), result;
	int (*finalize)(void);

	*(void **)&finalize = mp_next_find(next, next->finalize);
	result = finalize ? finalize() : 0;
	return result ? result : code;
}

/* The program may have begun by a library that hides ours. */
static inline void mp_next_begin_late(const struct mp_next *next, const struct msprof_face *face)
{
	if (mp_next_exists(next))
		msprof_wrap_init(NULL, face->profile);
}

#endif
