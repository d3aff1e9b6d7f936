/*
 * stub_opens.c: an application that opens the vendor's library itself, like extensions of languages do: stub_opens
 * LIBRARY
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL, *found;
	int (*execute)(uint32_t, const void *, void *);

	if (!library) {
		fprintf(stderr, "stub_opens: %s\n", argc == 2 ? dlerror() : "which library?");
		return 9;
	}
	/* search for the name like an extension: first in libraries loaded before */
	found = dlsym(RTLD_DEFAULT, "aclmdlExecute");
	if (!found)
		found = dlsym(library, "aclmdlExecute");
	*(void **)&execute = found;
	return execute ? execute(1, NULL, NULL) : 9;
}
