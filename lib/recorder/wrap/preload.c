/* preload.c: finds the vendor's functions when this library was loaded first. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "recorder/wrap/wrap.h"

void *msprof_wrap_bind(const char *name, void *real)
{
	void *known = NULL;

	for (const struct mp_wrapper *w = mp_wrappers; w->function; w++)
		if (strcmp(w->function->name, name) == 0)
			return atomic_compare_exchange_strong(&w->function->real, &known, real) || known == real
				   ? *(void *const *)&w->wrapper
				   : NULL;
	return NULL;
}

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
