/*
 * dlopen.c: loads the library argv[1], records with it as argv[2] says, closes it, and waits for a byte or the end of
 * standard input.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#include "msprof_recorder.h"

int main(int argc, char **argv)
{
	void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int (*init)(const char *, enum msprof_profile);
	uint64_t (*begin)(void);
	void (*end)(uint64_t, enum msprof_api_type, uint32_t, uint32_t);

	if (!library)
		return fprintf(stderr, "%s\n", dlerror()), 2;
	*(void **)&init = dlsym(library, "msprof_init");
	*(void **)&begin = dlsym(library, "msprof_begin");
	*(void **)&end = dlsym(library, "msprof_api_end");
	if (init(argv[2], MSPROF_SVP))
		return 1;
	for (int i = 0; i < 1000; i++)
		end(begin(), MSPROF_OTHER, 0, MSPROF_NO_MODEL);
	dlclose(library);
	return getchar() == 'x'; /* the flusher's thread still runs */
}
