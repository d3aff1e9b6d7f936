/* confine.c: lists the places that the sandbox allows: the job, layouts, and what SQLite and the C library open. */
#include "confine.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/sandbox.h"

enum { PLACES_MAX = 10 + OPTION_LIST_MAX };

static bool is_off(void)
{
	const char *setting = getenv("MSPROF_SANDBOX");

	return setting && strcmp(setting, "off") == 0;
}

/* The directory of SQLite's temporary databases: the first of its list that is writable. */
static const char *temporary(void)
{
	const char *const dirs[] = {getenv("SQLITE_TMPDIR"), getenv("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp", "."};
	struct stat st;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		if (dirs[i] && stat(dirs[i], &st) == 0 && S_ISDIR(st.st_mode) && access(dirs[i], W_OK | X_OK) == 0)
			return dirs[i];
	return ".";
}

/* A device or host directory of a PROF directory is read together with the host directory; false: another directory. */
static bool find_siblings(const char *dir, char above[PATH_MAX], char host[PATH_MAX + 8])
{
	char *slash = realpath(dir, above) ? strrchr(above, '/') : NULL;

	if (!slash || slash == above || (strcmp(slash + 1, "host") != 0 && strncmp(slash + 1, "device_", 7) != 0))
		return false;
	*slash = '\0';
	snprintf(host, PATH_MAX + 8, "%s/host", above);
	return true;
}

/* The directory for layouts, or the nearest one above it that exists: missing ones are made there. */
static const char *nearest(const char *dir, char path[PATH_MAX])
{
	struct stat st;

	snprintf(path, PATH_MAX, "%s", dir);
	while (stat(path, &st) != 0) {
		char *slash = strrchr(path, '/');

		if (!slash || slash == path)
			return slash ? "/" : ".";
		*slash = '\0';
	}
	return path;
}

void confine(const struct options *options, const char *dir)
{
	static bool entered; /* by this process */
	struct mp_place places[PLACES_MAX] = {
	    {dir, MP_REACH_WRITE}, {temporary(), MP_REACH_TEMPORARY}, {"/dev/urandom", MP_REACH_FILE}};
	char above[PATH_MAX], host[PATH_MAX + 8], output[PATH_MAX];
	size_t count = 3;

	if (entered || is_off())
		return;
	if (options_has(options, OPTION_LAYOUTS))
		places[count++] = (struct mp_place){options->values[OPTION_LAYOUTS], MP_REACH_READ};
	if (options_has(options, OPTION_REPORTS))
		places[count++] = (struct mp_place){options->values[OPTION_REPORTS], MP_REACH_FILE};
	if (options_has(options, OPTION_OUTPUT))
		places[count++] = (struct mp_place){nearest(options->values[OPTION_OUTPUT], output), MP_REACH_WRITE};
	for (size_t i = 0; i < options->froms.count; i++)
		places[count++] = (struct mp_place){options->froms.items[i], MP_REACH_READ};
	if (find_siblings(dir, above, host)) {
		places[count++] = (struct mp_place){above, MP_REACH_LIST};
		places[count++] = (struct mp_place){host, MP_REACH_READ};
	}
	tzset(); /* the time zone is a file */
	mp_sandbox_enter(places, count);
	entered = true;
}
