/* preload.c: where the vendor's functions are when this library was loaded first. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>

#include "recorder/wrap/wrap.h"

/*
 * Behind us in the order of libraries; or in a library that the program, or an extension of it, opened for itself,
 * which is looked for and not loaded.
 */
void *mp_wrap_find(struct mp_wrapped *function)
{
	void *real = atomic_load_explicit(&function->real, memory_order_acquire);
	int error = errno; /* the application's */

	if (real)
		return real;
	real = dlsym(RTLD_NEXT, function->name);
	for (const char *const *name = function->libraries; !real && *name; name++) {
		void *library = dlopen(*name, RTLD_LAZY | RTLD_NOLOAD);

		if (library) {
			real = dlsym(library, function->name);
			dlclose(library); /* the program holds it */
		}
	}
	atomic_store_explicit(&function->real, real, memory_order_release);
	errno = error;
	return real;
}
