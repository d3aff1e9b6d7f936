/* executable.c: asks the system for the path of the running program. */
#include "recorder/executable.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *mp_executable_split(const char **name)
{
	char path[PATH_MAX] = "", *copy, *slash;
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 2);

	if (n <= 0 || path[0] != '/')
		return NULL;
	path[n] = '\0';
	slash = strrchr(path, '/');
	memmove(slash + 2, slash + 1, strlen(slash + 1) + 1);
	slash[slash == path] = '\0'; /* the root directory keeps its slash */
	copy = malloc(sizeof(path));
	if (!copy)
		return NULL;
	memcpy(copy, path, sizeof(path));
	*name = copy + (slash - path) + 2;
	return copy;
}
