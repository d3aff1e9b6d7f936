/* next.c: finds functions of the same name in other libraries. Each face has its own copy: RTLD_NEXT is behind it. */
#define _GNU_SOURCE /* RTLD_NEXT, dladdr */
#include "recorder/faces/next.h"

#include <dlfcn.h>
#include <stddef.h>

/* Returns the function unless it is this library's own, under another name of the file. */
static void *foreign(void *function)
{
	static const char here;
	Dl_info own, other;

	if (!function || !dladdr(&here, &own) || !dladdr(function, &other))
		return NULL;
	return own.dli_fbase == other.dli_fbase ? NULL : function;
}

static void *find(const struct mp_next *next, const char *name)
{
	void *function = foreign(dlsym(RTLD_NEXT, name));

	for (const char *const *file = next->libraries; !function && *file; file++) {
		void *library = dlopen(*file, RTLD_LAZY | RTLD_NOLOAD);

		if (library) {
			function = foreign(dlsym(library, name));
			dlclose(library); /* the program keeps the library loaded */
		}
	}
	return function;
}

int mp_next_init(const struct mp_next *next, const char *config, bool *found)
{
	int (*init)(const char *);

	*(void **)&init = find(next, next->init); /* POSIX allows this cast, ISO C does not */
	*found = init;
	return init ? init(config) : 0;
}

int mp_next_finalize(const struct mp_next *next)
{
	int (*finalize)(void);

	*(void **)&finalize = find(next, next->finalize);
	return finalize ? finalize() : 0;
}

bool mp_next_exists(const struct mp_next *next)
{
	return find(next, next->init) || foreign(dlsym(RTLD_DEFAULT, next->init));
}
