/* preload.c: finds the vendor's functions when this library was loaded first. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>

#include "recorder/wrap/wrap.h"

/*
 * Search the libraries behind this one. Then search libraries that the program, or an extension of the program, opened
 * itself; they are not loaded here.
 */
void *mp_wrap_find(struct mp_wrapped *function)
{
	void *real = atomic_load_explicit(&function->real, memory_order_acquire);
	int error = errno; /* errno belongs to the application */

	if (real)
		return real;
	real = dlsym(RTLD_NEXT, function->name);
	for (const char *const *name = function->libraries; !real && *name; name++) {
		void *library = dlopen(*name, RTLD_LAZY | RTLD_NOLOAD);

		if (library) {
			real = dlsym(library, function->name);
			dlclose(library); /* the program keeps the library loaded */
		}
	}
	atomic_store_explicit(&function->real, real, memory_order_release);
	errno = error;
	return real;
}
